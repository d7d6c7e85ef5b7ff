/** Crops of an image: what they change, in stacks, lists and sizes, too. */
import t from 'tap';
import type { Test } from 'tap';
import { panCrop, startCrop } from '../../src/studio/canvas/crop/crop.ts';
import { stack } from './built-layers.ts';
import { openEditor } from './opened-editor.ts';
import type { OpenedEditor } from './opened-editor.ts';

const box = { x: 100, y: 60, width: 200, height: 150 };
/** An image of 4 : 3. */
const photo = { id: 'pic', type: 'image' as const, ...box, src: 'photo' };

/** Starts to crop the image. */
async function openCrop(
  t: Test,
  layer: object = photo,
  more: object = {},
  size?: string,
): Promise<OpenedEditor> {
  const canvas = await openEditor(t, [layer], more);
  canvas.editor.size.value = size;
  canvas.select('pic');
  await canvas.settle();
  startCrop(canvas.state);
  return canvas;
}

t.test('a crop moves the edges of the box over the image, and the image in the box', async (t) => {
  const canvas = await openCrop(t);
  await canvas.pull('e', [-100, 0]);
  const half = { x: 0, y: 0, width: 0.5, height: 1 };
  t.match(canvas.find('pic'), { x: 100, y: 60, width: 100, height: 150, crop: half });
  await canvas.drag({ x: 150, y: 100 }, { x: 110, y: 100 });
  t.match(canvas.find('pic'), { x: 100, width: 100, crop: { x: 0.2, width: 0.5 } });
  await canvas.drag({ x: 150, y: 100 }, { x: 900, y: 100 });
  t.match(canvas.find('pic'), { crop: { x: 0, width: 0.5 } }, 'no further than it goes');
  await canvas.pull('w', [400, 0]);
  t.match(canvas.find('pic'), { width: 8 }, 'a side is at least 8 px');
  await canvas.click({ x: 20, y: 20 });
  t.equal(canvas.state.cropping.value, undefined, 'a press beside the image ends it');
});

t.test('a turned image is cropped along its own sides, and stays where it is', async (t) => {
  const canvas = await openCrop(t, { ...photo, rotation: 90 });
  // Its right side is seen at the bottom, at y = 235.
  await canvas.pull('e', [0, -100]);
  const crop = { x: 0, y: 0, width: 0.5, height: 1 };
  t.match(canvas.find('pic'), { x: 150, y: 10, width: 100, height: 150, crop });
  await canvas.drag({ x: 200, y: 60 }, { x: 200, y: 20 });
  t.match(canvas.find('pic'), { x: 150, y: 10, crop: { x: 0.2, width: 0.5 } });
  panCrop(canvas.state, { x: 0, y: -10 });
  t.match(canvas.find('pic'), { x: 150, y: 10, crop: { x: 0.25, y: 0 } }, 'by keys, too');
});

t.test('an image is cropped in a stack and in a list, which position it', async (t) => {
  const { x: _x, y: _y, ...item } = photo;
  const fields = [{ name: 'title', type: 'text', value: '' }];
  const variables = [{ name: 'items', type: 'list', fields, value: [{ title: 'a' }] }];
  for (const repeat of [{}, { repeat: { list: 'items' } }]) {
    const parent = stack('s', [item], { x: 40, y: 50, ...repeat });
    const canvas = await openCrop(t, parent, { variables });
    await canvas.pull('e', [-100, 0]);
    const cropped = canvas.find('pic');
    t.match(cropped, { width: 100, height: 150, crop: { x: 0, width: 0.5, height: 1 } });
    t.notOk('x' in cropped || 'y' in cropped);
  }
});

t.test('an image that has no pixels of its own to cut is not cropped', async (t) => {
  const { x: _x, y: _y, ...item } = photo;
  const variables = [{ name: 'left', type: 'number', value: '9' }];
  const cases: Record<string, object> = {
    locked: { ...photo, locked: true },
    mirrored: { ...photo, flipX: true },
    'a width in percent': stack('s', [{ ...item, width: 'fill' }], { x: 0, y: 0, width: 300 }),
    bound: { ...photo, x: '{{left}}' },
  };
  for (const [name, layer] of Object.entries(cases)) {
    const canvas = await openCrop(t, layer, { variables });
    t.equal(canvas.state.cropping.value, undefined, name);
  }
});

t.test('a crop in a size is of it, and one of the canvas leaves sizes with a box', async (t) => {
  const inTall = { width: 100, height: 200 };
  const more = { sizes: [{ name: 'tall', width: 400, height: 420 }] };
  const looks = { ...photo, zoom: 1.5, smartCrop: true };
  const sized = { ...looks, bySize: { tall: { x: 100, y: 100, ...inTall } } };
  const canvas = await openCrop(t, sized, more, 'tall');
  await canvas.pull('s', [0, -60]);
  const { bySize, ...whole } = canvas.layers[0] ?? {};
  t.same(whole, looks);
  t.match(bySize?.['tall'], { height: 140, crop: {}, zoom: 1, smartCrop: false });
  canvas.editor.undo();
  t.same(canvas.layers, [sized]);

  const looksKept = { crop: { x: 0, y: 0, width: 1, height: 1 }, zoom: 1.5, smartCrop: true };
  for (const [ofSize, kept] of [
    [{ width: 100 }, { ...looksKept, width: 100, x: 100 }],
    [{ y: 300 }, { y: 300 }],
  ] as const) {
    const base = await openCrop(t, { ...looks, bySize: { tall: ofSize } }, more);
    await base.pull('w', [100, 0]);
    t.match(base.layers[0], { x: 200, width: 100 });
    t.notOk('zoom' in (base.layers[0] ?? {}));
    t.same(base.layers[0]?.bySize, { tall: kept });
  }
});
