import t from 'tap';
import type { Layer } from '#language/schema/layers.ts';
import type { Template } from '#language/schema/template.ts';
import { moveTo, resizeTo, rotateTo, scaleWithin } from '../../src/studio/canvas/edit-layers.ts';
import { touchesRect } from '../../src/studio/canvas/geometry.ts';
import type { LayerGeometry } from '../../src/studio/canvas/layer-geometry.ts';
import {
  pickAt,
  pickIn,
  placeLayers,
  snapTargets,
} from '../../src/studio/canvas/layer-geometry.ts';

const rect = (id: string, x: number, y: number, more: object = {}): Layer => ({
  id,
  type: 'rect',
  x,
  y,
  width: 40,
  height: 20,
  ...more,
});

const document: Template = {
  format: 1,
  name: 'Places',
  width: 400,
  height: 300,
  variables: [{ name: 'left', type: 'number', value: '70' }],
  layers: [
    rect('under', 0, 0, { width: 400, height: 300 }),
    {
      id: 'turned',
      type: 'group',
      x: 100,
      y: 100,
      width: 100,
      height: 100,
      rotation: 90,
      layers: [
        rect('first', 0, 0),
        {
          id: 'deep',
          type: 'group',
          x: 50,
          y: 50,
          width: 50,
          height: 50,
          layers: [rect('second', 10, 0)],
        },
      ],
    },
    rect('bound', 0, 200, { x: '{{left}}' }),
    rect('hidden', 300, 200, { visible: false }),
  ],
};

/** As far as positions look at a report. */
const report = {
  layers: ['under', 'turned', 'first', 'deep', 'second', 'bound'].map((id) => ({
    id,
    box: { x: 70, y: 200, width: 40, height: 20, rotation: 0 },
  })),
} as unknown as Parameters<typeof placeLayers>[1];

const positions = placeLayers(document, report);
const find = (id: string): LayerGeometry => {
  const position = positions.find((each) => each.id === id);
  if (position === undefined) throw new Error(id);
  return position;
};
const none = { locked: new Set<string>(), reach: 0 };

t.test('a layer lies where its groups put it', (t) => {
  t.match(find('first').box, { x: 100, y: 100, rotation: 0 }, 'as if no group were turned');
  t.match(find('first').seen, { x: 170, y: 110, width: 40, height: 20, rotation: 90 });
  t.same(find('second').groups, ['turned', 'deep']);
  t.match(find('second').box, { x: 160, y: 150 });
  t.equal(find('bound').box.x, 70, 'what a variable sets, the report says');
  t.equal(find('hidden').isDrawn, false);
  t.end();
});

t.test('a click means the outermost group, or what is in the one that was entered', (t) => {
  const inFirst = { x: 190, y: 120 };
  t.same(pickAt(positions, inFirst, none), ['turned', 'under']);
  t.same(pickAt(positions, inFirst, { ...none, entered: 'turned' }), ['first', 'under']);
  const inSecond = { x: 140, y: 170 };
  t.same(pickAt(positions, inSecond, { ...none, entered: 'turned' }), ['deep', 'under']);
  t.same(pickAt(positions, inSecond, { ...none, entered: 'deep' }), ['second', 'under']);
  t.end();
});

t.test('locked and hidden layers are not hit, nor what is in a locked group', (t) => {
  const locked = new Set(['turned', 'under']);
  t.same(pickAt(positions, { x: 190, y: 120 }, { ...none, locked }), []);
  t.same(pickAt(positions, { x: 310, y: 210 }, none), ['under']);
  const touches = (box: LayerGeometry['seen']): boolean =>
    touchesRect(box, { x: 60, y: 60, width: 200, height: 150 });
  t.same(pickIn(positions, touches, { locked: new Set(['under']) }), ['turned', 'bound']);
  t.end();
});

t.test('layers are drawn to all others, but not to what is in them or what they are in', (t) => {
  const targets = snapTargets(positions, new Set(['deep']), document);
  t.equal(
    targets.length,
    4,
    'the canvas, the layer under all, the other of the group, the bound one',
  );
  t.same(targets[0], { x: 0, y: 0, width: 400, height: 300 });
  t.end();
});

const edited = (recipe: (draft: Template) => void): LayerGeometry[] => {
  const draft = structuredClone(document);
  recipe(draft);
  return placeLayers(draft, report);
};
const after = (all: readonly LayerGeometry[], id: string): LayerGeometry['seen'] | undefined =>
  all.find((each) => each.id === id)?.seen;

t.test('a move on the canvas is one, whatever the groups are turned by', (t) => {
  const moved = edited((draft) => moveTo(draft, [find('first'), find('bound')], { x: 7, y: -3 }));
  t.match(after(moved, 'first'), { x: 177, y: 107 });
  t.match(after(moved, 'bound'), { x: 70, y: 197 });
  const bound = moved.find(({ id }) => id === 'bound')?.layer;
  t.match(bound, { x: '{{left}}', y: 197 }, 'a binding stays, the free direction moves');
  t.end();
});

t.test('a resized group takes what is in it along', (t) => {
  const position = find('deep');
  const resized = edited((draft) =>
    resizeTo(draft, position, { ...position.box, width: 100, height: 25 }, false),
  );
  t.match(resized.find(({ id }) => id === 'second')?.layer, { x: 20, y: 0, width: 80, height: 10 });
  t.end();
});

