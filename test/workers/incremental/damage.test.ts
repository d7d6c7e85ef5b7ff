/** What differs between two lists is found, where it was and where it is, and little else. */
import t from 'tap';
import type { DisplayItem, DisplayList, Rect } from '../../../workers/display-list.ts';
import { anItem } from '../../fixtures/display-items.ts';

// The fonts must be there before the worker's modules load the paint engine, hence the late imports.
await import('../../helpers/render.ts');
const damages = await import('../../../workers/incremental/damage.ts');
const { damageRatio, findDamage, mergeRegions, toRegion } = damages;
const { firstDifference, isUpTo, splitItems } = damages;

function square(layer: string, x: number, y: number, fill = '#ff0000'): DisplayItem {
  const rect = { x, y, width: 20, height: 20 };
  const outline = { kind: 'rect' as const, rect, radii: [0, 0, 0, 0] as const };
  return anItem(rect, { kind: 'shape', outline, fill, stroke: undefined }, { layer });
}

function group(layer: string, items: DisplayItem[], blur = 0): DisplayItem {
  const box = { x: 0, y: 0, width: 160, height: 160 };
  return anItem(box, { kind: 'group', items }, { layer, blur });
}

function listOf(items: DisplayItem[], background = '#ffffff'): DisplayList {
  return { width: 160, height: 160, background, items };
}

const holds = (outer: Rect, { x, y, width, height }: Rect): boolean =>
  outer.x <= x &&
  outer.y <= y &&
  outer.x + outer.width >= x + width &&
  outer.y + outer.height >= y + height;

t.test('the same list does no damage, another background does all', async (t) => {
  const list = listOf([square('a', 0, 0), square('b', 40, 40)]);
  t.strictSame(findDamage(list, structuredClone(list), 1, 16), { first: [2], regions: [] });
  t.equal(findDamage(list, listOf(list.items, '#000000'), 1, 16), undefined);
});

t.test('an item that moves damages its old position and its new one, in whole blocks', (t) => {
  const before = listOf([square('a', 10, 10), square('b', 10, 10)]);
  const after = listOf([square('a', 10, 10), square('b', 100, 120)]);
  const damage = findDamage(before, after, 1, 16);
  t.strictSame(damage?.first, [1]);
  t.equal(damage?.regions.length, 2);
  for (const position of [
    { x: 10, y: 10, width: 20, height: 20 },
    { x: 100, y: 120, width: 20, height: 20 },
  ]) {
    t.ok(damage?.regions.some((region) => holds(region, position)));
  }
  for (const { x, y, width, height } of damage?.regions ?? []) {
    t.strictSame([x % 16, y % 16, width % 16, height % 16], [0, 0, 0, 0]);
  }
  const share = damage === undefined ? 1 : damageRatio(damage, after, 1);
  t.ok(share > 0.03 && share < 0.2, String(share));
  t.end();
});

t.test('an item that comes or goes damages its position', async (t) => {
  const [a, b] = [square('a', 0, 0), square('b', 100, 100)];
  for (const [before, after] of [
    [[a], [a, b]],
    [[a, b], [a]],
  ] as const) {
    const damage = findDamage(listOf([...before]), listOf([...after]), 2, 1);
    t.strictSame(damage?.regions, [{ x: 198, y: 198, width: 44, height: 44 }]);
  }
});

t.test('what is painted through a buffer is damaged whole when its buffer grows', async (t) => {
  const still = square('a', 0, 0);
  const wide = square('b', 120, 0);
  const between = square('c', 60, 0);
  const damageOf = (opacity: number, before: DisplayItem[], after: DisplayItem[]): number => {
    const [a, b] = [before, after].map((items) => listOf([{ ...group('g', items), opacity }]));
    const damage = a && b && findDamage(a, b, 1, 1);
    return damage === undefined || b === undefined ? 1 : damageRatio(damage, b, 1);
  };
  const part = damageOf(1, [still], [still, wide]);
  t.ok(part < 0.03, `${part}, painted straight`);
  const grown = damageOf(0.5, [still], [still, wide]);
  t.ok(grown > 0.1, `${grown}, through a buffer that grows`);
  const same = damageOf(0.5, [still, wide], [still, between, wide]);
  t.ok(same < 0.03, `${same}, through a buffer that stays`);
});

t.test('the first difference lies in a group painted straight, before a blurred one', async (t) => {
  const inner = [square('b', 0, 0), square('c', 50, 50)];
  const changed = [square('b', 0, 0), square('c', 50, 50, '#00ff00')];
  const first = square('a', 90, 90);
  const found = (blur: number): readonly number[] =>
    firstDifference([first, group('g', inner, blur)], [first, group('g', changed, blur)]);
  t.strictSame(found(0), [1, 1]);
  t.strictSame(found(4), [1]);
});

t.test('a list is split at a position, a group there into both of its parts', async (t) => {
  const items = [
    square('a', 0, 0),
    { ...group('g', [square('b', 0, 0), square('c', 9, 9)]), border: { color: '#000', width: 2 } },
    square('d', 50, 50),
  ];
  const layers = (list: readonly DisplayItem[]): unknown[] =>
    list.map(({ layer, content }) => (content.kind === 'group' ? layers(content.items) : layer));
  const { below, above } = splitItems(items, [1, 1]);
  t.strictSame(layers(below), ['a', ['b']]);
  t.strictSame(layers(above), [['c'], 'd']);
  t.equal(below[1]?.border, undefined, 'a border is painted once, last');
  t.ok(above[0]?.border);
  const plain = splitItems(items, [2]);
  t.strictSame([layers(plain.below), layers(plain.above)], [['a', ['b', 'c']], ['d']]);
});

t.test('positions are ordered as they are painted', async (t) => {
  t.ok(isUpTo([1], [1]));
  t.ok(isUpTo([0, 5], [1]));
  t.ok(isUpTo([1], [1, 2]));
  t.notOk(isUpTo([1, 2], [1]));
  t.notOk(isUpTo([2], [1, 7]));
});

t.test('regions hold every rectangle, do not overlap and are few', async (t) => {
  const rects = Array.from({ length: 12 }, (_, index) => ({
    x: (index * 37) % 120,
    y: (index * 53) % 130,
    width: 9,
    height: 11,
  }));
  const regions = mergeRegions([...rects, { x: 3, y: 3, width: 0, height: 9 }]);
  t.ok(regions.length <= 4);
  for (const rect of rects) t.ok(regions.some((region) => holds(region, rect)));
  for (const [index, a] of regions.entries()) {
    for (const b of regions.slice(index + 1)) {
      const isBeside = a.x + a.width <= b.x || b.x + b.width <= a.x;
      t.ok(isBeside || a.y + a.height <= b.y || b.y + b.height <= a.y);
    }
  }
  const wide = { x: 64, y: 160, width: 960, height: 112 };
  const narrow = { x: 64, y: 256, width: 480, height: 112 };
  const below = { x: 64, y: 272, width: 480, height: 96 };
  t.strictSame(mergeRegions([narrow, wide]), [below, wide], 'lines of two widths stay two');
  const outside = toRegion({ x: -50, y: 150, width: 20, height: 90 }, 1, 160, 160, 8);
  t.strictSame(outside, { x: 0, y: 144, width: 0, height: 16 });
});
