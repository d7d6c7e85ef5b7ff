/** Space that the bars of the canvas take from its window, and what lies clear of them. */
import type { Point, Rect } from '../geometry.ts';

type Size = Pick<Rect, 'width' | 'height'>;

/** Height of the bars at the top and at the bottom of the window, with a gap, screen pixels. */
const barsPx = 58;

/** Width of a ruler, screen pixels. */
const rulerPx = 20;

/** Space between a bar and a fitted layer for the handles outside of the layer, screen pixels. */
const handlesPx = { top: 30, sides: 48, bottom: 4 };

/** Half the side of a handle, screen pixels. */
const edgePx = 10;

/** Part of the window in which the handles of a layer are clear of bars and rulers. */
export function areaClearOfBars({ width, height }: Size, hasRulers: boolean): Rect {
  const top = barsPx + handlesPx.top + (hasRulers ? rulerPx : 0);
  const bottom = barsPx + handlesPx.bottom;
  return {
    x: handlesPx.sides,
    y: top,
    width: width - 2 * handlesPx.sides,
    height: height - top - bottom,
  };
}

/** Whether the handle of a layer at this point of the window is clear of bars and rulers. */
export function isClearOfBars({ x, y }: Point, window: Size, hasRulers: boolean): boolean {
  const top = barsPx + (hasRulers ? rulerPx : 0);
  const isAcross = x >= edgePx && x <= window.width - edgePx;
  return isAcross && y >= top && y <= window.height - barsPx - handlesPx.bottom;
}

/** Gap between a box and an element beside it, and from the element to the window's edge. Screen pixels. */
const besidePx = 8;

/**
 * Position of the corner of an element of `size`: below or above the box, inside the window and clear of its bars. If
 * neither fits, the element covers a bar rather than the box.
 */
export function placeBeside(box: Rect, size: Size, window: Size, gapPx = besidePx): Point {
  const below = box.y + box.height + gapPx;
  const above = box.y - gapPx - size.height;
  const lowest = window.height - barsPx - size.height;
  const clear = [Math.max(below, barsPx), Math.min(above, lowest)];
  const last = window.height - besidePx - size.height;
  const y =
    clear.find((each) => each >= barsPx && each <= lowest) ??
    [below, above].find((each) => each >= besidePx && each <= last) ??
    Math.min(Math.max(below, barsPx), lowest);
  const x = Math.min(box.x, window.width - besidePx - size.width);
  return { x: Math.round(Math.max(besidePx, x)), y: Math.round(Math.max(besidePx, y)) };
}
