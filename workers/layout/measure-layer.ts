/** Sizes of layers that hug or fill: how wide and how high their content is. */
import type { Layer, StackLayer } from '#language/schema/layers.ts';
import type { TextLayer } from '#language/schema/text.ts';
import type { Scene } from '../bind-scene.ts';
import type { Rect } from '../display-list.ts';
import { clampSize, sizeTolerance } from './flex.ts';
import type { TextSize } from './measure-text.ts';
import { measureText } from './measure-text.ts';

/** A stack's size, and the boxes of its layers relative to its top left corner, in design pixels. */
export interface Arrangement {
  width: number;
  height: number;
  boxes: Rect[];
}

/** Space between a stack's edges and its layers, design pixels. */
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

/** Arranges a stack of a width; as high as its layers without a height. */
type ArrangeStack = (
  stack: StackLayer,
  width: number,
  height: number | undefined,
  context: MeasureContext,
) => Arrangement;

/** What sizes depend on beside the layer. */
export interface MeasureContext {
  scene: Scene;
  /** Key of the organization's families that are available. */
  organizationFonts: string;
  /** Factor on the font size of texts that shrink together, at most 1. */
  textScale: number;
  /** `arrangeStack`: the height of a stack is that of its arranged layers. */
  arrange: ArrangeStack;
  /** What was measured of stacks in this layout: a stack in a stack is measured for each size of the outer one. */
  stackSizes: StackSizes;
}

/** Results by stack, and by what was asked. */
export type StackSizes = WeakMap<StackLayer, Map<string, unknown>>;

/** Returns the result of `measure`, which is called once a layout for a stack, a question and a factor on its texts. */
export function measureOnce<Result>(
  stack: StackLayer,
  question: string,
  { stackSizes, textScale }: MeasureContext,
  measure: () => Result,
): Result {
  let results = stackSizes.get(stack);
  if (results === undefined) stackSizes.set(stack, (results = new Map()));
  const key = `${question} ${textScale}`;
  const known = results.get(key) as Result | undefined;
  if (known !== undefined) return known;
  const result = measure();
  results.set(key, result);
  return result;
}

/** Overflow rules by which a text fits a box that is smaller than itself. */
const fittingOverflows: ReadonlySet<TextLayer['overflow']> = new Set([
  undefined,
  'shrink',
  'ellipsis',
  'clip',
]);

/** Whether a text adapts to a box that is lower than its lines. */
export function fitsLowerBox(layer: Layer): boolean {
  return layer.type === 'text' && fittingOverflows.has(layer.overflow);
}

/** Width in design pixels that a layer takes without any limit from outside: `max-content` of CSS. */
export function naturalWidth(layer: Layer, context: MeasureContext): number {
  if (typeof layer.width === 'number') return layer.width;
  return clampWidth(layer, contentWidth(layer, context));
}

/** The smallest width in design pixels at which a layer's content does not overflow: `min-content` of CSS. */
export function leastWidth(layer: Layer, context: MeasureContext): number {
  if (typeof layer.width === 'number') return layer.width;
  return clampWidth(layer, contentWidth(layer, context, leastWidth));
}

/** The same for texts that follow their overflow rule: they shrink, or their lines end with an ellipsis. */
export function fittedWidth(layer: Layer, context: MeasureContext): number {
  if (typeof layer.width === 'number') return layer.width;
  return clampWidth(layer, contentWidth(layer, context, fittedWidth));
}

type WidthOf = (layer: Layer, context: MeasureContext) => number;

/** Width in design pixels of a layer's content on as few lines as possible, whatever the limits of the layer. */
export function contentWidth(
  layer: Layer,
  context: MeasureContext,
  widthOf: WidthOf = naturalWidth,
): number {
  if (layer.type === 'text') {
    const size = textSize(layer, Infinity, context);
    if (widthOf === naturalWidth) return size.width;
    return widthOf === leastWidth ? size.leastWidth : size.fittedWidth;
  }
  if (layer.type !== 'stack') return 0;
  return measureOnce(layer, widthOf.name, context, () => stackWidth(layer, context, widthOf));
}

function stackWidth(layer: StackLayer, context: MeasureContext, widthOf: WidthOf): number {
  const { left, right } = stackInsets(layer);
  const widths = layer.layers.map((child) => widthOf(child, context));
  const isOneLine = layer.direction === 'row' && (layer.wrap !== true || widthOf === naturalWidth);
  if (!isOneLine) return left + right + Math.max(0, ...widths);
  const gaps = (layer.gap ?? 0) * Math.max(0, widths.length - 1);
  return left + right + gaps + widths.reduce((sum, width) => sum + width, 0);
}

/** Height in design pixels of a layer of this width. */
export function heightAt(layer: Layer, width: number, context: MeasureContext): number {
  const { height } = layer;
  if (typeof height === 'number') {
    const grows = layer.type === 'text' && layer.overflow === 'grow';
    return grows ? Math.max(height, textSize(layer, width, context).height) : height;
  }
  return clampHeight(layer, contentHeight(layer, width, context));
}

/** Height in design pixels of a layer's content at a width, whatever the limits of the layer. */
export function contentHeight(layer: Layer, width: number, context: MeasureContext): number {
  if (layer.type === 'text') return textSize(layer, width, context).height;
  return layer.type === 'stack' ? context.arrange(layer, width, undefined, context).height : 0;
}

/**
 * The smallest height in design pixels of a layer of this width, its texts following their overflow rules. `isCut`: texts
 * that shrink are cut at their smallest size, too.
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
  const question = `least height ${width} ${isCut}`;
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

/** Height of a text that follows its overflow rule: at its smallest size, of one line, or none where it is clipped. */
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
  const { leastWidth: word } = textSize(layer, Infinity, context);
  const { height } = textSize(layer, box.width, context);
  return word <= box.width + sizeTolerance && height <= box.height + sizeTolerance;
}

/** `width` within the layer's limits, which hold for a width that hugs or fills. A stack is no narrower than its padding. */
export function clampWidth(layer: Layer, width: number): number {
  const { minWidth = 0, maxWidth = Infinity } = layer;
  if (layer.type !== 'stack') return clampSize(width, minWidth, maxWidth);
  const { left, right } = stackInsets(layer);
  return clampSize(width, Math.max(minWidth, left + right), maxWidth);
}

/** `height` within the layer's limits, as `clampWidth`. */
export function clampHeight(layer: Layer, height: number): number {
  const { minHeight = 0, maxHeight = Infinity } = layer;
  if (layer.type !== 'stack') return clampSize(height, minHeight, maxHeight);
  const { top, bottom } = stackInsets(layer);
  return clampSize(height, Math.max(minHeight, top + bottom), maxHeight);
}

/** Sizes of texts that were measured, by width, fonts and factor. A layer keeps its object while its values stay. */
const textSizes = new WeakMap<TextLayer, Map<string, TextSize>>();
/** Sizes kept a layer: a layout asks for three widths, and for some factors where texts shrink together. */
const keptSizesMax = 24;

function textSize(layer: TextLayer, width: number, context: MeasureContext): TextSize {
  const { scene, organizationFonts, textScale } = context;
  let sizes = textSizes.get(layer);
  if (sizes === undefined || sizes.size > keptSizesMax) textSizes.set(layer, (sizes = new Map()));
  const key = `${width} ${textScale} ${scene.lang} ${scene.fonts.join(',')} ${organizationFonts}`;
  let size = sizes.get(key);
  if (size === undefined) sizes.set(key, (size = measureText(layer, width, textScale, scene)));
  return size;
}
