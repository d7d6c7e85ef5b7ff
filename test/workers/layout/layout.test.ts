import t from 'tap';
import type { Template } from '#language/schema/template.ts';
import type { DisplayItem } from '../../../workers/display-list.ts';
import { layoutScene } from '../../../workers/layout/layout.ts';
import type { SceneLayout } from '../../../workers/layout/layout.ts';
import { bindScene } from '../../../workers/bind-scene.ts';
import { aLayer, aTemplate, problemsOf } from '../../fixtures/template-documents.ts';
import { readImage } from '../../helpers/render.ts';

async function layout(...layers: unknown[]): Promise<SceneLayout> {
  const document = aTemplate({ layers });
  t.same(problemsOf(document), [], 'the document is valid');
  const images = new Map([['photo', await readImage('test/golden/images/photo.jpg')]]);
  return layoutScene(bindScene(document as unknown as Template, new Map()), images);
}

function boxesOf(items: readonly DisplayItem[]): Record<string, string> {
  return Object.fromEntries(
    items.flatMap((item) => {
      const { x, y, width, height } = item.box;
      const inner =
        item.content.kind === 'group' ? Object.entries(boxesOf(item.content.items)) : [];
      return [[item.layer, `${x},${y} ${width}x${height}`], ...inner];
    }),
  );
}

t.test('layers of a group count from its corner', async (t) => {
  const inner = aLayer('group', {
    id: 'inner',
    x: 7,
    y: 8,
    layers: [aLayer('rect', { x: -1, y: 2 })],
  });
  const { displayList } = await layout(
    aLayer('group', { id: 'outer', x: 20, y: 30, layers: [inner] }),
  );
  t.same(boxesOf(displayList.items), {
    outer: '20,30 10x10',
    inner: '27,38 10x10',
    a: '26,40 10x10',
  });
});

t.test('what every layer may say is laid out, with defaults for the rest', async (t) => {
  const { displayList } = await layout(
    aLayer('rect'),
    aLayer('rect', {
      id: 'b',
      rotation: 30,
      opacity: 0.5,
      blendMode: 'multiply',
      shadow: { color: '#000' },
      blur: 2,
      filter: { sepia: 1 },
      clip: { shape: 'ellipse' },
      border: { color: '#f00', width: 1 },
      cornerRadius: 3,
    }),
  );
  t.match(displayList.items, [
    { rotation: 0, opacity: 1, blendMode: 'normal', shadows: [], blur: 0, radii: [0, 0, 0, 0] },
    {
      rotation: 30,
      opacity: 0.5,
      blendMode: 'multiply',
      shadows: [{ color: '#000' }],
      blur: 2,
      filter: { sepia: 1 },
      clip: { kind: 'ellipse' },
      border: { color: '#f00', width: 1 },
      radii: [3, 3, 3, 3],
    },
  ]);
});

t.test('a text that grows takes its border, clip and middle along', async (t) => {
  const text = { x: 5, y: 5, width: 90, height: 20, fontSize: 20, text: 'three\nshort\nlines' };
  const frame = { border: { color: '#f00', width: 1 }, clip: { shape: 'ellipse' } };
  const boxes = async (overflow: string): Promise<unknown[]> => {
    const layer = aLayer('text', { ...text, ...frame, overflow });
    const { displayList } = await layout(layer);
    const [item] = displayList.items;
    return [item?.box.height, item?.clip?.rect.height, item?.frame];
  };
  const [grown, clip] = await boxes('grow');
  t.same([grown, clip], [72, 72], 'three lines of 24');
  t.same((await boxes('visible')).slice(0, 2), [20, 20]);
});

t.test('a mask is laid out with what it cuts and is not an item of its own', async (t) => {
  const { displayList, warnings } = await layout(
    aLayer('rect', { mask: 'm' }),
    aLayer('ellipse', { id: 'm', mask: 'n' }),
    aLayer('star', { id: 'n', points: 5 }),
  );
  t.equal(displayList.items.length, 1);
  t.match(displayList.items[0]?.mask, { layer: 'm', mask: { layer: 'n' } });
  t.same(warnings, []);
});

