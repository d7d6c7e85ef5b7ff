/** What a thread of the service runs, alone in a process: jobs as the service makes them, drawn by the worker's own page. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RenderJob, SourceImage } from '#shared/render-job.ts';
import type { Template } from '#shared/template-schema.ts';
import { prepareFontEnvironment } from '../../src/render/font-environment.ts';
import { loadSourceImage } from '../harness/source-image.ts';
import { servePainter } from '../harness/painter-program.ts';
import type { PainterOptions } from '../harness/painter.ts';
import { changedText, nameOf } from '../harness/values.ts';

const repository = join(import.meta.dirname, '../..');
await prepareFontEnvironment(join(repository, 'node_modules/.cache/platen-bench'));
const { renderJob } = await import('../../workers/render.ts');
const { layoutScene } = await import('../../workers/layout/layout.ts');
const { drawWhole } = await import('../../workers/plan/draw.ts');
const { buildScene } = await import('../../workers/scene.ts');

const options: PainterOptions = JSON.parse(process.argv[2] ?? '{}');
const samples = join(repository, 'data/templates');
const images = new Map<string, SourceImage>();

// A published document names its pictures by their digest.
const templateJson = readFileSync(join(samples, `${options.template}.json`), 'utf8').replaceAll(
  /"(\.\/pictures\/[^"]+)"/g,
  (_, path: string) => {
    const image = loadSourceImage(join(samples, path));
    images.set(`asset:${image.digest}`, image);
    return JSON.stringify(`asset:${image.digest}`);
  },
);
const template: Template = JSON.parse(templateJson);
const templateKey = sha256(templateJson);
const imageVariable = template.variables.find(({ type }) => type === 'image');
const textVariable = changedText[options.template];
const photos = options.photos.map((path) => loadSourceImage(path));

servePainter(async ({ number, format }) => {
  const job = toJob(number, format);
  if (options.keepsPhotos) return drawPlain(job);
  const { bytes } = await renderJob(job);
  return bytes;
});

/** A photo that is known to a thread has a plan, so that nothing but the text would be drawn: here it is drawn whole. */
async function drawPlain(job: RenderJob): Promise<Uint8Array> {
  const files = new Map(job.images);
  const scene = buildScene(template, new Map(job.values));
  const { displayList, warnings } = layoutScene(scene, files);
  const { bytes } = await drawWhole(job, displayList, files, warnings);
  return bytes;
}

function toJob(number: number, format: RenderJob['format']): RenderJob {
  const photo = photos[number % photos.length];
  const source = photo === undefined ? imageVariable?.value : `https://photos.test/${number}.jpg`;
  const values = template.variables.map((variable): [string, string] => {
    if (variable.name === textVariable) return [variable.name, nameOf(number)];
    return [
      variable.name,
      variable === imageVariable && source !== undefined ? source : variable.value,
    ];
  });
  // Its digest is what caches know a photo by.
  const sourceImages =
    photo === undefined || source === undefined
      ? [...images]
      : [
          [source, options.keepsPhotos ? photo : { ...photo, digest: sha256(source) }] satisfies [
            string,
            SourceImage,
          ],
        ];
  const { quality = 85 } = template.output ?? {};
  return { templateKey, templateJson, values, images: sourceImages, format, quality, scale: 1 };
}

function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
