/** What a press, a drag and a key of the canvas change in the document. */
import t from 'tap';
import { cornersOf } from '../../src/studio/canvas/geometry.ts';
import type { Box } from '../../src/studio/canvas/geometry.ts';
import { enterSelected } from '../../src/studio/canvas/gestures/keys.ts';
import { lockRatio } from '../../src/studio/state/ratio-locks.ts';
import { mixedLayers, rect } from './built-layers.ts';
import { openEditor } from './opened-editor.ts';
import type { Modifier } from './opened-editor.ts';

const red = { width: 80, height: 60, fill: '#d64933' };
const layers = mixedLayers.slice(0, 4);

t.test('a drag moves by whole pixels, to the lines of others unless Ctrl is held', async (t) => {
  const canvas = await openEditor(t, layers);
  await canvas.drag({ x: 80, y: 70 }, { x: 117.4, y: 183 }, ['Control']);
  t.match(canvas.find('a'), { x: 77, y: 156, width: 80, height: 60 });
  canvas.press({ x: 117, y: 183 });
  await canvas.moveTo({ x: 247, y: 183 });
  t.match(canvas.state.guides.value, [{ axis: 'x', at: 210 }], 'a guide shows');
  await canvas.release();
  t.match(canvas.find('a'), { x: 210, y: 156 });
  t.same(canvas.state.guides.value, []);
  await canvas.drag({ x: 230, y: 180 }, { x: 240, y: 250 }, ['Shift', 'Control']);
  t.match(canvas.find('a'), { x: 210, y: 226 }, 'Shift keeps the direction');
});

t.test('handles resize, by Shift in the ratio and by Alt from the centre', async (t) => {
  const canvas = await openEditor(t, layers);
  canvas.select('a');
  await canvas.pull('se', [23, 28], ['Control']);
  t.match(canvas.find('a'), { x: 40, y: 43, width: 103, height: 88 });
  await canvas.pull('w', [20, 0], ['Control']);
  t.match(canvas.find('a'), { x: 60, y: 43, width: 83, height: 88 });
  await canvas.pull('e', [-10, 0], ['Alt', 'Control']);
  t.match(canvas.find('a'), { x: 70, y: 43, width: 63, height: 88 });
  canvas.editor.undo();
  await canvas.pull('se', [83, 88], ['Shift']);
  t.match(canvas.find('a'), { x: 60, y: 43, width: 166, height: 176 });
  const before = { x: 60, y: 170, width: 120, height: 60, rotation: 30 };
  canvas.select('c');
  await canvas.pull('se', [21, 16]);
  const turned = canvas.find('c') as unknown as Box;
  const [stays, stayed] = [before, turned].map((box) => cornersOf(box)[0]);
  t.ok(turned.width > 130);
  t.ok(Math.hypot((stays?.x ?? 0) - (stayed?.x ?? 0), (stays?.y ?? 0) - (stayed?.y ?? 0)) < 0.002);
});

t.test('corners keep the ratio of an image, unless Shift or a choice frees it', async (t) => {
  const image = { id: 'pic', type: 'image', x: 20, y: 20, width: 80, height: 60, src: '' };
  const canvas = await openEditor(t, [image, rect('a', { x: 200, y: 20, ...red })]);
  canvas.select('pic');
  const pulled = async (...how: Parameters<typeof canvas.pull>) => {
    await canvas.pull(...how);
    return canvas.find('pic');
  };
  t.match(await pulled('se', [80, 60], ['Control']), { width: 160, height: 120 });
  t.match(await pulled('se', [21, 16]), { width: 180, height: 135 }, 'to the middle of the canvas');
  t.match(await pulled('se', [0, 45], ['Shift', 'Control']), { width: 180, height: 180 });
  t.match(await pulled('e', [-60, 0], ['Control']), { width: 120, height: 180 }, 'an edge cuts it');
  lockRatio(canvas.editor, ['pic'], false);
  t.match(await pulled('se', [30, 0], ['Control']), { width: 150, height: 180 });
  lockRatio(canvas.editor, ['a'], true);
  canvas.select('a');
  await canvas.pull('e', [40, 0], ['Control']);
  t.match(canvas.find('a'), { width: 120, height: 90 });
});

