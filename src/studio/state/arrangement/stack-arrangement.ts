/** Computes the box around layers, and the properties of a stack that arranges layers as they lie. */
import type { Layer, StackLayer } from '#language/schema/layers.ts';
import type { Rect } from '../../canvas/geometry.ts';
import { hundredths, lengthMaxPx } from '../layer-sizes.ts';
import { numberOf } from '../layers.ts';

/** Returns the box around layers in design pixels, with the corners of rotated layers. */
export function boxAround(
  layers: ReadonlyArray<Pick<Layer, 'x' | 'y' | 'width' | 'height' | 'rotation'>>,
): { x: number; y: number; width: number; height: number } {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const layer of layers) {
    const [x, y] = [numberOf(layer.x), numberOf(layer.y)];
    const [width, height] = [numberOf(layer.width), numberOf(layer.height)];
    const rotation = numberOf(layer.rotation);
    const angle = (rotation * Math.PI) / 180;
    const [cos, sin] = [Math.abs(Math.cos(angle)), Math.abs(Math.sin(angle))];
    const halfWidth = (width * cos + height * sin) / 2;
    const halfHeight = (width * sin + height * cos) / 2;
    left = Math.min(left, x + width / 2 - halfWidth);
    right = Math.max(right, x + width / 2 + halfWidth);
    top = Math.min(top, y + height / 2 - halfHeight);
    bottom = Math.max(bottom, y + height / 2 + halfHeight);
  }
  if (left > right) return { x: 0, y: 0, width: 0, height: 0 };
  return {
    x: hundredths(left),
    y: hundredths(top),
    width: hundredths(Math.min(right - left, lengthMaxPx)),
    height: hundredths(Math.min(bottom - top, lengthMaxPx)),
  };
}

interface Arrangement {
  /** Indices of the boxes from the first layer to the last. */
  order: number[];
  properties: Pick<StackLayer, 'direction' | 'gap' | 'padding' | 'align'>;
}

/** Returns the stack that arranges boxes as they lie. `outer` is the box of the stack, if it is known. */
export function arrangementOf(
  boxes: readonly Rect[],
  outer: Rect | undefined,
  isMirrored: boolean,
): Arrangement {
  const across = linesOf(boxes, 'x');
  const down = linesOf(boxes, 'y');
  const isRow =
    across.overlap === down.overlap ? across.spread > down.spread : across.overlap < down.overlap;
  const { order, gap } = isRow ? across : down;
  const align = alignOf(boxes, isRow ? 'y' : 'x', !isRow && isMirrored);
  const padding = outer === undefined ? 0 : paddingOf(boxAround(boxes), outer);
  return {
    order: isRow && isMirrored ? order.toReversed() : order,
    properties: {
      ...(isRow ? { direction: 'row' } : {}),
      ...(gap === 0 ? {} : { gap }),
      ...(padding === 0 ? {} : { padding }),
      ...(align === 'start' ? {} : { align }),
    },
  };
}

/** Returns the order of boxes along an axis, their mean gap, total overlap and spread of middles, in design pixels. */
function linesOf(
  boxes: readonly Rect[],
  axis: 'x' | 'y',
): { order: number[]; gap: number; overlap: number; spread: number } {
  const side = axis === 'x' ? 'width' : 'height';
  const middle = (box: Rect): number => box[axis] + box[side] / 2;
  const sorted = boxes
    .map((box, index) => ({ box, index }))
    .toSorted((a, b) => middle(a.box) - middle(b.box));
  const gaps = sorted.slice(1).map(({ box }, index) => {
    const before = sorted[index]?.box ?? box;
    return box[axis] - before[axis] - before[side];
  });
  const [first, last] = [sorted[0]?.box, sorted.at(-1)?.box];
  const sum = gaps.reduce((total, each) => total + each, 0);
  return {
    order: sorted.map(({ index }) => index),
    gap: wholePx(sum / Math.max(1, gaps.length)),
    overlap: gaps.reduce((total, each) => total + Math.max(0, -each), 0),
    spread: first === undefined || last === undefined ? 0 : middle(last) - middle(first),
  };
}

/** Returns the alignment that is nearest to the boxes. */
function alignOf(
  boxes: readonly Rect[],
  axis: 'x' | 'y',
  isMirrored: boolean,
): 'start' | 'center' | 'end' {
  const side = axis === 'x' ? 'width' : 'height';
  const spreadAt = (part: number): number => {
    const positions = boxes.map((box) => box[axis] + box[side] * part);
    return Math.max(...positions) - Math.min(...positions);
  };
  const choices = [
    { word: 'start', spread: spreadAt(isMirrored ? 1 : 0) },
    { word: 'center', spread: spreadAt(0.5) },
    { word: 'end', spread: spreadAt(isMirrored ? 0 : 1) },
  ] as const;
  return choices.reduce((best, each) => (each.spread < best.spread ? each : best)).word;
}

/** Rounds a gap or a padding to whole design pixels, within the bounds of the schema. */
function wholePx(px: number): number {
  return Math.min(Math.max(0, Math.round(px)), lengthMaxPx);
}

function paddingOf(inner: Rect, outer: Rect): number | [number, number, number, number] {
  const sides: [number, number, number, number] = [
    wholePx(inner.y - outer.y),
    wholePx(outer.x + outer.width - inner.x - inner.width),
    wholePx(outer.y + outer.height - inner.y - inner.height),
    wholePx(inner.x - outer.x),
  ];
  return sides.every((each) => each === sides[0]) ? sides[0] : sides;
}
