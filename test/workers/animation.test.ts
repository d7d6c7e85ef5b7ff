/** Frames of an animation equal the stills of the same values: exactly in a PNG, within the palette in a GIF. */
import sharp from 'sharp';
import type { Metadata } from 'sharp';
import t from 'tap';
import { framesOf as sequenceOf } from '#language/animation/frames.ts';
import type { JobFrame, RenderJob } from '#wire/render-job.ts';
import { aLayer, aTemplate, aVariable } from '../fixtures/template-documents.ts';
import { readApng } from '../helpers/apng-reader.ts';
import { meanDifference } from '../helpers/color-difference.ts';
import { decodePixels, readImage, renderTemplate, validTemplate } from '../helpers/render.ts';
import { readSample } from '../../bench/harness/sample-job.ts';

const photo = `asset:${'a'.repeat(64)}`;
const images = { [photo]: await readImage('data/templates/pictures/fabric.jpg') };
const number = { text: '{{seconds}}', fontSize: 56, fontWeight: 800, fill: '#2a1244' };
const middle = { align: 'center', verticalAlign: 'middle' };
const shadow = { y: 4, blur: 8, color: '#00000088' };
const side = { width: 120, height: 80 };
const card = [
  aLayer('rect', { id: 'ground', ...side, cornerRadius: 12, fill: '#ffffffee', shadow }),
  aLayer('text', { id: 'number', ...side, ...number, ...middle }),
];
const title = { text: '{{title}}', fill: '#ffffff', fontSize: 24 };
const banner = validTemplate(
  aTemplate({
    width: 301,
    height: 121,
    variables: [aVariable('seconds', 'text', '59'), aVariable('title', 'text', 'Ends soon')],
    layers: [
      aLayer('image', { id: 'photo', width: 301, height: 121, src: photo }),
      aLayer('text', { id: 'title', x: 10, y: 10, width: 140, height: 40, ...title }),
      aLayer('group', { id: 'card', x: 161, y: 21, ...side, layers: card }),
    ],
  }),
);

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
async function still(frame?: JobFrame, scale: RenderJob['scale'] = 1): Promise<Buffer> {
  const values = { ...frame?.values };
  const { bytes } = await renderTemplate(banner, { images, values, scale });
  return (await decodePixels(bytes)).data;
}

t.test('every frame of an animated PNG is its still, pixel for pixel', async (t) => {
  for (const scale of [1, 2] as const) {
    const frames = [...counting, { delayMs: 500, values: { seconds: '1', title: 'Last one' } }];
    const file = await draw('png', frames, scale);
    const { shown, delaysMs, plays } = await readApng(file);
    t.same(delaysMs, [1000, 2000, 1000, 500], 'equal frames in a row are one');
    t.equal(plays, 1);
    for (const [index, at] of [0, 1, 3, 4].entries()) {
      const image = await still(frames[at], scale);
      t.ok(shown[index]?.equals(image), `scale ${scale}, frame ${index}`);
    }
    const first = (await decodePixels(file)).data;
    t.ok(first.equals(await still(frames[0], scale)), 'for readers that show no other');
  }
});

t.test('every frame of a GIF and a WebP looks like its still', async (t) => {
  for (const format of ['gif', 'webp'] as const) {
    const file = await draw(format, counting);
    const { pages, delay, loop } = await sharp(file, { animated: true }).metadata();
    t.equal(pages, 3, format);
    t.same(delay, [1000, 2000, 1000]);
    t.equal(loop, 1, 'it plays once');
    const { data: shown } = await decodePixels(file);
    for (const [index, at] of [0, 1, 3].entries()) {
      const wanted = await still(counting[at]);
      const page = shown.subarray(index * wanted.length, (index + 1) * wanted.length);
      const difference = meanDifference(page, wanted);
      t.ok(difference < 3, `${format}, frame ${index}: ΔE ${difference.toFixed(2)}`);
    }
  }
});

