/** Measures the width and height of layers that hug or fill, from their content. */
import type { Layer, StackLayer } from '#language/schema/layers.ts';
import type { TextLayer } from '#language/schema/text.ts';
import type { Scene } from '../bind-scene.ts';
import type { Rect } from '../display-list.ts';
import { clampSize, sizeTolerance } from './flex.ts';
import { keptTextSizes } from './item-cache.ts';
import type { TextSize, WidthKind } from './measure-text.ts';
import { measureText } from './measure-text.ts';
import type { PreparedText } from './layer-paragraphs.ts';
import { prepareText } from './layer-paragraphs.ts';
import { candidatesOf } from './text-layer.ts';

/** A stack's size, and the boxes of its layers relative to its top left corner, in design pixels. */
export interface Arrangement {
  width: number;
  height: number;
  boxes: Rect[];
}

/** Returns the space between a stack's edges and its layers, in design pixels. */
export function stackInsets({ padding = 0 }: StackLayer): {
  top: number;
  right: number;
  bottom: number;
  left: number;
} {
  const [top, right, bottom, left] = Array.isArray(padding)
    ? padding
    : [padding, padding, padding, padding];
  return { top, right, bottom, left };
}

/** Arranges a stack of this width. Without a height, the stack is as high as its layers. */
type ArrangeStack = (
  stack: StackLayer,
  width: number,
  height: number | undefined,
  context: MeasureContext,
) => Arrangement;

/** The inputs of sizes besides the layer. */
export interface MeasureContext {
  scene: Scene;
  /** Key of the organization's families that are available. */
  organizationFonts: string;
  /** Factor on the font size of texts that shrink together, at most 1. */
  textScale: number;
  /** `arrangeStack`, because the height of a stack is that of its arranged layers. */
  arrange: ArrangeStack;
  /** Results of this layout: a nested stack is measured for each size of the outer stack. */
  measured: Measured;
}

/** Results by layer and question. */
export type Measured = WeakMap<Layer, Map<string, unknown>>;

/** Returns the result of `measure`, which is called once per layout for a layer and a question. */
export function measureOnce<Result>(
  layer: Layer,
  question: string,
  { measured }: MeasureContext,
  measure: () => Result,
): Result {
  let results = measured.get(layer);
  if (results === undefined) measured.set(layer, (results = new Map()));
  const known = results.get(question) as Result | undefined;
  if (known !== undefined) return known;
  const result = measure();
  results.set(question, result);
  return result;
}

/** Overflow rules that make a text fit a smaller box. */
const fittingOverflows: ReadonlySet<TextLayer['overflow']> = new Set([
  undefined,
  'shrink',
  'ellipsis',
  'clip',
]);

/** Whether a layer is a text that adapts to a box lower than its lines. */
export function fitsLowerBox(layer: Layer): boolean {
  return layer.type === 'text' && fittingOverflows.has(layer.overflow);
}

/** Returns a width of a layer in design pixels. */
export function layerWidth(layer: Layer, kind: WidthKind, context: MeasureContext): number {
  if (typeof layer.width === 'number') return layer.width;
  return clampWidth(layer, contentWidth(layer, kind, context));
}

/** Returns a width of a layer's content in design pixels, without the limits of the layer. */
export function contentWidth(layer: Layer, kind: WidthKind, context: MeasureContext): number {
  if (layer.type === 'text') return textSize(layer, Infinity, context).widths[kind];
  if (layer.type !== 'stack') return 0;
  return measureOnce(layer, `${kind} width ${context.textScale}`, context, () =>
    stackWidth(layer, kind, context),
  );
}

function stackWidth(layer: StackLayer, kind: WidthKind, context: MeasureContext): number {
  const { left, right } = stackInsets(layer);
  const widths = layer.layers.map((child) => layerWidth(child, kind, context));
  const isOneLine = layer.direction === 'row' && (layer.wrap !== true || kind === 'natural');
  if (!isOneLine) return left + right + Math.max(0, ...widths);
  const gaps = (layer.gap ?? 0) * Math.max(0, widths.length - 1);
  return left + right + gaps + widths.reduce((sum, width) => sum + width, 0);
}

/** Returns the height in design pixels of a layer of this width. */
export function heightAt(layer: Layer, width: number, context: MeasureContext): number {
  const { height } = layer;
  if (typeof height === 'number') {
    const grows = layer.type === 'text' && layer.overflow === 'grow';
    return grows ? Math.max(height, textSize(layer, width, context).height) : height;
  }
  return clampHeight(layer, contentHeight(layer, width, context));
}

/** Returns the height in design pixels of a layer's content at a width, without the limits of the layer. */
export function contentHeight(layer: Layer, width: number, context: MeasureContext): number {
  if (layer.type === 'text') return textSize(layer, width, context).height;
  return layer.type === 'stack' ? context.arrange(layer, width, undefined, context).height : 0;
}

/**
 * Returns the minimum height in design pixels of a layer of this width, in which texts follow their overflow rules.
 * With `isCut`, texts that shrink are also cut at their smallest size.
 */
