/** Outlines of a font's shapes as paths, and what they cover. */
import { LRUCache } from 'lru-cache';
import { entryLimit } from '#language/limits/entry-limit.ts';
import { Path2D } from 'skia-canvas';
import type { GlyphOutline, Rect } from '../display-list.ts';

/** A shape in its font's own units, and its bounds there; without any where it draws nothing. */
interface Shape {
  path: Path2D;
  bounds: { left: number; top: number; right: number; bottom: number } | undefined;
}

/** Outlines of fonts as the engine has them; an alphabet with its joined forms has about 300. */
const shapes = new LRUCache<string, Shape>(entryLimit(5000));

/** The path of letters whose pen starts at a position, design pixels; `size` is that of their font. */
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

/** What letters cover whose pen starts at 0, 0, design pixels: marks may stand far from it. */
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
