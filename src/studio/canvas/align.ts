/** Aligns and distributes rectangles: how far each one has to be moved. */
import type { Point, Rect } from './geometry.ts';

export type Alignment = 'left' | 'center' | 'right' | 'top' | 'middle' | 'bottom';

/**
 * Moves each rectangle to one edge, or the middle, of `within`; one movement for each, in their order. Aligning
 * again moves nothing.
 */
export function alignRects(rects: readonly Rect[], alignment: Alignment, within: Rect): Point[] {
  return rects.map((rect) => {
    const freeX = within.width - rect.width;
    const freeY = within.height - rect.height;
    switch (alignment) {
      case 'left':
        return { x: within.x - rect.x, y: 0 };
      case 'center':
        return { x: within.x + freeX / 2 - rect.x, y: 0 };
      case 'right':
        return { x: within.x + freeX - rect.x, y: 0 };
      case 'top':
        return { x: 0, y: within.y - rect.y };
      case 'middle':
        return { x: 0, y: within.y + freeY / 2 - rect.y };
      case 'bottom':
        return { x: 0, y: within.y + freeY - rect.y };
      default:
        return alignment satisfies never;
    }
  });
}

/**
 * Moves rectangles so that the gaps between them are equal; the outermost two stay. One movement for each, in their
 * order; fewer than three are not moved. Where they do not fit side by side, their middles get equal distances.
 */
export function distributeRects(rects: readonly Rect[], axis: 'x' | 'y'): Point[] {
  const moves = rects.map(() => ({ x: 0, y: 0 }));
  if (rects.length < 3) return moves;
  const side = axis === 'x' ? 'width' : 'height';
  const middle = (rect: Rect): number => rect[axis] + rect[side] / 2;
  const order = rects
    .map((rect, index) => ({ rect, index }))
    .toSorted((a, b) => middle(a.rect) - middle(b.rect));
  const first = order[0]?.rect;
  const last = order.at(-1)?.rect;
  if (first === undefined || last === undefined) return moves;
  const filled = rects.reduce((sum, rect) => sum + rect[side], 0);
  const gap = (last[axis] + last[side] - first[axis] - filled) / (rects.length - 1);
  const step = (middle(last) - middle(first)) / (rects.length - 1);
  let place = first[axis];
  for (const [rank, { rect, index }] of order.entries()) {
    const move = moves[index];
    const wanted = gap < 0 ? middle(first) + rank * step - rect[side] / 2 : place;
    if (move !== undefined && rect !== first && rect !== last) move[axis] = wanted - rect[axis];
    place += rect[side] + gap;
  }
  return moves;
}
