/** Renders whose image is not cached: previews of unpublished documents, and the check of an uploaded image. */
import type {
  JobFrame,
  RenderFormat,
  RenderJob,
  JobScale,
  OrganizationFontFamily,
  SourceImage,
} from '#wire/render-job.ts';
import { frameCount, framesOf } from '#language/animation/frames.ts';
import { renderTimeMs } from '#language/clock/clock-use.ts';
import { parseInstant } from '#language/clock/deadline.ts';
import { expectedDate } from '#language/values/date-value.ts';
import type { LiveClient } from '#wire/render-moment.ts';
import { defaultFormat, formatByName, outputFormats } from '#language/formats.ts';
import { previewScales, renderScales } from '#wire/render-job.ts';
import { linkFramesMax } from '#language/limits/frame-work.ts';
import { templateLimits } from '#language/limits/template-limits.ts';
import type { Template } from '#language/schema/template.ts';
import type { Deadline } from '../foundation/deadline.ts';
import type { ErrorDetail } from '../foundation/errors.ts';
import type { PublishedTemplate } from '../store/published-cache.ts';
import type { DrawnOrder, RenderParts } from '../render/draw.ts';
import { drawOrder, renderKindOf } from '../render/draw.ts';
import type { RenderOrder } from '../render/order.ts';
import { encodeProblem, qualityOf } from '../render/link/options.ts';
import type { RenderOptions } from '../render/request.ts';
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { TemplateParse } from '#language/template.ts';
import { checkInTurns } from '../store/template-document.ts';
import { candidateTemplate } from '../store/published-cache.ts';
import { previewKind } from '../scheduling/costs.ts';
import { AppError } from '../foundation/errors.ts';
import { ImageError } from '../images/image-error.ts';
import { tooSlow } from '../render/outcome-errors.ts';
import type { RenderPool } from '../scheduling/pool.ts';

/** Renders an order without caching. Rejects like `drawRender`. */
export async function drawPreview(
  order: RenderOrder,
  jobOptions: Pick<RenderJob, 'layers' | 'wantsReport' | 'hasContrast'>,
  parts: Pick<RenderParts, 'pool' | 'loader' | 'fonts'>,
  deadline: Deadline,
): Promise<DrawnOrder> {
  const admission = parts.pool.admit(renderKindOf(order), deadline);
  try {
    return await drawOrder(admission, order, parts, deadline, jobOptions);
  } finally {
    admission.leave();
  }
}

/** Options of a preview; the document decides absent ones. */
export interface GivenPreviewOptions {
  format?: string;
  quality?: number;
  scale?: number;
  lang?: string;
  frames?: number;
  animated?: boolean;
  /** The index of one frame, which is shown as a still. */
  frame?: number;
  layers?: readonly string[];
  /** The time of the render as a date. */
  now?: string;
  /** When an evergreen countdown began, as a date. */
  firstOpen?: string;
  client?: LiveClient;
}

/** The options of a preview, or their problems; the input fits its schema. */
export function resolvePreviewOptions(
  given: GivenPreviewOptions,
  document: Template,
): { options: RenderOptions; frame: PreviewFrame; problems: ErrorDetail[] } {
  const problems: ErrorDetail[] = [];
  const isPart = given.layers !== undefined;
  const chosenFormat: RenderFormat = isPart
    ? defaultFormat
    : (document.output?.format ?? defaultFormat);
  const format = formatByName.get(given.format ?? '') ?? chosenFormat;
  const { name, hasAlpha, isLossless } = outputFormats[format];
  if (isPart && !hasAlpha) {
    const message = `is ${name}, expected a format with transparency for single layers: png`;
    problems.push({ path: 'format', message });
  }
  const scales: readonly JobScale[] = [...previewScales, ...renderScales];
  const scale = scales.find((known) => known === given.scale) ?? 1;
  if (document.width * document.height * scale * scale > templateLimits.pixelsMax) {
    const message = `is ${scale}, expected a smaller one: an image has at most ${templateLimits.pixelsMax} pixels`;
    problems.push({ path: 'scale', message });
  }
  const wanted = isLossless ? undefined : given.quality;
  const quality = wanted ?? qualityOf(document, format);
  const lang = given.lang === document.lang ? undefined : given.lang;
  const { now = Date.now(), firstOpen } = given;
  const timeMs = renderTimeMs(document, toInstant('now', now, document, problems));
  const startedMs =
    firstOpen === undefined ? undefined : toInstant('firstOpen', firstOpen, document, problems);
  const isStill = isPart || given.frame !== undefined;
  const frames = isStill
    ? undefined
    : frameCount(document, format, given.animated === true, given.frames, scale);
  const options: RenderOptions = {
    format,
    scale,
    quality,
    ...(lang === undefined ? {} : { lang }),
    ...(timeMs === undefined ? {} : { timeMs, client: given.client, startedMs }),
    ...(frames === undefined ? {} : { frames }),
  };
  const framesMost = frames === undefined ? 1 : linkFramesMax(document);
  if (frames !== undefined && frames > framesMost) {
    const expected = `at most ${framesMost}: each frame chooses images and compares values again`;
    problems.push({ path: 'frames', message: `is ${frames}, expected ${expected}` });
  }
  const problem = encodeProblem(options, document);
  if (problem !== undefined) {
    const { option, expected } = problem;
    problems.push({ path: option, message: `is ${options[option]}, expected ${expected}` });
  }
  return { options, frame: findFrame(document, timeMs, given.frame, problems), problems };
}

