/** Runs a job until it has the drawings of its SVG layers: no render process draws SVG. */
import type { RenderJob, SettledOutcome } from '#shared/render-job.ts';
import { AppError } from '../errors.ts';
import { ImageError } from '../images/image-error.ts';
import type { ImageLoader } from '../images/load-images.ts';
import type { PublishedTemplate } from '../templates/published-cache.ts';
import type { PooledRender } from './render-pool.ts';

/** A render, whose drawings are all there or known to be impossible. */
export interface SettledRender extends PooledRender {
  outcome: SettledOutcome;
  /** Milliseconds spent on having SVG drawn. */
  drawingsMs: number;
}

/** The image's own drawings, those of its base render, and those of its report; and one more for what a thread drops. */
const roundsMax = 4;

/**
 * Runs `job`, and again with the drawings that its thread does not have: a thread keeps what it has decoded, so that
 * most jobs carry none. Rejects as `run` does, and with OVERLOADED when the drawings cannot be had now.
 */
export async function runWithDrawings(
  run: (job: RenderJob) => Promise<PooledRender>,
  job: RenderJob,
  { uid, organizationUid }: PublishedTemplate,
  loader: Pick<ImageLoader, 'drawLayers'>,
  signal: AbortSignal,
): Promise<SettledRender> {
  const asker = { organizationUid, templateUid: uid };
  let current = job;
  let queuedMs = 0;
  let drawingsMs = 0;
  for (let round = 1; ; round += 1) {
    const pooled = await run(current);
    queuedMs += pooled.queuedMs;
    const { outcome } = pooled;
    if (outcome.ok || outcome.code !== 'NEEDS_DRAWINGS') return { outcome, queuedMs, drawingsMs };
    if (round === roundsMax) {
      const { detail } = outcome;
      throw new AppError('INTERNAL', 'The render failed.', { reason: 'drawings', detail });
    }
    const startedMs = performance.now();
    const { images, problems } = await loader
      .drawLayers(outcome.drawings, asker, signal)
      .catch((error: unknown) => {
        throw toAppError(error);
      });
    drawingsMs += performance.now() - startedMs;
    const svgProblems = [...(current.svgProblems ?? []), ...problems];
    current = { ...current, images: [...current.images, ...images], svgProblems };
  }
}

function toAppError(error: unknown): unknown {
  if (!(error instanceof ImageError)) return error;
  return new AppError('OVERLOADED', 'Too many SVGs are being drawn; ask again in a moment.', {
    reason: 'drawings',
    retryAfterSeconds: error.retryAfterSeconds ?? 1,
  });
}
