/** Tells whoever designs a template what became of each layer: its place, its lines, its picture and what is wrong. */
import type { Layer } from '#language/schema/layers.ts';
import type { LayerReport, RenderWarning, ReportLine } from '#wire/render-job.ts';
import { spansOf } from '#language/limits/text-limit.ts';
import { templateLimits } from '#language/limits/template-limits.ts';
import type { TextLayer } from '#language/schema/text.ts';
import type { DisplayContent, DisplayItem, DisplayList, ImagePlacement } from './display-list.ts';
import { measureContrasts } from './contrast.ts';
import { seenSize } from './layout/image-layer.ts';
import { layoutText } from './layout/text-layer.ts';
import { decodeSources } from './decode-sources.ts';
import type { JobFiles } from './decode-sources.ts';
import type { Scene } from './bind-scene.ts';
import { withWorkShare, workMs } from './work-limit.ts';

/** Everything that one drawn picture tells about its layers. */
export interface ReportSources {
  scene: Scene;
  list: DisplayList;
  files: JobFiles;
  /** Device pixels a design pixel. */
  scale: number;
  /** Those of a low contrast are added. */
  warnings: RenderWarning[];
}

/** And what had to be measured. */
interface Measured extends ReportSources {
  /** Of text layers by their ids. */
  contrasts: ReadonlyMap<string, number>;
}

/** A pixel of the file may be this much larger than a device pixel before it counts as enlarged: rounding of the placing. */
const enlargedMin = 1.01;
/** Processor time of measuring contrasts, decoding included. */
const contrastMsMax = 500;

/**
 * One report a drawn layer, in paint order, a group before what is in it. Layers that are hidden, are left out
 * or only mask others draw nothing and have none; what is warned about such a layer is a report without a place.
 */
export async function reportLayers(drawn: ReportSources): Promise<LayerReport[]> {
  const contrasts = await contrastsOf(drawn);
  const sources = { ...drawn, contrasts };
  const layers = new Map<string, Layer>();
  collectLayers(sources.scene.layers, layers);
  const reports: LayerReport[] = [];
  addReports(sources.list.items, undefined, layers, sources, reports);
  const told = new Set(reports.map(({ id }) => id));
  for (const { layer: id = '' } of sources.warnings) {
    const layer = layers.get(id);
    if (layer === undefined || told.has(id)) continue;
    told.add(id);
    const { type, x, y, width, height, rotation = 0 } = layer;
    const box = { x, y, width, height, rotation };
    reports.push({ id, type, box, warnings: warningsOf(id, sources.warnings) });
  }
  return reports;
}

/** By layer. Adds the warnings. None where the render has no time left for it: the image is done. */
async function contrastsOf({
  list,
  files,
  scale,
  warnings,
}: ReportSources): Promise<ReadonlyMap<string, number>> {
  const hasText = list.items.some(({ content }) => content.kind === 'text');
  const leftMs = templateLimits.renderMsMax - workMs();
  if (!hasText || leftMs < contrastMsMax) return new Map<string, number>();
  const measured = await withWorkShare(contrastMsMax, async () => {
    // What could not be drawn is warned of already. Those of the image: an SVG of another size would have to be drawn
    // first, and the image painted and encoded a second time.
    const drawables = await decodeSources(list, files, scale, []);
    return measureContrasts(list, drawables);
  });
  warnings.push(...(measured?.warnings ?? []));
  return measured?.contrasts ?? new Map<string, number>();
}

function collectLayers(layers: readonly Layer[], found: Map<string, Layer>): void {
  for (const layer of layers) {
    found.set(layer.id, layer);
    if (layer.type === 'group') collectLayers(layer.layers, found);
  }
}

function addReports(
  items: readonly DisplayItem[],
  group: string | undefined,
  layers: ReadonlyMap<string, Layer>,
  sources: Measured,
  reports: LayerReport[],
): void {
  for (const item of items) {
    const { layer: id, box, rotation, content } = item;
    const layer = layers.get(id);
    if (layer === undefined) continue;
    const placement = placementOf(content);
    reports.push({
      id,
      ...(group === undefined ? {} : { group }),
      type: layer.type,
      box: { ...box, rotation },
      ...(layer.type === 'text' ? { text: reportText(layer, item, sources) } : {}),
      ...(placement === undefined ? {} : reportImage(placement, sources)),
      warnings: warningsOf(id, sources.warnings),
    });
    if (content.kind === 'group') addReports(content.items, id, layers, sources, reports);
  }
}

