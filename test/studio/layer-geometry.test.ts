import t from 'tap';
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
import { group, rect, stack, template, text } from './built-layers.ts';

const document = template(
  [
    rect('under', { x: 0, y: 0, width: 400, height: 300 }),
    group(
      'turned',
      [
        rect('first', { x: 0, y: 0 }),
        group('deep', [rect('second', { x: 10, y: 0 })], { x: 50, y: 50, width: 50, height: 50 }),
      ],
      { x: 100, y: 100, width: 100, height: 100, rotation: 90 },
    ),
    rect('bound', { x: '{{left}}', y: 200 }),
    rect('hidden', { x: 300, y: 200, visible: false }),
  ],
  { variables: [{ name: 'left', type: 'number', value: '70' }] },
);

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

t.test('a layer lies where its groups put it', async (t) => {
  t.match(find('first').box, { x: 100, y: 100, rotation: 0 }, 'as if no group were turned');
  t.match(find('first').seen, { x: 170, y: 110, width: 40, height: 20, rotation: 90 });
  t.same(find('second').groups, ['turned', 'deep']);
  t.match(find('second').box, { x: 160, y: 150 });
  t.equal(find('bound').box.x, 70, 'what a variable sets, the report says');
  t.equal(find('hidden').isDrawn, false);
});

t.test('a click means the outermost group, or what is in the one that was entered', async (t) => {
  const inFirst = { x: 190, y: 120 };
  t.same(pickAt(positions, inFirst, none), ['turned', 'under']);
  t.same(pickAt(positions, inFirst, { ...none, entered: 'turned' }), ['first', 'under']);
  const inSecond = { x: 140, y: 170 };
  t.same(pickAt(positions, inSecond, { ...none, entered: 'turned' }), ['deep', 'under']);
  t.same(pickAt(positions, inSecond, { ...none, entered: 'deep' }), ['second', 'under']);
});

t.test('locked and hidden layers are not hit, nor what is in a locked group', async (t) => {
  const locked = new Set(['turned', 'under']);
  t.same(pickAt(positions, { x: 190, y: 120 }, { ...none, locked }), []);
  t.same(pickAt(positions, { x: 310, y: 210 }, none), ['under']);
  const touches = (box: LayerGeometry['seen']): boolean =>
    touchesRect(box, { x: 60, y: 60, width: 200, height: 150 });
  t.same(pickIn(positions, touches, { locked: new Set(['under']) }), ['turned', 'bound']);
});

t.test('layers are drawn to all others, but not to what is in them or what they are in', (t) => {
  const targets = snapTargets(positions, new Set(['deep']), document);
  const all = 'the canvas, the layer under all, the other of the group, the bound one';
  t.equal(targets.length, 4, all);
  t.same(targets[0], { x: 0, y: 0, width: 400, height: 300 });
  t.end();
});

const edited = (recipe: (draft: Template) => void): LayerGeometry[] => {
  const draft = structuredClone(document);
  recipe(draft);
  return placeLayers(draft, report);
};
const resized = (id: string, to: Partial<LayerGeometry['box']>, isFrame: boolean) => {
  const position = find(id);
  return edited((draft) => resizeTo(draft, position, { ...position.box, ...to }, isFrame));
};
const turned = (id: string, rotation: number): LayerGeometry[] => {
  const position = find(id);
  return edited((draft) => rotateTo(draft, [{ position, to: { ...position.box, rotation } }]));
};
const after = (all: readonly LayerGeometry[], id: string): LayerGeometry['seen'] | undefined =>
  all.find((each) => each.id === id)?.seen;

t.test('a move on the canvas is one, whatever the groups are turned by', async (t) => {
  const moved = edited((draft) => moveTo(draft, [find('first'), find('bound')], { x: 7, y: -3 }));
  t.match(after(moved, 'first'), { x: 177, y: 107 });
  t.match(after(moved, 'bound'), { x: 70, y: 197 });
  const bound = moved.find(({ id }) => id === 'bound')?.layer;
  t.match(bound, { x: '{{left}}', y: 197 }, 'a binding stays, the free direction moves');
});

