/** Stacks the two columns of a wide canvas on a tall one. */
import type { Layer } from '#language/schema/layers.ts';
import type { Template } from '#language/schema/template.ts';
import { isRightToLeft } from '#language/writing-direction.ts';
import { anchorOf, positionOf } from '../layer-sizes.ts';
import type { Sides } from '../layer-sizes.ts';

/** Least height of a tall canvas, as a multiple of its width. */
const tallRatio = 1.25;

/** Least width of a column, as a part of the canvas. Narrower ones are marks beside the content. */
const columnPartMin = 0.2;

/** A layer inside the canvas, with the sides of its box. */
interface Part {
  layer: Layer;
  left: number;
  right: number;
  top: number;
  /** Whether the layer spans the height of the canvas and may get another ratio. */
  isFullHeight: boolean;
}

/** Layers that overlap from left to right. */
interface Column {
  parts: Part[];
  left: number;
  right: number;
}

/** A column on the tall canvas. */
interface StackedColumn extends Column {
  scale: number;
  top: number;
  height: number;
}

/** The scale of a layer of the canvas and of all layers in it, and its box. */
export interface StackedLayer {
  scale: number;
  box: Readonly<Record<string, number>>;
}

/**
 * Returns the layers of the two columns by id, the first to read on top. Undefined if the layers form no two columns, or
 * if a column does not get larger than with `scale`, the scale of the canvas. Layers that cover the canvas are of no column.
 */
export function stackColumns(
  { layers, width, height, lang = '' }: Template,
  to: Sides,
  scale: number,
): ReadonlyMap<string, StackedLayer> | undefined {
  const canvas = { width, height };
  if (width <= height || to.height < to.width * tallRatio) return undefined;
  const inside = layers.filter((layer) => !isCover(layer, canvas));
  const parts = inside.flatMap((layer) => partOf(layer, canvas) ?? []);
  const columns = columnsOf(parts);
  const isClear = columns.length === 2 && columns.every((column) => canStack(column, canvas));
  if (parts.length < inside.length || !isClear) return undefined;
  const placed = stack(isRightToLeft(lang) ? columns.toReversed() : columns, canvas, to);
  if (placed.some((column) => column.scale <= scale)) return undefined;
  return new Map(
    placed.flatMap((column) =>
      column.parts.map((part) => [
        part.layer.id,
        { scale: column.scale, box: boxIn(column, part, canvas, to) },
      ]),
    ),
  );
}

function isCover({ x, y, width, height, rotation = 0, mask }: Layer, canvas: Sides): boolean {
  if (rotation !== 0 || mask !== undefined) return false;
  if (typeof x !== 'number' || typeof y !== 'number') return false;
  if (typeof width !== 'number' || typeof height !== 'number') return false;
  return x <= 0 && y <= 0 && x + width >= canvas.width && y + height >= canvas.height;
}

/** Undefined for a layer that leaves the canvas, or whose position depends on its content, its rotation or a mask. */
function partOf(layer: Layer, canvas: Sides): Part | undefined {
  const { x: left, y: top, width, height, rotation = 0, mask } = layer;
  if (typeof left !== 'number' || typeof top !== 'number' || typeof width !== 'number') {
    return undefined;
  }
  const right = left + width;
  const bottom = typeof height === 'number' ? top + height : top;
  const isInside = left >= 0 && top >= 0 && right <= canvas.width && bottom <= canvas.height;
  if (!isInside || rotation !== 0 || mask !== undefined || anchorOf(layer).y !== 0) {
    return undefined;
  }
  const isFullHeight =
    top === 0 && bottom === canvas.height && (isPlane(layer) || holdsText(layer));
  return { layer, left, right, top, isFullHeight };
}

function isPlane({ type }: Layer): boolean {
  return type === 'image' || type === 'rect';
}

function holdsText({ type }: Layer): boolean {
  return type === 'text' || type === 'stack';
}

/** Returns the columns from left to right. */
function columnsOf(parts: readonly Part[]): Column[] {
  const columns: Column[] = [];
  for (const part of parts.toSorted((a, b) => a.left - b.left)) {
    const { left, right } = part;
    const last = columns.at(-1);
    if (last === undefined || left >= last.right) {
      columns.push({ parts: [part], left, right });
    } else {
      last.parts.push(part);
      last.right = Math.max(last.right, right);
    }
  }
  return columns;
}

/** Distance of a column to the nearer edge of the canvas. */
function marginOf({ left, right }: Column, canvas: Sides): number {
  return Math.min(left, canvas.width - right);
}

/** Whether the column is all images and rectangles, which may be cropped to another height. */
function isCroppable({ parts }: Column): boolean {
  return parts.every(({ layer, isFullHeight }) => isFullHeight && isPlane(layer));
}

function spansColumn({ left, right }: Column, part: Part): boolean {
  return part.isFullHeight && part.left === left && part.right === right;
}

/** Whether the column is wide enough, and keeps its edges where an image is widened behind other layers. */
function canStack(column: Column, canvas: Sides): boolean {
  const isAtEdge = marginOf(column, canvas) === 0;
  const isWhole = column.parts.every((part) => !part.isFullHeight || spansColumn(column, part));
  return (
    column.right - column.left >= canvas.width * columnPartMin &&
    (!isAtEdge || isWhole || isCroppable(column))
  );
}

/** Stacks the columns below each other, with their margin as wide as the canvas if the height is enough. */
function stack(columns: readonly Column[], canvas: Sides, to: Sides): StackedColumn[] {
  const wide = columns.map((column) => {
    const scale = to.width / (column.right - column.left + 2 * marginOf(column, canvas));
    return { column, scale };
  });
  const stretch = to.height / wide.reduce((sum, { scale }) => sum + scale * canvas.height, 0);
  let top = 0;
  return wide.map(({ column, scale }) => {
    const height = scale * canvas.height * stretch;
    const shrink = isCroppable(column) ? 1 : Math.min(1, stretch);
    const placed = { ...column, scale: scale * shrink, top, height };
    top += height;
    return placed;
  });
}

/**
 * Scales the position with the column, in the middle of its part of the canvas. A layer of full height spans the height of
 * the part. One that also spans its column spans the width, up to the margin: a text, a stack, or an image without margin.
 */
function boxIn(
  column: StackedColumn,
  part: Part,
  canvas: Sides,
  to: Sides,
): Record<string, number> {
  const { scale } = column;
  const margin = marginOf(column, canvas) * scale;
  const left = (to.width - (column.right - column.left) * scale) / 2;
  const top = column.top + (column.height - canvas.height * scale) / 2;
  const isWidened = spansColumn(column, part) && (margin === 0 || holdsText(part.layer));
  // Parts of full height meet the edges of the canvas and of each other.
  const y = part.isFullHeight ? Math.round(column.top) : positionOf(top + part.top * scale);
  return {
    x: positionOf(isWidened ? margin : left + (part.left - column.left) * scale),
    y,
    ...(isWidened && { width: Math.round(to.width - 2 * margin) }),
    ...(part.isFullHeight && { height: Math.round(column.top + column.height) - y }),
  };
}