/** The instant of a date in an option, in ms since the epoch. Adds a problem for a text that is no date. */
function toInstant(
  path: string,
  date: string | number,
  { clock }: Template,
  problems: ErrorDetail[],
): number {
  if (typeof date === 'number') return date;
  const instantMs = parseInstant(date, clock?.zone);
  if (instantMs !== undefined) return instantMs;
  problems.push({ path, message: `is ${JSON.stringify(date)}, expected ${expectedDate}` });
  return 0;
}

/** Properties that a frame sets in place of the image's; empty for the image as designed. */
type PreviewFrame = Omit<JobFrame, 'delayMs'>;

/** The properties of one frame; empty without an index. Adds a problem for a frame that does not exist. */
function findFrame(
  document: Template,
  timeMs: number | undefined,
  index: number | undefined,
  problems: ErrorDetail[],
): PreviewFrame {
  if (index === undefined) return {};
  const { frames = [] } = framesOf(document, timeMs) ?? {};
  const { delayMs, ...frame } = frames[index] ?? { delayMs: 0 };
  if (delayMs > 0) return frame;
  const expected =
    frames.length === 0
      ? 'none: the template has no animation'
      : `0 to ${frames.length - 1}, the last frame`;
  problems.push({ path: 'frame', message: `is ${index}, expected ${expected}` });
  return {};
}

// Unpublished documents for renders: checked, named by their content, and cached for the next step of an editor.

/** Upper bounds of the cache: documents, and UTF-16 units of text. An editor sends a document repeatedly. */
const documentsMax = 200;
const documentCharactersMax = 8 * 1024 * 1024;

/** A valid document and its text. Both have their names in NFC, as values have. */
export interface PreviewDocument {
  template: Template;
  documentJson: string;
}

/** A cache of valid documents, bounded by their text. A parsed document takes about five times as much memory. */
export class PreviewDocuments {
  readonly #known = new LRUCache<string, PreviewDocument>({
    max: documentsMax,
    maxSize: documentCharactersMax,
  });

  /** Checks a document in turns. Its parsed text is `value`, which the cache keeps: do not change it. */
  async check(
    documentJson: string,
    value: unknown,
    organizationUid: string,
  ): Promise<({ ok: true } & PreviewDocument) | Extract<TemplateParse, { ok: false }>> {
    const key = contentKey(documentJson);
    const known = this.#known.get(key);
    if (known !== undefined) return { ok: true, ...known };
    const checked = await checkInTurns(value, organizationUid);
    if (!checked.ok) return checked;
    const { template } = checked;
    const found = {
      template,
      documentJson: template === value ? documentJson : JSON.stringify(template),
    };
    this.#known.set(key, found, { size: documentJson.length + key.length });
    return { ok: true, ...found };
  }
}

/**
 * Converts the document of a preview to a published template. Equal documents with equal fonts have equal keys, so that
 * a process keeps their base render. The key marks the preview for the queue.
 */
export function previewTemplate(
  organizationUid: string,
  document: Template,
  documentJson: string,
  fonts: readonly OrganizationFontFamily[],
): PublishedTemplate {
  const candidate = { uid: 'preview', organizationUid, document, documentJson, fonts };
  const template = candidateTemplate(candidate);
  const [, ...rest] = template.templateKey.split(':');
  return { ...template, templateKey: [organizationUid, previewKind, ...rest].join(':') };
}

function contentKey(documentJson: string): string {
  return hash('sha256', documentJson, 'hex').slice(0, 32);
}

// The check of an uploaded image: it is decoded before it is stored, because a header says nothing about the pixels.

/** Side of the rendered image in pixels. Every decoder reads the whole file for it. */
const sidePx = 64;

const source = 'upload';

const template: Template = {
  format: 1,
  name: 'upload',
  width: sidePx,
  height: sidePx,
  variables: [],
  layers: [
    {
      id: 'image',
      type: 'image',
      x: 0,
      y: 0,
      width: sidePx,
      height: sidePx,
      src: source,
      fit: 'fill',
    },
  ],
};

const templateJson = JSON.stringify(template);

/**
 * Renders `image` once like a template: in a render host, in the organization's share of the queue, within the
 * memory limit of decodes. Rejects with an `ImageError`: `decode` for a damaged image, `too_large` for one that takes
 * too long. Also rejects with OVERLOADED at a slow moment, and with the errors of `RenderPool.run`.
 */
export async function checkImage(
  image: SourceImage,
  organizationUid: string,
  pool: Pick<RenderPool, 'run'>,
  deadline: Deadline,
): Promise<void> {
  const { outcome } = await pool.run(checkJob(image, organizationUid), deadline);
  if (outcome.ok) return;
  if (outcome.code === 'BAD_IMAGE') throw new ImageError('decode', outcome.detail);
  if (outcome.code === 'TOO_EXPENSIVE') throw new ImageError('too_large', outcome.detail);
  if (outcome.code === 'TOO_SLOW') throw tooSlow(outcome);
  throw new AppError('INTERNAL', 'The image could not be checked.', {
    reason: 'worker',
    detail: outcome.detail,
  });
}

function checkJob(image: SourceImage, organizationUid: string): RenderJob {
  return {
    // The queue reads the organization from the key.
    templateKey: `${organizationUid}:upload`,
    templateJson,
    values: new Map(),
    images: [[source, image]],
    format: 'png',
    quality: 100,
    scale: 1,
    // A render of single layers makes no base render, which would serve one upload only.
    layers: ['image'],
  };
}