t.test('a resized group takes what is in it along', async (t) => {
  const all = resized('deep', { width: 100, height: 25 }, false);
  t.match(all.find(({ id }) => id === 'second')?.layer, { x: 20, y: 0, width: 80, height: 10 });
});

t.test('a frame round layers scales their positions and sizes', async (t) => {
  const from = { x: 100, y: 100, width: 100, height: 100 };
  const to = { x: 100, y: 100, width: 200, height: 50 };
  const at = { x: 70, y: 200 };
  const scaled = scaleWithin(find('bound'), { ...from, ...at }, { ...to, ...at });
  t.match(scaled, { ...at, width: 80, height: 10 });
  const twice = { x: 100, y: 100, width: 200, height: 200 };
  const all = resized('first', scaleWithin(find('first'), from, twice), true);
  t.match(after(all, 'first'), { x: 240, y: 120, width: 80, height: 40, rotation: 90 });
});

t.test('a full turn leaves no rotation behind', async (t) => {
  const whole = turned('bound', 360).find(({ id }) => id === 'bound');
  t.notOk('rotation' in (whole?.layer ?? {}));
  t.equal(after(turned('bound', 270), 'bound')?.rotation, -90);
});

t.test('what a stack positions lies where the report says, also after the stack has moved', (t) => {
  const layers = [
    rect('child', { width: 'fill' }),
    group('g', [rect('deep', { x: 3, y: 4 })], { width: 30, height: 30 }),
  ];
  const stacked = template([stack('s', layers, { x: 30, y: 40 })]);
  const boxes = {
    s: { x: 10, y: 20, width: 80, height: 50 },
    child: { x: 10, y: 20, width: 80, height: 20 },
    g: { x: 10, y: 40, width: 30, height: 30 },
    deep: { x: 13, y: 44, width: 40, height: 20 },
  };
  const drawn = Object.entries(boxes).map(([id, box]) => ({ id, box: { ...box, rotation: 0 } }));
  const moved = placeLayers(stacked, { layers: drawn } as unknown as typeof report);
  t.match(after(moved, 's'), { x: 30, y: 40, width: 80, height: 50 });
  t.match(after(moved, 'child'), { x: 30, y: 40, width: 80, height: 20 });
  t.match(after(moved, 'g'), { x: 30, y: 60 });
  t.match(after(moved, 'deep'), { x: 33, y: 64 });
  t.end();
});

/** The only layer, where a report has its box. */
function placed(draft: Template, box: LayerGeometry['box']): LayerGeometry {
  const drawn = { layers: draft.layers.map(({ id }) => ({ id, box })) };
  const [position] = placeLayers(draft, drawn as unknown as typeof report);
  if (position === undefined) throw new Error('no position');
  return position;
}

t.test('a text that hugs is anchored by its alignment, and resized from its box', async (t) => {
  const aligned = { align: 'right', verticalAlign: 'middle' };
  const draft = template([text('hugs', 'Hi', { x: 200, y: 100, maxWidth: 90, ...aligned })]);
  const box = { x: 0, y: 0, width: 50, height: 20, rotation: 0 };
  const position = placed(draft, box);
  t.same(position.box, { ...box, x: 150, y: 90 });
  resizeTo(draft, position, { ...position.box, x: 140, width: 60 }, false);
  t.match(draft.layers[0], { x: 140, y: 100, width: 60, height: 'hug' });
  t.notOk('maxWidth' in (draft.layers[0] ?? {}), 'a number has no limit');
  t.match(placed(draft, box).box, { x: 140, y: 90, width: 60, height: 20 });
});

t.test('a text that grows upwards has its box above its position', async (t) => {
  const grows = { width: 100, height: 30, overflow: 'grow', verticalAlign: 'bottom' };
  const draft = (): Template =>
    template([text('grows', 'One Two Three', { x: 10, y: 150, ...grows })]);
  const box = { x: 10, y: 108, width: 100, height: 72, rotation: 0 };
  const position = placed(draft(), box);
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
});
