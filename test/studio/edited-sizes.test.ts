/** Layers that are added, copied, wrapped and freed in one size of a template: where they lie in the others. */
import t from 'tap';
import type { Test } from 'tap';
import { copySelected, pasteLayers } from '../../src/studio/canvas/clipboard.ts';
import { makeBackground } from '../../src/studio/state/background.ts';
import { changeCanvas, followSize } from '../../src/studio/state/canvas-size.ts';
import { addSize, changeSize, deleteSize, resetInSize } from '../../src/studio/state/sizes.ts';
import { group, rect, stack } from './built-layers.ts';
import { openEditor } from './opened-editor.ts';
import type { OpenedEditor } from './opened-editor.ts';

const box = { width: 60, height: 40 };
const one = rect('one', { ...box, x: 20, y: 20, bySize: { tall: { x: 40, y: 340 } } });
const two = rect('two', { ...box, x: 120, y: 20, bySize: { tall: { x: 40, y: 280 } } });

/** A canvas of 400 × 150 px, or its size of 400 × 420 px. */
async function open(
  t: Test,
  size: 'tall' | undefined,
  layers: readonly object[],
): Promise<OpenedEditor> {
  const sizes = [{ name: 'tall', width: 400, height: 420 }];
  const canvas = await openEditor(t, layers, { height: 150, sizes });
  canvas.editor.size.value = size;
  await canvas.settle();
  return canvas;
}

t.test('a drawn layer is arranged in the other sizes', async (t) => {
  const inTall = await open(t, 'tall', []);
  inTall.take('rect');
  await inTall.drag({ x: 101, y: 350 }, { x: 201, y: 410 }, ['Control']);
  t.match(inTall.findIn('tall', 'rect'), { x: 101, y: 350, width: 100, height: 60 });
  const inside = { x: 164.64, y: 125, width: 36, height: 21 };
  t.match(inTall.findIn(undefined, 'rect'), inside, 'inside the canvas');
  const whole = await open(t, undefined, []);
  whole.take('rect');
  await whole.drag({ x: 301, y: 30 }, { x: 400, y: 90 }, ['Control']);
  t.match(whole.findIn(undefined, 'rect'), { x: 301, y: 30, width: 99, height: 60 });
  t.match(whole.findIn('tall', 'rect'), { x: 301, y: 165, width: 99, height: 60 });
});

t.test('a copy lies beside its original in every size, inside the canvas', async (t) => {
  const canvas = await open(t, 'tall', [one]);
  canvas.select('one');
  canvas.keys('Mod+D');
  t.match(canvas.findIn('tall', 'one-2'), { x: 50, y: 350 });
  t.match(canvas.findIn(undefined, 'one-2'), { x: 30, y: 30 });
  canvas.editor.undo();
  await canvas.dragCopy({ x: 70, y: 360 }, { x: 170, y: 110 });
  t.match(canvas.findIn('tall', 'one'), { x: 40, y: 340 });
  t.match(canvas.findIn('tall', 'one-2'), { x: 140, y: 90 });
  t.match(canvas.findIn(undefined, 'one-2'), { x: 120, y: 0 });
  canvas.editor.undo();
  t.same(canvas.layers, [one], 'one step');
});

t.test('a layer that leaves a stack lies inside the canvas of every size', async (t) => {
  const card = stack('pile', [rect('in', box), rect('next', box)], { x: 40, y: 20, gap: 10 });
  const canvas = await open(t, 'tall', [card]);
  canvas.select('in');
  await canvas.drag({ x: 70, y: 40 }, { x: 370, y: 400 }, ['Control']);
  t.match(canvas.findIn('tall', 'in'), { x: 340, y: 380 });
  t.match(canvas.findIn(undefined, 'in'), { x: 340, y: 110 });
  canvas.editor.undo();
  t.same(canvas.layers, [card], 'one step');
});

t.test('a pasted layer is beside its original and in sight in every size', async (t) => {
  for (const [before, y] of [
    [340, 350],
    [900, 380],
  ]) {
    const layer = { ...one, bySize: { tall: { x: 40, y: before } } };
    const canvas = await open(t, undefined, [layer]);
    canvas.select('one');
    pasteLayers(canvas.editor, copySelected(canvas.editor) ?? '');
    t.match(canvas.findIn(undefined, 'one-2'), { x: 30, y: 30 });
    t.match(canvas.findIn('tall', 'one-2'), { x: 50, y });
  }
});

for (const size of [undefined, 'tall'] as const) {
  t.test(`a group and a stack enclose their layers in all sizes, made in ${size}`, async (t) => {
    const canvas = await open(t, size, [one, two]);
    canvas.keys('Mod+A', 'Mod+G');
    t.match(canvas.findIn(undefined, 'group'), { x: 20, y: 20, width: 160, height: 40 });
    t.match(canvas.findIn(undefined, 'two'), { x: 100, y: 0 });
    t.match(canvas.findIn('tall', 'group'), { x: 40, y: 280, width: 60, height: 100 });
    t.match([canvas.findIn('tall', 'one')['y'], canvas.findIn('tall', 'two')['y']], [60, 0]);
    canvas.editor.undo();
    t.same(canvas.layers, [one, two], 'one step');
    canvas.keys('Mod+A', 'Shift+A');
    t.match(canvas.findIn(undefined, 'stack'), { x: 20, y: 20, direction: 'row', gap: 40 });
    const inTall = canvas.findIn('tall', 'stack');
    t.match(inTall, { x: 40, y: 280, gap: 20 });
    t.not(inTall['direction'], 'row');
    canvas.editor.undo();
    t.same(canvas.layers, [one, two], 'one step');
  });
}

