/** Size and position of new layers: drawn, added by a click, and without a point. */
import t from 'tap';
import type { Layer } from '#language/schema/layers.ts';
import type { Template } from '#language/schema/template.ts';
import type { Tool } from '../../src/studio/canvas/canvas-state.ts';
import { placeImage } from '../../src/studio/canvas/geometry.ts';
import { drawInSight } from '../../src/studio/canvas/gestures/draw.ts';
import { freePosition } from '../../src/studio/canvas/gestures/free-position.ts';
import { addDrawnLayer } from '../../src/studio/panels/layers/new-layers.ts';
import { rect, text } from './built-layers.ts';
import { openEditor } from './opened-editor.ts';

const addedTo = (width: number, height: number, kind: 'text' | 'image'): Layer | undefined => {
  const draft: Template = { format: 1, name: 'new', width, height, variables: [], layers: [] };
  addDrawnLayer(draft, kind);
  return draft.layers[0];
};

t.test('the letters of a new text fit the canvas', async (t) => {
  t.match(addedTo(1200, 630, 'text'), { fontSize: 60, width: 648, height: 115 });
  t.match(addedTo(1200, 400, 'text'), { fontSize: 60 }, 'a twentieth of the width of a banner');
  t.match(addedTo(728, 90, 'text'), { fontSize: 18, height: 35 }, 'at most a fifth of the height');
  t.match(addedTo(1080, 1920, 'text'), { fontSize: 90 });
  t.match(addedTo(1333, 400, 'text'), { fontSize: 67 }, 'in whole pixels');
});

t.test('an image lies about a point in the canvas, in its size or in a part of the canvas', (t) => {
  const canvas = { width: 400, height: 300 };
  const position = (width: number, height: number, x: number, y: number) =>
    placeImage(canvas, { width, height }, { x, y });
  t.same(position(60, 40, 200, 100), { x: 170, y: 80, width: 60, height: 40 });
  t.same(position(4000, 1500, 200, 150), { x: 120, y: 120, width: 160, height: 60 });
  t.same(position(40, 4000, 398, 290), { x: 398, y: 180, width: 1, height: 120 });
  t.same(position(60, 40, -90, 700), { x: 0, y: 260, width: 60, height: 40 });
  t.match(addedTo(1200, 800, 'image'), { x: 400, y: 250, width: 400, height: 300 });
  const tall = placeImage({ width: 300, height: 600 }, canvas, { x: 150, y: 300 });
  t.match(addedTo(300, 600, 'image'), tall);
  t.end();
});

t.test('a drag draws a layer to size, and the tool goes back to selecting', async (t) => {
  const canvas = await openEditor(t, []);
  canvas.take('rect');
  canvas.press({ x: 20, y: 30 });
  await canvas.moveTo({ x: 120, y: 90 });
  t.match(canvas.state.hint.value, { text: '100 × 60' });
  await canvas.release();
  t.match(canvas.find('rect'), { type: 'rect', x: 20, y: 30, width: 100, height: 60 });
  t.same([canvas.selected, canvas.state.tool.value], [['rect'], 'select']);
  canvas.take('ellipse');
  await canvas.drag({ x: 200, y: 60 }, { x: 240, y: 80 }, ['Alt', 'Shift']);
  t.match(canvas.find('ellipse'), { x: 160, y: 20, width: 80, height: 80 }, 'from its middle');
  canvas.take('line');
  await canvas.drag({ x: 40, y: 250 }, { x: 90, y: 210 }, ['Control']);
  t.match(canvas.find('line'), { x: 40, y: 210, width: 50, height: 40, rising: true });
  canvas.take('text');
  await canvas.drag({ x: 20, y: 130 }, { x: 220, y: 190 }, ['Control']);
  t.match(canvas.find('text'), { x: 20, y: 130, width: 200, height: 60 });
  t.match(canvas.state.editing.value, { id: 'text' }, 'a text is typed at once');
});

t.test('Escape while a layer is drawn adds none, also before the pointer moves', async (t) => {
  const canvas = await openEditor(t, []);
  for (const isMoved of [true, false]) {
    canvas.take('rect');
    canvas.press({ x: 20, y: 30 });
    if (isMoved) await canvas.moveTo({ x: 120, y: 90 });
    canvas.key('Escape');
    t.same([canvas.state.marquee.value, canvas.state.tool.value], [undefined, 'select']);
    await canvas.release();
    t.same(canvas.layers, []);
  }
});

t.test('a click adds a layer about its point inside the canvas; a text begins there', async (t) => {
  const added = async (tool: Tool, x: number, y: number, lang = 'en') => {
    const canvas = await openEditor(t, [], { lang });
    canvas.take(tool);
    await canvas.click({ x, y });
    return canvas.find(tool);
  };
  const words = await added('text', 60, 150);
  t.match(words, { x: 60, y: 126, width: 270, height: 48, verticalAlign: 'middle' });
  t.equal(words['align'], undefined, 'at the start of its line');
  t.match(await added('text', 200, 290), { x: 200, y: 252, width: 200, height: 48 }, 'narrower');
  t.match(await added('text', 390, 5), { x: 265, y: 0, width: 135 }, 'at the edge');
  t.match(await added('text', 340, 150, 'he'), { x: 70, width: 270, align: 'right' });
  t.match(await added('rect', 5, 10), { x: 0, y: 0, width: 150, height: 90 });
  t.match(await added('ellipse', 395, 295), { x: 310, y: 210, width: 90, height: 90 });
  t.match(await added('image', 280, 200), { x: 200, y: 140, width: 160, height: 120 });
});

t.test('what is added without a point lies in sight, and covers backgrounds alone', async (t) => {
  const ground = rect('ground', { x: 0, y: 0, width: 400, height: 300 });
  const headline = text('title', 'Hi', { x: 60, y: 120, width: 280, height: 60 });
  const canvas = await openEditor(t, [ground, headline]);
  const { editor, state } = canvas;
  const disc = { x: 155, y: 105, width: 90, height: 90 };
  t.same(freePosition(editor, disc), { x: 155, y: 188 });
  const hidden = { ...headline, id: 'hidden', y: 190, visible: false };
  const other = await openEditor(t, [ground, headline, hidden]);
  t.same(freePosition(other.editor, disc), { x: 155, y: 188 });
  const rows = [0, 100, 200].map((y) => rect(`r${y}`, { x: 0, y, width: 400, height: 90 }));
  const full = await openEditor(t, rows);
  t.match(freePosition(full.editor, disc), { y: 210 }, 'the least overlap');
  state.view.value = { zoom: 4, x: -1600 + 800, y: 0 };
  drawInSight(state, 'rect');
  t.match(canvas.find('rect'), { x: 225, y: 30, width: 150, height: 90 });
});
