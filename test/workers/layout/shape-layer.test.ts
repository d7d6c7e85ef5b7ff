import * as fc from 'fast-check';
import t from 'tap';
import type { Layer } from '#language/schema/layers.ts';
import type { DisplayContent } from '../../../workers/display-list.ts';
import {
  clipOutline,
  frameOutline,
  layoutLine,
  layoutShape,
  toRadii,
} from '../../../workers/layout/shape-layer.ts';
import { aLayer } from '../../fixtures/template-documents.ts';

const box = { x: 10, y: 20, width: 100, height: 50 };

function layout(type: string, properties: Record<string, unknown>): DisplayContent {
  return layoutShape(aLayer(type, properties) as never, box, new Map());
}

t.test('one radius is for all corners, four are for each', (t) => {
  t.same(toRadii(undefined, box), [0, 0, 0, 0]);
  t.same(toRadii(8, box), [8, 8, 8, 8]);
  t.same(toRadii([1, 2, 3, 4], box), [1, 2, 3, 4]);
  t.same(toRadii(100, box), [25, 25, 25, 25]);
  t.same(toRadii([100, 100, 0, 0], box), [50, 50, 0, 0]);
  t.same(toRadii(5, { ...box, width: 0 }), [0, 0, 0, 0]);
  t.end();
});

t.test('radii never meet, and keep their proportions', (t) => {
  const length = fc.double({ min: 0, max: 8192, noNaN: true });
  fc.assert(
    fc.property(
      fc.tuple(length, length, length, length),
      length,
      length,
      (radii, width, height) => {
        const [a, b, c, d] = toRadii(radii, { x: 0, y: 0, width, height });
        const near = 1e-6;
        return (
          a + b <= width + near &&
          c + d <= width + near &&
          b + c <= height + near &&
          d + a <= height + near
        );
      },
    ),
  );
  t.end();
});

t.test('polygons and stars stand on the ellipse of their box', (t) => {
  const square = layout('polygon', { sides: 4 });
  t.match(square, { outline: { kind: 'path', rect: box, scaleX: 1, scaleY: 1 } });
  const points = (content: DisplayContent): number[][] =>
    content.kind === 'shape' && content.outline.kind === 'path'
      ? content.outline.data
          .slice(1, -1)
          .split('L')
          .map((point) => point.split(' ').map((each) => Math.round(Number(each) * 100) / 100))
      : [];
  t.same(points(square), [
    [50, 0],
    [100, 25],
    [50, 50],
    [0, 25],
  ]);
  t.same(points(layout('star', { points: 4, innerRadius: 0.5 }))[0], [50, 0]);
  t.equal(points(layout('star', { points: 7 })).length, 14);
  t.end();
});

t.test('a view box maps a part of the path onto the box', (t) => {
  t.match(layout('path', { path: 'M0 0H5' }), { outline: { rect: box, scaleX: 1, scaleY: 1 } });
  t.match(layout('path', { path: 'M0 0H5', viewBox: [10, 10, 50, 100] }), {
    outline: { rect: { x: -10, y: 15 }, scaleX: 2, scaleY: 0.5 },
  });
  t.end();
});

t.test('a line is a diagonal', (t) => {
  const line = (properties: Record<string, unknown>): DisplayContent =>
    layoutLine(
      aLayer('line', { stroke: { color: '#000', width: 1 }, ...properties }) as never,
      box,
    );
  t.match(line({}), { points: [10, 20, 110, 70], startArrow: 'none', endArrow: 'none' });
  t.match(line({ rising: true, endArrow: 'open' }), {
    points: [10, 70, 110, 20],
    endArrow: 'open',
  });
  t.end();
});

t.test('a clip counts from the corner of its layer', (t) => {
  t.same(clipOutline({ shape: 'ellipse' }, box), { kind: 'ellipse', rect: box });
  t.same(clipOutline({ shape: 'rect', x: 5, y: 6, width: 7, cornerRadius: 9 }, box), {
    kind: 'rect',
    rect: { x: 15, y: 26, width: 7, height: 50 },
    radii: [3.5, 3.5, 3.5, 3.5],
  });
  t.match(clipOutline({ shape: 'path', path: 'M0 0H5', x: 1 }, box), {
    data: 'M0 0H5',
    rect: { x: 11 },
  });
  t.end();
});

t.test('round corners frame what does not round itself', (t) => {
  const framed = (type: string, properties = {}): unknown =>
    frameOutline(aLayer(type, { cornerRadius: 5, ...properties }) as unknown as Layer, box);
  for (const type of ['group', 'svg', 'qr', 'barcode']) {
    t.same(framed(type), { kind: 'rect', rect: box, radii: [5, 5, 5, 5] }, type);
    t.equal(framed(type, { cornerRadius: undefined }), undefined);
  }
  for (const type of ['rect', 'image', 'text', 'star']) t.equal(framed(type), undefined, type);
  t.end();
});