export function leastHeight(
  layer: Layer,
  width: number,
  context: MeasureContext,
  isCut = false,
): number {
  if (typeof layer.height === 'number') return heightAt(layer, width, context);
  if (layer.type === 'text') {
    return clampHeight(layer, leastTextHeight(layer, width, context, isCut));
  }
  if (layer.type !== 'stack') return heightAt(layer, width, context);
  const question = `least height ${width} ${isCut} ${context.textScale}`;
  return measureOnce(layer, question, context, () =>
    leastStackHeight(layer, width, context, isCut),
  );
}

function leastStackHeight(
  layer: StackLayer,
  width: number,
  context: MeasureContext,
  isCut: boolean,
): number {
  const { top, bottom } = stackInsets(layer);
  const { boxes } = context.arrange(layer, width, undefined, context);
  const heights = layer.layers.map((child, index) =>
    leastHeight(child, boxes[index]?.width ?? 0, context, isCut),
  );
  if (layer.direction === 'row') {
    if (layer.wrap === true) return heightAt(layer, width, context);
    return clampHeight(layer, top + bottom + Math.max(0, ...heights));
  }
  const gaps = (layer.gap ?? 0) * Math.max(0, heights.length - 1);
  return clampHeight(layer, top + bottom + gaps + heights.reduce((sum, each) => sum + each, 0));
}

/** Returns the minimum height of a text by its overflow rule: at its smallest size, of one line, or 0 if clipped. */
function leastTextHeight(
  layer: TextLayer,
  width: number,
  context: MeasureContext,
  isCut: boolean,
): number {
  switch (layer.overflow ?? 'shrink') {
    case 'shrink': {
      const { height, lineHeight } = textSize(layer, width, { ...context, textScale: 0 });
      return isCut ? lineHeight : height;
    }
    case 'ellipsis':
      return textSize(layer, width, context).lineHeight;
    case 'clip':
      return 0;
    default:
      return textSize(layer, width, context).height;
  }
}

/** Whether a text at its scale fits a box without a cut word or line. */
export function fitsBox(
  layer: TextLayer,
  box: { width: number; height: number },
  context: MeasureContext,
): boolean {
  const { least: word } = textSize(layer, Infinity, context).widths;
  const { height } = textSize(layer, box.width, context);
  return word <= box.width + sizeTolerance && height <= box.height + sizeTolerance;
}

/** Returns `width` within the limits for widths that hug or fill. A stack is at least as wide as its padding. */
export function clampWidth(layer: Layer, width: number): number {
  const { minWidth = 0, maxWidth = Infinity } = layer;
  if (layer.type !== 'stack') return clampSize(width, minWidth, maxWidth);
  const { left, right } = stackInsets(layer);
  return clampSize(width, Math.max(minWidth, left + right), maxWidth);
}

/** Returns `height` within the layer's limits, as `clampWidth`. */
export function clampHeight(layer: Layer, height: number): number {
  const { minHeight = 0, maxHeight = Infinity } = layer;
  if (layer.type !== 'stack') return clampSize(height, minHeight, maxHeight);
  const { top, bottom } = stackInsets(layer);
  return clampSize(height, Math.max(minHeight, top + bottom), maxHeight);
}

function textSize(layer: TextLayer, width: number, context: MeasureContext): TextSize {
  const { scene, organizationFonts, textScale } = context;
  const sizes = keptTextSizes(layer);
  const key = `${width} ${textScale} ${scene.lang} ${organizationFonts}`;
  let size = sizes.get(key);
  if (size === undefined) {
    size =
      layer.alternatives === undefined
        ? measureOneText(layer, width, context)
        : measureFirstThatFits(layer, width, context);
    sizes.set(key, size);
  }
  return size;
}

function measureOneText(layer: TextLayer, width: number, context: MeasureContext): TextSize {
  const { measured } = prepareOnce(layer, context);
  return measureText(layer, width, context.textScale, measured());
}

/** Returns the text of a layer, prepared once per layout: a layer that hugs is measured before it is laid out. */
export function prepareOnce(layer: TextLayer, context: MeasureContext): PreparedText {
  return measureOnce(layer, 'text', context, () => prepareText(layer, context.scene));
}

/**
 * Returns the size of the first text within the layer's limits, else the last one. Any text may set the least width.
 */
function measureFirstThatFits(layer: TextLayer, width: number, context: MeasureContext): TextSize {
  const texts = measureOnce(layer, 'texts', context, () => candidatesOf(layer));
  const widthMax = Math.min(width, layer.maxWidth ?? Infinity);
  const heightMax = typeof layer.height === 'number' ? layer.height : (layer.maxHeight ?? Infinity);
  const isOpen = layer.overflow === 'grow' || layer.overflow === 'visible';
  const unscaled = { ...context, textScale: 1 };
  const fits = (text: TextLayer): boolean => {
    const { isWhole, height } = measureOneText(text, widthMax, unscaled);
    return isWhole && (isOpen || height <= heightMax + sizeTolerance);
  };
  const chosen = texts.find(fits) ?? texts.at(-1) ?? layer;
  const size = measureOneText(chosen, width, context);
  if (width < Infinity) return size;
  const narrowest = (kind: WidthKind): number =>
    Math.min(...texts.map((text) => measureOneText(text, width, context).widths[kind]));
  return {
    ...size,
    widths: { ...size.widths, least: narrowest('least'), fitted: narrowest('fitted') },
  };
}
