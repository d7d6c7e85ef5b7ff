/** Outlines as paths of the paint engine, rectangles, and transforms without a canvas. */
import { Path2D } from 'skia-canvas';
import type { Border } from '#language/schema/paint.ts';
import type { CornerRadii, Outline, Rect } from '../display-list.ts';

/** The path of an outline, in design pixels of the canvas. */
export function toPath(outline: Outline): Path2D {
  const { x, y, width, height } = outline.rect;
  if (outline.kind === 'path') {
    const { scaleX, scaleY } = outline;
    return new Path2D(outline.data).transform(scaleX, 0, 0, scaleY, x, y);
  }
  const path = new Path2D();
  if (outline.kind === 'ellipse') {
    path.ellipse(x + width / 2, y + height / 2, width / 2, height / 2, 0, 0, 2 * Math.PI);
  } else if (isDot(outline.rect)) {
    // An opaque fill of a round rectangle without any size clears the whole canvas (4.0.0-rc1).
    path.rect(x, y, width, height);
  } else {
    path.roundRect(x, y, width, height, [...outline.radii]);
  }
  return path;
}

/** Whether a rectangle is a point in the engine, which uses single precision. */
function isDot({ x, y, width, height }: Rect): boolean {
  return Math.fround(x + width) === Math.fround(x) && Math.fround(y + height) === Math.fround(y);
}

/** Upper bound of the device pixels by which anti-aliasing exceeds the bounds of a painted shape. */
export const antiAliasPx = 2;

/** Returns a rectangle that is larger by `by` on every side; smaller if `by` is negative. */
export function growRect(rect: Rect, by: number): Rect {
  return {
    x: rect.x - by,
    y: rect.y - by,
    width: Math.max(0, rect.width + 2 * by),
    height: Math.max(0, rect.height + 2 * by),
  };
}

/** Whether two rectangles share a point; a rectangle without any size shares none. */
export function overlap(a: Rect, b: Rect): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

/** Whether `outer` contains all of `inner`. */
export function contains(outer: Rect, inner: Rect): boolean {
  if (inner.x < outer.x || inner.y < outer.y) return false;
  const right = inner.x + inner.width;
  return right <= outer.x + outer.width && inner.y + inner.height <= outer.y + outer.height;
}

/** Returns the smallest rectangle that contains all of these; at least one is required. */
export function unionOf(rects: readonly Rect[]): Rect {
  const x = Math.min(...rects.map((rect) => rect.x));
  const y = Math.min(...rects.map((rect) => rect.y));
  const right = Math.max(...rects.map((rect) => rect.x + rect.width));
  const bottom = Math.max(...rects.map((rect) => rect.y + rect.height));
  return { x, y, width: right - x, height: bottom - y };
}

/**
 * Returns the ring of a border around a box or an ellipse, to be filled by the even-odd rule. The radii of its edges
 * follow CSS Backgrounds 3, 4.2: a square corner stays square, a round corner keeps its centre. A border wider than its
 * box fills the box.
 */
export function toBorderRing(
  border: Border,
  box: Rect,
  radii: CornerRadii,
  kind: 'rect' | 'ellipse',
): Path2D {
  const { width } = border;
  const outward = { inside: 0, center: width / 2, outside: width }[border.position ?? 'inside'];
  const edge = (by: number): Path2D => {
    const rect = growRect(box, by);
    if (kind === 'ellipse') return toPath({ kind, rect });
    const [a, b, c, d] = radii;
    const grow = (radius: number): number => (radius === 0 ? 0 : Math.max(0, radius + by));
    return toPath({ kind, rect, radii: [grow(a), grow(b), grow(c), grow(d)] });
  };
  const ring = edge(outward);
  const inward = outward - width;
  const hasHole = box.width + 2 * inward > 0 && box.height + 2 * inward > 0;
  if (hasHole) ring.addPath(edge(inward));
  return ring;
}

// Affine transforms of a canvas, without a canvas.

/** x' = a·x + c·y + e, y' = b·x + d·y + f, as in a canvas. */
export interface Matrix {
  a: number;
  b: number;
  c: number;
  d: number;
  e: number;
  f: number;
}

/** Returns the matrix after a clockwise rotation by `degrees` around the middle of `box`. */
export function rotateAbout(matrix: Matrix, box: Rect, degrees: number): Matrix {
  const { a, b, c, d, e, f } = matrix;
  const angle = (degrees * Math.PI) / 180;
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
  const x = box.x + box.width / 2;
  const y = box.y + box.height / 2;
  const moveX = x - cos * x + sin * y;
  const moveY = y - sin * x - cos * y;
  return {
    a: a * cos + c * sin,
    b: b * cos + d * sin,
    c: c * cos - a * sin,
    d: d * cos - b * sin,
    e: a * moveX + c * moveY + e,
    f: b * moveX + d * moveY + f,
  };
}

/** Returns the upright bounds of a transformed rectangle. */
export function transformRect({ a, b, c, d, e, f }: Matrix, rect: Rect): Rect {
  const corners = [rect.x, rect.x + rect.width].flatMap((x) =>
    [rect.y, rect.y + rect.height].map((y) => ({ x: a * x + c * y + e, y: b * x + d * y + f })),
  );
  const xs = corners.map(({ x }) => x);
  const ys = corners.map(({ y }) => y);
  const left = Math.min(...xs);
  const top = Math.min(...ys);
  return { x: left, y: top, width: Math.max(...xs) - left, height: Math.max(...ys) - top };
}
