import * as fc from 'fast-check';
import t from 'tap';
import { extent } from '../../helpers/extent.ts';
import type { DisplayContent, DisplayItem, Outline } from '../../../workers/display-list.ts';
import { anItem } from '../../fixtures/display-items.ts';
import { layoutLayer, textLayer } from '../../helpers/text.ts';

// After the helper, which sets the fonts up before the engine is loaded.
const { itemBounds, unionRects } = await import('../../../workers/paint/bounds.ts');
const { paint } = await import('../../../workers/paint/paint.ts');

const canvas = { width: 160, height: 160 };

/** The edges of the smallest rectangle of pixels that are not clear; without one they are infinite. */
function paintedEdges(item: DisplayItem): Record<'left' | 'top' | 'right' | 'bottom', number> {
  const list = { ...canvas, background: undefined, items: [item] };
  const { data, widthPx } = paint(list, new Map(), 1);
  const edges = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (let pixel = 0; pixel < data.length / 4; pixel += 1) {
    if (data[pixel * 4 + 3] === 0) continue;
    const [x, y] = [pixel % widthPx, Math.floor(pixel / widthPx)];
    edges.left = Math.min(edges.left, x);
    edges.top = Math.min(edges.top, y);
    edges.right = Math.max(edges.right, x + 1);
    edges.bottom = Math.max(edges.bottom, y + 1);
  }
  return edges;
}

const position = fc.integer({ min: 20, max: 90 });
const side = fc.integer({ min: 0, max: 60 });
const rect = fc.record({ x: position, y: position, width: side, height: side });
const stroke = fc.option(
  fc.record({
    color: fc.constant('#000000'),
    width: fc.integer({ min: 0, max: 12 }),
    cap: fc.constantFrom('butt' as const, 'round' as const, 'square' as const),
    join: fc.constantFrom('miter' as const, 'round' as const, 'bevel' as const),
  }),
  { nil: undefined },
);
const outline: fc.Arbitrary<Outline> = rect.chain((at) =>
  fc.constantFrom<Outline>(
    { kind: 'rect', rect: at, radii: [0, 5, 0, 9] },
    { kind: 'ellipse', rect: at },
    { kind: 'path', rect: at, data: 'M0 0L30 5L2 6C-9 9 40 40 0 20Z', scaleX: 1, scaleY: 0.5 },
  ),
);
const arrow = fc.constantFrom(...(['none', 'triangle', 'open', 'circle'] as const));
const content: fc.Arbitrary<DisplayContent> = fc.oneof(
  fc.record({ kind: fc.constant('shape' as const), outline, fill: fc.constant('#ff0000'), stroke }),
  fc.record({
    kind: fc.constant('line' as const),
    points: fc.tuple(position, position, position, position),
    stroke: stroke.map((each) => each ?? { color: '#000000', width: 3 }),
    startArrow: arrow,
    endArrow: arrow,
  }),
);
const item: fc.Arbitrary<DisplayItem> = fc
  .tuple(
    rect,
    content,
    fc.record({
      rotation: fc.integer({ min: -360, max: 360 }),
      opacity: fc.constantFrom(0.5, 1),
      blur: fc.constantFrom(0, 0, 2, 6),
      shadows: fc.array(
        fc.record({
          x: fc.integer({ min: -30, max: 30 }),
          y: fc.integer({ min: -30, max: 30 }),
          blur: fc.constantFrom(0, 4, 20),
          color: fc.constant('#0000ff'),
        }),
        { maxLength: 2 },
      ),
      border: fc.option(
        fc.record({
          color: fc.constant('#00ff00'),
          width: fc.integer({ min: 0, max: 20 }),
          position: fc.constantFrom('inside' as const, 'center' as const, 'outside' as const),
        }),
        { nil: undefined },
      ),
    }),
  )
  .map(([box, inner, properties]) => anItem(box, inner, properties));
const turn = fc.integer({ min: 0, max: 360 });
const group = fc
  .tuple(rect, fc.array(item, { maxLength: 3 }), turn, fc.constantFrom(0, 3))
  .map(([box, items, rotation, blur]) => anItem(box, { kind: 'group', items }, { rotation, blur }));

function staysInside(each: DisplayItem): boolean {
  const painted = paintedEdges(each);
  const { x, y, width, height } = itemBounds(each);
  // A pixel that is touched at its edge is painted as a whole.
  return (
    painted.left >= Math.floor(x) - 1 &&
    painted.top >= Math.floor(y) - 1 &&
    painted.right <= Math.ceil(x + width) + 1 &&
    painted.bottom <= Math.ceil(y + height) + 1
  );
}

t.test('an item paints nothing outside its bounds', async () => {
  fc.assert(fc.property(fc.oneof(item, group), staysInside), { numRuns: extent(75, 300) });
});

t.test('a text on a path paints nothing outside its bounds', async (t) => {
  const outlined = { stroke: { color: '#000', width: 6, join: 'miter' } } as const;
  const linePill = { fill: '#ff0', paddingX: 20, paddingY: 12, cornerRadius: 9 };
  for (const look of [outlined, { linePill }, { background: '#ff0', underline: true }]) {
    const path = 'M 70 90 Q 80 70 90 90';
    const layer = textLayer('Along a path', { ...look, overflow: 'visible', path });
    const box = { x: 0, y: 0, ...canvas };
    t.ok(staysInside(anItem(box, layoutLayer(layer).content)), JSON.stringify(look));
  }
});

t.test('no rectangle has no union', async (t) => {
  t.same(unionRects([]), { x: 0, y: 0, width: 0, height: 0 });
  t.same(
    unionRects([
      { x: 5, y: 5, width: 0, height: 9 },
      { x: 1, y: 7, width: 2, height: 1 },
    ]),
    { x: 1, y: 5, width: 4, height: 9 },
  );
});
