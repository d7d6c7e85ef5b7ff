import fc from 'fast-check';
import t from 'tap';
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

t.test(
  'a resize keeps the opposite corner, whatever the rotation, the ratio and the delta',
  (t) => {
    fc.assert(
      fc.property(
        boxes,
        anyHandle,
        points,
        fc.boolean(),
        fc.boolean(),
        (box, handle, delta, keepsRatio, isWhole) => {
          const to = resizeBox(box, handle, delta, { keepsRatio, isWhole });
          const stays = pointOn(box, -handle.horizontal, -handle.vertical);
          return isClose(pointOn(to, -handle.horizontal, -handle.vertical), stays);
        },
      ),
    );
    t.end();
  },
);

t.test('a resize from the centre keeps the centre', (t) => {
  fc.assert(
    fc.property(boxes, anyHandle, points, (box, handle, delta) => {
      const to = resizeBox(box, handle, delta, { fromCenter: true });
      return isClose(pointOn(to, 0, 0), pointOn(box, 0, 0));
    }),
  );
  t.end();
});

t.test('a resize and its inverse are no change', (t) => {
  fc.assert(
    fc.property(boxes, anyHandle, points, (box, handle, delta) => {
      const there = resizeBox(box, handle, delta);
      // A box that was stopped at its smallest does not come back.
      fc.pre(there.width > 1 && there.height > 1);
      const back = resizeBox(there, handle, { x: -delta.x, y: -delta.y });
      return cornersOf(back).every((corner, index) => {
        const before = cornersOf(box)[index];
        return before !== undefined && isClose(corner, before);
      });
    }),
  );
  t.end();
});

t.test('the corner under the pointer follows it exactly', (t) => {
  const box = { x: 10, y: 20, width: 200, height: 100, rotation: 90 };
  const southEast = handles.find(({ name }) => name === 'se');
  if (southEast === undefined) throw new Error('no such handle');
  const to = resizeBox(box, southEast, { x: -30, y: 50 });
  t.same(to, { x: -30, y: 30, width: 250, height: 130, rotation: 90 }, 'turned by a quarter');
  const before = pointOn(box, 1, 1);
  t.ok(isClose(pointOn(to, 1, 1), { x: before.x - 30, y: before.y + 50 }));
  t.end();
});

t.test('a kept ratio stays, also of an edge', (t) => {
  fc.assert(
    fc.property(boxes, anyHandle, points, (box, handle, delta) => {
      const to = resizeBox(box, handle, delta, { keepsRatio: true });
      return Math.abs(to.width / to.height / (box.width / box.height) - 1) < 1e-9;
    }),
  );
  t.end();
});

t.test('a box never turns inside out', (t) => {
  fc.assert(
    fc.property(boxes, anyHandle, (box, handle) => {
      const away = rotatePoint(
        { x: -handle.horizontal * 1e5, y: -handle.vertical * 1e5 },
        box.rotation,
      );
      const to = resizeBox(box, handle, away);
      return to.width >= 1 - 1e-9 && to.height >= 1 - 1e-9;
    }),
  );
  t.end();
});

t.test('what is in turned groups is where the groups bring it', (t) => {
  fc.assert(
    fc.property(boxes, boxes, boxes, points, (outer, inner, box, point) => {
      const motion = composeMotions(motionOf(outer), motionOf(inner));
      const seen = moveBox(motion, box);
      const corners = cornersOf(box).map((corner) => applyMotion(motion, corner));
      const same = cornersOf(seen).every((corner, index) => {
        const other = corners[index];
        return other !== undefined && isClose(corner, other, 1e-5);
      });
      return same && isClose(undoMotion(motion, applyMotion(motion, point)), point, 1e-5);
    }),
  );
  t.end();
});

t.test('a turned box is hit where it is seen, and a thin one within reach', (t) => {
  const box = { x: 0, y: 40, width: 100, height: 20, rotation: 90 };
  t.ok(isInBox(box, { x: 50, y: 5 }));
  t.notOk(isInBox(box, { x: 5, y: 50 }));
  const line = { x: 0, y: 0, width: 100, height: 0, rotation: 0 };
  t.notOk(isInBox(line, { x: 50, y: 3 }));
  t.ok(isInBox(line, { x: 50, y: 3 }, 4));
  t.end();
});

t.test('a frame touches a turned box only where it is', (t) => {
  const box = { x: 0, y: 0, width: 100, height: 100, rotation: 45 };
  t.notOk(touchesRect(box, { x: -15, y: -15, width: 20, height: 20 }), 'in the free corner');
  t.ok(touchesRect(box, { x: -15, y: 40, width: 20, height: 20 }), 'at its left tip');
  t.ok(touchesRect(box, { x: 49, y: 49, width: 2, height: 2 }), 'all inside');
  t.same(boundsOf([{ ...box, rotation: 90 }]), { x: 0, y: 0, width: 100, height: 100 });
  t.equal(boundsOf([]), undefined);
  t.end();
});
