/** Converts outlines of a font's glyphs to paths, and computes their bounds. */
import { LRUCache } from 'lru-cache';
import { entryLimit } from '#language/limits/entry-limit.ts';
import { Path2D } from 'skia-canvas';
import type { GlyphOutline, Rect } from '../display-list.ts';

/** A shape and its bounds in font units; without bounds if it draws nothing. */
interface Shape {
  path: Path2D;
  bounds: { left: number; top: number; right: number; bottom: number } | undefined;
}

/** Cache of the engine's paths of outlines; an alphabet with its joined forms has about 300. */
const shapes = new LRUCache<string, Shape>(entryLimit(5000));

/** Returns the path of letters that start at a position, in design pixels; `size` is their font size. */
export function toLetterPath(
  glyphs: readonly GlyphOutline[],
  size: number,
  originX: number,
  originY: number,
): Path2D {
  const path = new Path2D();
  for (const { data, x, y, scale, slant } of glyphs) {
    const unit = scale * size;
    path.addPath(shapeOf(data).path, {
      a: unit,
      b: 0,
      c: slant * unit,
      d: -unit,
      e: originX + x * size,
      f: originY + y * size,
    });
  }
  return path;
}

/** Returns the area of letters that start at 0, 0, in design pixels; marks may be far from there. */
export function letterBounds(glyphs: readonly GlyphOutline[], size: number): Rect {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { data, x, y, scale, slant } of glyphs) {
    const { bounds } = shapeOf(data);
    if (bounds === undefined) continue;
    const unit = scale * size;
    const shears = [slant * bounds.top, slant * bounds.bottom];
    left = Math.min(left, x * size + (bounds.left + Math.min(...shears)) * unit);
    right = Math.max(right, x * size + (bounds.right + Math.max(...shears)) * unit);
    // A font's y points upwards.
    top = Math.min(top, y * size - bounds.bottom * unit);
    bottom = Math.max(bottom, y * size - bounds.top * unit);
  }
  if (left > right) return { x: 0, y: 0, width: 0, height: 0 };
  return { x: left, y: top, width: right - left, height: bottom - top };
}

function shapeOf(data: string): Shape {
  let shape = shapes.get(data);
  if (shape === undefined) {
    const path = new Path2D(data);
    const { left, top, right, bottom } = path.bounds;
    const isEmpty = left >= right && top >= bottom;
    shape = { path, bounds: isEmpty ? undefined : { left, top, right, bottom } };
    shapes.set(data, shape);
  }
  return shape;
}
