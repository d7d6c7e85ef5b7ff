/** Frames of an animation equal the stills of the same values: exactly in a PNG, within the palette in a GIF. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import t from 'tap';
import { framesOf as sequenceOf } from '#language/animation/frames.ts';
import type { JobFrame, RenderJob } from '#wire/render-job.ts';
import type { Animation, Frame } from '../../workers/encode/animation/frames.ts';
import { encodeGif } from '../../workers/encode/animation/gif/file.ts';
import { readApng } from '../helpers/apng-reader.ts';
import { meanDifference } from '../helpers/color-difference.ts';
import { renderTemplate, repository, sourceImage, validTemplate } from '../helpers/render.ts';

const photo = `asset:${'a'.repeat(64)}`;
const images = {
  [photo]: await sourceImage(readFileSync(join(repository, 'data/templates/pictures/fabric.jpg'))),
};
const banner = validTemplate({
  format: 1,
  name: 'Counts',
  width: 301,
  height: 121,
  variables: [
    { name: 'seconds', type: 'text', value: '59' },
    { name: 'title', type: 'text', value: 'Ends soon' },
  ],
  layers: [
    { id: 'photo', type: 'image', x: 0, y: 0, width: 301, height: 121, src: photo },
    {
      id: 'title',
      type: 'text',
      x: 10,
      y: 10,
      width: 140,
      height: 40,
      text: '{{title}}',
      fill: '#ffffff',
      fontSize: 24,
    },
    {
      id: 'card',
      type: 'group',
      x: 161,
      y: 21,
      width: 120,
      height: 80,
      layers: [
        {
          id: 'ground',
          type: 'rect',
          x: 0,
          y: 0,
          width: 120,
          height: 80,
          cornerRadius: 12,
          fill: '#ffffffee',
          shadow: { y: 4, blur: 8, color: '#00000088' },
        },
        {
          id: 'number',
          type: 'text',
          x: 0,
          y: 0,
          width: 120,
          height: 80,
          text: '{{seconds}}',
          fontSize: 56,
          fontWeight: 800,
          align: 'center',
          verticalAlign: 'middle',
          fill: '#2a1244',
        },
      ],
    },
  ],
});

const counting: JobFrame[] = ['59', '58', '58', '57'].map((seconds) => ({
  delayMs: 1000,
  values: { seconds },
}));

async function draw(
  format: RenderJob['format'],
  frames: JobFrame[],
  scale: RenderJob['scale'] = 1,
): Promise<Uint8Array> {
  const animation = { frames, plays: 1 };
  const { bytes } = await renderTemplate(banner, { images, format, scale, animation });
  return bytes;
}

/** The still of a frame, RGBA. */
async function still(frame: JobFrame, scale: RenderJob['scale'] = 1): Promise<Buffer> {
  const values = { ...frame.values };
  const { bytes } = await renderTemplate(banner, { images, values, format: 'png', scale });
  return sharp(bytes).ensureAlpha().raw().toBuffer();
}

t.test('every frame of an animated PNG is its still, pixel for pixel', async (t) => {
  for (const scale of [1, 2] as const) {
    const frames = [...counting, { delayMs: 500, values: { seconds: '1', title: 'Last one' } }];
    const { shown, delaysMs, plays } = await readApng(await draw('png', frames, scale));
    t.same(delaysMs, [1000, 2000, 1000, 500], 'equal frames in a row are one');
    t.equal(plays, 1);
    for (const [index, at] of [0, 1, 3, 4].entries()) {
      const frame = frames[at];
      if (frame === undefined) return t.fail('no frame');
      t.ok(shown[index]?.equals(await still(frame, scale)), `scale ${scale}, frame ${index}`);
    }
  }
  return t.end();
});

t.test('every frame of a GIF and a WebP looks like its still', async (t) => {
  for (const [format, most] of [
    ['gif', 3],
    ['webp', 3],
  ] as const) {
    const file = await draw(format, counting);
    const { pages, delay, loop } = await sharp(file, { animated: true }).metadata();
    t.equal(pages, 3, format);
    t.same(delay, [1000, 2000, 1000]);
    t.equal(loop, 1, 'it plays once');
    const shown = await sharp(file, { animated: true }).ensureAlpha().raw().toBuffer();
    for (const [index, at] of [0, 1, 3].entries()) {
      const wanted = await still(counting[at] ?? { delayMs: 0 });
      const page = shown.subarray(index * wanted.length, (index + 1) * wanted.length);
      const difference = meanDifference(page, wanted);
      t.ok(difference < most, `${format}, frame ${index}: ΔE ${difference.toFixed(2)}`);
    }
  }
});

t.test('the first frame alone is the image of a reader that shows no other', async (t) => {
  const first = await sharp(await draw('png', counting))
    .ensureAlpha()
    .raw()
    .toBuffer();
  t.ok(first.equals(await still(counting[0] ?? { delayMs: 0 })));
});

