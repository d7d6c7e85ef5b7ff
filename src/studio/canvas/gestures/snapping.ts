/** Draws what is moved or resized to the edges and middles of other layers and of the canvas, and says where. */
import type { Handle, Point, Rect } from '../geometry.ts';

/** A line on the canvas at which things meet, design pixels. */
export interface Guide {
  /** `x`: a vertical line at x = `at`, from y = `from` to y = `to`; `y`: a horizontal one. */
  axis: 'x' | 'y';
  at: number;
  from: number;
  to: number;
  /** Of the grid, whose lines show anyway. */
  isGrid?: true;
}

/** What is met. */
export interface SnapTargets {
  rects: readonly Rect[];
  /** Design pixels between the lines of a grid, which are met where nothing else is near. */
  grid?: number | undefined;
}

export interface Snapped {
  /** What is added to the movement. */
  shift: Point;
  guides: Guide[];
}

/** Screen pixels within which an edge is caught. */
export const snapReachPx = 5;

/** A coordinate on one axis, and the extent of its owner on the other. */
interface Line {
  at: number;
  from: number;
  to: number;
}

/** Differences below this are rounding, design pixels. */
const sameMax = 1e-6;

/**
 * How far `moved` has to go on so that an edge or its middle meets one of `targets`; `reach` in design pixels. The
 * nearest line of each axis counts.
 */
export function snapMove(moved: Rect, targets: SnapTargets, reach: number): Snapped {
  return snap(moved, { x: [0, 0.5, 1], y: [0, 0.5, 1] }, targets, reach);
}

/** The same for the edges that a handle moves, of a box that is not turned. */
export function snapResize(
  resized: Rect,
  { horizontal, vertical }: Handle,
  targets: SnapTargets,
  reach: number,
): Snapped {
  return snap(resized, { x: edgesOf(horizontal), y: edgesOf(vertical) }, targets, reach);
}

/** The edge that moves, as a part of the side. */
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

/** One guide for each coordinate, as long as everything that it aligns. */
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
