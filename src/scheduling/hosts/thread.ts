/** One thread of a render host: the job that it runs, and the CPU time of this job. */
import type { RenderOutcome } from '#wire/render-job.ts';
import { cpuMsOf, isRunnable } from '../../foundation/process-usage.ts';
import { RenderLostError } from './lost-render.ts';

/** A job in a thread. */
interface RunningJob extends PromiseWithResolvers<RenderOutcome> {
  readonly number: number;
  /** CPU time in ms, as of the last check. */
  cpuMs: number;
  /** Time in ms in which the thread could run and used no CPU time. */
  stalledMs: number;
}

export class RenderThread {
  /** A number that no other thread of the host has had. */
  readonly id: number;
  /** The thread in `/proc`, as `<pid>/task/<number>`; undefined on other systems. */
  readonly #task: string | undefined;
  #job: RunningJob | undefined;
  #cpuMs: number | undefined;
  #jobCpuMs: number | undefined;

  constructor(id: number, task: string | undefined) {
    this.id = id;
    this.#task = task;
  }

  get job(): Readonly<RunningJob> | undefined {
    return this.#job;
  }

  /** CPU time of the current or last job, as of the last check; undefined where the system does not report it. */
  get jobCpuMs(): number | undefined {
    return this.#jobCpuMs;
  }

  /** Notes a job that was sent; resolves at its `end`. */
  start(number: number): Promise<RenderOutcome> {
    const job = { ...Promise.withResolvers<RenderOutcome>(), number, cpuMs: 0, stalledMs: 0 };
    this.#job = job;
    this.#jobCpuMs = undefined;
    return job.promise;
  }

  /** Ends the current job, if there is one. */
  end(result: RenderOutcome | RenderLostError): void {
    const job = this.#job;
    this.#job = undefined;
    if (result instanceof RenderLostError) {
      job?.reject(result);
      return;
    }
    if (result.ok) this.#jobCpuMs = result.cpuMs;
    job?.resolve(result);
  }

  /** CPU time of the thread in ms since the previous call; 0 if it is unknown. */
  readCpuMs(): number {
    const before = this.#cpuMs;
    this.#cpuMs = this.#task === undefined ? undefined : cpuMsOf(this.#task);
    return Math.max(0, (this.#cpuMs ?? 0) - (before ?? this.#cpuMs ?? 0));
  }

  /**
   * Adds CPU time to the current job: `threadMs` of this thread, and, if it waits, `poolMs` of threads that work for it.
   * `ranMs`: time since the last check in which the service ran.
   */
  look(threadMs: number, poolMs: number, ranMs: number): void {
    const job = this.#job;
    if (job === undefined) return;
    const isWaiting = this.#task === undefined || !isRunnable(this.#task);
    const usedMs = threadMs + (isWaiting ? poolMs : 0);
    job.cpuMs += usedMs;
    if (usedMs === 0 && isWaiting) job.stalledMs += ranMs;
    if (this.#cpuMs !== undefined) this.#jobCpuMs = job.cpuMs;
  }
}
