/** Shows distances from the selection to the layer under the pointer, or to the edges of the canvas. */
import type { VNode } from 'preact';
import type { CanvasState } from './canvas-state.ts';
import { toScreen } from './canvas-state.ts';
import { boundsOf } from './geometry.ts';
import type { Point, Rect } from './geometry.ts';

/** A line from a side of the selection, design pixels. */
export interface Measure {
  from: Point;
  to: Point;
  length: number;
}

/** Distances from the middles of the sides of `rect` to `other`, or to the edges of `other` if they overlap. */
export function measuresTo(rect: Rect, other: Rect): Measure[] {
  const middle = { x: rect.x + rect.width / 2, y: rect.y + rect.height / 2 };
  const across = gapsOn(rect.x, rect.x + rect.width, other.x, other.x + other.width);
  const down = gapsOn(rect.y, rect.y + rect.height, other.y, other.y + other.height);
  return [
    ...across.map(([from, to]) => measure({ x: from, y: middle.y }, { x: to, y: middle.y })),
    ...down.map(([from, to]) => measure({ x: middle.x, y: from }, { x: middle.x, y: to })),
  ].filter(({ length }) => length > 0);
}

/** Start and end coordinates of the distances on one axis. */
function gapsOn(
  start: number,
  end: number,
  otherStart: number,
  otherEnd: number,
): Array<readonly [number, number]> {
  if (otherStart >= end) return [[end, otherStart]];
  if (otherEnd <= start) return [[start, otherEnd]];
  return [
    [start, otherStart],
    [end, otherEnd],
  ];
}

function measure(from: Point, to: Point): Measure {
  const length = Math.round(Math.abs(to.x - from.x + to.y - from.y) * 10) / 10;
  return { from, to, length };
}

/** Shows while Alt is held and something is selected. */
export function Measures({ state }: { state: CanvasState }): VNode | null {
  const { editor, hovered, isMeasuring, selected, view, marquee, carried, hint } = state;
  const bounds = boundsOf(selected.value.map(({ seen }) => seen));
  const isDragging = carried.value?.isDropped === false || hint.value !== undefined;
  const isBusy = marquee.value !== undefined || isDragging;
  if (!isMeasuring.value || bounds === undefined || isBusy) return null;
  const { width, height } = editor.document.value;
  const over = hovered.value === undefined ? undefined : boundsOf([hovered.value]);
  const other = over ?? { x: 0, y: 0, width, height };
  return (
    <g class="measures">
      {measuresTo(bounds, other).map(({ from, to, length }) => {
        const [start, end] = [toScreen(view.value, from), toScreen(view.value, to)];
        return (
          <>
            <line x1={start.x} y1={start.y} x2={end.x} y2={end.y} />
            <text x={(start.x + end.x) / 2} y={(start.y + end.y) / 2}>
              {length}
            </text>
          </>
        );
      })}
    </g>
  );
}