function warningsOf(id: string, warnings: readonly RenderWarning[]): LayerReport['warnings'] {
  return warnings.filter(({ layer }) => layer === id).map(({ code, detail }) => ({ code, detail }));
}

function reportText(
  layer: TextLayer,
  { layer: id, box, content }: DisplayItem,
  { scene, warnings, contrasts }: Measured,
): NonNullable<LayerReport['text']> {
  const own = warnings.filter((warning) => warning.layer === id);
  const has = (code: RenderWarning['code']): boolean => own.some((each) => each.code === code);
  const text = spansOf(layer)
    .map((span) => span.text)
    .join('');
  // The display list keeps the size of each run alone and runs as they are painted; the layout of the same layer says
  // the layer's size, and what a line says in logical order.
  const place = { x: box.x, y: box.y, width: layer.width, height: layer.height };
  const { fontSize, lineTexts } = layoutText(layer, place, scene);
  const lines = linesOf(content).map((line, index) => ({
    ...line,
    text: lineTexts[index] ?? line.text,
  }));
  const isTruncated = has('TEXT_TRUNCATED');
  const cut = isTruncated ? cutOff(text, lines.map((line) => line.text).join('')) : undefined;
  const contrast = contrasts.get(id);
  return {
    text,
    lines,
    fontSize,
    overflow: isTruncated ? 'truncated' : has('TEXT_OVERFLOWS') ? 'overflows' : 'none',
    ...(cut === undefined ? {} : { cut }),
    missingGlyphs: own.flatMap(({ characters = [] }) => characters),
    ...(contrast === undefined ? {} : { contrast }),
  };
}

/** Runs on one baseline are a line; letters along a path are one line at the path's origin. */
function linesOf(content: DisplayContent): ReportLine[] {
  if (content.kind === 'path-text') {
    const text = content.glyphs.map((glyph) => glyph.text).join('');
    return text === '' ? [] : [{ text, x: content.box.x, y: content.box.y, width: content.width }];
  }
  const lines: ReportLine[] = [];
  for (const run of content.kind === 'text' ? content.runs : []) {
    const last = lines.at(-1);
    if (last === undefined || last.y !== run.y) {
      lines.push({ text: run.text, x: run.x, y: run.y, width: run.width });
      continue;
    }
    const end = Math.max(last.x + last.width, run.x + run.width);
    last.text += run.text;
    last.x = Math.min(last.x, run.x);
    last.width = end - last.x;
  }
  return lines;
}

/** Of both texts only letters count: case, white space and joiners change when lines are made. */
const unimportant = /[\s\p{Default_Ignorable_Code_Point}]/u;

/** What of `text` comes after all that is `shown` but an ellipsis; undefined when they do not agree. */
function cutOff(text: string, shown: string): string | undefined {
  const drawn = Array.from(shown.replace(/…\s*$/u, '')).filter((one) => !unimportant.test(one));
  let matched = 0;
  let units = 0;
  for (const one of text) {
    if (matched === drawn.length) break;
    units += one.length;
    if (unimportant.test(one)) continue;
    if (one.toLowerCase() !== drawn[matched]?.toLowerCase()) return undefined;
    matched += 1;
  }
  return matched === drawn.length ? text.slice(units).trim() : undefined;
}

function placementOf(content: DisplayContent): ImagePlacement | undefined {
  return content.kind === 'image' || content.kind === 'shape' ? content.image : undefined;
}

function reportImage(
  { request, placed }: ImagePlacement,
  { files: { images }, scale }: ReportSources,
): Pick<LayerReport, 'image'> {
  const file = images.get(request.source);
  if (file === undefined) return {};
  const natural = seenSize(file);
  const ratio = file.pixelRatio ?? 1;
  const enlarged = Math.max(
    (placed.width * scale) / (natural.width * ratio),
    (placed.height * scale) / (natural.height * ratio),
  );
  return {
    image: {
      source: request.source,
      naturalWidth: natural.width,
      naturalHeight: natural.height,
      placed: { x: placed.x, y: placed.y, width: placed.width, height: placed.height },
      upscaled: enlarged > enlargedMin,
    },
  };
}
