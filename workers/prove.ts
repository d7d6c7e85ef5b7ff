/** Proves one row of a list: lays it out and checks it, and renders its image only where a check needs the file. */
import type { RenderFormat, RowProof } from '#wire/render-job.ts';
import type { TextLayer } from '#language/schema/text.ts';
import type { Layer } from '#language/schema/layers.ts';
import { isParent } from '#language/layer-tree.ts';
import { measureContrasts } from './contrast.ts';
import { KeptGrounds, paintGrounds } from './contrast-grounds.ts';
import type { DisplayItem, DisplayList } from './display-list.ts';
import { walkImages, walkItems } from './display-list.ts';
import { findDamagedRegions } from './incremental/damage.ts';
import type { LaidOutJob } from './incremental/make-base-render.ts';
import { fontSizes } from './layout/text-spans.ts';
import type { ReportSources } from './report.ts';

/** The proof of a laid out row, without the size of its file. */
export interface Proof {
  row: RowProof;
  /** Whether the image must be rendered: its file may be too large, or it has an image that was never decoded. */
  needsFile: boolean;
}

/**
 * Upper bound of the bytes that a changed pixel adds to a file. Noise in all four channels at quality 100 takes 4.01 in
 * PNG, 2.92 in JPEG, 3.80 in WebP, 5.16 in AVIF and 1.51 in GIF (measured at 512 × 512).
 */
const pixelBytesMax: Readonly<Record<RenderFormat, number>> = {
  png: 4.1,
  jpeg: 4,
  webp: 4,
  avif: 5.5,
  // A code of 12 bits for each pixel, and the length of each block.
  gif: 1.6,
};

/** Side of the block that changes with a pixel: two blocks of a JPEG in 4:2:0. */
const blockPx = 16;

/** Digests of images that were decoded. The file of a row with another image is always rendered. */
const decoded = new Set<string>();
/** Upper bound of the digests, which then take 10 MB. */
const decodedMax = 100_000;

/** A rendered row of the template, from which others differ. */
interface Reference {
  key: string;
  list: DisplayList;
  fileBytes: number;
}

let reference: Reference | undefined;
const grounds = new KeptGrounds();

/** Checks texts and contrasts of a laid out row; adds warnings about contrast. */
export async function proveLayout(
  laidOut: LaidOutJob,
  { scene, warnings }: Pick<ReportSources, 'scene' | 'warnings'>,
  fileBytesMax: number,
): Promise<Proof> {
  const { job, list, files } = laidOut;
  const painted = paintGrounds(list, files, job.scale);
  const { warnings: faint } = await measureContrasts(list, grounds.for(job.templateKey, painted));
  warnings.push(...faint);
  const row: RowProof = { shrunk: shrunkTexts(scene.layers, list) };
  const isDecoded = [...walkImages(list.items)].every(({ request }) => decoded.has(request.digest));
  return { row, needsFile: !isDecoded || boundOf(laidOut) > fileBytesMax };
}

/** Records the file of a rendered row, with which later rows are compared. */
export function noteFile({ job, list }: LaidOutJob, fileBytes: number): void {
  if (decoded.size > decodedMax) decoded.clear();
  for (const { request } of walkImages(list.items)) decoded.add(request.digest);
  reference = { key: referenceKey(job), list, fileBytes };
}

/** Returns an upper bound of the file in bytes: the reference, and all changed pixels; Infinity without a reference. */
function boundOf({ job, list }: LaidOutJob): number {
  if (reference?.key !== referenceKey(job)) return Infinity;
  const regions = findDamagedRegions(reference.list, list, job.scale, blockPx);
  if (regions === undefined) return Infinity;
  const pixels = regions.reduce((sum, { width, height }) => sum + width * height, 0);
  return reference.fileBytes + pixels * pixelBytesMax[job.format];
}

function referenceKey(job: {
  templateKey: string;
  format: RenderFormat;
  quality: number;
  scale: number;
}): string {
  return [job.templateKey, job.format, job.quality, job.scale].join(' ');
}

/** Returns texts that are drawn smaller than designed; spans of a text may have different sizes. */
function shrunkTexts(layers: readonly Layer[], list: DisplayList): RowProof['shrunk'] {
  const texts = new Map<string, TextLayer>();
  collectTexts(layers, texts);
  const shrunk: RowProof['shrunk'] = [];
  for (const item of walkItems(list.items)) {
    const layer = texts.get(item.layer);
    const largest = layer && largestSize(item);
    if (layer === undefined || largest === undefined) continue;
    const { fontSize } = fontSizes(layer);
    const designed = Math.max(fontSize, ...(layer.spans ?? []).map((span) => span.fontSize ?? 0));
    const ratio = largest / designed;
    if (ratio < shrunkBelow)
      shrunk.push({ layer: item.layer, fontSize: fontSize * ratio, designed });
  }
  return shrunk;
}

/** Ratio below which a text counts as shrunk; the rest is the rounding of a fitted size. */
const shrunkBelow = 0.99;

function collectTexts(layers: readonly Layer[], found: Map<string, TextLayer>): void {
  for (const layer of layers) {
    if (layer.type === 'text') found.set(layer.id, layer);
    else if (isParent(layer)) collectTexts(layer.layers, found);
  }
}

function largestSize({ content }: DisplayItem): number | undefined {
  if (content.kind !== 'text' || content.runs.length === 0) return undefined;
  return Math.max(...content.runs.map(({ font }) => font.size));
}
