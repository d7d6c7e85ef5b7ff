/** Turns an outline of the display list into a path of the paint engine. */
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

/** Whether a rectangle is a point to the engine, which counts in 32 bits. */
function isDot({ x, y, width, height }: Rect): boolean {
  return Math.fround(x + width) === Math.fround(x) && Math.fround(y + height) === Math.fround(y);
}

/** Rectangle that is `by` design pixels larger on every side; smaller when `by` is negative. */
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

/**
 * The ring of a border round a box or an ellipse, to be filled by the even-odd rule. Its edges' radii
 * are as in CSS Backgrounds 3, 4.2: a square corner stays square, a round one keeps its centre. A
 * border wider than its box fills the box.
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