t.test('a first frame without anything that moves warns', async (t) => {
  const warningsOf = async (animation: object): Promise<string[]> => {
    const text = { width: 90, height: 20, fontSize: 12 };
    const template = validTemplate(
      aTemplate({
        width: 100,
        height: 40,
        animation,
        variables: [aVariable('a', 'text', 'A'), aVariable('b', 'text', '')],
        layers: [
          aLayer('text', { ...text, text: '{{a}}' }),
          aLayer('text', { ...text, id: 'b', y: 20, text: '{{b}}' }),
        ],
      }),
    );
    const sequence = sequenceOf(template, undefined);
    const job = { format: 'gif', ...(sequence && { animation: sequence }) } as const;
    const { warnings } = await renderTemplate(template, job);
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
  const variables = [aVariable('ground', 'color', '#000000')];
  const template = validTemplate(
    aTemplate({ width: 1200, height: 630, background: '{{ground}}', variables, layers: [] }),
  );
  const frames = Array.from({ length: 120 }, (_, index) => ({
    delayMs: 100,
    values: { ground: index % 2 === 0 ? '#ffffff' : '#000000' },
  }));
  await t.rejects(renderTemplate(template, { format: 'gif', animation: { frames, plays: 1 } }), {
    name: 'TooExpensiveError',
    message: /changes \d+ megapixels in its 120 frames, at most 24/,
  });
});

t.test('a countdown or a motion that changes too many pixels has fewer frames', async (t) => {
  const size = { width: 1200, height: 1000 };
  const framesOf = async (template: object): Promise<Metadata> => {
    const document = validTemplate(aTemplate({ ...size, background: '#ffffff', ...template }));
    const animation = sequenceOf(document, 0) ?? { frames: [], plays: 1 };
    const job = { format: 'gif', timeMs: 0, animation } as const;
    await t.rejects(
      renderTemplate(document, { ...job, animation: { ...animation, needsAll: true } }),
      { message: /changes \d+ megapixels in its \d+ frames, at most 24/ },
      'publishing needs all',
    );
    const { bytes, warnings } = await renderTemplate(document, job);
    t.match(warnings, [
      { code: 'FRAMES_LEFT_OUT', detail: /has \d+ of \d+ frames, .* changes \d+ megapixels/ },
    ]);
    return sharp(bytes, { animated: true }).metadata();
  };
  const even = Array.from({ length: 30 }, (_, index) => String(2 * index));
  const isEven = { variable: 'countdown.seconds', oneOf: even };
  const seconds = await framesOf({
    clock: { until: '1970-01-01T00:00:59Z' },
    layers: [
      aLayer('rect', { ...size, fill: '#ffffff', visibleWhen: isEven }),
      aLayer('text', { id: 'seconds', width: 40, height: 20, text: '{{countdown.seconds}}' }),
    ],
  });
  t.equal(seconds.pages, 21, 'the first seconds');
  const tracks = [{ layer: 'a', property: 'x', from: 0, to: 10 }];
  const moving = await framesOf({
    animation: { type: 'motion', seconds: 5, tracks },
    layers: [aLayer('rect', { ...size, fill: '#000000' })],
  });
  t.equal(moving.pages, 21);
  const shownMs = moving.delay?.reduce((sum, each) => sum + each);
  t.equal(shownMs, 5000, 'as long as designed');
});

t.test('as many frames as a link may ask for are within the time of the sample', async (t) => {
  const { template, images: sampleImages } = readSample('countdown-banner');
  const timeMs = Date.parse('2026-11-25T15:30:50Z');
  const animation = sequenceOf(template, timeMs, 120);
  const { bytes } = await renderTemplate(template, {
    images: Object.fromEntries(sampleImages),
    format: 'gif',
    timeMs,
    values: { deadline: '2027-12-31' },
    ...(animation && { animation }),
  });
  t.equal((await sharp(bytes, { animated: true }).metadata()).pages, 120);
});
