/** Runs the jobs of data tables on a thread, one after the other. */
import { Worker } from 'node:worker_threads';
import { programPath } from '#paths.ts';
import { SerialWork } from '../../foundation/serial-work.ts';
import { listHeapMbMax, lostListError, lostThreadError } from '../lists/lost-list.ts';
import { toError } from './jobs.ts';
import type { TableJob, TableOutcome, TableResults } from './jobs.ts';

export class TableThread {
  readonly #heapMbMax: number;
  #worker: Worker | undefined;
  readonly #jobs = new SerialWork();

  constructor(heapMbMax: number = listHeapMbMax) {
    this.#heapMbMax = heapMbMax;
  }

  /** Runs a job after all earlier jobs. The first job starts the thread. Rejects with the errors of the job. */
  run<Job extends TableJob>(job: Job): Promise<TableResults[Job['kind']]> {
    return this.#jobs.run(() => this.#send(job)) as Promise<TableResults[Job['kind']]>;
  }

  /** Ends the thread. A running job is lost. */
  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #send(job: TableJob): Promise<unknown> {
    const worker = (this.#worker ??= startWorker(this.#heapMbMax));
    worker.ref();
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const onMessage = (outcome: TableOutcome): void =>
      outcome.ok ? resolve(outcome.result) : reject(toError(outcome));
    const onEnd = (error: unknown): void => {
      this.#worker = undefined;
      reject(job.kind === 'import' ? lostListError(error) : lostThreadError(error));
    };
    worker.once('message', onMessage).once('error', onEnd).once('exit', onEnd);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is a window's, this is a thread's
    worker.postMessage(job);
    return promise.finally(() => {
      worker.off('message', onMessage).off('error', onEnd).off('exit', onEnd);
      // An idle thread does not keep the process alive.
      worker.unref();
    });
  }
}

function startWorker(heapMbMax: number): Worker {
  return new Worker(programPath('tables'), {
    resourceLimits: { maxOldGenerationSizeMb: heapMbMax },
  });
}
