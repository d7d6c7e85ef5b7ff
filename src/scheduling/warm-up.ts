/**
 * Starts the render hosts, with their fonts and their first jobs. This is the longest part of a start, so it comes
 * first.
 */
import { Deadline } from '../foundation/deadline.ts';
import type { Log } from '../foundation/log.ts';
import { prepareFontEnvironment } from './font-environment.ts';
import { RenderPool } from './pool.ts';
import type { RenderPoolOptions } from './pool.ts';
import type { RenderFormat, RenderJob, SourceImage } from '#wire/render-job.ts';
import type { Template } from '#language/schema/template.ts';

/** Hosts that load their code and fonts while the rest of the service starts. */
export interface StartedPool {
  pool: RenderPool;
  /** The fonts' configuration, for processes that do not inherit the environment. */
  fontConfigFile: string;
  /** Resolves when each thread has rendered; rejects if a render fails or takes 30 s. */
  ready: Promise<void>;
}

/** The sections of the configuration about rendering. */
export interface RenderPoolConfig {
  templates: { dataDirectory: string };
  render: Pick<RenderPoolOptions, 'threadCount' | 'queueMax'>;
  images: Required<Pick<RenderPoolOptions, 'decodesBytesMax'>>;
  cache: NonNullable<RenderPoolOptions['caches']>;
}

/** Time limit for the first render of each thread: a cold start on a busy machine takes two seconds. */
const warmUpTimeoutMs = 30_000;

/**
 * Prepares the fonts in the data directory, which is created if missing, and starts the hosts. The caller closes
 * the pool.
 */
export async function startRenderPool(config: RenderPoolConfig, log: Log): Promise<StartedPool> {
  const fontConfigFile = await prepareFontEnvironment(config.templates.dataDirectory);
  const { threadCount, queueMax } = config.render;
  const pool = new RenderPool({
    threadCount,
    caches: config.cache,
    queueMax,
    decodesBytesMax: config.images.decodesBytesMax,
    fontConfigFile,
    log,
  });
  const ready = pool.warmUp(warmUpJob, new Deadline(performance.now() + warmUpTimeoutMs));
  // The caller handles a rejection; until it awaits this promise, the rejection must not count as unhandled.
  ready.catch(() => undefined);
  return { pool, fontConfigFile, ready };
}

// The jobs that threads run before the first request: code on its first run takes up to ten times as long.

const smallTemplate: Template = {
  format: 1,
  name: 'warm-up',
  width: 64,
  height: 32,
  background: '#ffffff',
  variables: [],
  layers: [
    { id: 'text', type: 'text', x: 0, y: 0, width: 64, height: 32, text: 'Warm up', fontSize: 12 },
  ],
};

/** The first job of each thread, which is ready after it: small, but with every stage. */
export const warmUpJob: RenderJob = {
  templateKey: 'warm-up',
  templateJson: JSON.stringify(smallTemplate),
  values: new Map(),
  images: [],
  format: 'jpeg',
  quality: 85,
  scale: 1,
};

/**
 * The families and weights that at least 9 of the 61 samples and starts use. A typeface takes some 10 ms to draw its
 * first glyphs.
 */
const faces = [
  { fontFamily: 'Inter', fontWeight: 400 },
  { fontFamily: 'Inter', fontWeight: 500 },
  { fontFamily: 'Inter', fontWeight: 600 },
  { fontFamily: 'Inter', fontWeight: 700 },
  { fontFamily: 'Fraunces', fontWeight: 600 },
  { fontFamily: 'Playfair Display', fontWeight: 700 },
  { fontFamily: 'Space Grotesk', fontWeight: 700 },
  { fontFamily: 'Space Mono', fontWeight: 700 },
];

