import * as fc from 'fast-check';
import t from 'tap';
import { extent } from '../../helpers/extent.ts';
import type { DisplayContent, DisplayItem, Outline } from '../../../workers/display-list.ts';
import { itemBounds, unionRects } from '../../../workers/paint/bounds.ts';
import { paint } from '../../../workers/paint/paint.ts';
import { anItem } from '../../fixtures/display-items.ts';

const canvas = { width: 160, height: 160 };

/** The smallest rectangle of pixels that are not clear; undefined when there is none. */
function paintedBounds(
  item: DisplayItem,
): { left: number; top: number; right: number; bottom: number } | undefined {
  const { data, widthPx } = paint(
    { ...canvas, background: undefined, items: [item] },
    new Map(),
    1,
  );
  const xs: number[] = [];
  const ys: number[] = [];
  for (let index = 3; index < data.length; index += 4) {
    if (data[index] === 0) continue;
    const pixel = (index - 3) / 4;
    xs.push(pixel % widthPx);
    ys.push(Math.floor(pixel / widthPx));
  }
  if (xs.length === 0) return undefined;
  return {
    left: xs.reduce((a, b) => Math.min(a, b)),
    top: ys.reduce((a, b) => Math.min(a, b)),
    right: xs.reduce((a, b) => Math.max(a, b)) + 1,
    bottom: ys.reduce((a, b) => Math.max(a, b)) + 1,
  };
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
const arrow = fc.constantFrom(
  'none' as const,
  'triangle' as const,
  'open' as const,
  'circle' as const,
);
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
const group = fc
  .tuple(
    rect,
    fc.array(item, { maxLength: 3 }),
    fc.integer({ min: 0, max: 360 }),
    fc.constantFrom(0, 3),
  )
  .map(([box, items, rotation, blur]) => anItem(box, { kind: 'group', items }, { rotation, blur }));

t.test('an item paints nothing outside its bounds', (t) => {
  fc.assert(
    fc.property(fc.oneof(item, group), (each) => {
      const painted = paintedBounds(each);
      if (painted === undefined) return true;
      const { x, y, width, height } = itemBounds(each);
      // A pixel that is touched at its edge is painted as a whole.
      return (
        painted.left >= Math.floor(x) - 1 &&
        painted.top >= Math.floor(y) - 1 &&
        painted.right <= Math.ceil(x + width) + 1 &&
        painted.bottom <= Math.ceil(y + height) + 1
      );
    }),
    { numRuns: extent(75, 300) },
  );
  t.end();
});

/** Of all ink: the engine's anti-aliasing of curves is not quite the same in every buffer. */
const unevenPart = 0.05;
/** Where there is hardly any ink, this many full channels may differ. */
const unevenChannels = 20;

t.test('an item paints the same through a buffer as without', (t) => {
  // An isolated group with full opacity is what its layers are.
  fc.assert(
    fc.property(item, (each) => {
      const box = { x: 0, y: 0, ...canvas };
      const mask = anItem(box, {
        kind: 'shape',
        outline: { kind: 'rect', rect: box, radii: [0, 0, 0, 0] },
        fill: '#000000',
        stroke: undefined,
      });
      const list = { ...canvas, background: '#ffffff' };
      const plain = paint({ ...list, items: [each] }, new Map(), 1).data;
      const apart = paint(
        { ...list, items: [anItem(box, { kind: 'group', items: [each] }, { mask })] },
        new Map(),
        1,
      ).data;
      let ink = 0;
      let uneven = 0;
      for (const [index, value] of plain.entries()) {
        ink += 255 - value;
        uneven += Math.abs(value - (apart[index] ?? 0));
      }
      return uneven <= ink * unevenPart + 255 * unevenChannels;
    }),
    { numRuns: extent(25, 100) },
  );
  t.end();
});

t.test('no rectangle has no union', (t) => {
  t.same(unionRects([]), { x: 0, y: 0, width: 0, height: 0 });
  t.same(
    unionRects([
      { x: 5, y: 5, width: 0, height: 9 },
      { x: 1, y: 7, width: 2, height: 1 },
    ]),
    { x: 1, y: 5, width: 4, height: 9 },
  );
  t.end();
});