t.test('the round handle turns, to right angles and by Shift in steps of 15°', async (t) => {
  const canvas = await openEditor(t, layers);
  canvas.select('a');
  const turn = async (x: number, y: number, held?: readonly Modifier[]): Promise<unknown> => {
    await canvas.drag({ x: 80, y: 17 }, { x: 80 + x, y: 73 + y }, held, { handle: 'rotate' });
    const { rotation } = canvas.find('a');
    canvas.editor.undo();
    return rotation;
  };
  t.equal(await turn(55, -1, ['Shift']), 90);
  t.equal(await turn(40, -37, ['Shift']), 45);
  t.equal(await turn(55, -1), 90);
  t.equal(await turn(55, -1, ['Control']), 89);
  t.equal(await turn(40, -37), 47);
});

t.test('presses select, by Shift several, by Alt below, and a frame what it touches', async (t) => {
  const canvas = await openEditor(t, [
    ...layers,
    rect('over', { x: 40, y: 43, ...red }),
    rect('held', { x: 250, y: 200, ...red, locked: true }),
  ]);
  const pressed = async (x: number, y: number, ...held: Modifier[]) => {
    await canvas.click({ x, y }, held);
    return canvas.selected;
  };
  t.same(await pressed(80, 70), ['over']);
  t.same(await pressed(80, 70, 'Alt'), ['a']);
  t.same(await pressed(80, 70), ['over'], 'the topmost, also by a click on a selected one');
  t.same(await pressed(80, 70, 'Alt'), ['a']);
  t.same(await pressed(250, 40, 'Shift'), ['a', 'b']);
  t.same(await pressed(250, 40, 'Shift'), ['a']);
  t.same(await pressed(290, 230), [], 'a locked layer is no target');
  await canvas.drag({ x: 10, y: 8 }, { x: 220, y: 110 });
  t.same(canvas.selected, ['a', 'b', 'over']);
  canvas.keys('Mod+A');
  t.same(canvas.selected, ['a', 'b', 'c', 'g', 'over']);
});

t.test('selected layers move, scale, turn and are deleted together', async (t) => {
  const canvas = await openEditor(t, layers);
  await canvas.drag({ x: 10, y: 8 }, { x: 325, y: 110 });
  await canvas.drag({ x: 250, y: 40 }, { x: 253, y: 49 }, ['Control']);
  t.match(canvas.find('a'), { x: 43, y: 52 });
  t.match(canvas.find('b'), { x: 213, y: 26 });
  canvas.editor.undo();
  await canvas.pull('se', [-135, -43], ['Shift']);
  t.match(canvas.find('a'), { x: 40, y: 30, width: 40, height: 30 });
  t.match(canvas.find('b'), { x: 125, y: 17, width: 50, height: 30 });
  canvas.editor.undo();
  await canvas.drag({ x: 175, y: 0 }, { x: 235, y: 60 }, ['Control'], { handle: 'rotate' });
  t.match([canvas.find('a'), canvas.find('b')], [{ rotation: 90 }, { rotation: 90 }]);
  canvas.keys('Delete');
  t.same(canvas.order(), ['c', 'g']);
});

t.test('a double click or Enter steps into a group or a text, Escape out of it', async (t) => {
  const variables = ['name', 'city'].map((name) => ({ name, type: 'text', value: '' }));
  const canvas = await openEditor(t, mixedLayers, { variables });
  await canvas.click({ x: 340, y: 100 });
  t.same(canvas.selected, ['g']);
  await canvas.doubleClick({ x: 340, y: 100 });
  t.same(canvas.selected, ['in']);
  await canvas.drag({ x: 340, y: 100 }, { x: 335, y: 103 }, ['Control']);
  t.match(canvas.find('g'), { x: 330, y: 90, layers: [{ id: 'in', x: -5, y: 3 }] });
  canvas.key('Escape');
  t.same(canvas.selected, ['g']);
  enterSelected(canvas.state);
  t.same(canvas.selected, ['out'], 'by Enter to the topmost');
  canvas.select('t');
  enterSelected(canvas.state);
  t.match(canvas.state.editing.value, { id: 't' });
});

