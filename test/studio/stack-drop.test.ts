/** Where a drag over stacks would insert. */
import t from 'tap';
import type { Layer } from '#language/schema/layers.ts';
import type { Template } from '#language/schema/template.ts';
import type { CanvasState } from '../../src/studio/canvas/canvas-state.ts';
import { dropLayers, stackAt } from '../../src/studio/canvas/gestures/stack-drop.ts';
import { placeLayers } from '../../src/studio/canvas/layer-geometry.ts';
import { findLayer, findPosition } from '../../src/studio/state/layers.ts';
import { validTemplate } from '../helpers/render.ts';
import { rect, stack, template } from './built-layers.ts';
import { reportOf } from './measured-boxes.ts';

/** The drop at a point, its line in whole pixels: `x,y x,y`. */
function at(document: Template, x: number, y: number, moving: string[], locked: string[] = []) {
  const positions = placeLayers(document, reportOf(document));
  const editor = { document: { value: document }, locked: { value: new Set(locked) } };
  const state = { editor, positions: { value: positions } } as unknown as CanvasState;
  const found = stackAt(state, { x, y }, moving);
  const line = found?.line.map((point) => `${Math.round(point.x)},${Math.round(point.y)}`);
  return found && { ...found, line: line?.join(' ') };
}

const three = (): Layer[] => [rect('a'), rect('b'), rect('c')];
const free = rect('free', { x: 200, y: 200 });

t.test('in a column the line lies between the layers, or at an end', async (t) => {
  const given = { x: 10, y: 10, gap: 6, padding: 5 };
  const document = template([stack('s', three(), given), free]);
  t.same(at(document, 30, 18, ['free']), { stack: 's', index: 0, line: '15,12 55,12' });
  t.same(at(document, 30, 30, ['free']), { stack: 's', index: 1, line: '15,38 55,38' });
  t.same(at(document, 30, 58, ['free']), { stack: 's', index: 2, line: '15,64 55,64' });
  t.same(at(document, 30, 90, ['free']), { stack: 's', index: 3, line: '15,90 55,90' });
  t.equal(at(document, 70, 30, ['free']), undefined, 'beside it');
  t.equal(at(document, 30, 30, ['free'], ['s']), undefined, 'a locked stack takes nothing');
  t.equal(at(document, 30, 30, ['s']), undefined, 'nor does a stack itself');
  t.match(at(document, 30, 30, ['a']), { index: 1 }, 'the gap that is left counts as none');
});

t.test('in a row the line stands, mirrored in languages from right to left', async (t) => {
  for (const [lang, index] of [
    ['en', 1],
    ['ar', 2],
  ] as const) {
    const row = stack('s', three(), { direction: 'row', x: 10, y: 10, gap: 10 });
    const drop = at(template([row, free], { lang }), 52, 20, ['free']);
    t.same(drop, { stack: 's', index, line: '55,10 55,30' }, lang);
  }
});

t.test('in a row that wraps the line under the pointer counts', async (t) => {
  const given = { direction: 'row', wrap: true, x: 10, y: 10, width: 100, gap: 10 };
  const document = template([stack('s', [...three(), rect('d')], given), free]);
  t.match(at(document, 105, 20, ['free']), { index: 2, line: '105,10 105,30' });
  t.match(at(document, 20, 50, ['free']), { index: 2, line: '5,40 5,60' });
  t.match(at(document, 105, 50, ['free']), { index: 4, line: '105,40 105,60' });
});

t.test('the innermost stack counts, and a turned one as it is seen', async (t) => {
  const inner = stack('inner', [rect('in')], { padding: 10 });
  const document = template([stack('outer', [rect('a'), inner], { x: 10, y: 10 }), free]);
  t.match(at(document, 25, 35, ['free']), { stack: 'inner', index: 0 });
  t.match(at(document, 25, 12, ['free']), { stack: 'outer', index: 0 });
  t.match(at(document, 25, 12, ['in']), { stack: 'outer' }, 'from one stack into another');
  t.match(at(document, 25, 35, ['inner']), { stack: 'outer' });
  // Turned by 90° about its middle, 50, 30: the first layer is at the right.
  const turned = template([stack('s', three(), { x: 30, y: 0, rotation: 90 }), free]);
  t.same(at(turned, 78, 30, ['free']), { stack: 's', index: 0, line: '80,10 80,50' });
  const empty = template([stack('s', [], { x: 10, y: 10, width: 50, height: 50 }), free]);
  t.match(at(empty, 20, 20, ['free']), { index: 0, line: '10,10 60,10' });
});

t.test('what leaves a turned stack lies where it was dropped, turned as it was seen', async (t) => {
  const document = template([stack('s', three(), { x: 30, y: 0, rotation: 90 })]);
  const positions = placeLayers(document, reportOf(document));
  const before = positions.find(({ id }) => id === 'a');
  const moving = positions.filter(({ id }) => id === 'a');
  dropLayers(document, moving, { x: 100, y: 150 }, undefined, positions);
  t.equal(findPosition(document, 'a')?.group, undefined);
  const { x = 0, y = 0 } = before?.seen ?? {};
  t.match(findLayer(document, 'a'), { x: x + 100, y: y + 150, rotation: 90, width: 40 });
  validTemplate(document);
});
