/** What drags, keys and handles change in stacks. */
import t from 'tap';
import type { Layer } from '#language/schema/layers.ts';
import { setSizeMode } from '../../src/studio/canvas/commands.ts';
import { group, rect, stack, text } from './built-layers.ts';
import { openEditor } from './opened-editor.ts';

const free = rect('free', { x: 20, y: 230, width: 60, height: 40 });
const label = text('label', 'Hi', { x: 300, y: 250, width: 80, height: 40, fontSize: 20 });
const one = rect('one', { width: 60, height: 30 });
const three = rect('three', { width: 'fill', height: 40 });
const cardOf = (layers: Layer[], more: object = {}): Layer =>
  stack('card', layers, {
    x: 40,
    y: 40,
    width: 200,
    gap: 10,
    padding: 20,
    fill: '#eceff4',
    ...more,
  });
const card = cardOf([one, text('two', 'Amanda', { fontSize: 20 }), three]);
const row = cardOf([one, { ...three, width: 60 }], { direction: 'row', width: 300 });

t.test('a drag orders layers of a stack, at the line that shows where', async (t) => {
  const canvas = await openEditor(t, [free, label, card]);
  canvas.select('one');
  canvas.press({ x: 90, y: 75 });
  await canvas.moveTo({ x: 90, y: 160 });
  t.match(canvas.state.insertion.value, [{ x: 60 }, { x: 220 }]);
  t.same(canvas.order('card'), ['one', 'two', 'three'], 'at the drop');
  await canvas.release();
  t.same(canvas.order('card'), ['two', 'three', 'one']);
  t.equal(canvas.state.insertion.value, undefined);
  canvas.editor.undo();
  canvas.press({ x: 90, y: 75 });
  await canvas.moveTo({ x: 90, y: 160 });
  canvas.key('Escape');
  await canvas.release();
  t.same(canvas.order('card'), ['one', 'two', 'three'], 'Escape leaves all as it was');
});

t.test('a drag frees a layer of a stack, or inserts one unless Ctrl is held', async (t) => {
  const canvas = await openEditor(t, [free, label, card]);
  canvas.select('three');
  await canvas.drag({ x: 90, y: 149 }, { x: 210, y: 245 });
  t.match(canvas.find('three'), { x: 180, y: 230, width: 160, height: 40 }, 'as it was seen');
  t.same(
    [canvas.order('card'), canvas.order()],
    [
      ['one', 'two'],
      ['free', 'label', 'card', 'three'],
    ],
  );
  canvas.select('free');
  await canvas.drag({ x: 50, y: 250 }, { x: 90, y: 98 });
  t.same(canvas.order('card'), ['one', 'free', 'two']);
  t.notOk('x' in canvas.find('free'));
  canvas.editor.undo();
  t.match(canvas.find('free'), { x: 20, y: 230 }, 'one step');
  await canvas.drag({ x: 50, y: 250 }, { x: 90, y: 98 }, ['Control']);
  t.match(canvas.find('free'), { x: 60, y: 78 });
  t.same(canvas.order('card'), ['one', 'two']);
});

t.test('a layer moves within its group in a stack, and the group leaves it', async (t) => {
  const inside = rect('in', { x: 0, y: 0, width: 20 });
  const made = group('group', [inside], { width: 100, height: 60 });
  const canvas = await openEditor(t, [cardOf([made])]);
  canvas.select('in');
  await canvas.drag({ x: 70, y: 70 }, { x: 77, y: 75 });
  t.match(canvas.find('in'), { x: 7, y: 5 });
  canvas.select('group');
  await canvas.drag({ x: 75, y: 75 }, { x: 310, y: 175 });
  t.match(canvas.find('group'), { width: 100, height: 60, layers: [{ x: 7, y: 5 }] });
  t.same(canvas.order(), ['card', 'group']);
});

