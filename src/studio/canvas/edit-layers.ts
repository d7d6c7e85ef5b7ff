/** Writes geometry into a draft: moves, resizes, rotates and aligns layers. Bound properties keep their bindings. */
import type { Layer } from '#language/schema/layers.ts';
import type { Template } from '#language/schema/template.ts';
import { anchorOf, grownAbove, lengthMaxPx, settle } from '../state/layer-sizes.ts';
import { findLayer, numberOf, findPosition } from '../state/layers.ts';
import type { Box, Point, Rect } from './geometry.ts';
import { centerOf, normalAngle, rotatePoint, tidyNumber } from './geometry.ts';
import type { LayerGeometry } from './layer-geometry.ts';

/** Bound of `fontSize` in the schema, design pixels. */
const fontSizeMaxPx = 2000;

type PositionKey = 'x' | 'y' | 'width' | 'height';

/** Moves layers by `delta`, a movement on the canvas, converted to the space of their groups. */
export function moveTo(draft: Template, positions: readonly LayerGeometry[], delta: Point): void {
  for (const position of positions) {
    const layer = findLayer(draft, position.id);
    if (layer === undefined) continue;
    const turned = rotatePoint(delta, -position.motion.angle);
    // Adds to the document's number: the canvas has another one if a group is at a fraction.
    setNumber(layer, 'x', numberOf(position.layer.x) + turned.x);
    setNumber(layer, 'y', numberOf(position.layer.y) + turned.y);
  }
}

/**
 * Changes the box of a layer from the box of `position` to `to`, in the same space. A stack still positions its layers
 * itself. Layers of a group are scaled with the group; `scalesText` scales font sizes too.
 */
export function resizeTo(
  draft: Template,
  position: LayerGeometry,
  to: Box,
  scalesText: boolean,
): void {
  const layer = findLayer(draft, position.id);
  if (layer === undefined) return;
  const { box } = position;
  const corner = anchorOf(position.layer);
  // A grown text is higher than its document says, so only changed sides are written.
  if (to.width !== box.width || layer.width !== position.layer.width)
    setSide(layer, 'width', to.width);
  let top = 0;
  if (to.height !== box.height || layer.height !== position.layer.height) {
    setSide(layer, 'height', to.height);
    // The document then stores the upper edge of the grown text.
    top = grownAbove(position.layer, box.height);
  }
  // The position of a hugging text is that of its middle or its end, until the text has a size.
  const anchor = anchorOf(layer);
  const right = to.x - box.x + anchor.x * to.width - corner.x * box.width;
  const down = to.y - box.y + anchor.y * to.height - corner.y * box.height - top;
  setNumber(layer, 'x', numberOf(position.layer.x) + right);
  setNumber(layer, 'y', numberOf(position.layer.y) + down);
  settle(layer, findPosition(draft, position.id)?.group, undefined);
  if (position.layer.type !== 'group' || layer.type !== 'group') return;
  const scale = { x: ratio(to.width, box.width), y: ratio(to.height, box.height) };
  scaleLayers(layer.layers, position.layer.layers, scale, scalesText);
}

function ratio(length: number, before: number): number {
  return before === 0 ? 1 : length / before;
}

function scaleLayers(
  layers: readonly Layer[],
  before: readonly Layer[],
  scale: Point,
  scalesText: boolean,
): void {
  for (const [index, layer] of layers.entries()) {
    const was = before[index];
    if (was === undefined) continue;
    setNumber(layer, 'x', numberOf(was.x) * scale.x);
    setNumber(layer, 'y', numberOf(was.y) * scale.y);
    setNumber(layer, 'width', numberOf(was.width) * scale.x);
    setNumber(layer, 'height', numberOf(was.height) * scale.y);
    if (scalesText && layer.type === 'text' && was.type === 'text') {
      const size = was.fontSize ?? 16;
      if (typeof size === 'number') {
        layer.fontSize = Math.min(Math.max(tidyNumber(size * scale.x), 1), fontSizeMaxPx);
      }
    }
    if (layer.type === 'group' && was.type === 'group') {
      scaleLayers(layer.layers, was.layers, scale, scalesText);
    }
  }
}

/**
 * The box of a layer after the frame round several layers is resized from `from` to `to`, both on the canvas. Its
 * middle and its sides scale with the frame. Both sides of a turned layer scale with the frame's width.
 */
