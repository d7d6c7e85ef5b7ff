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
import { placeBeside } from '../../src/studio/canvas/tools/bars.ts';

const window = { width: 800, height: 600 };

t.test('an image fits in the middle of an area, and a small one is not enlarged', async (t) => {
  const area = { x: 50, y: 100, width: 700, height: 400 };
  const fit = (width: number, height: number, most = 1): View =>
    fitView(area, { x: 0, y: 0, width, height }, most);
  t.same(fit(1400, 100), { zoom: 0.5, x: 50, y: 275 });
  t.same(fit(100, 800), { zoom: 0.5, x: 375, y: 100 });
  t.same(fit(100, 100), { zoom: 1, x: 350, y: 250 });
  t.same(fit(100, 100, 2), { zoom: 2, x: 300, y: 200 });
  t.same(fitView(area, { x: 20, y: 30, width: 100, height: 100 }, 1), { zoom: 1, x: 330, y: 220 });
});

t.test('what lies under the pointer stays there at any zoom', async () => {
  const number = (min: number, max: number): fc.Arbitrary<number> =>
    fc.double({ min, max, noNaN: true });
  const [at, zooms] = [number(-900, 900), number(zoomMin, zoomMax)];
  const views = fc.record({ x: at, y: at, zoom: zooms });
  const points = fc.record({ x: number(0, 800), y: number(0, 600) });
  fc.assert(
    fc.property(views, number(0.001, 100), points, (view, zoom, point) => {
      const next = zoomAt(view, zoom, point);
      const now = toScreen(next, toDesign(view, point));
      return Math.abs(now.x - point.x) < 1e-6 && Math.abs(now.y - point.y) < 1e-6;
    }),
  );
});

t.test('a part of the image stays in sight', async (t) => {
  const image = { width: 100, height: 100 };
  t.same(keepInSight({ zoom: 1, x: 5000, y: -5000 }, window, image), { zoom: 1, x: 740, y: -40 });
  t.same(keepInSight({ zoom: 1, x: 10, y: 20 }, window, image), { zoom: 1, x: 10, y: 20 });
});

t.test('steps of the zoom go through usual values and back', async (t) => {
  t.equal(nextZoom(0.54, 1), 0.75);
  t.equal(nextZoom(0.54, -1), 0.5);
  t.equal(nextZoom(1, 1), 1.5);
  t.equal(nextZoom(nextZoom(1, 1), -1), 1);
  t.same([nextZoom(zoomMax, 1), nextZoom(zoomMin, -1)], [zoomMax, zoomMin]);
});

t.test('what stands beside a text is inside the window, clear of its bars', async (t) => {
  const area = { width: 800, height: 500 };
  const size = { width: 300, height: 30 };
  const position = (x: number, y: number, height = 40) =>
    placeBeside({ x, y, width: 200, height }, size, area);
  t.same(position(100, 100), { x: 100, y: 148 }, 'below');
  t.same(position(100, 400), { x: 100, y: 362 }, 'above, where the bar of the zoom is below');
  t.same(position(700, 100), { x: 492, y: 148 }, 'inside at the right');
  t.same(position(-50, 100), { x: 8, y: 148 }, 'and at the left');
  t.same(position(100, 20, 460), { x: 100, y: 412 }, 'over a text that fills the window');
  t.same(position(100, 900), { x: 100, y: 412 }, 'and for one that lies below it');
  const list = { width: 300, height: 240 };
  const beside = placeBeside({ x: 100, y: 140, width: 200, height: 80 }, list, area);
  t.same(beside, { x: 100, y: 228 }, 'over a bar rather than over the text');
});