t.test('a frame round layers scales their positions and sizes', (t) => {
  const from = { x: 100, y: 100, width: 100, height: 100 };
  const to = { x: 100, y: 100, width: 200, height: 50 };
  t.match(scaleWithin(find('bound'), { ...from, x: 70, y: 200 }, { ...to, x: 70, y: 200 }), {
    x: 70,
    y: 200,
    width: 80,
    height: 10,
  });
  const twice = { x: 100, y: 100, width: 200, height: 200 };
  const position = find('first');
  const resized = edited((draft) =>
    resizeTo(draft, position, scaleWithin(position, from, twice), true),
  );
  t.match(after(resized, 'first'), { x: 240, y: 120, width: 80, height: 40, rotation: 90 });
  t.end();
});

t.test('a full turn leaves no rotation behind', (t) => {
  const position = find('bound');
  const turned = edited((draft) =>
    rotateTo(draft, [{ position, to: { ...position.box, rotation: 360 } }]),
  );
  t.notOk('rotation' in (turned.find(({ id }) => id === 'bound')?.layer ?? {}));
  const quarter = edited((draft) =>
    rotateTo(draft, [{ position, to: { ...position.box, rotation: 270 } }]),
  );
  t.equal(after(quarter, 'bound')?.rotation, -90);
  t.end();
});

t.test('what a stack positions lies where the report says, also after the stack has moved', (t) => {
  const stacked: Template = {
    ...document,
    layers: [
      {
        id: 's',
        type: 'stack',
        x: 30,
        y: 40,
        width: 'hug',
        height: 'hug',
        layers: [
          { id: 'child', type: 'rect', width: 'fill', height: 20 },
          { id: 'g', type: 'group', width: 30, height: 30, layers: [rect('deep', 3, 4)] },
        ],
      },
    ],
  };
  const boxes = {
    s: { x: 10, y: 20, width: 80, height: 50 },
    child: { x: 10, y: 20, width: 80, height: 20 },
    g: { x: 10, y: 40, width: 30, height: 30 },
    deep: { x: 13, y: 44, width: 40, height: 20 },
  };
  const layers = Object.entries(boxes).map(([id, box]) => ({ id, box: { ...box, rotation: 0 } }));
  const moved = placeLayers(stacked, { layers } as unknown as typeof report);
  t.match(after(moved, 's'), { x: 30, y: 40, width: 80, height: 50 });
  t.match(after(moved, 'child'), { x: 30, y: 40, width: 80, height: 20 });
  t.match(after(moved, 'g'), { x: 30, y: 60 });
  t.match(after(moved, 'deep'), { x: 33, y: 64 });
  t.end();
});

t.test('a text that hugs is anchored by its alignment, and resized from its box', (t) => {
  const text: Layer = {
    id: 'hugs',
    type: 'text',
    x: 200,
    y: 100,
    width: 'hug',
    height: 'hug',
    maxWidth: 90,
    align: 'right',
    verticalAlign: 'middle',
    text: 'Hi',
  };
  const draft: Template = { ...document, layers: [text] };
  const box = { x: 0, y: 0, width: 50, height: 20, rotation: 0 };
  const hugging = { layers: [{ id: 'hugs', box }] } as unknown as typeof report;
  const [position] = placeLayers(draft, hugging);
  if (position === undefined) throw new Error('no position');
  t.same(position.box, { ...box, x: 150, y: 90 });
  resizeTo(draft, position, { ...position.box, x: 140, width: 60 }, false);
  t.match(draft.layers[0], { x: 140, y: 100, width: 60, height: 'hug' });
  t.notOk('maxWidth' in (draft.layers[0] ?? {}), 'a number has no limit');
  t.match(placeLayers(draft, hugging)[0]?.box, { x: 140, y: 90, width: 60, height: 20 });
  t.end();
});

t.test('a text that grows upwards has its box above its position', (t) => {
  const text: Layer = {
    id: 'grows',
    type: 'text',
    x: 10,
    y: 150,
    width: 100,
    height: 30,
    overflow: 'grow',
    verticalAlign: 'bottom',
    text: 'One Two Three',
  };
  const draft = (): Template => ({ ...document, layers: [{ ...text }] });
  const box = { x: 10, y: 108, width: 100, height: 72, rotation: 0 };
  const hugging = { layers: [{ id: 'grows', box }] } as unknown as typeof report;
  const [position] = placeLayers(draft(), hugging);
  if (position === undefined) throw new Error('no position');
  t.same(position.box, box, 'as the report says');
  const moved = draft();
  moveTo(moved, [position], { x: 5, y: 7 });
  t.match(moved.layers[0], { x: 15, y: 157, height: 30 });
  const wider = draft();
  resizeTo(wider, position, { ...box, width: 120 }, false);
  t.match(wider.layers[0], { y: 150, width: 120, height: 30 }, 'its height is its own');
  const higher = draft();
  resizeTo(higher, position, { ...box, y: 98, height: 82 }, false);
  t.match(higher.layers[0], { y: 98, height: 82 }, 'its lower edge stays');
  t.end();
});
