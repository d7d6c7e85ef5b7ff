/** What the box of a layer may be in its parent: the same rules as `stack-rules.ts`, kept rather than checked. */
import { axes, canHug } from '#language/check/stack-rules.ts';
import type { Layer, ParentLayer } from '#language/schema/layers.ts';
import type { Box, Point, Rect } from '../canvas/geometry.ts';

/** The boxes of layers by their ids, in design pixels from the corner of the canvas, as if no group were turned. */
export type Boxes = ReadonlyMap<string, Box>;

/** How a width or a height is found. */
export type SizeMode = 'fixed' | 'hug' | 'fill';

/** Ways in which the sizes of a layer can be found; `parent` is undefined for a layer of the canvas. */
export function sizeModes(layer: Layer, parent: ParentLayer | undefined): SizeMode[] {
  const hug: SizeMode[] = canHug(layer) ? ['hug'] : [];
  return parent?.type === 'stack' ? ['fixed', ...hug, 'fill'] : ['fixed', ...hug];
}

/** Whether a layer may have a property, as its parent and its other properties are. */
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
 * Removes what a layer may not have in its parent, and gives it what it needs there. `box` is what it had before, from the
 * corner of its parent: the position outside of stacks, and the number for a size that hugs or fills no longer.
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

/** Design pixels of a size that nothing has measured: the layer is not drawn. */
const lostSizePx = 100;

/**
 * Changes a property, and the position of a layer that has its position at another point of its box afterwards, so that
 * the box stays. `box` is what the layer has now.
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

/** Writes the measured numbers for `sizes` that hug or fill, so that the layer stays as large as it is. */
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
 * The point of its box that the `x` and `y` of a layer are, as parts of its width and height: a text that hugs has no edge
 * to align to but its position.
 */
export function anchorOf(layer: Layer): Point {
  if (layer.type !== 'text') return { x: 0, y: 0 };
  const { align = 'start', verticalAlign = 'top', width, height } = layer;
  return {
    x: width === 'hug' ? (anchors[align] ?? 0) : 0,
    y: height === 'hug' ? (anchors[verticalAlign] ?? 0) : 0,
  };
}

/** How far a text of this height, design pixels, has grown above its `y`. */
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

/** A measured size as a document keeps it: never smaller, or the last word of a text would wrap. */
export function measured(px = 0): number {
  return px > 0 ? Math.min(lengthMaxPx, Math.ceil(px * 100 - 1e-6) / 100) : lostSizePx;
}

/** Bound of coordinates and sizes in the schema (`layer-base.ts`), design pixels. */
export const lengthMaxPx = 16_384;

/** A coordinate as a document keeps it. */
export function positionOf(px: number): number {
  return hundredths(Math.min(Math.max(px, -lengthMaxPx), lengthMaxPx));
}

/** Design pixels to the hundredth: finer than any eye, and short in the document. */
export function hundredths(px: number): number {
  return Math.round(px * 100) / 100 + 0;
}
