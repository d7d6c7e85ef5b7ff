import t from 'tap';
import type { Layer } from '#language/schema/layers.ts';
import {
  flowIn,
  pickAt,
  pickDeepest,
  placeLayers,
} from '../../src/studio/canvas/layer-geometry.ts';
import { mostAfter } from '../../src/studio/canvas/lists/selected-list.ts';
import { validTemplate } from '../helpers/render.ts';
import { reportOf } from './measured-boxes.ts';

const rect = (id: string): Layer => ({ id, type: 'rect', width: 40, height: 20 });

/** Three items of two layers, and what follows them. */
const template = validTemplate({
  format: 1,
  name: 'T',
  width: 300,
  height: 300,
  variables: [
    {
      name: 'items',
      type: 'list',
      fields: [{ name: 'title', type: 'text', value: '' }],
      value: [{ title: 'a' }, { title: 'b' }, { title: 'c' }, { title: 'd' }],
    },
  ],
  layers: [
    {
      id: 's',
      type: 'stack',
      x: 10,
      y: 10,
      width: 'hug',
      height: 'hug',
      gap: 5,
      repeat: { list: 'items', max: 3, more: 'rest' },
      layers: [
        rect('one'),
        { id: 'g', type: 'group', width: 40, height: 20, layers: [{ ...rect('in'), x: 5, y: 2 }] },
        rect('rest'),
      ],
    },
  ],
});
const positions = placeLayers(template, reportOf(template));

t.test('a layer that a list repeats has the boxes of all items', (t) => {
  const boxes = (id: string): Array<[number, number]> => {
    const found = positions.find((position) => position.id === id);
    return (found?.copies ?? []).map(({ number, box }) => [number, box.y]);
  };
  t.same(boxes('one'), [
    [2, 60],
    [3, 110],
  ]);
  t.same(
    boxes('in'),
    [
      [2, 87],
      [3, 137],
    ],
    'in a group, too',
  );
  t.same(boxes('rest'), [], 'what follows the items comes once');
  t.same(boxes('s'), []);
  t.end();
});

t.test('a list is laid out item by item, and hit at each', (t) => {
  const [stack] = positions;
  if (stack === undefined) throw new Error('no stack');
  t.same(
    flowIn(positions, stack).map(({ box }) => box.y),
    [10, 35, 60, 85, 110, 135, 160],
  );
  const none = { locked: new Set<string>(), reach: 0 };
  const third = { x: 20, y: 115 };
  t.same(pickAt(positions, third, none), ['s']);
  t.equal(pickDeepest(positions, third, none)?.id, 'one');
  t.same(pickAt(positions, { x: 20, y: 132 }, none), [], 'not between them');
  t.end();
});

t.test('the end of a list counts from the last item that is drawn', (t) => {
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
  t.end();
});
