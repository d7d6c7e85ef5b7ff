/** Makes the box of a layer valid in its parent: enforces the rules that `stack-rules.ts` checks. */
import { axes, canHug } from '#language/check/stack-rules.ts';
import type { Layer, ParentLayer } from '#language/schema/layers.ts';
import type { Template } from '#language/schema/template.ts';
import type { Box, Point, Rect } from '../canvas/geometry.ts';

/** Width and height of a canvas, design pixels. */
export type Sides = Pick<Template, 'width' | 'height'>;

/** The boxes of layers by id, in design pixels from the corner of the canvas, without the rotation of groups. */
export type Boxes = ReadonlyMap<string, Box>;

/** The way in which layout finds a width or a height. */
export type SizeMode = 'fixed' | 'hug' | 'fill';

/** Returns the size modes that a layer may have; `parent` is undefined for a layer of the canvas. */
export function sizeModes(layer: Layer, parent: ParentLayer | undefined): SizeMode[] {
  const hug: SizeMode[] = canHug(layer) ? ['hug'] : [];
  return parent?.type === 'stack' ? ['fixed', ...hug, 'fill'] : ['fixed', ...hug];
}

/** Types that draw nothing in a box without area. The report warns of texts and codes. */
const areaTypes = new Set<Layer['type']>(['image', 'rect', 'ellipse', 'polygon', 'star', 'svg']);

/** Warns of a layer that is invisible because its width or height is 0; undefined for others. */
export function zeroSizeWarning(layer: Layer): string | undefined {
  const isFine = 'stroke' in layer || layer.visible === false || !areaTypes.has(layer.type);
  const size = (['width', 'height'] as const).find((each) => layer[each] === 0);
  return isFine || size === undefined ? undefined : `its ${size} is 0, so that it is invisible`;
}

/** Whether a layer may have a property, given its parent and its other properties. */
export function mayHave(layer: Layer, parent: ParentLayer | undefined, name: string): boolean {
  if (name === 'x' || name === 'y' || name === 'mask') return parent?.type !== 'stack';
  if (name === 'wrap') return layer.type !== 'stack' || layer.direction === 'row';
  const axis = axes.find(({ min, max }) => name === min || name === max);
  return axis === undefined || isFlexible(layer[axis.size]);
}

function isFlexible(size: Layer['width']): boolean {
  return size === 'hug' || size === 'fill';
}

/**
 * Removes the properties that a layer may not have in its parent, and adds those that it needs. `box` is its previous
 * box, from the corner of its parent. It gives the position outside stacks, and the number for a size without a mode.
 */
export function settle(layer: Layer, parent: ParentLayer | undefined, box: Rect | undefined): void {
  const inStack = parent?.type === 'stack';
  for (const { size, min, max } of axes) {
    const value = layer[size];
    if ((value === 'fill' && !inStack) || (value === 'hug' && !canHug(layer))) {
      layer[size] = measured(box?.[size]);
    }
    if (isFlexible(layer[size])) continue;
    delete layer[min];
    delete layer[max];
  }
  if (layer.type === 'stack' && layer.direction !== 'row') delete layer.wrap;
  if (inStack) {
    delete layer.x;
    delete layer.y;
    delete layer.mask;
    return;
  }
  layer.x ??= positionOf(box?.x ?? 0);
  layer.y ??= positionOf(box?.y ?? 0);
}

/** Size in design pixels for a layer that is not drawn and so has no measured box. */
const lostSizePx = 100;

/**
 * Changes a property. If the anchor of the layer moves within its box, adjusts the position so that the box stays.
 * `box` is the current box of the layer.
 */
export function keepPosition(
  layer: Layer,
  box: Pick<Rect, 'width' | 'height'> | undefined,
  change: () => void,
): void {
  const before = anchorOf(layer);
  change();
  const after = anchorOf(layer);
  const right = (after.x - before.x) * (box?.width ?? 0);
  const down = (after.y - before.y) * (box?.height ?? 0);
  if (typeof layer.x === 'number' && right !== 0) layer.x = positionOf(layer.x + right);
  if (typeof layer.y === 'number' && down !== 0) layer.y = positionOf(layer.y + down);
}

/** Moves a layer to the right and down by `px` design pixels, in all sizes. */
export function shiftInSizes(layer: Layer, px: number): void {
  for (const each of [layer, ...Object.values(layer.bySize ?? {})]) shift(each, px, px);
}

/** Moves a layer; a coordinate that is bound to a variable stays. */
export function shift(layer: { x?: unknown; y?: unknown }, right: number, down: number): void {
  if (typeof layer.x === 'number') layer.x = positionOf(layer.x + right);
  if (typeof layer.y === 'number') layer.y = positionOf(layer.y + down);
}

/** Replaces `sizes` that hug or fill by the measured numbers, so that the layer keeps its size. */
export function fixSizes(
  layer: Layer,
  box: Pick<Rect, 'width' | 'height'> | undefined,
  sizes: ReadonlyArray<'width' | 'height'> = ['width', 'height'],
): void {
  for (const size of sizes) {
    if (!isFlexible(layer[size])) continue;
    keepPosition(layer, box, () => (layer[size] = measured(box?.[size])));
  }
}

/**
 * Returns the point of a layer's box that `x` and `y` name, as parts of its width and height. A text that hugs is
 * aligned to its position.
 */
export function anchorOf(layer: Layer): Point {
  if (layer.type !== 'text') return { x: 0, y: 0 };
  const { align = 'start', verticalAlign = 'top', width, height } = layer;
  return {
    x: width === 'hug' ? (anchors[align] ?? 0) : 0,
    y: height === 'hug' ? (anchors[verticalAlign] ?? 0) : 0,
  };
}

/** Returns the distance by which a text of `height` design pixels has grown above its `y`. */
export function grownAbove(layer: Layer, height: number): number {
  const growsUp =
    layer.type === 'text' && layer.overflow === 'grow' && layer.verticalAlign === 'bottom';
  return growsUp && typeof layer.height === 'number' ? Math.max(0, height - layer.height) : 0;
}

const anchors: Readonly<Record<string, number>> = {
  center: 0.5,
  right: 1,
  end: 1,
  middle: 0.5,
  bottom: 1,
};

/** Rounds a measured size up to hundredths: a smaller size would wrap the last word of a text. */
export function measured(px = 0): number {
  return px > 0 ? Math.min(lengthMaxPx, Math.ceil(px * 100 - 1e-6) / 100) : lostSizePx;
}

/** Bound of coordinates and sizes in the schema (`layer-base.ts`), design pixels. */
export const lengthMaxPx = 16_384;

/** Rounds a coordinate to hundredths, and clamps it to the bounds of the schema. */
export function positionOf(px: number): number {
  return hundredths(Math.min(Math.max(px, -lengthMaxPx), lengthMaxPx));
}

/** Rounds to hundredths of a design pixel: invisible, and short in the document. */
export function hundredths(px: number): number {
  return Math.round(px * 100) / 100 + 0;
}
