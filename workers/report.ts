/** Reports to the designer of a template on each layer: its position, its lines, its image and its problems. */
import { isParent } from '#language/layer-tree.ts';
import type { Layer } from '#language/schema/layers.ts';
import type { LayerReport, RenderWarning, ReportLine } from '#wire/render-job.ts';
import { templateLimits } from '#language/limits/template-limits.ts';
import type { TextLayer } from '#language/schema/text.ts';
import type { DisplayContent, DisplayItem, DisplayList, ImagePlacement } from './display-list.ts';
import { walkItems } from './display-list.ts';
import { measureContrasts } from './contrast.ts';
import { isText } from './contrast-letters.ts';
import { seenSize } from './layout/image-layer.ts';
import { fallbackFamilies } from './assets/fonts.ts';
import { splitByFamily } from './text/font-runs.ts';
import { faceOfSetting } from './text/style.ts';
import { textFactsOf } from './layout/text-facts.ts';
import { layoutText } from './layout/text-layer.ts';
import { paintGrounds } from './contrast-grounds.ts';
import type { JobFiles } from './decode-sources.ts';
import type { Scene } from './bind-scene.ts';
import { withWorkShare, workMs } from './work-limit.ts';

/** The data of one render from which its layers are reported. */
export interface ReportSources {
  scene: Scene;
  list: DisplayList;
  files: JobFiles;
  /** Device pixels per design pixel. */
  scale: number;
  /** Warnings about low contrast are added. */
  warnings: RenderWarning[];
  /** False if contrasts are not measured; measuring takes as long as the image. */
  hasContrast?: boolean;
}

/** The data with measurements. */
interface Measured extends ReportSources {
  /** Contrasts of text layers by their ids. */
  contrasts: ReadonlyMap<string, number>;
}

/**
 * Ratio of a file pixel to a device pixel from which an image counts as enlarged; smaller ones are rounding of
 * positions.
 */
const enlargedMin = 1.01;
/** Maximum CPU time to decode sources and measure contrasts. */
const contrastMsMax = 500;

/**
 * Returns one report per drawn layer, in paint order, a group before its children. Layers that are hidden, left out or
 * only masks draw nothing and have no report. A warning about such a layer is a report without a position.
 */
export async function reportLayers(drawn: ReportSources): Promise<LayerReport[]> {
  const contrasts =
    drawn.hasContrast === false ? new Map<string, number>() : await contrastsOf(drawn);
  const sources = { ...drawn, contrasts };
  const layers = new Map<string, Layer>();
  collectLayers(sources.scene.layers, layers);
  const reports: LayerReport[] = [];
  addReports(sources.list.items, undefined, layers, sources, reports);
  const reported = new Set(reports.map(({ id }) => id));
  for (const { layer: id = '' } of sources.warnings) {
    const layer = layers.get(id);
    if (layer === undefined || reported.has(id)) continue;
    reported.add(id);
    const { type, x = 0, y = 0, rotation = 0 } = layer;
    const box = { x, y, width: fixedSize(layer.width), height: fixedSize(layer.height), rotation };
    reports.push({ id, type, box, warnings: warningsOf(id, sources.warnings) });
  }
  return reports;
}

/**
 * Returns contrasts by layer, and adds their warnings. Empty if the render has not enough time left after
 * its image.
 */
async function contrastsOf({
  list,
  files,
  scale,
  warnings,
}: ReportSources): Promise<ReadonlyMap<string, number>> {
  const hasText = [...walkItems(list.items)].some(({ content }) => isText(content));
  const leftMs = templateLimits.renderMsMax - workMs();
  if (!hasText || leftMs < contrastMsMax) return new Map<string, number>();
  const measured = await withWorkShare(contrastMsMax, () =>
    measureContrasts(list, paintGrounds(list, files, scale)),
  );
  warnings.push(...(measured?.warnings ?? []));
  return measured?.contrasts ?? new Map<string, number>();
}

/** Returns the size of a layer that is not drawn: 0 without a fixed size. */
function fixedSize(size: Layer['width']): number {
  return typeof size === 'number' ? size : 0;
}

function collectLayers(layers: readonly Layer[], found: Map<string, Layer>): void {
  for (const layer of layers) {
    found.set(layer.id, layer);
    if (isParent(layer)) collectLayers(layer.layers, found);
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
  const ofLayer = warnings.filter((warning) => warning.layer === id);
  const has = (code: RenderWarning['code']): boolean => ofLayer.some((each) => each.code === code);
  // The display list has only the size of each run, and runs in visual order. The layout has the layer's size, and its
  // lines in logical order. For a copied content the layout is repeated.
  const height = typeof layer.height === 'number' ? layer.height : box.height;
  const textScale = content.kind === 'text' ? content.textScale : undefined;
  const { fontSize, lineTexts, text } =
    textFactsOf(content) ?? layoutText(layer, { ...box, height }, scene, textScale);
  const lines = linesOf(content).map((line, index) => ({
    ...line,
    text: lineTexts[index] ?? line.text,
  }));
  const isTruncated = has('TEXT_TRUNCATED');
  const cut = isTruncated ? cutOff(text, lines.map((line) => line.text).join('')) : undefined;
  const contrast = contrasts.get(id);
  const fallbackFonts = fallbackFontsOf(content, scene.lang);
  const contrastMin = ofLayer.find(({ code }) => code === 'LOW_CONTRAST')?.contrastMin;
  return {
    text,
    lines,
    fontSize,
    overflow: isTruncated ? 'truncated' : has('TEXT_OVERFLOWS') ? 'overflows' : 'none',
    ...(cut === undefined ? {} : { cut }),
    missingGlyphs: ofLayer.flatMap(({ characters = [] }) => characters),
    ...(fallbackFonts.length === 0 ? {} : { fallbackFonts }),
    ...(contrast === undefined ? {} : { contrast }),
    ...(contrastMin === undefined ? {} : { contrastMin }),
  };
}

/** Returns the families of the fallback order that draw letters which the first family of their run lacks. */
function fallbackFontsOf(content: DisplayContent, lang: string): string[] {
  const drawing = new Set<string>();
  for (const { font, text } of content.kind === 'text' ? content.runs : []) {
    const face = faceOfSetting(font);
    if (face === undefined) continue;
    for (const { family } of splitByFamily(face, text)) {
      if (family !== face.families[0]) drawing.add(family);
    }
  }
  return fallbackFamilies(lang).filter((family) => drawing.has(family));
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

/** Characters that are not compared: layout changes white space and joiners. */
const unimportant = /[\s\p{Default_Ignorable_Code_Point}]/u;

/** Returns the part of `text` after everything in `shown` except an ellipsis; undefined if they do not match. */
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
    (placed.width * Math.max(1, scale)) / (natural.width * ratio),
    (placed.height * Math.max(1, scale)) / (natural.height * ratio),
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
