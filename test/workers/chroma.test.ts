/** A JPEG and a WebP keep the colour resolution that their layers need. */
import sharp from 'sharp';
import t from 'tap';
import type { RenderFormat } from '#wire/render-job.ts';
import type { Template } from '#language/schema/template.ts';
import { aLayer, aTemplate, aVariable } from '../fixtures/template-documents.ts';
import {
  decodePixels,
  readImage,
  renderTemplate,
  sourceImage,
  validTemplate,
} from '../helpers/render.ts';
import { error99 } from '../helpers/channel-errors.ts';

const coast = await readImage('data/templates/pictures/coast.jpg');
const box = { x: 20, y: 20, width: 260, height: 60 };
const red = '#e6002e';
const stops = [
  { offset: 0, color: '#ffffff' },
  { offset: 1, color: red },
];
const photo = aLayer('image', { id: 'photo', width: 300, height: 200, src: 'asset:photo' });
const boxed = (type: string, properties: object) =>
  aLayer(type, { ...box, id: type, ...properties });
const text = (fill: string) =>
  boxed('text', { text: 'Only today: 50 % off everything', fontSize: 16, fill });
const rect = (fill: unknown) => boxed('rect', { fill });

function template(layers: unknown[], changes: Record<string, unknown> = {}): Template {
  const canvas = { width: 300, height: 200, background: '#ffffff' };
  return validTemplate(aTemplate({ ...canvas, layers, ...changes }));
}

async function subsampling(layers: unknown[], changes?: Record<string, unknown>): Promise<string> {
  const { bytes } = await renderTemplate(template(layers, changes), { images, format: 'jpeg' });
  return (await sharp(bytes).metadata()).chromaSubsampling ?? '';
}

/** Mean colour of the pixels that are all ink in the PNG, in a file of another format. */
async function inkColor(
  format: RenderFormat,
  quality: number,
  fontSize: number,
): Promise<number[]> {
  const drawn = template([{ ...text(red), height: 160, fontSize, fontWeight: 700 }]);
  const png = await decodePixels((await renderTemplate(drawn)).bytes);
  const file = await decodePixels((await renderTemplate(drawn, { format, quality })).bytes);
  const sum = [0, 0, 0];
  let count = 0;
  for (let at = 0; at < png.data.length; at += 4) {
    if (png.data[at] !== 0xe6 || png.data[at + 1] !== 0 || png.data[at + 2] !== 0x2e) continue;
    count += 1;
    for (const channel of sum.keys())
      sum[channel] = (sum[channel] ?? 0) + (file.data[at + channel] ?? 0);
  }
  t.ok(count > 100, `${count} pixels are all ink`);
  return sum.map((value) => Math.round(value / count));
}

t.test('red letters keep their colour at the default quality', async (t) => {
  // Of halved colour, red letters of 40 px come out as rgb(214,8,53) at best.
  for (const [format, quality, fontSize, mostOff] of [
    ['jpeg', 85, 16, 12],
    ['webp', 82, 40, 14],
  ] as const) {
    const [r = 0, g = 0, b = 0] = await inkColor(format, quality, fontSize);
    const furthest = Math.max(Math.abs(r - 0xe6), g, Math.abs(b - 0x2e));
    t.ok(furthest <= mostOff, `${format}: rgb(${r},${g},${b})`);
  }
});

const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="30"><path d="M0 0h90v4H0zM0 9l40 20L80 9z" fill="#e6002e"/></svg>';
const logo = await sourceImage(await sharp(Buffer.from(svg)).png().toBuffer());
const images = { 'asset:photo': coast, 'asset:logo': logo };

