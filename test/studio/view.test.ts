import fc from 'fast-check';
import t from 'tap';
import type { View } from '../../src/studio/canvas/canvas-state.ts';
import {
  fitView,
  keepInSight,
  nextZoom,
  toDesign,
  toScreen,
  zoomAt,
  zoomMax,
  zoomMin,
} from '../../src/studio/canvas/canvas-state.ts';

const window = { width: 800, height: 600 };

t.test('an image fits in the middle of an area, and a small one is not enlarged', (t) => {
  const area = { x: 50, y: 100, width: 700, height: 400 };
  const fit = (width: number, height: number, most = 1): View =>
    fitView(area, { x: 0, y: 0, width, height }, most);
  t.same(fit(1400, 100), { zoom: 0.5, x: 50, y: 275 });
  t.same(fit(100, 800), { zoom: 0.5, x: 375, y: 100 });
  t.same(fit(100, 100), { zoom: 1, x: 350, y: 250 });
  t.same(fit(100, 100, 2), { zoom: 2, x: 300, y: 200 });
  t.same(fitView(area, { x: 20, y: 30, width: 100, height: 100 }, 1), { zoom: 1, x: 330, y: 220 });
  t.end();
});

t.test('what lies under the pointer stays there at any zoom', (t) => {
  const number = (min: number, max: number): fc.Arbitrary<number> =>
    fc.double({ min, max, noNaN: true });
  const views = fc.record({
    x: number(-900, 900),
    y: number(-900, 900),
    zoom: number(zoomMin, zoomMax),
  });
  const points = fc.record({ x: number(0, 800), y: number(0, 600) });
  fc.assert(
    fc.property(views, number(0.001, 100), points, (view, zoom, at) => {
      const next = zoomAt(view, zoom, at);
      const now = toScreen(next, toDesign(view, at));
      return Math.abs(now.x - at.x) < 1e-6 && Math.abs(now.y - at.y) < 1e-6;
    }),
  );
  t.end();
});

t.test('a part of the image stays in sight', (t) => {
  const image = { width: 100, height: 100 };
  t.same(keepInSight({ zoom: 1, x: 5000, y: -5000 }, window, image), { zoom: 1, x: 740, y: -40 });
  t.same(keepInSight({ zoom: 1, x: 10, y: 20 }, window, image), { zoom: 1, x: 10, y: 20 });
  t.end();
});

t.test('steps of the zoom go through usual values and back', (t) => {
  t.equal(nextZoom(0.54, 1), 0.75);
  t.equal(nextZoom(0.54, -1), 0.5);
  t.equal(nextZoom(1, 1), 1.5);
  t.equal(nextZoom(nextZoom(1, 1), -1), 1);
  t.equal(nextZoom(zoomMax, 1), zoomMax);
  t.equal(nextZoom(zoomMin, -1), zoomMin);
  t.end();
});