t.test('a layer whose mask is hidden is left out with a warning', async (t) => {
  const { displayList, warnings, degraded } = await layout(
    aLayer('rect', { mask: 'm' }),
    aLayer('rect', { id: 'm', visible: false }),
  );
  t.same(displayList.items, []);
  t.same(warnings, [
    { code: 'LAYER_SKIPPED', layer: 'a', detail: 'its mask "m" is not drawn beside it' },
  ]);
  t.notOk(degraded, 'it is what the template says');
});

t.test('an image that is not there degrades the render, an empty one does not', async (t) => {
  const missing = await layout(
    aLayer('image', { src: 'https://example.com/a.png' }),
    aLayer('rect', { id: 'b', fill: { image: 'https://example.com/b.png' } }),
  );
  t.equal(missing.degraded, true);
  t.match(missing.warnings, [
    { code: 'IMAGE_FAILED', layer: 'a' },
    { code: 'IMAGE_FAILED', layer: 'b' },
  ]);
  const empty = await layout(
    aLayer('image', { src: ' ' }),
    aLayer('rect', { id: 'b', fill: { image: '' } }),
  );
  t.match(empty, { degraded: false, warnings: [] });
});

t.test('a source is found whatever white space stands around it', async (t) => {
  const { displayList, degraded } = await layout(
    aLayer('image', { src: ' photo ' }),
    aLayer('rect', { id: 'b', fill: { image: ' photo\n' } }),
  );
  t.notOk(degraded);
  t.match(displayList.items, [
    { content: { image: { request: { source: 'photo' } } } },
    { content: { image: { request: { source: 'photo' } } } },
  ]);
});

t.test('codes warn of what cannot be drawn or read', async (t) => {
  const { displayList, warnings } = await layout(
    aLayer('qr', { value: '' }),
    aLayer('qr', { id: 'b', value: 'small' }),
    aLayer('barcode', { id: 'c', kind: 'ean8', value: 'x' }),
  );
  t.match(warnings, [
    { code: 'CODE_FAILED', layer: 'a' },
    { code: 'CODE_TOO_SMALL', layer: 'b' },
    { code: 'CODE_FAILED', layer: 'c' },
  ]);
  t.same(
    displayList.items.map(({ layer }) => layer),
    ['b'],
  );
});

t.test('colours of an svg are replaced however they are written', async (t) => {
  const svg =
    '<svg viewBox="0 0 1 1" fill="#ABC" stroke="currentColor" color="#aabbcc"><use href="#abc" fill="url(#abc)"/>#abcdef</svg>';
  const { displayList } = await layout(
    aLayer('svg', { svg, colors: { '#aabbcc': '#111111', currentColor: '#222222' } }),
  );
  t.match(displayList.items[0]?.content, {
    svg: '<svg viewBox="0 0 1 1" fill="#111111" stroke="#222222" color="#111111"><use href="#abc" fill="url(#abc)"/>#abcdef</svg>',
  });
});

t.test('the same scene gives the same list', async (t) => {
  const layers = [
    aLayer('text', { text: 'Hello' }),
    aLayer('qr', { id: 'b', value: 'x' }),
    aLayer('image', { id: 'c', src: 'photo' }),
  ];
  t.same(await layout(...layers), await layout(...layers));
});

t.test('frames of an animation take over what no frame changes', async (t) => {
  const document = aTemplate({
    variables: [{ name: 'seconds', type: 'text', value: '59' }],
    layers: [
      aLayer('image', { id: 'ground', src: 'photo' }),
      aLayer('group', { id: 'card', layers: [aLayer('rect', { id: 'paper' })] }),
      aLayer('text', { id: 'seconds', text: '{{seconds}}' }),
    ],
  });
  const images = new Map([['photo', await readImage('test/golden/images/photo.jpg')]]);
  const frameItems = new WeakMap();
  const itemsOf = (seconds: string): readonly DisplayItem[] => {
    const scene = bindScene(document as unknown as Template, new Map([['seconds', seconds]]));
    return layoutScene(scene, images, frameItems).displayList.items;
  };
  const first = itemsOf('59');
  const second = itemsOf('58');
  t.same(
    second.map((item, index) => item === first[index]),
    [true, true, false],
    'an image is decoded once for all frames',
  );
  t.end();
});