t.test('with Alt a copy is dragged within its stack and out of it, in one step', async (t) => {
  const canvas = await openEditor(t, [card]);
  canvas.select('one');
  await canvas.dragCopy({ x: 90, y: 75 }, { x: 90, y: 165 });
  t.same(canvas.order('card'), ['one', 'two', 'three', 'one-2']);
  canvas.editor.undo();
  t.same(canvas.order('card'), ['one', 'two', 'three']);
  canvas.select('three');
  await canvas.dragCopy({ x: 90, y: 149 }, { x: 210, y: 245 });
  t.match(canvas.find('three-2'), { x: 180, y: 230, width: 160, height: 40 });
  t.same(canvas.order('card'), ['one', 'two', 'three']);
});

t.test('arrow keys order layers as they are seen', async (t) => {
  const inColumn = await openEditor(t, [card]);
  const [inRow, mirrored] = [
    await openEditor(t, [row]),
    await openEditor(t, [row], { lang: 'ar' }),
  ];
  const steps = (canvas: typeof inColumn, ...keys: string[]): string[] => {
    canvas.select('one');
    canvas.keys(...keys);
    return canvas.order('card');
  };
  t.same(steps(inColumn, 'ArrowDown'), ['two', 'one', 'three']);
  t.same(steps(inColumn, 'ArrowRight'), ['two', 'one', 'three'], 'a column has no right');
  t.same(steps(inColumn, 'ArrowUp'), ['one', 'two', 'three']);
  t.same(steps(inRow, 'ArrowRight'), ['three', 'one']);
  t.same(steps(mirrored, 'ArrowRight'), ['one', 'three']);
  t.same(steps(mirrored, 'ArrowLeft'), ['three', 'one']);
});

t.test('handles give a size, and a double click on them takes it away again', async (t) => {
  const canvas = await openEditor(t, [label, card]);
  const { editor } = canvas;
  canvas.select('three');
  await canvas.pull('e', [-40, 0], ['Control']);
  t.match(canvas.find('three'), { width: 120, height: 40 });
  t.notOk('x' in canvas.find('three'));
  t.ok(setSizeMode(editor, 'width', 'fill'));
  t.match(canvas.find('three'), { width: 'fill', height: 40 });
  t.notOk(setSizeMode(editor, 'width', 'hug'), 'a shape has no content');
  canvas.select('label');
  t.notOk(setSizeMode(editor, 'width', 'fill'), 'nothing is filled beside stacks');
  const tall = { height: '{{tall}}' };
  editor.change('Bind', ({ layers: [first] }) => void Object.assign(first ?? {}, tall));
  t.notOk(setSizeMode(editor, 'height', 'hug'), 'a bound size keeps its binding');
  editor.undo();
  t.ok(setSizeMode(editor, 'width', 'hug'));
  await canvas.settle();
  t.match(canvas.find('label'), { x: 300, width: 'hug', height: 40 });
  const { width = 0 } = canvas.state.selected.value[0]?.box ?? {};
  await canvas.pull('e', [40, 0], ['Control']);
  t.ok(Math.abs(Number(canvas.find('label')['width']) - width - 40) <= 1);
});

t.test('the gap and the padding are dragged', async (t) => {
  const canvas = await openEditor(t, [card]);
  await canvas.click({ x: 230, y: 60 });
  t.same(canvas.selected, ['card'], 'its fill is hit, too');
  canvas.press({ x: 140, y: 95 }, [], { space: 'gap-y' });
  await canvas.moveTo({ x: 140, y: 102 });
  t.equal(canvas.state.hint.value?.text, 'Gap 17');
  await canvas.release();
  t.match(canvas.find('card'), { gap: 17, padding: 20 });
  await canvas.pull('padding-3', [12, 0]);
  t.match(canvas.find('card'), { padding: [20, 20, 20, 32], x: 40 });
  await canvas.pull('padding-3', [-4, 0], ['Alt']);
  t.match(canvas.find('card'), { padding: [20, 28, 20, 28] });
  await canvas.pull('padding-3', [-28, 0], ['Alt', 'Shift']);
  t.notOk('padding' in canvas.find('card'));
});
