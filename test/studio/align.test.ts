import fc from 'fast-check';
import t from 'tap';
import { alignRects, distributeRects } from '../../src/studio/canvas/edit-layers.ts';
import type { Point, Rect } from '../../src/studio/canvas/geometry.ts';

const number = (min: number, max: number): fc.Arbitrary<number> =>
  fc.double({ min, max, noNaN: true });
const rects: fc.Arbitrary<Rect[]> = fc.array(
  fc.record({
    x: number(-2000, 2000),
    y: number(-2000, 2000),
    width: number(0, 1000),
    height: number(0, 1000),
  }),
  { maxLength: 8 },
);
const within = { x: 0, y: 0, width: 1200, height: 600 };

function moved(all: readonly Rect[], moves: readonly Point[]): Rect[] {
  return all.map((rect, index) => {
    const move = moves[index] ?? { x: 0, y: 0 };
    return { ...rect, x: rect.x + move.x, y: rect.y + move.y };
  });
}

function isStill(moves: readonly Point[]): boolean {
  return moves.every(({ x, y }) => Math.abs(x) < 1e-6 && Math.abs(y) < 1e-6);
}

t.test('aligning again moves nothing', (t) => {
  for (const alignment of ['left', 'center', 'right', 'top', 'middle', 'bottom'] as const) {
    fc.assert(
      fc.property(rects, (all) => {
        const once = moved(all, alignRects(all, alignment, within));
        return isStill(alignRects(once, alignment, within));
      }),
    );
  }
  t.end();
});

t.test('distributing again moves nothing, and the outermost stay', (t) => {
  for (const axis of ['x', 'y'] as const) {
    fc.assert(
      fc.property(rects, (all) => {
        const moves = distributeRects(all, axis);
        const stay = moves.filter(({ x, y }) => x === 0 && y === 0).length;
        return isStill(distributeRects(moved(all, moves), axis)) && stay >= Math.min(2, all.length);
      }),
    );
  }
  t.end();
});

t.test('rectangles are aligned to each edge and middle', (t) => {
  const rect = { x: 10, y: 20, width: 100, height: 60 };
  const edges = {
    left: [-10, 0],
    center: [540, 0],
    right: [1090, 0],
    top: [0, -20],
    middle: [0, 250],
    bottom: [0, 520],
  } as const;
  for (const [alignment, [x, y]] of Object.entries(edges)) {
    t.same(alignRects([rect], alignment as keyof typeof edges, within), [{ x, y }], alignment);
  }
  t.end();
});

t.test('gaps become equal, whatever the sizes and the order', (t) => {
  const all = [
    { x: 300, y: 0, width: 100, height: 10 },
    { x: 0, y: 0, width: 50, height: 10 },
    { x: 60, y: 0, width: 30, height: 10 },
  ];
  t.same(distributeRects(all, 'x'), [
    { x: 0, y: 0 },
    { x: 0, y: 0 },
    { x: 100, y: 0 },
  ]);
  t.same(distributeRects(all.slice(0, 2), 'x'), [
    { x: 0, y: 0 },
    { x: 0, y: 0 },
  ]);
  t.end();
});
