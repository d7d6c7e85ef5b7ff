/** Joins damaged rectangles to few regions of whole device pixels. */
import type { Rect } from '../display-list.ts';
import { overlap } from '../paint/outline.ts';

/** Pixels around a damaged rectangle that anti-aliasing can touch. */
const antiAliasPx = 2;
/** More regions than this cost more in set-up than they save in pixels. */
const regionsMax = 4;

/** The whole blocks of device pixels of a picture that paint inside a rectangle of design pixels can touch. */
export function toRegion(
  rect: Rect,
  scale: number,
  widthPx: number,
  heightPx: number,
  blockPx: number,
): Rect {
  const down = (length: number): number => Math.max(0, Math.floor(length / blockPx) * blockPx);
  const up = (length: number): number => Math.ceil(length / blockPx) * blockPx;
  const x = down(rect.x * scale - antiAliasPx);
  const y = down(rect.y * scale - antiAliasPx);
  const right = up((rect.x + rect.width) * scale + antiAliasPx);
  const bottom = up((rect.y + rect.height) * scale + antiAliasPx);
  return {
    x,
    y,
    width: Math.max(0, Math.min(widthPx, right) - x),
    height: Math.max(0, Math.min(heightPx, bottom) - y),
  };
}

/** Few regions that hold all of `rects` and do not overlap; empty ones are dropped. */
export function mergeRegions(rects: readonly Rect[]): Rect[] {
  let regions = rects.filter(({ width, height }) => width > 0 && height > 0);
  let merged = mergeOverlapping(regions);
  while (merged.length < regions.length) {
    regions = merged;
    merged = mergeOverlapping(regions);
  }
  const [first, second, ...rest] = regions.toSorted((a, b) => a.y - b.y);
  if (first === undefined || second === undefined || regions.length <= regionsMax) return regions;
  return mergeRegions([union(first, second), ...rest]);
}

/** Joins each region with one before it that it touches. */
function mergeOverlapping(regions: readonly Rect[]): Rect[] {
  const merged: Rect[] = [];
  for (const region of regions) {
    const index = merged.findIndex((other) => overlap(other, region));
    const other = merged[index];
    if (other === undefined) merged.push(region);
    else merged[index] = union(other, region);
  }
  return merged;
}

function union(a: Rect, b: Rect): Rect {
  const x = Math.min(a.x, b.x);
  const y = Math.min(a.y, b.y);
  return {
    x,
    y,
    width: Math.max(a.x + a.width, b.x + b.width) - x,
    height: Math.max(a.y + a.height, b.y + b.height) - y,
  };
}