const wall = rect('wall', { x: 0, y: 0, width: 400, height: 300 });
const story = { name: 'story', width: 300, height: 500 };
const sizes = [story];
const inStory = { story: { width: 300, height: 500 } };

t.test('layers that span the canvas follow its sides, and sizes stay as they are', async (t) => {
  const layers = [
    { ...wall, bySize: inStory },
    { ...wall, id: 'far' },
    { ...wall, id: 'half', width: 200 },
    { ...wall, id: 'bar', y: 20, height: 40 },
    { ...wall, id: 'disc', type: 'ellipse', y: 20, height: 40 },
    { ...wall, id: 'turned', rotation: 5 },
    { ...wall, id: 'beyond', x: -10, y: 20, width: 420, height: 40 },
  ];
  const canvas = await openEditor(t, layers, { sizes });
  const { editor } = canvas;
  /** Types the digits of a side of the canvas, each of which is a step of the gesture. */
  const type = (side: 'width' | 'height', ...lengths: number[]): void => {
    for (const length of lengths) {
      changeCanvas(editor, 'Resize', (draft) => void (draft[side] = length), `type:${side}`);
    }
    editor.endGesture();
  };
  type('height', 2, 20, 200);
  const sidesOf = (side: 'width' | 'height') => canvas.layers.map((layer) => layer[side]);
  t.same(sidesOf('height'), [200, 200, 200, 40, 40, 300, 40]);
  t.match(canvas.layers, [{ bySize: inStory }, { bySize: { story: { height: 300 } } }]);
  editor.undo();
  t.same(canvas.layers, layers, 'one step');
  type('width', 3, 32, 320);
  t.same(sidesOf('width'), [320, 320, 200, 320, 400, 400, 420]);
  type('width', 4, 40, 400);
  t.same(canvas.layers, layers, 'the way back leaves nothing');
  editor.size.value = 'story';
  changeCanvas(editor, 'Resize', (draft) => void (draft.height = 640), undefined);
  t.match(canvas.find('wall'), { width: 300, height: 640 }, 'also in a size, alone');
  t.match(canvas.findIn(undefined, 'wall'), { width: 400, height: 300 });
});

t.test('layers over the whole canvas of a size follow its new sides', async (t) => {
  const exact = { ...wall, id: 'exact', height: 500, bySize: { story: { width: 300 } } };
  const beyond = { ...wall, id: 'beyond', x: -20, height: 500 };
  const { editor } = await openEditor(t, [exact, beyond, wall], { sizes });
  const made = { name: 'tall', width: 500, height: 640 };
  editor.changeWhole('Change size', (draft) => {
    followSize(draft, story, made);
    changeSize(draft, 'story', made);
  });
  t.match(editor.whole.value.sizes, [made]);
  t.match(editor.whole.value.layers, [
    { width: 400, bySize: { tall: { width: 500, height: 640 } } },
    { x: -20, width: 400, bySize: { tall: { width: 600, height: 640 } } },
    wall,
  ]);
});

t.test('a size is edited alone, reset, and deleted with all that differs in it', async (t) => {
  const a = rect('a', { ...box, x: 40, y: 43 });
  const canvas = await open(t, undefined, [a]);
  const { editor } = canvas;
  const wide = { name: 'wide', width: 600, height: 90 };
  editor.changeWhole('Add size', (draft) => addSize(draft, wide));
  editor.size.value = 'tall';
  await canvas.settle();
  await canvas.drag({ x: 80, y: 70 }, { x: 117, y: 383 }, ['Control']);
  const moved = { tall: { x: 77, y: 356 } };
  t.same(canvas.layers, [{ ...a, bySize: moved }]);
  const faint = { visible: false, opacity: 0.5 };
  editor.change('Hide', (draft) => void Object.assign(draft.layers[0] ?? {}, faint));
  t.match(canvas.layers[0], { opacity: 0.5, bySize: { tall: { ...moved.tall, visible: false } } });
  t.notOk('visible' in (canvas.layers[0] ?? {}));
  editor.changeWhole('Reset', (draft) => resetInSize(draft, 'a', 'tall', 'y'));
  t.match(canvas.find('a'), { x: 77, y: 43 });
  editor.undo();
  t.match([canvas.find('a'), editor.size.value], [{ x: 77, y: 356 }, 'tall']);
  editor.changeWhole('Delete size', (draft) => deleteSize(draft, 'tall'));
  t.same([editor.size.value, canvas.layers[0]?.bySize], [undefined, undefined]);
  for (let step = 0; step < 3; step += 1) editor.undo();
  t.equal(editor.size.value, 'tall', 'undo shows the size in which a step was made');
});

t.test('an image becomes the background in every size, below all and locked', async (t) => {
  const image = { type: 'image', src: 'a', fit: 'contain' };
  const pic = rect('pic', { x: 0, y: 0, width: 120, height: 90, ...image });
  const layers = [rect('box', { x: 0, y: 0 }), group('g', [pic], { x: 200, y: 100 })];
  const { editor } = await openEditor(t, layers, { sizes });
  editor.selection.value = ['pic'];
  makeBackground(editor);
  const whole = { x: 0, y: 0, width: 400, height: 300, bySize: inStory };
  t.match(editor.whole.value.layers[0], { id: 'pic', ...whole, locked: true });
  t.notOk('fit' in (editor.whole.value.layers[0] ?? {}));
});
