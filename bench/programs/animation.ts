/** 60 frames of `countdown-banner` as GIF: `animation.ts <platen | libvips> <width> <warm-up> <rounds>`; libvips encodes painted frames. */
import { join } from 'node:path';
import sharp from 'sharp';
import type { RenderJob } from '#wire/render-job.ts';
import { framesOf } from '#language/animation/frames.ts';
import type { Template } from '#language/schema/template.ts';
import { prepareFontEnvironment } from '../../src/scheduling/font-environment.ts';
import { animationFrames, printAnimationCost } from '../harness/animation-rounds.ts';
import { readSample, toJob, toJobDocument } from '../harness/sample-job.ts';
import { shortWordOf } from '../harness/values.ts';

const repository = join(import.meta.dirname, '../..');
await prepareFontEnvironment(join(repository, 'node_modules/.cache/platen-bench'));
const { renderJob } = await import('../../workers/render.ts');

const [side, ...numbers] = process.argv.slice(2);
const [widthPx = 1200, warmUp = 0, rounds = 1] = numbers.map(Number);
const sample = readSample('countdown-banner');

const lengths = new Set(
  'x y width height cornerRadius blur fontSize minSize letterSpacing'.split(' '),
);

/** The template with all lengths multiplied. */
function scaleTemplate(template: Template, factor: number): Template {
  return JSON.parse(JSON.stringify(template), (name, value: unknown) =>
    lengths.has(name) && typeof value === 'number' ? value * factor : value,
  ) as Template;
}

const document = toJobDocument(scaleTemplate(sample.template, widthPx / 1200), sample.images);
const deadline = '2030-02-03T18:00';
const startMs = Date.UTC(2030, 1, 1, 9, 30);

/** A job with a headline and a time that no other number has. */
function jobOf(number: number, format: RenderJob['format']): RenderJob {
  const headline = `The ${shortWordOf(number)} sale ends soon`;
  const timeMs = startMs + number * 61_000;
  return { ...toJob(document, { headline, deadline }, format), timeMs };
}

async function drawGif(number: number): Promise<Uint8Array> {
  const job = jobOf(number, 'gif');
  const animation = framesOf(document.template, job.timeMs, animationFrames);
  if (animation === undefined) throw new Error('The sample does not count.');
  return (await renderJob({ ...job, animation })).bytes;
}

/** All frames, one below the other, RGBA. */
async function paintFrames(): Promise<Buffer> {
  const { timeMs = startMs, ...job } = jobOf(0, 'png');
  const pages: Buffer[] = [];
  for (let second = 0; second < animationFrames; second += 1) {
    const { bytes } = await renderJob({ ...job, timeMs: timeMs + second * 1000 });
    pages.push(await sharp(bytes).ensureAlpha().raw().toBuffer());
  }
  return Buffer.concat(pages);
}

async function createLibvips(): Promise<() => Promise<Uint8Array>> {
  const pages = await paintFrames();
  const pageHeight = widthPx / 3;
  const raw = { width: widthPx, height: pageHeight * animationFrames, channels: 4, pageHeight };
  const delay = Array<number>(animationFrames).fill(1000);
  return () =>
    sharp(pages, { raw: { ...raw, channels: 4 } })
      .gif({ delay, loop: 1, effort: 1 })
      .toBuffer();
}

const make = side === 'libvips' ? await createLibvips() : drawGif;
await printAnimationCost(make, { warmUp, rounds, widthPx });
