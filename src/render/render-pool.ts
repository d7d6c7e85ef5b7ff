/** The threads that render, and the queue in front of them. */
import { Piscina } from 'piscina';
import type { RenderJob, RenderOutcome, SourceFormat } from '#shared/render-job.ts';
import type { Deadline } from '../deadline.ts';
import { deadlineError } from '../deadline.ts';
import { AppError } from '../errors.ts';
import type { Log } from '../log.ts';
import { errorText } from '../log.ts';

export interface RenderPoolOptions {
  /** The worker's module; its default export takes a `RenderJob` and gives a `RenderOutcome`. */
  filename: string;
  /** Arguments of Node for each thread. Default: those of this process, which may hold some that no thread takes. */
  nodeArguments?: readonly string[];
  threads: number;
  /** Bytes that each thread keeps of plans. Default: 128 MiB. */
  plansBytesMax?: number;
  /** Jobs that may wait for a thread. */
  queueMax: number;
  /**
   * Estimated bytes of decoding in all threads at a time, beside 100 MB that each thread holds anyway.
   * Default: 1 GiB.
   */
  decodesBytesMax?: number;
  log: Log;
  /** A thread has been at one job for `stuckAfterMs`: it cannot be stopped without ending the process. */
  onStuck: () => void;
  /** Default: 30 s. */
  stuckAfterMs?: number;
}

/** What a job became, and how long it waited for a thread. */
export interface PooledRender {
  outcome: RenderOutcome;
  queuedMs: number;
}

/** No render takes over 2 s by its bounds; fifteen times that is a thread that will never come back. */
const stuckAfterMsDefault = 30_000;

/** Bytes of source images in waiting jobs, counted a job: a queue of large pictures must not fill the memory. */
const queuedImageBytesMax = 512 * 1024 * 1024;

/** Four of the largest pictures that are let in. */
const decodesBytesMaxDefault = 1024 * 1024 * 1024;

/** Renders before the average is believed. */
const samplesMin = 8;

/**
 * Weight of the newest job in the average that waiting times are told from: about the last twenty jobs. It
 * starts at zero, so that a new pool accepts too much rather than too little.
 */
const averageWeight = 0.1;

const retryAfterSecondsMax = 60;

interface Waiting {
  job: RenderJob;
  imageBytes: number;
  deadline: Deadline;
  sinceMs: number;
  resolve: (render: PooledRender) => void;
  reject: (error: AppError) => void;
}

/**
 * A pool with its own bounded first-in-first-out queue. A job is handed to a thread only when one is free,
 * and from then on it is never aborted: native code cannot be stopped. A thread counts as busy until its
 * job has really ended, also when nobody waits for it any more.
 */
export class RenderPool {
  readonly #options: RenderPoolOptions;
  readonly #piscina: Piscina<RenderJob, RenderOutcome>;
  readonly #running = new Set<{ startedMs: number; decodeBytes: number }>();
  readonly #watchdog: NodeJS.Timeout;
  #queue: Waiting[] = [];
  #queuedImageBytes = 0;
  #decodeBytes = 0;
  #averageMs = 0;
  /** Renders that the average is made of, as far as that matters. */
  #samples = 0;
  #isReady = false;
  #isClosed = false;
  #onIdle: (() => void) | undefined;

