/** A JPEG and a WebP keep the colour resolution that their layers need, and photographs stay small. */
import sharp from 'sharp';
import t from 'tap';
import type { RenderFormat, RenderJob } from '#shared/render-job.ts';
import type { Template } from '#shared/template-schema.ts';
import { decodePixels, readImage, renderTemplate, validTemplate } from '../helpers/render.ts';

const { renderJob } = await import('../../workers/render.ts');

const images = { 'asset:photo': await readImage('data/templates/pictures/coast.jpg') };
const box = { x: 20, y: 20, width: 260, height: 60 };
const red = '#e6002e';
const photo = {
  id: 'photo',
  type: 'image',
  x: 0,
  y: 0,
  width: 300,
  height: 200,
  src: 'asset:photo',
};
const text = (fill: string): Record<string, unknown> => ({
  ...box,
  id: 'text',
  type: 'text',
  text: 'Only today: 50 % off everything',
  fontSize: 16,
  fill,
});
const rect = (fill: unknown): Record<string, unknown> => ({
  ...box,
  id: 'rect',
  type: 'rect',
  fill,
});

function template(layers: unknown[], changes: Record<string, unknown> = {}): Template {
  const head = { format: 1, name: 'chroma', width: 300, height: 200, background: '#ffffff' };
  return validTemplate({ ...head, variables: [], layers, ...changes });
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

t.test('vivid texts, shapes, codes, grounds and SVG ask for full colour', async (t) => {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>';
  const colored: Record<string, [unknown[], Record<string, unknown>?]> = {
    text: [[text(red)]],
    'text over a photograph': [[photo, text(red)]],
    'text with a vivid stroke': [[{ ...text('#ffffff'), stroke: { color: red, width: 1 } }]],
    span: [
      [{ ...text('#000000'), text: undefined, spans: [{ text: 'a' }, { text: 'b', fill: red }] }],
    ],
    'text on a path': [[{ ...text(red), path: 'M0 20H200' }]],
    rect: [[rect('#2e7d32')]],
    gradient: [
      [
        rect({
          gradient: 'linear',
          stops: [
            { offset: 0, color: '#fff' },
            { offset: 1, color: red },
          ],
        }),
      ],
    ],
    line: [
      [
        {
          id: 'line',
          type: 'line',
          x: 0,
          y: 0,
          width: 90,
          height: 0,
          stroke: { color: red, width: 2 },
        },
      ],
    ],
    code: [[{ ...box, id: 'qr', type: 'qr', value: 'x', color: red }]],
    border: [[{ ...photo, width: 90, border: { color: red, width: 3 } }]],
    svg: [[{ ...box, id: 'svg', type: 'svg', svg }]],
    group: [[{ ...box, id: 'group', type: 'group', layers: [text(red)] }]],
    background: [[text('#ffffff')], { background: red }],
    'white text on a badge over a photograph': [[photo, rect(red), text('#ffffff')]],
  };
  for (const [name, [layers, changes]] of Object.entries(colored)) {
    t.equal(await subsampling(layers, changes), '4:4:4', name);
  }
});

t.test('what 4:2:0 does not spoil stays small', async (t) => {
  const plain: Record<string, [unknown[], Record<string, unknown>?]> = {
    'black on white': [[text('#1a1a1a')]],
    'lilac letters': [[text('#a994c6')]],
    'a faint red': [[rect('#e6002e30')]],
    photograph: [[photo]],
    'white text over a photograph': [[photo, rect('#0b1320d9'), text('#ffffff')]],
    'a vivid shape over a photograph': [[photo, rect(red)]],
    'text beside a vivid shape over a photograph': [
      [photo, rect(red), { ...text('#ffffff'), y: 120 }],
    ],
    'a photograph over a vivid ground': [[photo, text('#ffffff')], { background: red }],
  };
  for (const [name, [layers, changes]] of Object.entries(plain)) {
    t.equal(await subsampling(layers, changes), '4:2:0', name);
  }
});

t.test('a value that needs another resolution than the plan is drawn whole', async (t) => {
  const variables = [
    { name: 'color', type: 'color', value: '#000000' },
    { name: 'name', type: 'text', value: 'Anna' },
  ];
  const templateJson = JSON.stringify(
    template([{ ...text('{{color}}'), text: '{{name}}' }], { variables }),
  );
  const draw = async (color: string, name: string): Promise<[drawn: string, chroma?: string]> => {
    const job: RenderJob = {
      templateKey: 'chroma of a plan',
      templateJson,
      values: [
        ['color', color],
        ['name', name],
      ],
      images: [],
      format: 'jpeg',
      quality: 85,
      scale: 1,
    };
    const { bytes, drawn } = await renderJob(job);
    return [drawn, (await sharp(bytes).metadata()).chromaSubsampling ?? ''];
  };
  await draw('#000000', 'Ben');
  t.same(await draw('#000000', 'Bo'), ['plan', '4:2:0']);
  t.same(await draw(red, 'Cleo'), ['whole', '4:4:4']);
  t.same(await draw(red, 'Cem'), ['plan', '4:4:4'], 'the plan of this colour');
  t.same(await draw('#000000', 'Dora'), ['plan', '4:2:0']);
});
