/** Lets one thread at a time make its plan of a template: the others draw whole meanwhile, so that readers do not all wait for plans. */
import type { RenderJob } from '#shared/render-job.ts';

export class PlanTurns {
  /** Kinds of pictures of which a job is under way that may make a plan: no more than there are threads. */
  readonly #taken = new Set<string>();

  /** The job with its turn, or as one that makes no plan; `giveBack` must be called when it has ended. */
  take(job: RenderJob): { job: RenderJob; giveBack: () => void } {
    const { templateKey, format, scale, quality } = job;
    const key = `${templateKey} ${format} ${scale} ${quality}`;
    if (job.planning !== undefined) return { job, giveBack: () => undefined };
    if (this.#taken.has(key)) {
      return { job: { ...job, planning: 'never' }, giveBack: () => undefined };
    }
    this.#taken.add(key);
    return { job, giveBack: () => void this.#taken.delete(key) };
  }
}