t.test('a first frame without anything that moves warns', async (t) => {
  const warningsOf = async (animation: object): Promise<string[]> => {
    const text = { type: 'text', x: 0, y: 0, width: 90, height: 20, fontSize: 12 };
    const template = validTemplate({
      format: 1,
      name: 'Moves',
      width: 100,
      height: 40,
      background: '#ffffff',
      animation,
      variables: [
        { name: 'a', type: 'text', value: 'A' },
        { name: 'b', type: 'text', value: '' },
      ],
      layers: [
        { id: 'a', ...text, text: '{{a}}' },
        { id: 'b', ...text, y: 20, text: '{{b}}' },
      ],
    });
    const sequence = sequenceOf(template, undefined);
    const { warnings } = await renderTemplate(template, {
      format: 'gif',
      ...(sequence === undefined ? {} : { animation: sequence }),
    });
    return warnings.map(({ code, layer }) => `${code} ${layer}`);
  };
  const motion = (property: string, from: number, to: number): object => ({
    type: 'motion',
    seconds: 1,
    framesPerSecond: 4,
    tracks: [{ layer: 'a', property, from, to }],
  });
  const empty = ['FIRST_FRAME_EMPTY a'];
  t.same(await warningsOf(motion('opacity', 0, 1)), empty, 'it fades in');
  t.same(await warningsOf(motion('typed', 0, 1)), empty, 'it is typed');
  t.same(await warningsOf(motion('x', -200, 0)), empty, 'it comes from outside');
  t.same(await warningsOf(motion('opacity', 1, 0)), [], 'it fades out');
  t.same(await warningsOf(motion('y', 5, 0)), [], 'it moves');
  const frames = [
    { values: {}, seconds: 1 },
    { values: { a: '', b: 'B' }, seconds: 1 },
  ];
  t.same(await warningsOf({ type: 'values', frames }), [], 'two layers take turns');
});

t.test('an animation that changes too many pixels is refused before it is painted', async (t) => {
  const template = validTemplate({
    format: 1,
    name: 'Flashes',
    width: 1200,
    height: 630,
    background: '{{ground}}',
    variables: [{ name: 'ground', type: 'color', value: '#000000' }],
    layers: [],
  });
  const frames = Array.from({ length: 120 }, (_, index) => ({
    delayMs: 100,
    values: { ground: index % 2 === 0 ? '#ffffff' : '#000000' },
  }));
  await t.rejects(renderTemplate(template, { format: 'gif', animation: { frames, plays: 1 } }), {
    name: 'TooExpensiveError',
    message: /changes \d+ megapixels in its 120 frames, at most 24/,
  });
});

/** Frames of words: RGBA, red lowest. */
function framesOf(widthPx: number, heightPx: number, drawn: Uint32Array[]): Animation {
  const region = { x: 0, y: 0, width: widthPx, height: heightPx };
  const frames: Frame[] = drawn.map((words) => ({
    region,
    pixels: { data: new Uint8Array(words.buffer), widthPx, heightPx },
    delayMs: 40,
  }));
  return { widthPx, heightPx, frames, plays: 0 };
}

async function decodeGif(file: Uint8Array): Promise<Uint32Array> {
  const data = await sharp(file, { animated: true }).ensureAlpha().raw().toBuffer();
  return new Uint32Array(new Uint8Array(data).buffer);
}

t.test('a GIF of at most 255 colours is exact', async (t) => {
  for (const colors of [1, 2, 3, 16, 17, 254, 255]) {
    const words = Uint32Array.from(
      { length: 64 * 64 },
      (_, index) => (0xff_00_00_00 | (((index * 7919) % colors) * 65_793)) >>> 0,
    );
    const file = encodeGif(framesOf(64, 64, [words, words.toReversed()]));
    const decoded = await decodeGif(file);
    t.same(decoded.subarray(0, words.length), words, `${colors} colours`);
    t.same(decoded.subarray(words.length), words.toReversed(), `${colors} colours, second frame`);
  }
});

t.test('transparent pixels of a GIF stay transparent in each frame', async (t) => {
  const clear = new Uint32Array(32 * 32);
  const left = clear.map((_, index) => (index % 32 < 16 ? 0xff_00_00_ff : 0));
  const right = clear.map((_, index) => (index % 32 < 16 ? 0 : 0xff_ff_00_00));
  const decoded = await decodeGif(encodeGif(framesOf(32, 32, [left, right])));
  t.same(decoded.subarray(0, left.length), left);
  t.same(decoded.subarray(left.length), right);
});

t.test('what does not move stays in each frame of a transparent GIF', async (t) => {
  const clear = new Uint32Array(32 * 32);
  const left = clear.map((_, index) => (index % 32 < 16 ? 0xff_00_00_ff : 0));
  const animation = framesOf(32, 32, [left]);
  const dot = new Uint32Array(4 * 4).fill(0xff_ff_00_00);
  animation.frames.push({
    region: { x: 20, y: 8, width: 4, height: 4 },
    pixels: { data: new Uint8Array(dot.buffer), widthPx: 4, heightPx: 4 },
    delayMs: 40,
  });
  const decoded = await decodeGif(encodeGif(animation));
  const second = decoded.subarray(left.length);
  t.equal(second[10 * 32 + 3], 0xff_00_00_ff, 'the part that stands still');
  t.equal(second[10 * 32 + 21], 0xff_ff_00_00, 'the part that is new');
  t.equal(second[30], 0, 'the ground');
});

t.test('as many frames as a link may ask for are within the time of the sample', async (t) => {
  const document = JSON.parse(
    readFileSync(join(repository, 'data/templates/countdown-banner.json'), 'utf8'),
  ) as { layers: { type: string; src?: string }[] };
  for (const layer of document.layers) if (layer.type === 'image') layer.src = photo;
  const template = validTemplate(document);
  const timeMs = Date.parse('2026-11-25T15:30:50Z');
  const animation = sequenceOf(template, timeMs, 120);
  const { bytes } = await renderTemplate(template, {
    images,
    format: 'gif',
    timeMs,
    values: { deadline: '2027-12-31' },
    ...(animation === undefined ? {} : { animation }),
  });
  t.equal((await sharp(bytes, { animated: true }).metadata()).pages, 120);
});
