/**
 * Long renders: those above `renderMsMax` of CPU time. A busy machine or the cold code of a new process may take twice
 * the CPU time for the same image, so the first long renders of a version go on. Later ones end at `renderMsMax`: a
 * template that is always slow must not hold the processes.
 */
import { LRUCache } from 'lru-cache';
import { entryLimit } from '#language/limits/entry-limit.ts';
import { templateLimits } from '#language/limits/template-limits.ts';
import type { RenderJob, RenderOutcome } from '#wire/render-job.ts';
import { shareOf } from './costs.ts';

const { renderMsMax, longRenderMsMax } = templateLimits;

/** Long renders that a version may have in a window; all previews of an organization count as one version. */
const longRendersMax = 3;
const windowMs = 10 * 60 * 1000;
const versionsMax = 4096;

export class LongRenders {
  /** Long renders of each version since the first one of its window. */
  readonly #counts = new LRUCache<string, number>({
    ...entryLimit(versionsMax),
    ttl: windowMs,
    noUpdateTTL: true,
  });

  /** Returns the job with the CPU time that its version may take now. */
  allow(job: RenderJob): RenderJob {
    const count = this.#counts.get(keyOf(job)) ?? 0;
    return count < longRendersMax ? { ...job, msMax: longRenderMsMax } : job;
  }

  /** Counts a render that was long. */
  note(job: RenderJob, { cpuMs = 0 }: RenderOutcome): void {
    if (cpuMs + (job.spentMs ?? 0) <= renderMsMax) return;
    const key = keyOf(job);
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }
}

function keyOf(job: RenderJob): string {
  return shareOf(job).template;
}