  constructor(options: RenderPoolOptions) {
    this.#options = options;
    this.#piscina = new Piscina({
      filename: options.filename,
      ...(options.nodeArguments === undefined ? {} : { execArgv: [...options.nodeArguments] }),
      workerData: { plansBytesMax: options.plansBytesMax },
      minThreads: options.threads,
      maxThreads: options.threads,
      concurrentTasksPerWorker: 1,
      // With the default the worker's event loop stands still between jobs, native finalizers never run,
      // and memory grows 13 KB a render without end (measured over 60,000 renders).
      atomics: 'disabled',
      recordTiming: false,
    });
    // Without a listener a dying idle worker would end the process; the pool starts another by itself.
    this.#piscina.on('error', (error: unknown) =>
      options.log.error('render thread failed', { detail: errorText(error) }),
    );
    this.#watchdog = setInterval(() => this.#watch(), 1000);
    this.#watchdog.unref();
  }

  /** True once each thread has rendered, until the pool is closed. */
  get isReady(): boolean {
    return this.#isReady && !this.#isClosed;
  }

  get queueLength(): number {
    return this.#queue.length;
  }

  get busyThreads(): number {
    return this.#running.size;
  }

  /** Lets each thread render `job` once, so that fonts and code are loaded before the first reader comes. */
  async warmUp(job: RenderJob, deadline: Deadline): Promise<void> {
    const jobs = Array.from({ length: this.#options.threads }, () => this.run(job, deadline));
    for (const { outcome } of await Promise.all(jobs)) {
      if (!outcome.ok) throw new Error(`The first render failed: ${outcome.detail}`);
    }
    // First renders are many times slower than all later ones: waiting times must not be told from them.
    this.#averageMs = 0;
    this.#samples = 0;
    this.#isReady = true;
  }

  /**
   * Renders one job. Rejects with OVERLOADED when the queue is full or the wait would outlast the deadline,
   * with TIMEOUT when the deadline passes in the queue, with INTERNAL when the thread dies.
   */
  run(job: RenderJob, deadline: Deadline): Promise<PooledRender> {
    const refusal = this.#refusal(job, deadline);
    if (refusal !== undefined) return Promise.reject(refusal);
    return new Promise((resolve, reject) => {
      const imageBytes = imageBytesOf(job);
      const waiting = { job, imageBytes, deadline, sinceMs: performance.now(), resolve, reject };
      this.#queue.push(waiting);
      this.#queuedImageBytes += imageBytes;
      this.#fill();
    });
  }

  /** Refuses what waits, waits up to `timeoutMs` for what runs, and ends the threads. */
  async close(timeoutMs: number): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#watchdog);
    for (const waiting of this.#take(this.#queue.length)) waiting.reject(closedError());
    await this.#idle(timeoutMs);
    await this.#piscina.destroy();
  }

  #refusal(job: RenderJob, deadline: Deadline): AppError | undefined {
    if (this.#isClosed) return closedError();
    if (this.#running.size < this.#options.threads && this.#queue.length === 0) return undefined;
    if (this.#queue.length >= this.#options.queueMax) this.#dropExpired();
    // The first render of a cold template is many times slower than those behind it: one alone tells nothing.
    const averageMs = this.#samples < samplesMin ? 0 : this.#averageMs;
    const roundsMs = averageMs / this.#options.threads;
    const waitMs = (this.#queue.length + 1) * roundsMs;
    const isFull =
      this.#queue.length >= this.#options.queueMax ||
      this.#queuedImageBytes + imageBytesOf(job) > queuedImageBytesMax;
    if (!isFull && waitMs + averageMs <= deadline.remainingMs()) return undefined;
    return overloadedError(isFull ? 'queue' : 'wait', waitMs);
  }

  #fill(): void {
    while (this.#running.size < this.#options.threads) {
      const next = this.#queue[0];
      if (next === undefined || !this.#hasRoom(next.job)) return;
      const [waiting = next] = this.#take(1);
      if (waiting.deadline.remainingMs() <= 0) waiting.reject(deadlineError());
      else void this.#start(waiting);
    }
  }

  /** The first in the queue waits for memory like for a thread; alone, any job may run. */
  #hasRoom(job: RenderJob): boolean {
    const bytesMax = this.#options.decodesBytesMax ?? decodesBytesMaxDefault;
    const needed = this.#decodeBytes + decodeBytesOf(job);
    return this.#running.size === 0 || needed <= bytesMax;
  }

  /** Runs a job to its end. Never rejects. */
  async #start(waiting: Waiting): Promise<void> {
    const slot = { startedMs: performance.now(), decodeBytes: decodeBytesOf(waiting.job) };
    this.#running.add(slot);
    this.#decodeBytes += slot.decodeBytes;
    try {
      const outcome = await this.#piscina.run(waiting.job);
      this.#learn(outcome);
      waiting.resolve({ outcome, queuedMs: slot.startedMs - waiting.sinceMs });
    } catch (error) {
      const detail = errorText(error);
      waiting.reject(new AppError('INTERNAL', 'The render failed.', { reason: 'thread', detail }));
    }
    this.#running.delete(slot);
    this.#decodeBytes -= slot.decodeBytes;
    this.#fill();
    if (this.#running.size === 0) this.#onIdle?.();
  }

  /** Keeps the average by the thread's own clock: time on this thread's would count a busy event loop as rendering. */
  #learn(outcome: RenderOutcome): void {
    if (!outcome.ok) return;
    const { layoutMs, decodeMs, paintMs, encodeMs } = outcome.timings;
    const ranMs = layoutMs + decodeMs + paintMs + encodeMs;
    this.#averageMs += (ranMs - this.#averageMs) * averageWeight;
    this.#samples += 1;
  }

  #take(count: number): Waiting[] {
    const taken = this.#queue.splice(0, count);
    for (const { imageBytes } of taken) this.#queuedImageBytes -= imageBytes;
    return taken;
  }

  /** Nobody waits for these any more; they leave the queue when it is their turn, or when room is needed. */
  #dropExpired(): void {
    const nowMs = performance.now();
    for (const waiting of this.#take(this.#queue.length)) {
      if (waiting.deadline.remainingMs(nowMs) <= 0) {
        waiting.reject(deadlineError());
      } else {
        this.#queue.push(waiting);
        this.#queuedImageBytes += waiting.imageBytes;
      }
    }
  }

  #watch(): void {
    const stuckAfterMs = this.#options.stuckAfterMs ?? stuckAfterMsDefault;
    const oldestMs = performance.now() - stuckAfterMs;
    for (const { startedMs } of this.#running)
      if (startedMs < oldestMs) return this.#options.onStuck();
  }

  #idle(timeoutMs: number): Promise<void> {
    if (this.#running.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, timeoutMs);
      this.#onIdle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/**
 * Bytes a pixel that decoding an asset may take, by the worst that its format may be: interlaced PNG of 16
 * bits, progressive JPEG, TIFF of floating point; four copies of what passes from one library to the other.
 */
const decodeBytesPerPx: Readonly<Record<SourceFormat, number>> = {
  png: 12,
  jpeg: 6,
  webp: 4,
  gif: 4,
  bmp: 16,
  avif: 8,
  tiff: 16,
  ico: 16,
};

/** Bytes that decoding a job may take. It decodes its pictures one after the other, so the largest counts. */
function decodeBytesOf({ images }: RenderJob): number {
  const bytes = images.map(
    ([, { widthPx, heightPx, format, decodeBytes }]) =>
      decodeBytes ?? widthPx * heightPx * decodeBytesPerPx[format],
  );
  return Math.max(0, ...bytes);
}

function imageBytesOf(job: RenderJob): number {
  return job.images.reduce((bytes, [, image]) => bytes + image.bytes.byteLength, 0);
}

function overloadedError(reason: string, waitMs: number): AppError {
  const seconds = Math.min(retryAfterSecondsMax, Math.max(1, Math.ceil(waitMs / 1000)));
  return new AppError(
    'OVERLOADED',
    `Too many images are being rendered; ask again in ${seconds} s.`,
    { reason, retryAfterSeconds: seconds },
  );
}

function closedError(): AppError {
  return new AppError('OVERLOADED', 'The service is shutting down; ask again in a moment.', {
    reason: 'closing',
    retryAfterSeconds: 1,
  });
}