/** A photograph of 16 × 16 pixels. */
const photo = {
  source: 'https://warm-up.invalid/photo.jpg',
  digest: 'warm-up-photo',
  format: 'jpeg' as const,
  widthPx: 16,
  heightPx: 16,
  orientation: 1,
  file: '/9j/2wBDACgcHiMeGSgjISMtKygwPGRBPDc3PHtYXUlkkYCZlo+AjIqgtObDoKrarYqMyP/L2u71////m8H////6/+b9//j/2wBDASstLTw1PHZBQXb4pYyl+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj/wAARCAAQABADASIAAhEBAxEB/8QAFgABAQEAAAAAAAAAAAAAAAAAAgAB/8QAHxAAAgEEAgMAAAAAAAAAAAAAAQIDABEx0RJiUYGx/8QAFAEBAAAAAAAAAAAAAAAAAAAAAP/EABQRAQAAAAAAAAAAAAAAAAAAAAD/2gAMAwEAAhEDEQA/ADGMCGH2+hWMVawklMvVMaqYq1hJKZeqY1SHMKCFSFfJN/tB/9k=',
};

/** Texts, a photograph, codes and shapes with clips, shadows, dashes and overlaps. */
const mixedTemplate: Template = {
  format: 1,
  name: 'warm-up-mixed',
  width: 600,
  height: 320,
  background: '#ffffff',
  variables: [
    { name: 'name', type: 'text', value: 'Alex' },
    // Validating a value loads the validator.
    { name: 'color', type: 'color', value: '#ff8800' },
    { name: 'photo', type: 'image', value: photo.source },
  ],
  layers: [
    {
      id: 'group',
      type: 'group',
      x: 10,
      y: 10,
      width: 580,
      height: 300,
      cornerRadius: 20,
      layers: [
        {
          id: 'rect',
          type: 'rect',
          x: 0,
          y: 0,
          width: 400,
          height: 300,
          fill: {
            gradient: 'linear',
            angle: 90,
            stops: [
              { offset: 0, color: '#12061f' },
              { offset: 1, color: '#12061f26' },
            ],
          },
        },
        {
          id: 'photo',
          type: 'image',
          x: 300,
          y: 200,
          width: 80,
          height: 80,
          src: '{{photo}}',
          cornerRadius: 40,
          shadow: { y: 4, blur: 12, color: '#00000059' },
        },
        { id: 'ellipse', type: 'ellipse', x: 390, y: 40, width: 30, height: 30, fill: '{{color}}' },
        {
          id: 'line',
          type: 'line',
          x: 400,
          y: 20,
          width: 0,
          height: 260,
          stroke: { color: '#00000055', width: 3, dash: [2, 12], cap: 'round' },
        },
        { id: 'qr', type: 'qr', x: 430, y: 20, width: 130, height: 130, value: '{{name}}' },
        ...faces.map((face, index) => ({
          ...face,
          id: `text-${index}`,
          type: 'text' as const,
          x: 20,
          y: 16 + 35 * index,
          width: 300,
          height: 34,
          text: index === 0 ? 'For {{name}}' : 'First in line',
          fontSize: 24,
          letterSpacing: index,
          overflow: 'shrink' as const,
          minSize: 10,
          maxLines: 2,
        })),
      ],
    },
  ],
};

const mixedJson = JSON.stringify(mixedTemplate);

function photoImage(): SourceImage {
  const { digest, format, widthPx, heightPx, orientation, file } = photo;
  const bytes = new Uint8Array(Buffer.from(file, 'base64'));
  return { digest, format, widthPx, heightPx, orientation, bytes };
}

/** Returns a job with the most common features of templates. Its base render is made, and not kept. */
export function mixedJob(format: RenderFormat, name: string): RenderJob {
  return {
    templateKey: 'warm-up-mixed',
    templateJson: mixedJson,
    values: new Map([
      ['name', name],
      ['color', '#ff8800'],
      ['photo', photo.source],
    ]),
    images: [[photo.source, photoImage()]],
    format,
    quality: 85,
    scale: 1,
    makesBaseRender: 'unkept',
  };
}

/**
 * Makes each of the `threadCount` threads render the most common features, in both formats that have base renders,
 * unless jobs of clients wait. Rejects as `RenderPool.run` does.
 */
export async function warmUp(
  pool: Pick<RenderPool, 'run' | 'queueLength'>,
  threadCount: number,
  deadline: Deadline,
): Promise<void> {
  for (const format of ['png', 'jpeg'] as const) {
    if (pool.queueLength > 0) return;
    const job = mixedJob(format, 'reader');
    await Promise.all(Array.from({ length: threadCount }, () => pool.run(job, deadline)));
  }
}
