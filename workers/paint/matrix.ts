/** Affine transforms of a canvas, without a canvas. */
import type { Rect } from '../display-list.ts';

/** x' = a·x + c·y + e, y' = b·x + d·y + f, as in a canvas. */
export interface Matrix {
  a: number;
  b: number;
  c: number;
  d: number;
  e: number;
  f: number;
}

/** The matrix after a rotation by `degrees` clockwise about the middle of `box`. */
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

/** The upright rectangle around a transformed one. */
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
