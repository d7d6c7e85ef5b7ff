/** The code of a service's thread, alone in a process: jobs as the service makes them, rendered by `renderJob`. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RenderJob, SourceImage } from '#wire/render-job.ts';
import type { Template } from '#language/schema/template.ts';
import { prepareFontEnvironment } from '../../src/scheduling/font-environment.ts';
import { loadSourceImage } from '../harness/source-image.ts';
import { servePainter } from '../harness/painter-program.ts';
import type { Order } from '../harness/painter-program.ts';
import type { PainterOptions } from '../harness/painter.ts';
import { changedText, nameOf } from '../harness/values.ts';

const repository = join(import.meta.dirname, '../..');
await prepareFontEnvironment(join(repository, 'node_modules/.cache/platen-bench'));
const { renderJob } = await import('../../workers/render.ts');
const { layoutScene } = await import('../../workers/layout/layout.ts');
const { filesOf, decodeSources } = await import('../../workers/decode-sources.ts');
const { bindScene } = await import('../../workers/bind-scene.ts');

/** Photos of a banner's size that a render process keeps decoded: 10 fit into its 32 MB. */
const decodedPhotosMax = 8;

const options: PainterOptions = JSON.parse(process.argv[2] ?? '{}');
const samples = join(repository, 'data/templates');
const images = new Map<string, SourceImage>();

// A published document names its images by their digest.
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
const { linksAPhoto = 1 } = options;

servePainter({
  async draw({ number, format }) {
    const { bytes, drawn } = await renderJob(toJob(number, format));
    // Two images for the check come first, of which the second makes the template's base render.
    if (number > 2 && drawn !== expectedDrawn(number)) {
      throw new Error(`CanvasImage ${number} was drawn by the other way: ${drawn}.`);
    }
    return bytes;
  },
  ...(options.keepsPhotos ? { prepare: decodePhoto, preparedMax: decodedPhotosMax } : {}),
});

/** A new photo changes the whole image; with the photo of an earlier link, only the text changes. */
function expectedDrawn(number: number): 'whole' | 'plan' {
  return photos.length > 0 && number % linksAPhoto === 0 ? 'whole' : 'plan';
}

/** Adds the job's photo to the decoded images of the thread, as an earlier image with it would have. */
async function decodePhoto({ number, format }: Order): Promise<void> {
  const job = toJob(number, format);
  const files = filesOf(job);
  // The text stays unknown until the clock runs.
  const known = new Map(job.values).set(textVariable, 'known');
  const { displayList } = layoutScene(bindScene(template, known), files.images);
  await decodeSources(displayList, files, job.scale, []);
}

function toJob(number: number, format: RenderJob['format']): RenderJob {
  const photoNumber = Math.floor(number / linksAPhoto);
  const photo = photos[photoNumber % photos.length];
  const source =
    photo === undefined ? imageVariable?.value : `https://photos.test/${photoNumber}.jpg`;
  const pairs = template.variables.map((variable): [string, string] => {
    if (variable.name === textVariable) return [variable.name, nameOf(number)];
    return [
      variable.name,
      variable === imageVariable && source !== undefined ? source : variable.value,
    ];
  });
  const values = new Map(pairs);
  // Base renders and caches know a photo by its digest: each address has another photo.
  const sourceImages: RenderJob['images'] =
    photo === undefined || source === undefined
      ? [...images]
      : [[source, { ...photo, digest: sha256(source) }]];
  const { quality = 85 } = template.output ?? {};
  return { templateKey, templateJson, values, images: sourceImages, format, quality, scale: 1 };
}

function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
