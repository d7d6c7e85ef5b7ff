/** Runs a job, and again with the drawings of SVG layers and the font files that its render host lacks. */
import type { RenderJob, SettledOutcome } from '#wire/render-job.ts';
import { AppError } from '../foundation/errors.ts';
import { ImageError } from '../images/image-error.ts';
import type { ImageLoader } from '../images/load-images.ts';
import type { FontLookup } from '../store/assets/font-store.ts';
import { StoreError } from '../store/database/store-error.ts';
import type { PublishedTemplate } from '../store/published-cache.ts';
import type { PooledRender } from '../scheduling/pool.ts';

/** The result of a job; each of its drawings was made or has failed. */
export interface SettledRender extends PooledRender {
  outcome: SettledOutcome;
  /** Milliseconds of the wait for drawings. */
  drawingsMs: number;
}

/** Runs that lack drawings before the job fails: for the image, for its base render, and after an eviction. */
const drawingRoundsMax = 3;
/** Runs that lack a font file before the job fails: files may be removed again while the job waits. */
const fontRoundsMax = 3;

/** The sources of drawings and font files. */
export interface JobSupplies {
  loader: Pick<ImageLoader, 'drawLayers'>;
  fonts: Pick<FontLookup, 'restoreFiles'>;
}

/**
 * Runs `job`. If its process lacks drawings or font files, provides them and runs the job again. Processes keep what
 * they have loaded, so most jobs need one run. Rejects as `run` does, with OVERLOADED if the drawings cannot be made
 * now or fonts cannot be written, and with INTERNAL if the process still lacks something after all rounds.
 */
export async function runJob(
  run: (job: RenderJob) => Promise<PooledRender>,
  job: RenderJob,
  { uid, organizationUid, fonts: families }: PublishedTemplate,
  { loader, fonts }: JobSupplies,
  signal: AbortSignal,
): Promise<SettledRender> {
  const requester = { organizationUid, templateUid: uid };
  let current = job;
  let queuedMs = 0;
  let drawingsMs = 0;
  let drawingRounds = 0;
  let fontRounds = 0;
  for (;;) {
    const pooled = await run(current);
    queuedMs += pooled.queuedMs;
    const { outcome } = pooled;
    if (outcome.ok) return { outcome, queuedMs, drawingsMs };
    if (outcome.code === 'FONT_LOST') {
      fontRounds += 1;
      if (fontRounds > fontRoundsMax) throw stillLacking('fonts', outcome.detail);
      await restore(fonts, organizationUid, families);
      continue;
    }
    if (outcome.code !== 'NEEDS_DRAWINGS') return { outcome, queuedMs, drawingsMs };
    drawingRounds += 1;
    if (drawingRounds === drawingRoundsMax) throw stillLacking('drawings', outcome.detail);
    const startedMs = performance.now();
    const { images, problems, cpuMs } = await loader
      .drawLayers(outcome.drawings, requester, signal)
      .catch((error: unknown) => {
        throw toAppError(error);
      });
    drawingsMs += performance.now() - startedMs;
    const svgProblems = [...(current.svgProblems ?? []), ...problems];
    const spentMs = (current.spentMs ?? 0) + outcome.cpuMs + cpuMs;
    current = { ...current, images: [...current.images, ...images], svgProblems, spentMs };
  }
}

async function restore(
  fonts: JobSupplies['fonts'],
  organizationUid: string,
  families: PublishedTemplate['fonts'],
): Promise<void> {
  const outcome = await fonts.restoreFiles(organizationUid, families).catch((error: unknown) => {
    if (!(error instanceof StoreError) || !['AWAY', 'ABSENT'].includes(error.code)) throw error;
    throw withoutFonts('A font is not on this node yet; ask again in a moment.', 2);
  });
  if (outcome === 'deleted') {
    throw withoutFonts('A font of the template has just been deleted; ask again in a moment.', 1);
  }
  if (outcome === 'full') {
    throw withoutFonts(
      'Renders of the organization need too many fonts; ask again in a minute.',
      60,
    );
  }
}

/** OVERLOADED: a retry renders with the fonts that there are then. */
function withoutFonts(sentence: string, retryAfterSeconds: number): AppError {
  return new AppError('OVERLOADED', sentence, { reason: 'fonts', retryAfterSeconds });
}

function stillLacking(reason: string, detail: string): AppError {
  return new AppError('INTERNAL', 'The render failed.', { reason, detail });
}

function toAppError(error: unknown): unknown {
  if (!(error instanceof ImageError)) return error;
  return new AppError('OVERLOADED', 'Too many SVGs are being drawn; ask again in a moment.', {
    reason: 'drawings',
    retryAfterSeconds: error.retryAfterSeconds ?? 1,
  });
}
