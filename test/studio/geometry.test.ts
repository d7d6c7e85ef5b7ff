import fc from 'fast-check';
import t from 'tap';
import { alignRects, distributeRects } from '../../src/studio/canvas/edit-layers.ts';
import {
  boundsOf,
  composeMotions,
  cornersOf,
  handles,
  isInBox,
  motionOf,
  moveBox,
  pointOn,
  resizeBox,
  rotatePoint,
  touchesRect,
  undoMotion,
  applyMotion,
} from '../../src/studio/canvas/geometry.ts';
import type { Box, Point } from '../../src/studio/canvas/geometry.ts';

const number = (min: number, max: number): fc.Arbitrary<number> =>
  fc.double({ min, max, noNaN: true });
const boxes: fc.Arbitrary<Box> = fc.record({
  x: number(-2000, 2000),
  y: number(-2000, 2000),
  width: number(20, 3000),
  height: number(20, 3000),
  rotation: number(-360, 360),
});
const points: fc.Arbitrary<Point> = fc.record({ x: number(-500, 500), y: number(-500, 500) });
const anyHandle = fc.constantFrom(...handles);

function isClose(a: Point, b: Point, within = 1e-6): boolean {
  return Math.abs(a.x - b.x) <= within && Math.abs(a.y - b.y) <= within;
}

function areClose(all: readonly Point[], others: readonly Point[], within?: number): boolean {
  return all.every((point, index) => isClose(point, others[index] ?? { x: NaN, y: NaN }, within));
}

t.test('a resize keeps the opposite corner, or the centre, and the ratio', async () => {
  fc.assert(
    fc.property(
      boxes,
      anyHandle,
      points,
      fc.record({ keepsRatio: fc.boolean(), isWhole: fc.boolean(), fromCenter: fc.boolean() }),
      (box, handle, delta, options) => {
        const to = resizeBox(box, handle, delta, options);
        const [x, y] = options.fromCenter ? [0, 0] : [-handle.horizontal, -handle.vertical];
        const turn = (to.width * box.height) / (to.height * box.width);
        const isKept = !options.keepsRatio || options.isWhole || Math.abs(turn - 1) < 1e-9;
        return isKept && isClose(pointOn(to, x, y), pointOn(box, x, y));
      },
    ),
    { numRuns: 300 },
  );
});

t.test('a resize and its inverse are no change', async () => {
  fc.assert(
    fc.property(boxes, anyHandle, points, (box, handle, delta) => {
      const there = resizeBox(box, handle, delta);
      // A box that was stopped at its smallest does not come back.
      fc.pre(there.width > 1 && there.height > 1);
      const back = resizeBox(there, handle, { x: -delta.x, y: -delta.y });
      return areClose(cornersOf(back), cornersOf(box));
    }),
  );
});

t.test('the corner under the pointer follows it exactly', async (t) => {
  const box = { x: 10, y: 20, width: 200, height: 100, rotation: 90 };
  const southEast = handles.find(({ name }) => name === 'se');
  if (southEast === undefined) throw new Error('no such handle');
  const to = resizeBox(box, southEast, { x: -30, y: 50 });
  t.same(to, { x: -30, y: 30, width: 250, height: 130, rotation: 90 }, 'turned by a quarter');
  const before = pointOn(box, 1, 1);
  t.ok(isClose(pointOn(to, 1, 1), { x: before.x - 30, y: before.y + 50 }));
});

t.test('a box never turns inside out', async () => {
  fc.assert(
    fc.property(boxes, anyHandle, (box, handle) => {
      const inward = { x: -handle.horizontal * 1e5, y: -handle.vertical * 1e5 };
      const to = resizeBox(box, handle, rotatePoint(inward, box.rotation));
      return to.width >= 1 - 1e-9 && to.height >= 1 - 1e-9;
    }),
  );
});

t.test('what is in turned groups is where the groups bring it', async () => {
  fc.assert(
    fc.property(boxes, boxes, boxes, points, (outer, inner, box, point) => {
      const motion = composeMotions(motionOf(outer), motionOf(inner));
      const seen = moveBox(motion, box);
      const corners = cornersOf(box).map((corner) => applyMotion(motion, corner));
      const same = areClose(cornersOf(seen), corners, 1e-5);
      return same && isClose(undoMotion(motion, applyMotion(motion, point)), point, 1e-5);
    }),
  );
});

t.test('a turned box is hit where it is seen, and a thin one within reach', async (t) => {
  const box = { x: 0, y: 40, width: 100, height: 20, rotation: 90 };
  t.ok(isInBox(box, { x: 50, y: 5 }));
  t.notOk(isInBox(box, { x: 5, y: 50 }));
  const line = { x: 0, y: 0, width: 100, height: 0, rotation: 0 };
  t.notOk(isInBox(line, { x: 50, y: 3 }));
  t.ok(isInBox(line, { x: 50, y: 3 }, 4));
});

t.test('a frame touches a turned box only where it is', async (t) => {
  const box = { x: 0, y: 0, width: 100, height: 100, rotation: 45 };
  t.notOk(touchesRect(box, { x: -15, y: -15, width: 20, height: 20 }), 'in the free corner');
  t.ok(touchesRect(box, { x: -15, y: 40, width: 20, height: 20 }), 'at its left tip');
  t.ok(touchesRect(box, { x: 49, y: 49, width: 2, height: 2 }), 'all inside');
  t.same(boundsOf([{ ...box, rotation: 90 }]), { x: 0, y: 0, width: 100, height: 100 });
  t.equal(boundsOf([]), undefined);
});

t.test('rectangles are aligned to each edge and middle', async (t) => {
  const within = { x: 0, y: 0, width: 1200, height: 600 };
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
    const there = { ...rect, x: rect.x + x, y: rect.y + y };
    const again = alignRects([there], alignment as keyof typeof edges, within);
    t.same(again, [{ x: 0, y: 0 }], 'aligning again moves nothing');
  }
});

t.test('gaps become equal, whatever the sizes and the order', async (t) => {
  const all = [
    { x: 300, y: 0, width: 100, height: 10 },
    { x: 0, y: 0, width: 50, height: 10 },
    { x: 60, y: 0, width: 30, height: 10 },
  ];
  const stays = { x: 0, y: 0 };
  t.same(distributeRects(all, 'x'), [stays, stays, { x: 100, y: 0 }]);
  t.same(distributeRects(all.slice(0, 2), 'x'), [stays, stays]);
});
