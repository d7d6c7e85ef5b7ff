/** Makes one render: admission, images, job, process, result. */
import type { RenderJob, RenderWarning, SettledOutcome } from '#wire/render-job.ts';
import { defaultText } from '#language/values/list-value.ts';
import type { Deadline } from '../foundation/deadline.ts';
import { AppError } from '../foundation/errors.ts';
import type { ImageLoader } from '../images/load-images.ts';
import { DrawingCpu } from '../images/svg/drawing-cpu.ts';
import type { FontLookup } from '../store/assets/font-store.ts';
import type { TemplateUse } from '../store/template-use.ts';
import type { AdmittedRender, Render, RenderCache } from './cache.ts';
import { imageOrigins } from './images/origins.ts';
import type { ImageOrigin } from './images/origins.ts';
import { frameSequence, renderETag } from './order.ts';
import type { JobImages } from './images/job-images.ts';
import { imageError, loadJobImages } from './images/job-images.ts';
import type { RenderKind } from '../scheduling/costs.ts';
import type { Admission, RenderPool } from '../scheduling/pool.ts';
import type { RenderOrder } from './order.ts';
import type { RenderStats, RenderWaits } from '../scheduling/stats.ts';
import { stageTimes } from '../scheduling/stats.ts';
import { outcomeError } from './outcome-errors.ts';
import { runJob } from './run-job.ts';
import type { WarmRenders } from './warm-renders.ts';
import { imageWarnings, nameWarnings } from './warnings.ts';
import type { ResolvedValues } from './values.ts';

/** Services that a render needs. */
export interface RenderParts {
  loader: ImageLoader;
  pool: RenderPool;
  cache: RenderCache;
  use: Pick<TemplateUse, 'count' | 'noteAsset'>;
  fonts: Pick<FontLookup, 'restoreFiles'>;
  /** Images that were made before sending. */
  warm: Pick<WarmRenders, 'has' | 'read'>;
  stats: RenderStats;
}

/** Attempts at one render: each attempt finds at most one damaged image. */
const attemptsMax = 4;

/**
 * Takes a slot in the queue for `order`, and returns the render that uses it; the caller must run it once. If a
 * campaign may have made the image, the render first reads the warm image, and takes the slot only if there is none.
 * Throws OVERLOADED before any fetch, TIMEOUT, and QUARANTINED.
 *
 * The render is cached, unless it is degraded. It rejects with BAD_REQUEST for an image that failed (naming its
 * variable) and, if the order requires SVGs, for an SVG layer (naming it); with OVERLOADED, TIMEOUT, QUARANTINED and
 * INTERNAL.
 */
export function admitRender(
  order: RenderOrder,
  parts: RenderParts,
  deadline: Deadline,
): AdmittedRender {
  const { warm } = parts;
  if (warm.has(order.template)) {
    return async (until) => (await readWarm(order, parts)) ?? admitNow(order, parts, until)(until);
  }
  return admitNow(order, parts, deadline);
}

async function readWarm(
  order: RenderOrder,
  { warm, cache, use }: RenderParts,
): Promise<Render | undefined> {
  const render = await warm.read(order);
  if (render === undefined) return undefined;
  cache.store(order, render);
  noteAssets(order, use);
  return render;
}

function admitNow(order: RenderOrder, parts: RenderParts, deadline: Deadline): AdmittedRender {
  const admission = parts.pool.admit(renderKindOf(order), deadline);
  return async (until) => {
    try {
      return await renderAndKeep(admission, order, parts, until);
    } finally {
      admission.leave();
    }
  };
}

/** The origin of a render that was not in the cache. */
export function originOf({ drawn }: Render, isShared: boolean): 'shared' | 'warm' | 'miss' {
  if (isShared) return 'shared';
  return drawn === 'warm' ? 'warm' : 'miss';
}

/** Admits and runs a render that shares its work with no other request. */
export async function drawRender(
  order: RenderOrder,
  parts: RenderParts,
  deadline: Deadline,
): Promise<Render> {
  return admitRender(order, parts, deadline)(deadline);
}

/** The inputs of the cost estimate for an order. */
export function renderKindOf({
  template: { templateKey },
  options: { format, scale, frames },
  values,
}: RenderOrder): RenderKind {
  return { templateKey, format, scale, frames, values };
}

async function renderAndKeep(
  admission: Admission,
  order: RenderOrder,
  parts: RenderParts,
  deadline: Deadline,
): Promise<Render> {
  const drawn = await drawOrder(admission, order, parts, deadline);
  if (order.rules.requiresSvgs === true) requireSvgs(drawn.outcome.warnings);
  const render = toRender(order, drawn);
  const codes = render.warnings.map(({ code }) => code);
  parts.stats.countRender(drawn.outcome, render.stages, codes, render.etag === undefined);
  parts.cache.store(order, render);
  parts.use.count(order.template.uid);
  const sources = drawn.images.images.map(([source]) => source);
  noteAssets({ template: order.template, sources }, parts.use);
  return render;
}

function requireSvgs(warnings: readonly RenderWarning[]): void {
  const failed = warnings.find(({ code }) => code === 'SVG_FAILED');
  if (failed === undefined) return;
  const message = `The template's layer "${failed.layer ?? ''}" cannot be drawn: ${failed.detail}.`;
  const layers = failed.layer === undefined ? [] : [failed.layer];
  throw new AppError('BAD_REQUEST', message, { reason: 'svg', layers });
}

/** Notes the assets among the sources of an order: an asset in use is not collected. */
export function noteAssets(
  { template, sources }: Pick<RenderOrder, 'template' | 'sources'>,
  use: RenderParts['use'],
): void {
  for (const source of sources) {
    if (source.startsWith('asset:')) use.noteAsset(template.organizationUid, source);
  }
}

