/**
 * Finds the texts of a template in reading order. Imports no schema, because the studio loads this module in every
 * browser.
 */
import { bindingPattern } from './bind/bindings.ts';
import { isParent } from './layer-tree.ts';
import type { Layer } from './schema/layers.ts';
import type { Template } from './schema/template.ts';
import { variableOf } from './values/formatted-binding.ts';
import { isRightToLeft } from './writing-direction.ts';

/** One text of an image: literal words, and names of variables. Formats are left out. */
export type ImageText = readonly (string | { variable: string })[];

/**
 * The texts of a template before values are known: its `alt`, or otherwise its texts in reading order. Texts without a
 * letter or digit, and layers that some images hide, are left out.
 */
export function templateTexts({ alt, layers, variables, lang = 'en' }: Template): ImageText[] {
  const names = new Set(variables.map(({ name }) => name));
  const texts = alt === undefined ? shownTexts(layers, isRightToLeft(lang)) : [alt];
  return texts.map((text) => toParts(text, names));
}

function shownTexts(layers: readonly Layer[], isMirrored: boolean): string[] {
  return readTexts(layers, isMirrored, (layer) => {
    // Before values are bound, `visible` may be a binding.
    const { visible = true }: { visible?: unknown } = layer;
    if (visible !== true || layer.visibleWhen !== undefined) return [];
    if (layer.type === 'stack' && layer.repeat !== undefined) return [];
    if (isParent(layer)) return shownTexts(layer.layers, isMirrored);
    return wordsOf(layer);
  });
}

function toParts(text: string, names: ReadonlySet<string>): ImageText {
  // `split` returns the pattern's group as every second piece.
  return text
    .split(new RegExp(bindingPattern.source))
    .map((piece, index) =>
      index % 2 === 0 ? piece : { variable: variableOf(piece.trim(), names) },
    )
    .filter((piece) => piece !== '');
}

/** The words of a layer as one text. Empty for a layer without words, and for a text without a letter or digit. */
export function wordsOf(layer: Layer): string[] {
  if (layer.type !== 'text') return [];
  const { text = '', spans = [{ text }] } = layer;
  const whole = spans.map((span) => span.text).join('');
  return /[\p{L}\p{N}]/u.test(whole) ? [whole] : [];
}

/** The texts of siblings in reading order. `textsOf` returns the texts of one layer and of its descendants. */
export function readTexts(
  layers: readonly Layer[],
  isMirrored: boolean,
  textsOf: (layer: Layer) => string[],
): string[] {
  const spoken: SpokenLayer[] = [];
  for (const layer of layers) {
    const texts = textsOf(layer);
    if (texts.length > 0)
      spoken.push({ texts, across: spanOf(layer, 'x'), down: spanOf(layer, 'y') });
  }
  return inReadingOrder(spoken, isMirrored).flatMap(({ texts }) => texts);
}

/** Start and end of a box along an axis, in design pixels. */
interface Extent {
  start: number;
  end: number;
}

/** A layer with words and its extents. They are undefined for a child of a stack and for a bound position. */
interface SpokenLayer {
  texts: string[];
  across: Extent | undefined;
  down: Extent | undefined;
}

/** Share of a box at each side that counts as empty, because the boxes of lines overlap a little. */
const edge = 0.1;

function spanOf(layer: Layer, axis: 'x' | 'y'): Extent | undefined {
  const position: unknown = Reflect.get(layer, axis);
  if (typeof position !== 'number') return undefined;
  const size: unknown = Reflect.get(layer, axis === 'x' ? 'width' : 'height');
  const length = typeof size === 'number' ? size : 0;
  return { start: position + length * edge, end: position + length * (1 - edge) };
}

/**
 * Sorts layers into reading order. Splits them at the widest gap, and each part again, so that close layers are read
 * together, such as a label and its value. Layers without a gap, and those of stacks, keep their document order.
 */
function inReadingOrder(
  layers: readonly SpokenLayer[],
  isMirrored: boolean,
): readonly SpokenLayer[] {
  if (layers.length < 2) return layers;
  const rows = widestGap(layers, ({ down }) => down);
  const columns = widestGap(layers, ({ across }) => across);
  const isRow = (rows?.width ?? -1) >= (columns?.width ?? -1);
  const gap = isRow ? rows : columns;
  if (gap === undefined) return layers;
  const parts = [gap.before, gap.after].map((part) => inReadingOrder(part, isMirrored));
  return (isRow || !isMirrored ? parts : parts.toReversed()).flat();
}

interface Gap {
  width: number;
  before: SpokenLayer[];
  after: SpokenLayer[];
}

/** The widest gap along an axis; undefined if there is none. */
function widestGap(
  layers: readonly SpokenLayer[],
  extentOf: (layer: SpokenLayer) => Extent | undefined,
): Gap | undefined {
  const placed = layers.flatMap((layer) => {
    const extent = extentOf(layer);
    return extent === undefined ? [] : [{ layer, ...extent }];
  });
  if (placed.length < layers.length) return undefined;
  const sorted = placed.toSorted((a, b) => a.start - b.start);
  let end = Number.POSITIVE_INFINITY;
  let found: { width: number; start: number } | undefined;
  for (const [index, each] of sorted.entries()) {
    const width = each.start - end;
    if (width >= 0 && width > (found?.width ?? -1)) found = { width, start: each.start };
    end = index === 0 ? each.end : Math.max(end, each.end);
  }
  if (found === undefined) return undefined;
  const { width, start } = found;
  const isAfter = (layer: SpokenLayer): boolean => (extentOf(layer)?.start ?? 0) >= start;
  return {
    width,
    before: layers.filter((layer) => !isAfter(layer)),
    after: layers.filter(isAfter),
  };
}
