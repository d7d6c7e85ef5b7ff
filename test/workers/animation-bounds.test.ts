/** Animations that take too much time or memory are refused before they do. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import t from 'tap';
import { framesOf } from '#language/animation/frames.ts';
import type { Template } from '#language/schema/template.ts';
import { renderTemplate, repository, sourceImage, validTemplate } from '../helpers/render.ts';

/** Two frames in which a dot moves over the layers below it. */
function moving(layers: object[], seconds = 0.2): Template {
  const dot = { id: 'dot', type: 'rect', x: 0, y: 0, width: 4, height: 4, fill: '#ff0000' };
  return validTemplate({
    format: 1,
    name: 'Moves',
    width: 1150,
    height: 1150,
    variables: [{ name: 'frame', type: 'text', value: 'first' }],
    animation: {
      type: 'motion',
      seconds,
      framesPerSecond: 10,
      tracks: [{ layer: 'dot', property: 'x', from: 0, to: 30 }],
    },
    layers: [...layers, dot],
  });
}

function drawMoving(
  template: Template,
  options: Parameters<typeof renderTemplate>[1],
): ReturnType<typeof renderTemplate> {
  const animation = framesOf(template, 0);
  return renderTemplate(template, { ...options, ...(animation && { animation }) });
}

t.test(
  'an animation whose encode would end too late is refused, and the message says what to do',
  async (t) => {
    const noise = new Uint8Array(1150 * 1150 * 4);
    // Multiples of an odd number: neighbours differ at random.
    for (let at = 0; at < noise.length; at += 1)
      noise[at] = (Math.imul(at, 0x9e37_79b1) >>> 13) & 255;
    const raw = { width: 1150, height: 1150, channels: 4 } as const;
    const file = await sharp(noise, { raw }).png({ compressionLevel: 1 }).toBuffer();
    const source = `asset:${'b'.repeat(64)}`;
    const box = { x: 0, y: 0, width: 1150, height: 1150 };
    const template = moving([{ id: 'photo', type: 'image', ...box, src: source }]);
    for (const format of ['webp', 'png', 'gif'] as const) {
      const drawing = drawMoving(template, {
        images: { [source]: await sourceImage(file) },
        format,
        quality: 100,
        spentMs: 1500,
      });
      await t.rejects(drawing, { name: 'TooExpensiveError', message: /fewer frames \(_frames\)/ });
    }
  },
);

t.test('a later frame is bounded as a still', async (t) => {
  const box = { x: 0, y: 0, width: 1150, height: 1150 };
  let layers: object[] = [{ id: 'leaf', type: 'rect', ...box, fill: '#3366cc' }];
  for (let depth = 0; depth < 8; depth += 1) {
    layers = [{ id: `g${depth}`, type: 'group', ...box, opacity: 0.9, layers }];
  }
  const [outer] = layers;
  const template = moving([{ ...outer, visibleWhen: { variable: 'frame', equals: 'second' } }]);
  const frames = ['first', 'second'].map((frame) => ({ delayMs: 100, values: { frame } }));
  const drawing = renderTemplate(template, {
    format: 'png',
    scale: 3,
    animation: { frames, plays: 1, needsAll: true },
  });
  await t.rejects(drawing, {
    name: 'TooExpensiveError',
    message: /needs \d+ MB for the effects of a layer/,
    layer: 'g7',
  });
});

t.test('frames that change far corners hold the image between them', async (t) => {
  const corner = {
    id: 'corner',
    type: 'text',
    x: 1100,
    y: 1100,
    width: 50,
    height: 50,
    fontSize: 20,
  };
  const template = moving([{ ...corner, text: '{{frame}}' }]);
  const frames = Array.from({ length: 20 }, (_, index) => ({
    delayMs: 100,
    motionMs: index * 10,
    values: { frame: String(index) },
  }));
  const drawing = renderTemplate(template, {
    format: 'png',
    scale: 2,
    animation: { frames, plays: 1, needsAll: true },
  });
  await t.rejects(drawing, {
    name: 'TooExpensiveError',
    message: /needs \d+ MB for its frames/,
  });
});

const { background: gradient } = JSON.parse(
  readFileSync(join(repository, 'data/templates/quote.json'), 'utf8'),
) as { background: object };
const counting = {
  format: 1,
  name: 'Counts',
  width: 540,
  height: 540,
  background: gradient,
  variables: [],
  clock: { until: '2999-12-31' },
  layers: [
    {
      id: 'seconds',
      type: 'text',
      x: 50,
      y: 50,
      width: 200,
      height: 50,
      fontSize: 30,
      text: '{{countdown.seconds | pad}}',
    },
  ],
};

/** The frames that a file of twice the pixels has whose link asks for `count`. */
async function drawnFrames(template: Template, count: number, needsAll = false): Promise<number> {
  const { frames = [], plays = 1 } = framesOf(template, 0, count) ?? {};
  const animation = { frames, plays, needsAll };
  const job = { format: 'gif', scale: 2, timeMs: 0, animation } as const;
  const { bytes } = await renderTemplate(template, job);
  return (await sharp(bytes).metadata()).pages ?? 1;
}

t.test('frames over a gradient pay for the background once', async (t) => {
  t.equal(await drawnFrames(validTemplate(counting), 60), 60);
});

t.test(
  'asking for more frames never gives fewer, and what is published is what links draw',
  async (t) => {
    const track = { layer: 'seconds', property: 'x', from: 0, to: 250, easing: 'linear' };
    const animation = { type: 'motion', seconds: 8, framesPerSecond: 15, tracks: [track] };
    const [seconds] = counting.layers;
    const gliding = { ...counting, animation, layers: [{ ...seconds, text: '60' }] };
    for (const document of [counting, gliding]) {
      const template = validTemplate(document);
      // oxlint-disable-next-line no-await-in-loop -- one render at a time
      const most = await drawnFrames(template, 120);
      t.ok(most > 1 && most < 120, `${most} of 120 frames`);
      // oxlint-disable-next-line no-await-in-loop
      t.equal(await drawnFrames(template, most + 1), most, 'one more is too many');
      // oxlint-disable-next-line no-await-in-loop
      t.equal(await drawnFrames(template, most, true), most, 'as many are published');
      // oxlint-disable-next-line no-await-in-loop
      await t.rejects(drawnFrames(template, most + 1, true), { message: /at most 1400/ });
    }
  },
);