t.test('Escape takes back what a drag has done, for good', async (t) => {
  const canvas = await openEditor(t, layers);
  canvas.press({ x: 80, y: 70 });
  await canvas.moveTo({ x: 180, y: 90 }, ['Control']);
  t.match(canvas.find('a'), { x: 140, y: 63 });
  canvas.key('Escape');
  await canvas.moveTo({ x: 190, y: 99 });
  await canvas.release();
  t.match(canvas.find('a'), { x: 40, y: 43 });
  t.notOk(canvas.editor.canRedo.value);
  canvas.select('a', 'b');
  canvas.press({ x: 80, y: 70 });
  canvas.key('Escape');
  await canvas.release();
  t.same(canvas.selected, ['a', 'b'], 'an unmoved press is no click then');
});

t.test('arrow keys move by 1 and 10, and one direction is one step', async (t) => {
  const canvas = await openEditor(t, layers);
  canvas.select('a');
  canvas.keys('ArrowRight', 'ArrowRight', 'Shift+ArrowDown', 'ArrowUp');
  for (const at of [
    { x: 42, y: 52 },
    { x: 42, y: 53 },
    { x: 42, y: 43 },
    { x: 40, y: 43 },
  ]) {
    t.match(canvas.find('a'), at);
    canvas.editor.undo();
  }
  t.notOk(canvas.editor.canUndo.value);
});

t.test('a drag with Alt leaves the layer and moves a copy above it, in one step', async (t) => {
  const canvas = await openEditor(t, layers);
  await canvas.dragCopy({ x: 80, y: 70 }, { x: 101, y: 151 }, ['Control']);
  t.match(canvas.find('a'), { x: 40, y: 43 });
  t.match(canvas.find('a-2'), { x: 61, y: 124 });
  t.same(canvas.order().slice(0, 2), ['a', 'a-2']);
  t.same(canvas.selected, ['a-2']);
  canvas.editor.undo();
  t.same(canvas.order(), ['a', 'b', 'c', 'g']);
});

t.test('keys group, order, copy, lock and hide, and undo restores the selection', async (t) => {
  const canvas = await openEditor(t, layers);
  canvas.select('a', 'b');
  canvas.keys('Mod+G');
  t.match(canvas.find('group'), { x: 40, y: 17, width: 270, height: 86 });
  t.same(canvas.order(), ['group', 'c', 'g']);
  canvas.editor.undo();
  t.same(canvas.selected, ['a', 'b'], 'what the group was made of');
  canvas.editor.redo();
  t.same(canvas.selected, ['group']);
  for (const [keys, order] of [
    [']', ['c', 'group', 'g']],
    ['Mod+]', ['c', 'g', 'group']],
    ['[', ['c', 'group', 'g']],
    ['Mod+[', ['group', 'c', 'g']],
    ['Mod+Shift+G', ['a', 'b', 'c', 'g']],
  ] as const) {
    canvas.keys(keys);
    t.same(canvas.order(), order, keys);
  }
  t.same(canvas.selected, ['a', 'b']);
  canvas.keys('Mod+]');
  t.same(canvas.order(), ['c', 'g', 'a', 'b'], 'neighbours keep their order');
  canvas.keys('Mod+D');
  t.match(canvas.find('a-2'), { x: 50, y: 53 });
  t.match(canvas.find('b-2'), { x: 220, y: 27 });
  canvas.keys('Mod+L');
  await canvas.drag({ x: 85, y: 83 }, { x: 185, y: 95 }, ['Control']);
  t.match(canvas.find('a-2'), { x: 50, locked: true }, 'a locked layer is left alone');
  canvas.editor.undo();
  canvas.editor.undo();
  canvas.select('a');
  canvas.keys('Mod+Shift+H');
  t.equal(canvas.find('a')['visible'], false);
  canvas.keys('Mod+Shift+H');
  t.notOk('visible' in canvas.find('a'));
});
