/** Frames of an animation equal the stills of the same values: exactly in a PNG, within the palette in a GIF. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import type { Metadata } from 'sharp';
import t from 'tap';
import { framesOf as sequenceOf } from '#language/animation/frames.ts';
import type { JobFrame, RenderJob } from '#wire/render-job.ts';
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

t.test('a countdown or a motion that changes too many pixels has fewer frames', async (t) => {
  const box = { x: 0, y: 0, width: 1200, height: 1000 } as const;
  const ground = { id: 'ground', type: 'rect', ...box, fill: '#ffffff' } as const;
  const framesOf = async (template: object): Promise<Metadata> => {
    const document = validTemplate({
      format: 1,
      name: 'Large',
      background: '#ffffff',
      variables: [],
      width: 1200,
      height: 1000,
      ...template,
    });
    const { frames = [], plays = 1 } = sequenceOf(document, 0) ?? {};
    const job = { format: 'gif', timeMs: 0 } as const;
    await t.rejects(
      renderTemplate(document, { ...job, animation: { frames, plays, needsAll: true } }),
      { message: /changes \d+ megapixels in its \d+ frames, at most 24/ },
      'publishing needs all',
    );
    const { bytes, warnings } = await renderTemplate(document, {
      ...job,
      animation: { frames, plays },
    });
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
      { ...ground, visibleWhen: isEven },
      { id: 'seconds', type: 'text', ...box, width: 40, height: 20, text: '{{countdown.seconds}}' },
    ],
  });
  t.equal(seconds.pages, 21, 'the first seconds');
  const moving = await framesOf({
    animation: {
      type: 'motion',
      seconds: 5,
      tracks: [{ layer: 'ground', property: 'x', from: 0, to: 10 }],
    },
    layers: [{ ...ground, fill: '#000000' }],
  });
  t.equal(moving.pages, 21);
  t.equal(
    moving.delay?.reduce((sum, each) => sum + each),
    5000,
    'as long as designed',
  );
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
  // The minute changes with the tenth frame.
  for (const page of [10, 119]) {
    const image = await renderTemplate(template, {
      images,
      format: 'png',
      timeMs: timeMs + page * 1000,
      values: { deadline: '2027-12-31' },
    });
    const [shown, wanted] = await Promise.all(
      [sharp(bytes, { page }), sharp(image.bytes)].map((each) =>
        each.ensureAlpha().raw().toBuffer(),
      ),
    );
    if (shown === undefined || wanted === undefined) return t.fail('no image');
    const difference = meanDifference(shown, wanted);
    t.ok(difference < 2, `frame ${page}: ΔE ${difference.toFixed(2)}`);
  }
  return t.end();
});
