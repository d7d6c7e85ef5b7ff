import t from 'tap';
import {
  flowIn,
  pickAt,
  pickDeepest,
  placeLayers,
} from '../../src/studio/canvas/layer-geometry.ts';
import { mostAfter } from '../../src/studio/canvas/lists/selected-list.ts';
import { group, rect, stack, template } from './built-layers.ts';
import { listOf } from './documents.ts';
import { reportOf } from './measured-boxes.ts';

/** Three items of two layers, and what follows them. */
const items = ['a', 'b', 'c', 'd'].map((title) => ({ title }));
const inner = [
  rect('one'),
  group('g', [rect('in', { x: 5, y: 2 })], { width: 40, height: 20 }),
  rect('rest'),
];
const repeat = { list: 'items', max: 3, more: 'rest' };
const document = template([stack('s', inner, { x: 10, y: 10, gap: 5, repeat })], {
  variables: [listOf('items', { title: ['text', ''] }, items)],
});
const positions = placeLayers(document, reportOf(document));

t.test('a layer that a list repeats has the boxes of all items', async (t) => {
  const boxes = (id: string): string[] => {
    const found = positions.find((position) => position.id === id);
    return (found?.copies ?? []).map(({ number, box }) => `${number} at ${box.y}`);
  };
  t.same(boxes('one'), ['2 at 60', '3 at 110']);
  t.same(boxes('in'), ['2 at 87', '3 at 137'], 'in a group, too');
  t.same(boxes('rest'), [], 'what follows the items comes once');
  t.same(boxes('s'), []);
});

t.test('a list is laid out item by item, and hit at each', async (t) => {
  const [list] = positions;
  if (list === undefined) throw new Error('no stack');
  const tops = flowIn(positions, list).map(({ box }) => box.y);
  t.same(tops, [10, 35, 60, 85, 110, 135, 160]);
  const none = { locked: new Set<string>(), reach: 0 };
  const third = { x: 20, y: 115 };
  t.same(pickAt(positions, third, none), ['s']);
  t.equal(pickDeepest(positions, third, none)?.id, 'one');
  t.same(pickAt(positions, { x: 20, y: 132 }, none), [], 'not between them');
});

t.test('the end of a list counts from the last item that is drawn', async (t) => {
  const dragged = (most: number, drawn: number, along: number): number =>
    mostAfter({ most, drawn, pitch: 50 }, along);
  t.equal(dragged(3, 3, 20), 3);
  t.equal(dragged(3, 3, 60), 4);
  t.equal(dragged(3, 3, -60), 2);
  t.equal(dragged(3, 3, -900), 1);
  t.equal(dragged(20, 2, -30), 1, 'the sample has fewer than the most');
  t.equal(dragged(20, 2, 60), 20, 'outward never lowers it');
  t.equal(dragged(199, 199, 900), 200);
  t.equal(mostAfter({ most: 3, drawn: 0, pitch: 0 }, 60), 3);
});
