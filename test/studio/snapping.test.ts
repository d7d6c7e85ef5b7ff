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

t.test('edges and middles within reach meet the nearest lines, and guides say where', async (t) => {
  const near = (x: number, y: number, width: number) =>
    snapMove({ x, y, width, height: 50 }, { rects: [canvas, other] }, 5);
  const left = near(203, 163, 80);
  t.same(left.shift, { x: -3, y: 0 }, 'no line of the other axis is near');
  const guide = { axis: 'x', at: 200, from: 0, to: 300 };
  t.same(left.guides, [guide], 'through the canvas, whose middle is there');
  const middle = near(202, 128, 100);
  t.same(middle.shift, { x: -2, y: -3 });
  const lines = middle.guides.map(({ axis, at }) => `${axis} ${at}`);
  t.same(lines, ['x 200', 'x 250', 'x 300', 'y 150'], 'every line that is met');
  t.same(near(106, 186, 20), { shift: { x: 0, y: 0 }, guides: [] }, 'out of reach');
});

t.test('of a resize only the edges that move are drawn', async (t) => {
  const rect = { x: 198, y: 37, width: 48, height: 100 };
  t.same(snapResize(rect, handle('e'), { rects: [other] }, 5).shift, { x: 4, y: 0 });
  t.same(snapResize(rect, handle('nw'), { rects: [other] }, 5).shift, { x: 2, y: 3 });
  t.same(snapResize(rect, handle('s'), { rects: [other] }, 5).shift, { x: 0, y: 0 });
});

t.test('what was drawn somewhere stays there, and never goes further than the reach', async () => {
  const [at, side] = [fc.integer({ min: -500, max: 500 }), fc.integer({ min: 0, max: 400 })];
  const rects = fc.record({ x: at, y: at, width: side, height: side });
  fc.assert(
    fc.property(rects, fc.array(rects, { maxLength: 6 }), (rect, others) => {
      const { shift } = snapMove(rect, { rects: others }, 5);
      const placed = { ...rect, x: rect.x + shift.x, y: rect.y + shift.y };
      const again = snapMove(placed, { rects: others }, 5).shift;
      const isNear = Math.abs(shift.x) <= 5 && Math.abs(shift.y) <= 5;
      return isNear && again.x === 0 && again.y === 0;
    }),
  );
});

t.test('where nothing is near, an edge comes to a line of the grid', async (t) => {
  const rect = { x: 104, y: 206, width: 33, height: 20 };
  const { shift, guides } = snapMove(rect, { rects: [other], grid: 10 }, 5);
  t.same(shift, { x: -4, y: 4 });
  const areOfGrid = guides.every(({ isGrid }) => isGrid);
  t.ok(areOfGrid, 'which needs no guide');
  t.same(snapMove({ ...rect, x: 198 }, { rects: [other], grid: 10 }, 5).shift, { x: 2, y: 4 });
});
