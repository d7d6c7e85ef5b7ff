/** Renders templates inside the test process with the worker's own modules, fonts and all. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import type {
  OrganizationFontFamily,
  RenderJob,
  RenderOutcome,
  SourceImage,
} from '#wire/render-job.ts';
import type { SvgDrawing } from '#wire/render-job.ts';
import { organizationFontPrefix, sourceFormats } from '#wire/render-job.ts';
import { documentInSize } from '#language/sizes.ts';
import { checkTemplate } from '#language/template.ts';
import type { Template } from '#language/schema/template.ts';
import { defaultText } from '#language/values/list-value.ts';
import { toSourceImage } from '../../src/images/admit-image.ts';
import { imageLoaderDefaults } from '../../src/images/config.ts';
import { SvgLayers } from '../../src/images/svg/layers.ts';
import { SvgPool } from '../../src/images/svg/pool.ts';
import { prepareFontEnvironment } from '../../src/scheduling/font-environment.ts';

export const repository = join(import.meta.dirname, '../..');

// Must run before the worker's modules load the paint engine, hence the late import below.
export const svgFontConfigFile = await prepareFontEnvironment(
  join(repository, 'node_modules/.cache/platen-test'),
);
const { renderJob } = await import('../../workers/render.ts');
const { DrawingsMissing } = await import('../../workers/decode-sources.ts');

/** The service's own processes for SVG; they end with the test. */
const svgLayers = new SvgLayers(
  new SvgPool({ ...imageLoaderDefaults, svgFontConfigFile }),
  imageLoaderDefaults.svgTimeoutMs,
);

/** Has drawings made as the service does: files and problems by `drawingSource`. */
export async function drawMissing(
  drawings: readonly SvgDrawing[],
): Promise<Map<string, SourceImage | string>> {
  const requester = { organizationUid: 'test', templateUid: 'test' };
  const { images, problems } = await svgLayers.draw(
    drawings,
    requester,
    new AbortController().signal,
  );
  return new Map<string, SourceImage | string>([...images, ...problems]);
}

/** Does `work` with a job, and again with the drawings of SVG layers that the worker's modules ask for. */
export async function withDrawings<Result>(
  job: RenderJob,
  work: (job: RenderJob) => Promise<Result>,
): Promise<Result> {
  for (let current = job; ;) {
    try {
      return await work(current);
    } catch (error) {
      if (!(error instanceof DrawingsMissing)) throw error;
      const images = [...current.images];
      const svgProblems = [...(current.svgProblems ?? [])];
      for (const [source, file] of await drawMissing(error.drawings)) {
        if (typeof file === 'string') svgProblems.push([source, file]);
        else images.push([source, file]);
      }
      current = { ...current, images, svgProblems };
    }
  }
}

/** A template document that is expected to be valid; throws with the problems when it is not. */
export function validTemplate(document: unknown, size?: string): Template {
  const check = checkTemplate(document);
  const template = check.ok ? documentInSize(check.template, size) : undefined;
  if (template !== undefined) return template;
  if (check.ok) throw new Error(`the template has no size ${size}`);
  throw new Error(check.problems.map(({ path, message }) => `${path} ${message}`).join('\n'));
}

/** Values of all variables of a template; defaults stand in for those that are not given. */
export function valuesOf(
  { variables }: Template,
  values: Readonly<Record<string, string>> = {},
): Map<string, string> {
  const given = new Map(Object.entries(values));
  return new Map(variables.map((each) => [each.name, given.get(each.name) ?? defaultText(each)]));
}

/** What a job may say beside its template; the rest has defaults. */
export interface RenderOptions extends Partial<
  Omit<RenderJob, 'templateJson' | 'values' | 'images'>
> {
  values?: Record<string, string>;
  images?: Record<string, SourceImage>;
}

/** Renders a template the way a worker does. */
export async function renderTemplate(
  template: Template,
  { values, images = {}, ...rest }: RenderOptions = {},
): Promise<RenderOutcome & { ok: true }> {
  const templateJson = JSON.stringify(template);
  // As in the service, the key names the fonts of the organization, too.
  const aliases = (rest.fonts ?? []).map(({ alias }) => alias);
  const job: RenderJob = {
    templateKey: [createHash('sha256').update(templateJson).digest('hex'), ...aliases].join(':'),
    templateJson,
    values: valuesOf(template, values),
    images: Object.entries(images),
    format: 'png',
    quality: 85,
    scale: 1,
    ...rest,
  };
  return withDrawings(job, renderJob);
}

/** RGBA pixels of a document, which is expected to be valid. */
export async function drawnPixels(
  document: unknown,
  options?: RenderOptions,
): ReturnType<typeof decodePixels> {
  return decodePixels((await renderTemplate(validTemplate(document), options)).bytes);
}

/** The bytes of a file in memory that processes share, as the service keeps those of images. */
export function sharedBytes(file: Uint8Array): Uint8Array<SharedArrayBuffer> {
  const bytes = new Uint8Array(new SharedArrayBuffer(file.length));
  bytes.set(file);
  return bytes;
}

/** An image file as the service admits it; throws where it would not. */
export function admitted(file: Uint8Array): SourceImage {
  return toSourceImage(sharedBytes(file), imageLoaderDefaults);
}

/** The family of one font file that an organization brought. */
export function organizationFont(name: string, path: string): OrganizationFontFamily {
  const file = readFileSync(path);
  const digest = createHash('sha256').update(file).digest('hex');
  const font = { path, digest, sizeBytes: file.length, weight: 400, italic: false, axes: {} };
  return { name, alias: `${organizationFontPrefix}${digest}`, files: [font] };
}

/** What a header says of an image, for files that the image library cannot read, or that are damaged. */
export type ImageClaim = Pick<SourceImage, 'format' | 'widthPx' | 'heightPx'>;

/** An image file as the main thread hands it to a worker; `claim` stands in for its header. */
export async function sourceImage(bytes: Uint8Array, claim?: ImageClaim): Promise<SourceImage> {
  const shared = sharedBytes(bytes);
  const digest = createHash('sha256').update(bytes).digest('hex');
  if (claim !== undefined) return { digest, orientation: 1, bytes: shared, ...claim };
  const { format, width, height, orientation } = await sharp(bytes).metadata();
  const known = sourceFormats.find((name) => name === (format === 'heif' ? 'avif' : format));
  if (known === undefined) throw new Error(`no source format for ${format}`);
  return {
    digest,
    format: known,
    widthPx: width,
    heightPx: height,
    orientation: orientation ?? 1,
    bytes: shared,
  };
}

/** An image file of the repository. */
export function readImage(path: string): Promise<SourceImage> {
  return sourceImage(readFileSync(join(repository, path)));
}

/** RGBA pixels of an encoded image. */
export async function decodePixels(
  bytes: Uint8Array,
): Promise<{ data: Buffer; width: number; height: number }> {
  const { data, info } = await sharp(bytes, { animated: true })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}
