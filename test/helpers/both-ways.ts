/** Draws one job whole and over a base render, for tests of the law that both are the same image. */
import { randomUUID } from 'node:crypto';
import type { Test } from 'tap';
import type { RenderJob, SourceImage } from '#wire/render-job.ts';
import type { Template } from '#language/schema/template.ts';

// The fonts must be there before the worker's modules load the paint engine, hence the late imports.
const { decodePixels, valuesOf, withDrawings } = await import('./render.ts');
const { layoutScene } = await import('../../workers/layout/layout.ts');
const { filesOf } = await import('../../workers/decode-sources.ts');
const { bindScene } = await import('../../workers/bind-scene.ts');
const { renderFromScratch, renderOverBases } = await import('../../workers/render.ts');
const { mayUseBaseRender } = await import('../../workers/incremental/make-base-render.ts');

/** One image's values and files; defaults stand in for values that are not given. */
export interface ImageInput {
  values: Record<string, string>;
  images: Record<string, SourceImage>;
  lang?: string | undefined;
  timeMs?: number | undefined;
}

type Settings = Pick<RenderJob, 'format' | 'scale'> & Partial<Pick<RenderJob, 'quality'>>;

function draw(how: 'whole' | 'plan', job: RenderJob): Promise<Uint8Array | undefined> {
  const template = JSON.parse(job.templateJson) as Template;
  return withDrawings(job, async (each) => {
    const files = filesOf(each);
    const { displayList } = layoutScene(
      bindScene(template, each.values, undefined, each),
      files.images,
    );
    const laidOut = { job: each, list: displayList, files };
    if (how === 'whole') return (await renderFromScratch(laidOut, [])).bytes;
    if (!mayUseBaseRender(laidOut, 0)) return undefined;
    const { image } = await renderOverBases(laidOut);
    return image?.bytes;
  });
}

/** An image drawn whole, and over a base render; `spliced` is undefined where so much differs that no base render is drawn over. */
export interface BothWays {
  whole: Uint8Array | undefined;
  spliced: Uint8Array | undefined;
}

/** The images of `inputs`, each drawn whole and, one after the other, over the one base render that the jobs of `before` have made. */
export async function drawInTurn(
  template: Template,
  before: ImageInput,
  inputs: readonly ImageInput[],
  settings: Settings,
): Promise<BothWays[]> {
  const templateKey = randomUUID();
  const templateJson = JSON.stringify(template);
  const toJob = ({ values, images, lang, timeMs }: ImageInput): RenderJob => ({
    ...(lang === undefined ? {} : { lang }),
    ...(timeMs === undefined ? {} : { timeMs }),
    templateKey,
    templateJson,
    values: valuesOf(template, values),
    images: Object.entries(images),
    quality: 85,
    ...settings,
  });
  // Made in any case: the many base renders of a test before would leave no memory: the general one, then the one of these values.
  for (let count = 0; count < 2; count += 1) {
    await draw('plan', { ...toJob(before), makesBaseRender: true });
  }
  const drawn: BothWays[] = [];
  for (const input of inputs) {
    const job = toJob(input);
    drawn.push({ whole: await draw('whole', job), spliced: await draw('plan', job) });
  }
  return drawn;
}

/** The first differing byte of two images' decoded pixels, or -1. */
async function firstDifference(a: Uint8Array, b: Uint8Array): Promise<number> {
  const [{ data: before }, { data: after }] = [await decodePixels(a), await decodePixels(b)];
  return before.equals(after) ? -1 : before.findIndex((byte, index) => byte !== after[index]);
}

/** Claims that what was drawn over a base render is the image drawn whole; returns how many were. */
export async function requireSame(
  t: Test,
  drawn: readonly BothWays[],
  title: string,
): Promise<number> {
  let compared = 0;
  for (const [index, { whole, spliced }] of drawn.entries()) {
    if (whole === undefined || spliced === undefined) continue;
    compared += 1;
    t.equal(await firstDifference(whole, spliced), -1, `${title}, image ${index}`);
  }
  return compared;
}
