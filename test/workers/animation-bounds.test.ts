/** Animations that take too much time or memory are refused before they do. */
import sharp from 'sharp';
import t from 'tap';
import { framesOf } from '#language/animation/frames.ts';
import type { Template } from '#language/schema/template.ts';
import { aLayer, aTemplate, aVariable } from '../fixtures/template-documents.ts';
import { renderTemplate, sourceImage, validTemplate } from '../helpers/render.ts';
import { readSample } from '../../bench/harness/sample-job.ts';

const side = { width: 1150, height: 1150 };

/** Two frames in which a dot moves over the layers below it. */
function moving(layers: object[]): Template {
  const track = { layer: 'dot', property: 'x', from: 0, to: 30 };
  return validTemplate(
    aTemplate({
      ...side,
      variables: [aVariable('frame', 'text', 'first')],
      animation: { type: 'motion', seconds: 0.2, framesPerSecond: 10, tracks: [track] },
      layers: [...layers, aLayer('rect', { id: 'dot', width: 4, height: 4, fill: '#ff0000' })],
    }),
  );
}

/** The two frames of values. */
const frames = ['first', 'second'].map((frame) => ({ delayMs: 100, values: { frame } }));

t.test('an animation that would end too late is refused with what to do', async (t) => {
  const noise = new Uint8Array(1150 * 1150 * 4);
  // Multiples of an odd number: neighbours differ at random.
  for (let at = 0; at < noise.length; at += 1)
    noise[at] = (Math.imul(at, 0x9e37_79b1) >>> 13) & 255;
  const raw = { ...side, channels: 4 } as const;
  const file = await sharp(noise, { raw }).png({ compressionLevel: 1 }).toBuffer();
  const source = `asset:${'b'.repeat(64)}`;
  const template = moving([aLayer('image', { id: 'photo', ...side, src: source })]);
  const images = { [source]: await sourceImage(file) };
  const animation = framesOf(template, 0);
  for (const format of ['webp', 'png', 'gif'] as const) {
    const job = { images, format, quality: 100, spentMs: 1500, ...(animation && { animation }) };
    const drawing = renderTemplate(template, job);
    await t.rejects(drawing, { name: 'TooSlowError', message: /fewer frames \(_frames\)/ });
  }
});

t.test('a later frame is bounded as a still', async (t) => {
  let layers: object[] = [aLayer('rect', { id: 'leaf', ...side, fill: '#3366cc' })];
  for (let depth = 0; depth < 8; depth += 1) {
    layers = [aLayer('group', { id: `g${depth}`, ...side, opacity: 0.9, layers })];
  }
  const [outer] = layers;
  const template = moving([{ ...outer, visibleWhen: { variable: 'frame', equals: 'second' } }]);
  const animation = { frames, plays: 1, needsAll: true };
  const drawing = renderTemplate(template, { scale: 3, animation });
  await t.rejects(drawing, {
    name: 'TooExpensiveError',
    message: /needs \d+ MB for the effects of a layer/,
    layer: 'g7',
  });
});

t.test('a later frame that lacks its image makes the file degraded', async (t) => {
  const visibleWhen = { variable: 'frame', equals: 'second' };
  const template = moving([aLayer('image', { src: `asset:${'c'.repeat(64)}`, visibleWhen })]);
  const job = { animation: { frames, plays: 1 } };
  t.match(await renderTemplate(template, job), { degraded: true });
});

t.test('frames that change far corners hold the image between them', async (t) => {
  const corner = { x: 1100, y: 1100, width: 50, height: 50, fontSize: 20, text: '{{frame}}' };
  const template = moving([aLayer('text', { id: 'corner', ...corner })]);
  const many = Array.from({ length: 20 }, (_, index) => ({
    delayMs: 100,
    motionMs: index * 10,
    values: { frame: String(index) },
  }));
  const animation = { frames: many, plays: 1, needsAll: true };
  const drawing = renderTemplate(template, { scale: 2, animation });
  await t.rejects(drawing, { name: 'TooExpensiveError', message: /needs \d+ MB for its frames/ });
});

const seconds = { id: 'seconds', x: 50, y: 50, width: 200, height: 50, fontSize: 30 };
const counting = aTemplate({
  width: 540,
  height: 540,
  background: readSample('quote').template.background,
  clock: { until: '2999-12-31' },
  layers: [aLayer('text', { ...seconds, text: '{{countdown.seconds | pad}}' })],
});

/** The frames that a file of twice the pixels has whose link asks for `count`. */
async function drawnFrames(template: Template, count: number, needsAll = false): Promise<number> {
  const sequence = framesOf(template, 0, count) ?? { frames: [], plays: 1 };
  const animation = { ...sequence, needsAll };
  const job = { format: 'gif', scale: 2, timeMs: 0, animation } as const;
  const { bytes } = await renderTemplate(template, job);
  return (await sharp(bytes).metadata()).pages ?? 1;
}

t.test('frames over a gradient pay for the background once', async (t) => {
  t.equal(await drawnFrames(validTemplate(counting), 60), 60);
});

t.test('more frames never give fewer, and what is published is what links draw', async (t) => {
  const track = { layer: 'seconds', property: 'x', from: 0, to: 250, easing: 'linear' };
  const animation = { type: 'motion', seconds: 8, framesPerSecond: 15, tracks: [track] };
  const gliding = {
    ...counting,
    animation,
    layers: [aLayer('text', { ...seconds, text: '60' })],
  };
  for (const document of [counting, gliding]) {
    const template = validTemplate(document);
    const most = await drawnFrames(template, 120);
    t.ok(most > 1 && most < 120, `${most} of 120 frames`);
    t.equal(await drawnFrames(template, most + 1), most, 'one more is too many');
    t.equal(await drawnFrames(template, most, true), most, 'as many are published');
    await t.rejects(drawnFrames(template, most + 1, true), { message: /at most 1400/ });
  }
});
