/** The errors of the API for failed outcomes of render jobs. */
import type { SettledOutcome } from '#wire/render-job.ts';
import { AppError } from '../foundation/errors.ts';
import type { JobImages } from './images/job-images.ts';
import { imageError } from './images/job-images.ts';

type FailedOutcome = SettledOutcome & { ok: false };

/**
 * BAD_REQUEST for a damaged image and for a render that is too expensive by its counts. OVERLOADED for one that took
 * too long by its measured CPU time: at another moment it may be rendered. INTERNAL for all others.
 */
export function outcomeError(
  { originOfImage }: Pick<JobImages, 'originOfImage'>,
  outcome: FailedOutcome,
): AppError {
  switch (outcome.code) {
    case 'BAD_IMAGE':
      return imageError(originOfImage(outcome.source ?? ''), outcome.detail, 'decode');
    case 'TOO_EXPENSIVE':
      return tooExpensive(outcome);
    case 'TOO_SLOW':
      return tooSlow(outcome);
    default:
      return new AppError('INTERNAL', 'The render failed.', {
        reason: 'worker',
        detail: outcome.detail,
      });
  }
}

const remedy =
  'Ask for a smaller scale or shorter values, or use fewer and smaller blurs, shadows, strokes, dashes and clip paths.';

/** Names the most expensive layer. */
function tooExpensive({ detail, layer }: FailedOutcome): AppError {
  const named = layer === undefined ? '' : ` The most expensive layer is "${layer}".`;
  return new AppError('BAD_REQUEST', `The image ${detail}.${named} ${remedy}`, {
    reason: 'cost',
    layers: layer === undefined ? [] : [layer],
  });
}

/** Time until a slow moment may be over. */
const slowSeconds = 2;

/** OVERLOADED for a render that reached the limit of its CPU time. */
export function tooSlow({ detail }: Pick<FailedOutcome, 'detail'>): AppError {
  return new AppError(
    'OVERLOADED',
    `The image ${detail} at this moment; ask again in ${slowSeconds} s. If it is late each time: ${remedy.charAt(0).toLowerCase()}${remedy.slice(1)}`,
    { reason: 'slow', retryAfterSeconds: slowSeconds },
  );
}
