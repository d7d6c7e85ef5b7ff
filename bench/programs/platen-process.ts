/** The code of a render host, alone in a process: jobs as the service makes them, rendered by `renderJob`. */
import { join } from 'node:path';
import type { RenderJob } from '#wire/render-job.ts';
import { prepareFontEnvironment } from '../../src/scheduling/font-environment.ts';
import { nameOf } from '../harness/names.ts';
import type { PlatenOptions } from '../harness/painter.ts';
import { servePainter } from '../harness/painter-program.ts';
import type { Order } from '../harness/painter-program.ts';
import { readSample, sha256, toJob } from '../harness/sample-job.ts';
import { loadSourceImage } from '../harness/source-image.ts';
import { changedText, shortWordOf } from '../harness/values.ts';

const repository = join(import.meta.dirname, '../..');
await prepareFontEnvironment(join(repository, 'node_modules/.cache/platen-bench'));
const { renderJob } = await import('../../workers/render.ts');

const options: PlatenOptions = JSON.parse(process.argv[2] ?? '{}');
const document = readSample(options.template);
const imageVariable = document.template.variables.find(({ type }) => type === 'image');
const photos = options.photos.map((path) => loadSourceImage(path));
const textOf = options.text === 'short word' ? shortWordOf : nameOf;
/** A new photo changes the whole image. */
const expectedDrawn = photos.length > 0 ? 'whole' : 'plan';

servePainter({
  async draw(order) {
    const { bytes, drawn } = await renderJob(jobOf(order));
    // The images of the check come first, of which the second makes the template's base render.
    if (order.number >= 1000 && drawn !== expectedDrawn) {
      throw new Error(`Image ${order.number} was drawn by the other way: ${drawn}.`);
    }
    return bytes;
  },
});

function jobOf({ number, format }: Order): RenderJob {
  const changed = { [changedText[options.template]]: textOf(number) };
  const photo = photos[number % photos.length];
  if (photo === undefined || imageVariable === undefined) return toJob(document, changed, format);
  // Base renders and caches know a photo by its digest: each address has another photo.
  const source = `https://photos.test/${number}.jpg`;
  const job = toJob(document, { ...changed, [imageVariable.name]: source }, format);
  return { ...job, images: [[source, { ...photo, digest: sha256(source) }]] };
}