/** Layers of every kind with a colour that 4:2:0 spoils. */
const vivid: Record<string, unknown[]> = {
  text: [text(red)],
  'text with a vivid stroke': [{ ...text('#ffffff'), stroke: { color: red, width: 1 } }],
  span: [{ ...text('#000000'), text: undefined, spans: [{ text: 'a' }, { text: 'b', fill: red }] }],
  'text on a path': [{ ...text(red), path: 'M0 20H200' }],
  'color emoji': [{ ...text('#ffffff'), text: '🎉 🔥 ❤️ 🍀', fontSize: 28 }],
  'vivid shadow': [{ ...text('#ffffff'), shadow: { x: 2, y: 2, color: '#ff00aa' } }],
  rect: [rect(red)],
  'white text on a badge': [rect(red), text('#ffffff')],
  gradient: [rect({ gradient: 'linear', stops })],
  line: [boxed('line', { stroke: { color: red, width: 2 } })],
  'QR code': [boxed('qr', { value: 'https://example.com', color: '#1020d0' })],
  barcode: [boxed('barcode', { kind: 'code128', value: 'A-1', color: '#c2185b' })],
  border: [{ ...rect('#ffffff'), border: { color: red, width: 3 } }],
  svg: [boxed('svg', { svg })],
  'PNG logo': [boxed('image', { src: 'asset:logo', fit: 'contain' })],
  group: [boxed('group', { layers: [text(red)] })],
  'dull colour, saturated': [{ ...text('#a06060'), filter: { saturate: 2 } }],
};

t.test('vivid layers of every kind ask for full colour, on photographs too', async (t) => {
  for (const [name, layers] of Object.entries(vivid)) {
    t.equal(await subsampling(layers), '4:4:4', name);
    t.equal(await subsampling([photo, ...layers]), '4:4:4', `${name} over a photograph`);
  }
  t.equal(await subsampling([text('#ffffff')], { background: red }), '4:4:4', 'background');
  t.equal(await subsampling([rect('#2e7d32')]), '4:4:4', 'dark green without a photograph');
  const framed = { ...photo, cornerRadius: 40 };
  t.equal(await subsampling([framed], { background: red }), '4:4:4', 'background at its corners');
  const duotone = { ...photo, duotone: { dark: '#000000', light: red } };
  t.equal(await subsampling([duotone]), '4:4:4', 'duotone');
});

t.test('what 4:2:0 does not spoil stays small', async (t) => {
  const plain: Record<string, unknown[]> = {
    'black on white': [text('#1a1a1a')],
    'lilac letters': [text('#a994c6')],
    'a faint red': [rect('#e6002e30')],
    photograph: [photo],
    'white text over a photograph': [photo, rect('#0b1320d9'), text('#ffffff')],
    'orange over a photograph': [photo, rect('#ffb45c'), text('#b4552d')],
    'a dull colour, saturated': [{ ...text('#a08080'), filter: { saturate: 1.2 } }],
  };
  for (const [name, layers] of Object.entries(plain)) {
    t.equal(await subsampling(layers), '4:2:0', name);
  }
});

t.test('a vivid gradient beside a small photograph keeps fine steps', async (t) => {
  const wide = { ...rect({ gradient: 'linear', angle: 90, stops }), x: 0, y: 60, width: 300 };
  const drawn = template([
    { ...photo, height: 60 },
    { ...wide, height: 140 },
  ]);
  const { data, width } = await decodePixels((await renderTemplate(drawn, { images })).bytes);
  const { bytes } = await renderTemplate(drawn, { images, format: 'jpeg' });
  const inside = { x: 8, y: 72, width: 280, height: 120 };
  const error = error99(data, (await decodePixels(bytes)).data, width, inside);
  t.ok(error <= 4, `${error}`);
});

t.test('a value that needs another resolution than the base render is drawn whole', async (t) => {
  const variables = [aVariable('color', 'color', '#000000'), aVariable('name', 'text', 'Anna')];
  const document = template([{ ...text('{{color}}'), text: '{{name}}' }], { variables });
  const draw = async (color: string, name: string): Promise<[drawn: string, chroma?: string]> => {
    const values = { color, name };
    const { bytes, drawn } = await renderTemplate(document, { values, format: 'jpeg' });
    return [drawn, (await sharp(bytes).metadata()).chromaSubsampling ?? ''];
  };
  await draw('#000000', 'Ben');
  t.same(await draw('#000000', 'Bo'), ['plan', '4:2:0']);
  t.same(await draw(red, 'Cleo'), ['whole', '4:4:4']);
  t.same(await draw(red, 'Cem'), ['plan', '4:4:4'], 'the base render of this colour');
  t.same(await draw('#000000', 'Dora'), ['plan', '4:2:0']);
});
