/** The Piscina pool of a render host: the only file that knows Piscina. */
import { Piscina, queueOptionsSymbol } from 'piscina';
import type { HostReport, ThreadAnswer, ThreadTask } from '#wire/render-wire.ts';

interface ThreadPoolEvents {
  onStarted: (report: HostReport & { kind: 'started' }) => void;
  /** A thread has ended, and the loss of its job was reported. */
  onEnded: () => void;
  /** A thread has ended without a job. */
  onError: (error: Error) => void;
}

/** Threads of which each runs one task at a time. A started task is never aborted: that would end the process. */
export class ThreadPool {
  readonly #pool: Piscina;

  /** `file` exports the task as `renderTask`; `data` is given to each thread as `renderThread`. */
  constructor(file: string, count: number, data: object, events: ThreadPoolEvents) {
    this.#pool = new Piscina({
      filename: file,
      name: 'renderTask',
      minThreads: count,
      maxThreads: count,
      // With atomics, native objects are never finalized: 13 KB a render.
      atomics: 'disabled',
      recordTiming: false,
      workerData: { renderThread: data },
      // The service chooses the thread, which it watches.
      loadBalancer: (task, workers) => {
        const chosen = task[queueOptionsSymbol] as { thread: number } | null;
        return workers.find(({ id }) => id === chosen?.thread) ?? null;
      },
    });
    this.#pool.on('message', events.onStarted);
    // Later: the loss of its job is reported first.
    this.#pool.on('workerDestroy', () => setImmediate(events.onEnded));
    this.#pool.on('error', events.onError);
  }

  /** The numbers of the threads; one that has ended has no number any more. */
  get threads(): ReadonlySet<number> {
    return new Set(this.#pool.threads.map(({ threadId }) => threadId));
  }

  run(thread: number, task: ThreadTask): Promise<ThreadAnswer> {
    return this.#pool.run({ ...task, [queueOptionsSymbol]: { thread } });
  }
}
