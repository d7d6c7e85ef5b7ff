/** Where a drag over stacks would insert. */
import t from 'tap';
import type { Layer } from '#language/schema/layers.ts';
import type { Template } from '#language/schema/template.ts';
import type { CanvasState } from '../../src/studio/canvas/canvas-state.ts';
import type { StackDrop } from '../../src/studio/canvas/gestures/stack-drop.ts';
import { dropLayers, stackAt } from '../../src/studio/canvas/gestures/stack-drop.ts';
import { placeLayers } from '../../src/studio/canvas/layer-geometry.ts';
import { findLayer, findPosition } from '../../src/studio/state/layers.ts';
import { validTemplate } from '../helpers/render.ts';
import { reportOf } from './measured-boxes.ts';

const rect = (id: string, more: object = {}): Layer => ({
  id,
  type: 'rect',
  width: 40,
  height: 20,
  ...more,
});
const stack = (id: string, layers: Layer[], more: object = {}): Layer => ({
  id,
  type: 'stack',
  width: 'hug',
  height: 'hug',
  layers,
  ...more,
});

function template(layers: Layer[], lang = 'en'): Template {
  const base = { format: 1, name: 'T', width: 300, height: 300, variables: [], lang };
  return validTemplate({ ...base, layers });
}

/** The drop at a point, its line in whole pixels. */
function at(
  document: Template,
  x: number,
  y: number,
  moving: string[],
  locked: string[] = [],
): StackDrop | undefined {
  const positions = placeLayers(document, reportOf(document));
  const editor = { document: { value: document }, locked: { value: new Set(locked) } };
  const state = { editor, positions: { value: positions } } as unknown as CanvasState;
  const found = stackAt(state, { x, y }, moving);
  const [start, end] = (found?.line ?? []).map((point) => ({
    x: Math.round(point.x) + 0,
    y: Math.round(point.y) + 0,
  }));
  return found && start && end && { ...found, line: [start, end] };
}

const three = (): Layer[] => [rect('a'), rect('b'), rect('c')];
const free = rect('free', { x: 200, y: 200 });

t.test('in a column the line lies between the layers, or at an end', (t) => {
  const given = { x: 10, y: 10, gap: 6, padding: 5 };
  const document = template([stack('s', three(), given), free]);
  const line = (y: number): StackDrop['line'] => [
    { x: 15, y },
    { x: 55, y },
  ];
  t.same(at(document, 30, 18, ['free']), { stack: 's', index: 0, line: line(12) });
  t.same(at(document, 30, 30, ['free']), { stack: 's', index: 1, line: line(38) });
  t.same(at(document, 30, 58, ['free']), { stack: 's', index: 2, line: line(64) });
  t.same(at(document, 30, 90, ['free']), { stack: 's', index: 3, line: line(90) });
  t.equal(at(document, 70, 30, ['free']), undefined, 'beside it');
  t.equal(at(document, 30, 30, ['free'], ['s']), undefined, 'a locked stack takes nothing');
  t.equal(at(document, 30, 30, ['s']), undefined, 'nor does a stack itself');
  t.match(at(document, 30, 30, ['a']), { index: 1 }, 'the gap that is left counts as none');
  t.end();
});

t.test('in a row the line stands, mirrored in languages from right to left', (t) => {
  for (const [lang, index] of [
    ['en', 1],
    ['ar', 2],
  ] as const) {
    const document = template(
      [stack('s', three(), { direction: 'row', x: 10, y: 10, gap: 10 }), free],
      lang,
    );
    const line = [
      { x: 55, y: 10 },
      { x: 55, y: 30 },
    ];
    t.same(at(document, 52, 20, ['free']), { stack: 's', index, line }, lang);
  }
  t.end();
});

t.test('in a row that wraps the line under the pointer counts', (t) => {
  const given = { direction: 'row', wrap: true, x: 10, y: 10, width: 100, gap: 10 };
  const document = template([stack('s', [...three(), rect('d')], given), free]);
  t.match(at(document, 105, 20, ['free']), { index: 2, line: [{ x: 105, y: 10 }, { y: 30 }] });
  t.match(at(document, 20, 50, ['free']), { index: 2, line: [{ x: 5, y: 40 }, { y: 60 }] });
  t.match(at(document, 105, 50, ['free']), { index: 4, line: [{ x: 105, y: 40 }, { y: 60 }] });
  t.end();
});

t.test('the innermost stack counts, and a turned one as it is seen', (t) => {
  const inner = stack('inner', [rect('in')], { padding: 10 });
  const document = template([stack('outer', [rect('a'), inner], { x: 10, y: 10 }), free]);
  t.match(at(document, 25, 35, ['free']), { stack: 'inner', index: 0 });
  t.match(at(document, 25, 12, ['free']), { stack: 'outer', index: 0 });
  t.match(at(document, 25, 12, ['in']), { stack: 'outer' }, 'from one stack into another');
  t.match(at(document, 25, 35, ['inner']), { stack: 'outer' });
  // Turned by 90° about its middle, 50, 30: the first layer is at the right.
  const turned = template([stack('s', three(), { x: 30, y: 0, rotation: 90 }), free]);
  t.same(at(turned, 78, 30, ['free']), {
    stack: 's',
    index: 0,
    line: [
      { x: 80, y: 10 },
      { x: 80, y: 50 },
    ],
  });
  const empty = template([stack('s', [], { x: 10, y: 10, width: 50, height: 50 }), free]);
  t.match(at(empty, 20, 20, ['free']), {
    index: 0,
    line: [
      { x: 10, y: 10 },
      { x: 60, y: 10 },
    ],
  });
  t.end();
});

t.test('a layer of a group in a stack is not for that stack', (t) => {
  const group: Layer = {
    id: 'g',
    type: 'group',
    width: 60,
    height: 60,
    layers: [rect('in', { x: 0, y: 0 })],
  };
  const document = template([stack('s', [group], { x: 10, y: 10 })]);
  t.equal(at(document, 20, 20, ['in']), undefined);
  t.match(at(document, 20, 20, ['g']), { stack: 's' });
  t.end();
});

t.test('what leaves a turned stack lies where it was dropped, turned as it was seen', (t) => {
  const document = template([stack('s', three(), { x: 30, y: 0, rotation: 90 })]);
  const positions = placeLayers(document, reportOf(document));
  const before = positions.find(({ id }) => id === 'a');
  const moving = positions.filter(({ id }) => id === 'a');
  dropLayers(document, moving, { x: 100, y: 150 }, undefined, positions);
  t.equal(findPosition(document, 'a')?.group, undefined);
  const { x = 0, y = 0 } = before?.seen ?? {};
  t.match(findLayer(document, 'a'), { x: x + 100, y: y + 150, rotation: 90, width: 40 });
  validTemplate(document);
  t.end();
});
