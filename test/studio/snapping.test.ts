import fc from 'fast-check';
import t from 'tap';
import { handles } from '../../src/studio/canvas/geometry.ts';
import type { Handle } from '../../src/studio/canvas/geometry.ts';
import { snapMove, snapResize } from '../../src/studio/canvas/gestures/snapping.ts';

const canvas = { x: 0, y: 0, width: 400, height: 300 };
const other = { x: 200, y: 40, width: 100, height: 60 };

function handle(name: Handle['name']): Handle {
  const found = handles.find((each) => each.name === name);
  if (found === undefined) throw new Error(name);
  return found;
}

t.test('an edge within reach meets the nearest line, and a guide says where', (t) => {
  const { shift, guides } = snapMove(
    { x: 203, y: 163, width: 80, height: 50 },
    { rects: [canvas, other] },
    5,
  );
  t.same(shift, { x: -3, y: 0 }, 'the left edges meet, and no line of the other axis is near');
  t.same(
    guides,
    [{ axis: 'x', at: 200, from: 0, to: 300 }],
    'through the canvas, whose middle is there',
  );
  t.end();
});

t.test('middles meet too, and every line that is met has its guide', (t) => {
  const { shift, guides } = snapMove(
    { x: 202, y: 128, width: 100, height: 50 },
    { rects: [canvas, other] },
    5,
  );
  t.same(shift, { x: -2, y: -3 });
  t.same(
    guides.map(({ axis, at }) => [axis, at]),
    [
      ['x', 200],
      ['x', 250],
      ['x', 300],
      ['y', 150],
    ],
  );
  t.end();
});

t.test('what is out of reach stays', (t) => {
  const { shift, guides } = snapMove(
    { x: 106, y: 206, width: 20, height: 20 },
    { rects: [canvas, other] },
    5,
  );
  t.same({ shift, guides }, { shift: { x: 0, y: 0 }, guides: [] });
  t.end();
});

t.test('of a resize only the edges that move are drawn', (t) => {
  const rect = { x: 198, y: 37, width: 48, height: 100 };
  t.same(snapResize(rect, handle('e'), { rects: [other] }, 5).shift, { x: 4, y: 0 });
  t.same(snapResize(rect, handle('nw'), { rects: [other] }, 5).shift, { x: 2, y: 3 });
  t.same(snapResize(rect, handle('s'), { rects: [other] }, 5).shift, { x: 0, y: 0 });
  t.end();
});

t.test('what was drawn somewhere stays there, and never goes further than the reach', (t) => {
  const rects = fc.record({
    x: fc.integer({ min: -500, max: 500 }),
    y: fc.integer({ min: -500, max: 500 }),
    width: fc.integer({ min: 0, max: 400 }),
    height: fc.integer({ min: 0, max: 400 }),
  });
  fc.assert(
    fc.property(rects, fc.array(rects, { maxLength: 6 }), (rect, others) => {
      const { shift } = snapMove(rect, { rects: others }, 5);
      const placed = { ...rect, x: rect.x + shift.x, y: rect.y + shift.y };
      const again = snapMove(placed, { rects: others }, 5).shift;
      const isNear = Math.abs(shift.x) <= 5 && Math.abs(shift.y) <= 5;
      return isNear && again.x === 0 && again.y === 0;
    }),
  );
  t.end();
});

t.test('where nothing is near, an edge comes to a line of the grid', (t) => {
  const rect = { x: 104, y: 206, width: 33, height: 20 };
  const { shift, guides } = snapMove(rect, { rects: [other], grid: 10 }, 5);
  t.same(shift, { x: -4, y: 4 });
  t.ok(
    guides.every(({ isGrid }) => isGrid),
    'which needs no guide',
  );
  t.same(snapMove({ ...rect, x: 198 }, { rects: [other], grid: 10 }, 5).shift, { x: 2, y: 4 });
  t.end();
});
