/** Renders cases of the law in a process that nothing else runs in, and measures itself. */
import { setImmediate as turn } from 'node:timers/promises';
import { hash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import type { Sharp } from 'sharp';
import type { OrganizationFontFamily, RenderJob, SourceImage } from '#wire/render-job.ts';
import { checkTemplate } from '#language/template.ts';
import type { Template } from '#language/schema/template.ts';
import { AppError } from '../../src/foundation/errors.ts';
import { resolvePreviewOptions } from '../../src/publish/preview.ts';
import type { RenderOptions } from '../../src/render/request.ts';
import { defaultOptions, resolveOptions } from '../../src/render/request.ts';
import { frameSequence } from '../../src/render/order.ts';
import { noTables } from '../../src/render/table-values.ts';
import { resolveVariables } from '../../src/render/values.ts';
import { candidateTemplate } from '../../src/store/published-cache.ts';
import type { PublishedTemplate } from '../../src/store/published-cache.ts';
import { templateInSize } from '../../src/store/template-sizes.ts';
import { runJob } from '../../src/render/run-job.ts';
import type { JobSupplies } from '../../src/render/run-job.ts';
import {
  admitted,
  organizationFont,
  readImage,
  sourceImage,
  svgFontConfigFile,
} from '../helpers/render.ts';
import type { LawCase } from './documents.ts';
import { hostileFonts } from './hostile-fonts.ts';
import { peakBytesOf, resetPeak } from '../../bench/harness/peak-memory.ts';
import { SvgProcesses } from './svg-processes.ts';

const { render } = await import('../../workers/render.ts');
const { inspectFont } = await import('../../workers/assets/font-inspection.ts');

/** What one case took, and what came of it. */
export interface LawResult {
  outcome:
    | 'rendered'
    | 'refused at save'
    | 'refused at request'
    | 'too expensive'
    | 'bad image'
    | 'failed';
  detail: string;
  /** Processor time of the check and of the render, milliseconds. */
  checkMs: number;
  renderMs: number;
  /** Processor time of the drawings of SVG layers, in processes of their own. */
  drawingsMs: number;
  /** Growth of resident memory of all processes at its peak, bytes. */
  peakBytes: number;
}

/** A font as it is after its upload, in a file of this machine. */
function uploadedFont(name: string, upload: Uint8Array): OrganizationFontFamily {
  const { file } = inspectFont(upload);
  const path = join(tmpdir(), `platen-law-${hash('sha256', file)}.ttf`);
  if (!existsSync(path)) writeWhole(path, file);
  return organizationFont(name, path);
}

/** Other processes of the law write the same file at the same time. */
function writeWhole(path: string, bytes: Uint8Array): void {
  const childPath = `${path}-${process.pid}`;
  writeFileSync(childPath, bytes);
  renameSync(childPath, path);
}

const organizationFonts = [...hostileFonts].map(([name, upload]) => uploadedFont(name, upload));

const noise = await sharp({
  create: {
    width: 1600,
    height: 1200,
    channels: 3,
    background: '#888',
    noise: { type: 'gaussian', mean: 128, sigma: 60 },
  },
})
  .jpeg({ quality: 90 })
  .toBuffer();
/** A file of noise that takes seconds to make: once a machine. */
async function cached(name: string, make: (image: Sharp) => Sharp): Promise<SourceImage> {
  const path = join(tmpdir(), `platen-law-${sharp.versions.vips}-${name}`);
  if (!existsSync(path)) {
    const tiled = sharp(noise).resize(4000, 3000, { kernel: 'nearest' });
    writeWhole(path, await make(tiled).toBuffer());
  }
  return admitted(readFileSync(path));
}
/** The most time to decode for its bytes. */
const heavy = await sharp(noise).avif({ quality: 90, effort: 0 }).toBuffer();
/** Decoded in no time to 64 MB. */
const flat = await sharp({
  create: { width: 4000, height: 4000, channels: 3, background: '#36c' },
})
  .png()
  .toBuffer();
/** Random in all channels: the most time to encode. */
const alpha = await sharp(noise)
  .resize(1150, 1150)
  .joinChannel(await sharp(noise).resize(1150, 1150).extractChannel('green').toBuffer())
  .png({ compressionLevel: 1 })
  .toBuffer();
const images: Record<string, SourceImage> = {
  alpha: await sourceImage(alpha),
  // Its last rows are missing: it fails after nearly all of its work.
  damaged: await sourceImage(alpha.subarray(0, -20_000)),
  flat: await sourceImage(flat),
  photo: await readImage('test/golden/images/photo.jpg'),
  ring: await readImage('test/golden/images/ring.png'),
  noise: await sourceImage(noise),
  heavy: await sourceImage(heavy),
  // The largest that users have: most of a render's time, or of its memory.
  avif: await cached('noise.avif', (image) => image.avif({ quality: 30, effort: 0, bitdepth: 10 })),
  webp: await cached('noise.webp', (image) => image.webp({ quality: 80, effort: 0 })),
  png: await cached('noise.png', (image) =>
    image
      .threshold(128, { grayscale: false })
      .toColourspace('rgb16')
      .png({ progressive: true, compressionLevel: 1 }),
  ),
};

const svgProcesses = new SvgProcesses(svgFontConfigFile);

process.on('message', (lawCase: LawCase) => {
  void measure(lawCase).then((result) => process.send?.(result));
});
// The first render of a process compiles code and opens fonts. JPEG alone, as the service's own warm-up.
await render(
  toJob(
    '{"format":1,"name":"first","width":600,"height":300,"variables":[],"layers":[{"id":"t","type":"text","x":0,"y":0,"width":600,"height":300,"text":"Hello","stroke":{"color":"#f00","width":2}}]}',
    new Map(),
    { format: 'jpeg', quality: 80, scale: 1 },
  ),
);
process.send?.('ready');

async function measure({ document, ...asked }: LawCase): Promise<LawResult> {
  resetPeak(process.pid);
  const beforeBytes = peakBytesOf(process.pid);
  const checked = await timed(() => checkTemplate(document));
  if (!checked.result.ok) {
    const [problem] = checked.result.problems;
    return {
      outcome: 'refused at save',
      detail: `${problem?.path} ${problem?.message}`,
      checkMs: checked.ms,
      renderMs: 0,
      drawingsMs: 0,
      peakBytes: peakBytesOf(process.pid) - beforeBytes,
    };
  }
  const { template } = checked.result;
  const { result: rendered, use } = await svgProcesses.measure((loader) =>
    timed(() => request(template, asked, loader)),
  );
  const { outcome, detail } = rendered.result;
  const parentPeak = peakBytesOf(process.pid) - beforeBytes;
  // Native memory is given back between jobs, as in a render host.
  await turn();
  return {
    outcome,
    detail,
    checkMs: checked.ms,
    renderMs: rendered.ms,
    drawingsMs: use.cpuMs,
    peakBytes: Math.max(use.peakBytes, parentPeak + use.keptBytes),
  };
}

/** What a job has for the way in which it is asked for. */
const kinds: Record<LawCase['by'], Partial<RenderJob>> = {
  preview: { wantsReport: true },
  publish: { makesBaseRender: true },
  link: {},
  pdf: { pdf: true },
  proof: { proof: { fileBytesMax: 1_000_000 } },
};

/** Failures of a render that are the fault of what was asked for. */
const failures = new Map<string, LawResult['outcome']>([
  ['TOO_EXPENSIVE', 'too expensive'],
  ['BAD_IMAGE', 'bad image'],
]);

async function request(
  document: Template,
  { values, by, size, ...wanted }: Omit<LawCase, 'document'>,
  loader: JobSupplies['loader'],
): Promise<Pick<LawResult, 'outcome' | 'detail'>> {
  const whole = candidateTemplate({
    uid: 'law',
    organizationUid: 'law',
    document,
    documentJson: JSON.stringify(document),
    fonts: [],
  });
  const template = (size !== undefined && templateInSize(whole, size)) || whole;
  const { format, quality, scale, animated = false, frames } = wanted;
  const link = {
    ...values,
    _format: format,
    _quality: String(quality),
    _scale: String(scale),
    ...(animated ? { _animated: '1' } : {}),
    ...(frames === undefined ? {} : { _frames: String(frames) }),
  };
  const parameters = Object.entries(by === 'publish' ? {} : link).map(([name, value]) => ({
    name,
    value,
    raw: `=${encodeURIComponent(value)}`,
  }));
  const query = { parameters, isTruncated: false };
  try {
    const resolved = resolveVariables(template, query, noTables);
    const options = optionsOf(by, wanted, template, query);
    if (typeof options === 'string') return { outcome: 'refused at request', detail: options };
    const animation =
      kinds[by].pdf || kinds[by].proof ? undefined : frameSequence(template, options);
    const job = toJob(template.documentJson, resolved, options);
    const kind = kinds[by];
    const { outcome } = await runJob(
      async (each) => ({ outcome: await render(each), queuedMs: 0 }),
      { ...job, ...kind, ...(animation && { animation }) },
      template,
      // The fonts' files stay where they are.
      { loader, fonts: { restoreFiles: () => Promise.resolve('deleted') } },
      new AbortController().signal,
    );
    if (outcome.ok)
      return { outcome: 'rendered', detail: `${outcome.widthPx} × ${outcome.heightPx}` };
    return { outcome: failures.get(outcome.code) ?? 'failed', detail: outcome.detail };
  } catch (error) {
    if (error instanceof AppError && error.code === 'BAD_REQUEST')
      return { outcome: 'refused at request', detail: error.message };
    return { outcome: 'failed', detail: String(error) };
  }
}

function optionsOf(
  by: LawCase['by'],
  wanted: Pick<LawCase, 'format' | 'quality' | 'scale' | 'animated' | 'frames'>,
  template: PublishedTemplate,
  query: Parameters<typeof resolveOptions>[1],
): RenderOptions | string {
  if (by === 'publish') return defaultOptions({ uid: 'law', format: undefined }, template);
  if (by !== 'preview') {
    return resolveOptions({ uid: 'law', format: undefined }, query, template);
  }
  const { frames, ...given } = wanted;
  const { options, problems } = resolvePreviewOptions(
    { ...given, ...(frames === undefined ? {} : { frames }) },
    template.document,
  );
  return problems[0]?.message ?? options;
}

function toJob(
  templateJson: string,
  values: RenderJob['values'],
  options: RenderOptions,
): RenderJob {
  const fonts = organizationFonts.filter(({ name }) => templateJson.includes(name));
  return {
    templateKey: hash('sha256', templateJson),
    templateJson,
    values,
    images: Object.entries(images),
    ...(fonts.length === 0 ? {} : { fonts }),
    ...options,
  };
}

async function timed<Result>(
  work: () => Result | Promise<Result>,
): Promise<{ result: Result; ms: number }> {
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return { result, ms: (user + system) / 1000 };
}
