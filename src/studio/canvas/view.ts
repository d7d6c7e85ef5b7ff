/** Where the picture lies in the canvas's window: zoom and scroll, and what they make of points. */
import type { Point, Rect } from './geometry.ts';

/** Screen pixels from the window's corner to the picture's, and screen pixels a design pixel. */
export interface View extends Point {
  zoom: number;
}

export interface Size {
  width: number;
  height: number;
}

export const zoomMin = 0.02;
export const zoomMax = 32;

/** Screen pixels that are free round a picture that fits. */
const fitMarginPx = 48;

/** What + and − go through. */
const zoomSteps = [0.05, 0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4, 6, 8, 12, 16, 24, 32];

/** The zoom at which the whole picture is seen, at most 1: nothing is enlarged unasked. */
export function fitZoom(window: Size, picture: Size): number {
  const wide = (window.width - 2 * fitMarginPx) / picture.width;
  const high = (window.height - 2 * fitMarginPx) / picture.height;
  return Math.min(1, Math.max(zoomMin, Math.min(wide, high)));
}

/** The picture in the middle of the window. */
export function centerView(window: Size, picture: Size, zoom: number): View {
  return {
    zoom,
    x: Math.round((window.width - picture.width * zoom) / 2),
    y: Math.round((window.height - picture.height * zoom) / 2),
  };
}

/** The view at another zoom, where what lies under `at`, a point of the window, stays there. */
export function zoomAt(view: View, zoom: number, at: Point): View {
  const used = Math.min(Math.max(zoom, zoomMin), zoomMax);
  const design = toDesign(view, at);
  return { zoom: used, x: at.x - design.x * used, y: at.y - design.y * used };
}

/** Keeps a part of the picture in sight. */
export function keepInSight(view: View, window: Size, picture: Size): View {
  const seenPx = 60;
  const clamp = (place: number, room: number, side: number): number =>
    Math.min(Math.max(place, seenPx - side * view.zoom), room - seenPx);
  return {
    zoom: view.zoom,
    x: clamp(view.x, window.width, picture.width),
    y: clamp(view.y, window.height, picture.height),
  };
}

/** The next larger (1) or smaller (-1) usual zoom. */
export function nextZoom(zoom: number, direction: 1 | -1): number {
  const slack = 1.001;
  if (direction === 1) return zoomSteps.find((step) => step > zoom * slack) ?? zoomMax;
  return zoomSteps.findLast((step) => step < zoom / slack) ?? zoomMin;
}

export function toDesign(view: View, { x, y }: Point): Point {
  return { x: (x - view.x) / view.zoom, y: (y - view.y) / view.zoom };
}

export function toScreen(view: View, { x, y }: Point): Point {
  return { x: view.x + x * view.zoom, y: view.y + y * view.zoom };
}

/** Screen pixels between a box and what stands beside it, and between that and the window. */
const gapPx = 8;

/** Screen pixels at the top and the bottom of the window that its bars take. */
const barsPx = 58;

/** The corner of what is `size` large: below the box or above it, inside the window and clear of its bars. */
export function placeBeside(box: Rect, size: Size, window: Size): Point {
  const below = box.y + box.height + gapPx;
  const above = box.y - gapPx - size.height;
  const lowest = window.height - barsPx - size.height;
  const isAbove = below > lowest && above >= barsPx;
  const y = isAbove ? Math.min(above, lowest) : Math.min(Math.max(below, barsPx), lowest);
  const x = Math.min(box.x, window.width - gapPx - size.width);
  return { x: Math.round(Math.max(gapPx, x)), y: Math.round(Math.max(gapPx, y)) };
}
