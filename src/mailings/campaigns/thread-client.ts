/** The campaign thread, as the main thread controls it: started with the first order, and again after it ended. */
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { programPath } from '#paths.ts';
import { errorText } from '#wire/error-text.ts';
import { AppError } from '../../foundation/errors.ts';
import type { Log } from '../../foundation/log.ts';
import { StoreError } from '../../store/database/store-error.ts';
import { fromThreadError, serviceEnds, toThreadError } from './thread-errors.ts';
import type {
  CampaignThreadOptions,
  RunNews,
  ThreadAnswer,
  ThreadNews,
  ThreadOrder,
  ThreadQuestion,
  ThreadStart,
} from './messages.ts';
import type { RunWrite, WriteRun } from './run-writes.ts';

/** Upper bound of the thread's heap in MB. The rows of a batch have at most 5 MB a run. */
const heapMbMax = 512;

/** Time in ms within which a run fails that ended two threads, alone in the second one. */
const lossMs = 60_000;

/** Time in ms for runs to reach their next checkpoint when the service ends. */
const closeMsMax = 5000;

/** Threads that may end before the answer to a question: the question is put again, because a run ended the thread. */
const lossesMax = 2;

interface Waiting {
  question: ThreadQuestion;
  losses: number;
  resolve: (answer: ThreadAnswer) => void;
  reject: (error: Error) => void;
}

export interface CampaignThreadEvents {
  log: Log;
  write: WriteRun;
  onNews: (news: RunNews) => void;
  /** Called with the number of the thread among the nodes of a shared database. */
  onNode: (owner: number) => void;
  /** Called when the thread has ended by a fault; `isSecond` as for `changeOfLost`. Calls `askAgain`. */
  onLost: (isSecond: boolean) => void;
}

export class CampaignThread {
  readonly #options: CampaignThreadOptions;
  readonly #events: CampaignThreadEvents;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #numbers = 0;
  #lostMs = -Infinity;
  #isClosed = false;

  constructor(options: CampaignThreadOptions, events: CampaignThreadEvents) {
    this.#options = options;
    this.#events = events;
  }

  get isRunning(): boolean {
    return this.#worker !== undefined;
  }

  /** Sends an order and resolves with its answer, also if the thread ends once. Rejects with an `AppError` or a `StoreError`. */
  ask(question: ThreadQuestion): Promise<ThreadAnswer> {
    this.#numbers += 1;
    const number = this.#numbers;
    return new Promise((resolve, reject) => {
      this.send({ ...question, number });
      this.#waiting.set(number, { question, losses: 0, resolve, reject });
    });
  }

  /** Throws OVERLOADED when the service ends. */
  send(order: ThreadOrder): void {
    if (this.#isClosed) throw serviceEnds();
    this.#worker ??= this.#start();
    this.#post(order);
  }

  /** Ends all runs at their next checkpoint. */
  async close(): Promise<void> {
    if (this.#worker !== undefined) {
      const closed = this.ask({ kind: 'close' }).catch(() => undefined);
      this.#isClosed = true;
      // A slow image must not delay the end. The next start repeats a batch that is lost.
      await Promise.race([closed, pause(closeMsMax, undefined, { ref: false })]);
      await this.#worker?.terminate();
    }
    this.#isClosed = true;
    this.#reject(() => true, serviceEnds());
  }

  #post(order: ThreadOrder): void {
    this.#worker?.postMessage(order);
  }

  #start(): Worker {
    const oneByOneMs = Math.max(0, this.#lostMs + lossMs - performance.now());
    const workerData: ThreadStart = { ...this.#options, oneByOneMs };
    const worker = new Worker(programPath('campaigns'), {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: heapMbMax },
    });
    worker.on('message', (news: ThreadNews) => this.#receive(news));
    worker.on('error', (error) => {
      this.#events.log.error('campaign thread ended', { detail: errorText(error) });
    });
    worker.on('exit', () => this.#ended());
    return worker;
  }

  #receive(news: ThreadNews): void {
    if (news.kind === 'run') {
      const { kind: _kind, ...rest } = news;
      return this.#events.onNews(rest);
    }
    if (news.kind === 'node') return this.#events.onNode(news.owner);
    if (news.kind === 'write') return void this.#store(news.number, news.write);
    const waiting = this.#waiting.get(news.number);
    this.#waiting.delete(news.number);
    if (news.error === undefined) waiting?.resolve(news);
    else waiting?.reject(fromThreadError(news.error));
  }

  async #store(number: number, write: RunWrite): Promise<void> {
    try {
      this.#post({ kind: 'stored', number, run: await this.#events.write(write) });
    } catch (error) {
      // A long lock by other nodes is handled as a database that is away.
      const isBusy = error instanceof StoreError && error.code === 'BUSY';
      const reported = isBusy ? new StoreError('AWAY', error.message) : error;
      this.#post({ kind: 'stored', number, error: toThreadError(reported) });
    }
  }

  /** Puts the questions again that an ended thread left without an answer. All may be put twice. */
  askAgain(): void {
    if (this.#isClosed) return;
    for (const [number, { question }] of this.#waiting) this.send({ ...question, number });
  }

  #ended(): void {
    this.#worker = undefined;
    if (this.#isClosed) return this.#reject(() => true, serviceEnds());
    for (const waiting of this.#waiting.values()) waiting.losses += 1;
    this.#reject(({ losses }) => losses === lossesMax, interrupted());
    const nowMs = performance.now();
    const isSecond = nowMs - this.#lostMs < lossMs;
    this.#lostMs = nowMs;
    this.#events.onLost(isSecond);
  }

  #reject(isMeant: (waiting: Waiting) => boolean, error: Error): void {
    for (const [number, waiting] of this.#waiting) {
      if (!isMeant(waiting)) continue;
      this.#waiting.delete(number);
      waiting.reject(error);
    }
  }
}

function interrupted(): AppError {
  const message =
    'The campaign was interrupted by a fault of the service: send it again in a moment.';
  return new AppError('OVERLOADED', message, { reason: 'campaigns', retryAfterSeconds: 5 });
}
