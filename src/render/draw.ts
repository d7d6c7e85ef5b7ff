/** Makes one render: its images, its job, a thread, and what came of it. */
import type { RenderJob, RenderOutcome, RenderWarning } from '#shared/render-job.ts';
import type { Deadline } from '../deadline.ts';
import { AppError } from '../errors.ts';
import type { ImageLoader } from '../images/load-images.ts';
import type { PublishedTemplate } from '../templates/published-cache.ts';
import type { TemplateUse } from '../templates/template-use.ts';
import { imageOrigin } from './image-origins.ts';
import type { JobImages } from './job-images.ts';
import { imageError, loadJobImages } from './job-images.ts';
import type { Render, RenderCache } from './render-cache.ts';
import { renderETag } from './render-key.ts';
import type { RenderPool } from './render-pool.ts';
import type { RenderOptions } from './render-request.ts';
import type { ResolvedValues } from './resolve-variables.ts';
import { warningsHeader } from './warnings.ts';

/** What a render is made from. Everything in it is part of `key`, except what the images turn out to be. */
export interface RenderOrder {
  key: string;
  template: PublishedTemplate;
  options: RenderOptions;
  values: ResolvedValues;
}

/** What makes renders. */
export interface RenderWorkshop {
  loader: ImageLoader;
  pool: RenderPool;
  cache: RenderCache;
  use: Pick<TemplateUse, 'count'>;
}

/** Attempts at one render: damaged images are found one by one, by drawing. */
const attemptsMax = 4;

/**
 * Draws `order` and keeps the result, unless it is degraded. Throws BAD_REQUEST for an image that cannot
 * be had (naming its variable), OVERLOADED, TIMEOUT, and INTERNAL for a bug in a worker.
 */
export async function drawRender(
  order: RenderOrder,
  workshop: RenderWorkshop,
  deadline: Deadline,
): Promise<Render> {
  const failedSources = new Set<string>();
  for (let attempt = 1; ; attempt += 1) {
    const startedMs = performance.now();
    const job = await loadJobImages(
      order.template,
      order.values,
      failedSources,
      workshop.loader,
      deadline.signal,
    );
    const imagesMs = performance.now() - startedMs;
    const { outcome, queuedMs } = await workshop.pool.run(toJob(order, job), deadline);
    if (outcome.ok) {
      const render = toRender(order, job, outcome, { imagesMs, queuedMs });
      workshop.cache.store(order.key, render);
      workshop.use.count(order.template.uid);
      return render;
    }
    const error = toAppError(order.template, job.values, outcome);
    const mayRetry =
      error.code === 'BAD_REQUEST' && order.template.document.onImageError === 'default';
    if (!mayRetry || outcome.source === undefined || attempt === attemptsMax) throw error;
    failedSources.add(outcome.source);
  }
}

/** The job of an order, for a worker. */
export function toJob(
  { template, options }: RenderOrder,
  { values, images }: JobImages,
): RenderJob {
  const { templateKey, documentJson: templateJson } = template;
  return { templateKey, templateJson, values: [...values], images, ...options };
}

function toRender(
  { key, options }: RenderOrder,
  job: JobImages,
  outcome: RenderOutcome & { ok: true },
  waits: { imagesMs: number; queuedMs: number },
): Render {
  const failures = job.failedLayers.map((layer): RenderWarning => {
    return { code: 'IMAGE_FAILED', layer, detail: 'drawn as its default, or not at all' };
  });
  const isDegraded = outcome.degraded || failures.length > 0;
  const { layoutMs, decodeMs, paintMs, encodeMs } = outcome.timings;
  const stages = {
    images: waits.imagesMs,
    queue: waits.queuedMs,
    layout: layoutMs,
    decode: decodeMs,
    paint: paintMs,
    encode: encodeMs,
  };
  return {
    bytes: outcome.bytes,
    format: options.format,
    etag: isDegraded ? undefined : renderETag(key, job.remoteDigests),
    ...(job.failure === undefined ? {} : { cause: job.failure }),
    warnings: warningsHeader([...failures, ...outcome.warnings]),
    timing: Object.entries(stages)
      .map(([name, ms]) => `${name};dur=${ms.toFixed(1)}`)
      .join(', '),
    freshUntilMs: job.freshUntilMs,
  };
}

function toAppError(
  template: PublishedTemplate,
  values: ResolvedValues,
  outcome: RenderOutcome & { ok: false },
): AppError {
  if (outcome.code === 'BAD_IMAGE') {
    const origin = imageOrigin(template, values, outcome.source ?? '');
    return imageError(origin, outcome.detail, 'decode');
  }
  return new AppError('INTERNAL', 'The render failed.', {
    reason: 'worker',
    detail: outcome.detail,
  });
}
