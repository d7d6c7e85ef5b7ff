/** Snaps moved and resized boxes to edges and middles of layers and of the canvas, and returns guides. */
import type { Handle, Point, Rect } from '../geometry.ts';

/** A line on the canvas at which boxes align, design pixels. */
export interface Guide {
  /** `x`: a vertical line at x = `at`, from y = `from` to y = `to`; `y`: a horizontal one. */
  axis: 'x' | 'y';
  at: number;
  from: number;
  to: number;
  /** The guide is a line of the grid, which the canvas shows anyway. */
  isGrid?: true;
}

/** Rectangles and the grid to which boxes snap. */
export interface SnapTargets {
  rects: readonly Rect[];
  /** Distance of grid lines, design pixels. Boxes snap to the grid if no rectangle is near. */
  grid?: number | undefined;
}

export interface Snapped {
  /** Correction of the movement, design pixels. */
  shift: Point;
  guides: Guide[];
}

/** Distance within which an edge snaps, screen pixels. */
export const snapReachPx = 5;

/** A coordinate on one axis, and the extent of its rectangle on the other axis. */
interface Line {
  at: number;
  from: number;
  to: number;
}

/** Differences below this are rounding, design pixels. */
const sameMax = 1e-6;

/**
 * Correction that aligns an edge or the middle of `moved` with a line of `targets`. The nearest line of each axis
 * counts, within `reach` design pixels.
 */
export function snapMove(moved: Rect, targets: SnapTargets, reach: number): Snapped {
  return snap(moved, { x: [0, 0.5, 1], y: [0, 0.5, 1] }, targets, reach);
}

/** Like `snapMove`, for the edges that a handle moves. The box must not be turned. */
export function snapResize(
  resized: Rect,
  { horizontal, vertical }: Handle,
  targets: SnapTargets,
  reach: number,
): Snapped {
  return snap(resized, { x: edgesOf(horizontal), y: edgesOf(vertical) }, targets, reach);
}

/** The edge that moves, as a fraction of the side: 0 or 1. Empty if no edge moves. */
function edgesOf(direction: -1 | 0 | 1): number[] {
  return direction === 0 ? [] : [direction === -1 ? 0 : 1];
}

function snap(
  rect: Rect,
  parts: { x: readonly number[]; y: readonly number[] },
  { rects: others, grid }: SnapTargets,
  reach: number,
): Snapped {
  const shift = {
    x: nearest(linesOf(rect, 'x', parts.x), linesIn(others, 'x'), reach),
    y: nearest(linesOf(rect, 'y', parts.y), linesIn(others, 'y'), reach),
  };
  const placed = { ...rect, x: rect.x + (shift.x ?? 0), y: rect.y + (shift.y ?? 0) };
  const guides: Guide[] = (['x', 'y'] as const).flatMap((axis) =>
    shift[axis] === undefined ? [] : guidesAt(axis, linesOf(placed, axis, parts[axis]), others),
  );
  for (const axis of ['x', 'y'] as const) {
    const line = linesOf(placed, axis, parts[axis].slice(0, 1))[0];
    if (shift[axis] !== undefined || grid === undefined || reach === 0 || !line) continue;
    const at = Math.round(line.at / grid) * grid;
    shift[axis] = at - line.at;
    guides.push({ ...line, axis, at, isGrid: true });
  }
  return { shift: { x: shift.x ?? 0, y: shift.y ?? 0 }, guides };
}

const wholeParts = [0, 0.5, 1];

function linesIn(rects: readonly Rect[], axis: 'x' | 'y'): Line[] {
  return rects.flatMap((rect) => linesOf(rect, axis, wholeParts));
}

function linesOf({ x, y, width, height }: Rect, axis: 'x' | 'y', parts: readonly number[]): Line[] {
  return axis === 'x'
    ? parts.map((part) => ({ at: x + part * width, from: y, to: y + height }))
    : parts.map((part) => ({ at: y + part * height, from: x, to: x + width }));
}

function nearest(
  moving: readonly Line[],
  lines: readonly Line[],
  reach: number,
): number | undefined {
  let best: number | undefined;
  for (const { at } of moving) {
    for (const line of lines) {
      const shift = line.at - at;
      if (Math.abs(shift) <= reach && Math.abs(shift) < Math.abs(best ?? Infinity)) best = shift;
    }
  }
  return best;
}

/** One guide for each aligned coordinate. The guide spans all rectangles that it aligns. */
function guidesAt(axis: 'x' | 'y', moving: readonly Line[], others: readonly Rect[]): Guide[] {
  const lines = linesIn(others, axis);
  return moving.flatMap((line) => {
    const met = lines.filter(({ at }) => Math.abs(at - line.at) < sameMax);
    if (met.length === 0) return [];
    const all = [line, ...met];
    const from = Math.min(...all.map((each) => each.from));
    const to = Math.max(...all.map((each) => each.to));
    return [{ axis, at: line.at, from, to }];
  });
}