/** A rendered image with its source images and its waits. */
export interface DrawnOrder {
  images: JobImages;
  outcome: SettledOutcome & { ok: true };
  waits: RenderWaits;
}

/**
 * Renders an admitted order. If an image is damaged and the order tolerates that, renders again with defaults.
 * `jobOptions` are added to the job unchanged. Rejects like the render of `admitRender`.
 */
export async function drawOrder(
  admission: Admission,
  order: RenderOrder,
  supplies: {
    loader: Pick<ImageLoader, 'loadImage' | 'drawLayers'>;
    fonts: RenderParts['fonts'];
  },
  deadline: Deadline,
  jobOptions: Pick<
    RenderJob,
    'layers' | 'wantsReport' | 'hasContrast' | 'proof' | 'pdf' | 'makesBaseRender'
  > = {},
): Promise<DrawnOrder> {
  const failedSources = refusedSources(admission, order);
  // CPU time of earlier attempts: all attempts together have the CPU time of one render.
  let spentMs = 0;
  const drawingCpu = new DrawingCpu();
  for (let attempt = 1; ; attempt += 1) {
    const startedMs = performance.now();
    const { loader } = supplies;
    const images = await loadJobImages(order, failedSources, loader, deadline.signal, drawingCpu);
    const loadedMs = performance.now() - startedMs;
    const refused = images.images.find(([, { digest }]) => admission.refusesImage(digest))?.[0];
    if (refused !== undefined) {
      const error = imageError(
        images.originOfImage(refused),
        'ended two processes that rendered it, so it is refused for an hour: use another image',
        'quarantine',
      );
      if (!order.toleratesImageErrors || attempt === attemptsMax) throw error;
      failedSources.set(refused, error);
      continue;
    }
    const { outcome, queuedMs, drawingsMs } = await runJob(
      (job) => admission.run(job, deadline),
      { ...toJob(order, images), ...jobOptions, ...(spentMs === 0 ? {} : { spentMs }) },
      order.template,
      supplies,
      deadline.signal,
    );
    const imagesMs = loadedMs + drawingsMs;
    if (outcome.ok) return { images, outcome, waits: { imagesMs, queuedMs } };
    const error = outcomeError(images, outcome);
    const mayRetry = error.code === 'BAD_REQUEST' && order.toleratesImageErrors;
    if (!mayRetry || outcome.source === undefined || attempt === attemptsMax) throw error;
    failedSources.set(outcome.source, error);
    spentMs += outcome.cpuMs ?? 0;
  }
}

/**
 * The sources of the caller that are replaced by their defaults, each with the error, while images of callers are
 * refused. Throws the error if the order does not tolerate image errors.
 */
function refusedSources(admission: Admission, order: RenderOrder): Map<string, AppError> {
  const refused = new Map<string, AppError>();
  const refusal = admission.refusalOfCallerImages();
  if (refusal === undefined) return refused;
  const { values, sources } = order;
  const originOfImage = imageOrigins(order, values);
  for (const source of sources) {
    if (!isCallers(order, values, originOfImage(source))) continue;
    if (!order.toleratesImageErrors) throw refusal;
    refused.set(source, refusal);
  }
  return refused;
}

/** The job of an order, for a render host. */
export function toJob(
  order: Pick<RenderOrder, 'template' | 'options'> & Partial<Pick<RenderOrder, 'rules'>>,
  { values, images, originOfImage }: JobImages,
): RenderJob {
  const { template, options } = order;
  const { templateKey, documentJson: templateJson, fonts, uid, version } = template;
  const fontPart = fonts.length === 0 ? {} : { fonts: [...fonts] };
  // Lazy, because it walks the document and only a loss needs it.
  const callerImages = (): string[] =>
    images
      .filter(([source]) => isCallers(order, values, originOfImage(source)))
      .map(([, { digest }]) => digest);
  const subject = { template: uid, version, callerImages };
  const animation = frameSequence(template, options);
  const { requiresAllFrames: needsAll = false, makesBaseRender } = order.rules ?? {};
  const moving = animation === undefined ? {} : { animation: { ...animation, needsAll } };
  const basePart = makesBaseRender === undefined ? {} : { makesBaseRender };
  const parts = { ...fontPart, ...options, ...moving, ...basePart };
  return { templateKey, templateJson, values, images, ...parts, subject };
}

/** Whether a source of this origin comes from a value that is not its variable's default. */
function isCallers(
  order: Pick<RenderOrder, 'template'>,
  values: ResolvedValues,
  { variables }: ImageOrigin,
): boolean {
  return variables.some((name) => {
    const variable = order.template.variables.get(name);
    return variable === undefined || values.get(name) !== defaultText(variable);
  });
}

/** The render of a drawn order; without an entity tag if it is degraded. */
export function toRender(
  { key, options }: RenderOrder,
  { images: job, outcome, waits }: DrawnOrder,
): Render {
  const failures = imageWarnings(job);
  const warnings = [...failures, ...outcome.warnings];
  // Rendered with a substitute font until the font is available.
  const isInStandIn = warnings.some(({ code }) => code === 'FONT_MISSING');
  const isDegraded = outcome.degraded || failures.length > 0 || isInStandIn;
  return {
    bytes: outcome.bytes,
    format: options.format,
    etag: isDegraded ? undefined : renderETag(key, job.remoteDigests),
    ...(job.failure === undefined ? {} : { cause: job.failure }),
    warnings: nameWarnings(warnings),
    stages: stageTimes(outcome, waits),
    drawn: outcome.drawn,
    freshUntilMs: job.freshUntilMs,
  };
}