export function scaleWithin({ box, seen, motion }: LayerGeometry, from: Rect, to: Rect): Box {
  const scale = { x: ratio(to.width, from.width), y: ratio(to.height, from.height) };
  const isUpright = normalAngle(seen.rotation) === 0;
  const width = seen.width * scale.x;
  const height = seen.height * (isUpright ? scale.y : scale.x);
  const before = centerOf(seen);
  const shift = rotatePoint(
    {
      x: to.x + (before.x - from.x) * scale.x - before.x,
      y: to.y + (before.y - from.y) * scale.y - before.y,
    },
    -motion.angle,
  );
  const middle = centerOf(box);
  return {
    x: middle.x + shift.x - width / 2,
    y: middle.y + shift.y - height / 2,
    width,
    height,
    rotation: box.rotation,
  };
}

/** Turns layers: each to the rotation and the position of its box `to`, in the space of its group. */
export function rotateTo(
  draft: Template,
  turned: ReadonlyArray<{ position: LayerGeometry; to: Box }>,
): void {
  for (const { position, to } of turned) {
    const layer = findLayer(draft, position.id);
    if (layer === undefined) continue;
    setNumber(layer, 'x', numberOf(position.layer.x) + to.x - position.box.x);
    setNumber(layer, 'y', numberOf(position.layer.y) + to.y - position.box.y);
    turnTo(layer, to.rotation);
  }
}

/** Writes a rotation, unless a variable gives it. */
export function turnTo(layer: Layer | undefined, degrees: number): void {
  if (layer === undefined || typeof (layer.rotation ?? 0) !== 'number') return;
  const rotation = tidyNumber(normalAngle(degrees));
  if (rotation === 0) delete layer.rotation;
  else layer.rotation = rotation;
}

/** Writes a size, and replaces `hug` and `fill`. A bound size keeps its binding. */
function setSide(layer: Layer, side: 'width' | 'height', px: number): void {
  if (layer[side] === 'hug' || layer[side] === 'fill') layer[side] = 0;
  setNumber(layer, side, px);
}

function setNumber(layer: Layer, key: PositionKey, value: number): void {
  if (typeof layer[key] !== 'number') return;
  const least = key === 'x' || key === 'y' ? -lengthMaxPx : 0;
  layer[key] = tidyNumber(Math.min(Math.max(value, least), lengthMaxPx));
}

// Alignment and distribution: how far each rectangle moves.

export type Alignment = 'left' | 'center' | 'right' | 'top' | 'middle' | 'bottom';

/**
 * Returns the movement that aligns each rectangle with an edge or the middle of `within`, in their order. Aligning
 * again moves nothing.
 */
export function alignRects(rects: readonly Rect[], alignment: Alignment, within: Rect): Point[] {
  return rects.map((rect) => {
    const freeX = within.width - rect.width;
    const freeY = within.height - rect.height;
    switch (alignment) {
      case 'left':
        return { x: within.x - rect.x, y: 0 };
      case 'center':
        return { x: within.x + freeX / 2 - rect.x, y: 0 };
      case 'right':
        return { x: within.x + freeX - rect.x, y: 0 };
      case 'top':
        return { x: 0, y: within.y - rect.y };
      case 'middle':
        return { x: 0, y: within.y + freeY / 2 - rect.y };
      case 'bottom':
        return { x: 0, y: within.y + freeY - rect.y };
      default:
        return alignment satisfies never;
    }
  });
}

/**
 * Returns movements that give rectangles equal gaps, in their order. The outermost two stay; fewer than three do not
 * move. If the rectangles do not fit side by side, their middles get equal distances.
 */
export function distributeRects(rects: readonly Rect[], axis: 'x' | 'y'): Point[] {
  const moves = rects.map(() => ({ x: 0, y: 0 }));
  if (rects.length < 3) return moves;
  const side = axis === 'x' ? 'width' : 'height';
  const middle = (rect: Rect): number => rect[axis] + rect[side] / 2;
  const order = rects
    .map((rect, index) => ({ rect, index }))
    .toSorted((a, b) => middle(a.rect) - middle(b.rect));
  const first = order[0]?.rect;
  const last = order.at(-1)?.rect;
  if (first === undefined || last === undefined) return moves;
  const filled = rects.reduce((sum, rect) => sum + rect[side], 0);
  const gap = (last[axis] + last[side] - first[axis] - filled) / (rects.length - 1);
  const step = (middle(last) - middle(first)) / (rects.length - 1);
  let position = first[axis];
  for (const [rank, { rect, index }] of order.entries()) {
    const move = moves[index];
    const wanted = gap < 0 ? middle(first) + rank * step - rect[side] / 2 : position;
    if (move !== undefined && rect !== first && rect !== last) move[axis] = wanted - rect[axis];
    position += rect[side] + gap;
  }
  return moves;
}
