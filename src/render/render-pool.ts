/** The threads that render, and the queue in front of them. */
import { Piscina } from 'piscina';
import { errorText } from '#shared/source-lines.ts';
import type { RenderJob, RenderOutcome } from '#shared/render-job.ts';
import { createPlanTurns } from '#shared/render-thread-data.ts';
import type { RenderThreadData } from '#shared/render-thread-data.ts';
import type { Deadline } from '../deadline.ts';
import { AppError } from '../errors.ts';
import { decodeBytesOf, imageBytesOf } from './job-bytes.ts';
import {
  closedError,
  isTooLate,
  isWorthStarting,
  lateError,
  latenessOf,
  overloadedError,
  refusalOf,
} from './render-admission.ts';
import type { Backlog } from './render-admission.ts';
import { RenderCosts } from './render-costs.ts';
import type { RenderKind } from './render-costs.ts';
import type { RenderPoolOptions } from './render-pool-options.ts';
import { RenderQueue } from './render-queue.ts';
import type { QueuedWork } from './render-queue.ts';
import { QueueWaits } from './queue-waits.ts';
import { shareOf } from './render-share.ts';
import { RenderSlots } from './render-slots.ts';

/** What a job became, and how long it waited for a thread. */
export type PooledRender = { outcome: RenderOutcome; queuedMs: number };

/** No render takes over 2 s by its bounds; fifteen times that is a thread that will never come back. */
const stuckAfterMsDefault = 30_000;

/** Bytes of source images in waiting jobs, counted a job: a queue of large pictures must not fill the memory. */
const queuedImageBytesMax = 512 * 1024 * 1024;

/** Four of the largest pictures that are let in. */
const decodesBytesMaxDefault = 1024 * 1024 * 1024;

/** Between two looks at threads that are lost and renders that will be late. */
const lookEveryMs = 250;

/**
 * Heap of JavaScript in a thread; a job that needs more loses the thread, not the process. All golden pictures
 * one after the other take 52 MB (measured), a fifth of it; pixels, fonts and plans are no part of it.
 */
const heapMbMax = 256;

interface Waiting extends QueuedWork {
  job: RenderJob;
  imageBytes: number;
  /** Memory that its images may take while they are decoded. */
  decodeBytes: number;
  deadline: Deadline;
  sinceMs: number;
  resolve: (render: PooledRender) => void;
  reject: (error: AppError) => void;
}

/** A place in the queue, taken before the images of a render are fetched. */
export interface RenderPlace {
  /** Renders `job`, once or again. Rejects as `RenderPool.run` does. */
  run(job: RenderJob): Promise<PooledRender>;
  /** Gives the place back; nothing happens when it was used. */
  leave(): void;
}

/**
 * A pool with its own bounded queue, fair to organizations and templates (`RenderQueue`). A job is handed to
 * a thread only when one is free, and from then on it is never aborted: native code cannot be stopped. A
 * thread counts as busy until its job has really ended, also when nobody waits for it any more.
 */
export class RenderPool {
  /** Threads that died since the start, with a job or without; each was replaced. */
  threadFailures = 0;
  readonly waits = new QueueWaits();
  readonly #options: RenderPoolOptions;
  readonly #piscina: Piscina<RenderJob, RenderOutcome>;
  readonly #slots: RenderSlots;
  readonly #watchdog: NodeJS.Timeout;
  readonly #queue = new RenderQueue<Waiting>();
  readonly #costs = new RenderCosts();
  #queuedImageBytes = 0;
  #isReady = false;
  #isClosed = false;
  #onIdle: (() => void) | undefined;

  constructor(options: RenderPoolOptions) {
    this.#options = options;
    const decodesBytesMax = options.decodesBytesMax ?? decodesBytesMaxDefault;
    this.#slots = new RenderSlots(options.threads, decodesBytesMax);
    this.#piscina = new Piscina({
      filename: options.filename,
      workerData: {
        ...(options.plansBytesMax === undefined ? {} : { plansBytesMax: options.plansBytesMax }),
        planTurns: createPlanTurns(),
      } satisfies RenderThreadData,
      minThreads: options.threads,
      maxThreads: options.threads,
      concurrentTasksPerWorker: 1,
      resourceLimits: { maxOldGenerationSizeMb: heapMbMax },
      // With the default the worker's event loop stands still between jobs, native finalizers never run,
      // and memory grows 13 KB a render without end (measured over 60,000 renders).
      atomics: 'disabled',
      recordTiming: false,
    });
    // Without a listener a dying idle worker would end the process; the pool starts another by itself.
    this.#piscina.on('error', (error: unknown) => {
      this.threadFailures += 1;
      options.log.error('render thread failed', { detail: errorText(error) });
    });
    this.#watchdog = setInterval(() => this.#look(), lookEveryMs);
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
    return this.#slots.busy;
  }

  /** Lets each thread render `job` once, so that fonts and code are loaded before the first reader comes. */
  async warmUp(job: RenderJob, deadline: Deadline): Promise<void> {
    const jobs = Array.from({ length: this.#options.threads }, () => this.run(job, deadline));
    for (const { outcome } of await Promise.all(jobs)) {
      if (!outcome.ok) throw new Error(`The first render failed: ${outcome.detail}`);
    }
    this.#isReady = true;
  }

  /** The work that a render of this kind would be. Throws OVERLOADED as `admit` does, and takes no place. */
  checkRoom(kind: RenderKind, deadline: Deadline): QueuedWork {
    if (this.#isClosed) throw closedError();
    const work = this.#workOf(kind);
    // A thread without work may be idle because all that was let in waits for its images.
    const isIdle = this.#slots.busy + this.#queue.announced < this.#options.threads;
    const refusal = isIdle ? undefined : refusalOf(work, deadline, this.#backlog());
    if (refusal !== undefined) throw refusal;
    return work;
  }

  /**
   * Takes a place for a render of this kind, whose images are still to be fetched; the caller must `leave` it
   * in the end. Throws OVERLOADED when the queue is full for it or its wait would outlast the deadline.
   */
  admit(kind: RenderKind, deadline: Deadline): RenderPlace {
    const work = this.checkRoom(kind, deadline);
    this.#queue.announce(work);
    let isHeld = true;
    const leave = (): void => {
      if (isHeld) this.#queue.withdraw(work);
      isHeld = false;
    };
    return {
      leave,
      run: (job) => {
        leave();
        return this.#enqueue(job, deadline);
      },
    };
  }

  /**
   * Renders one job. Rejects with OVERLOADED when the queue is full or the wait would outlast the deadline, also
   * when that turns out later, with TIMEOUT when the deadline passes in the queue, with INTERNAL when the thread dies.
   */
  async run(job: RenderJob, deadline: Deadline): Promise<PooledRender> {
    return this.admit(job, deadline).run(job);
  }

  /** Refuses what waits, waits up to `timeoutMs` for what runs, and ends the threads. */
  async close(timeoutMs: number): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#watchdog);
    for (const waiting of this.#queue.dropLate(() => true)) this.#giveUp(waiting, closedError());
    await this.#idle(timeoutMs);
    await this.#piscina.destroy();
  }

  #enqueue(job: RenderJob, deadline: Deadline): Promise<PooledRender> {
    if (this.#isClosed) return Promise.reject(closedError());
    const work = this.#workOf(job);
    const imageBytes = imageBytesOf(job);
    const isIdle = this.#slots.hasFree && this.#queue.length === 0;
    const isTooLarge = !isIdle && this.#queuedImageBytes + imageBytes > queuedImageBytesMax;
    const refusal = isTooLarge
      ? overloadedError('images', work.costMs)
      : isIdle
        ? undefined
        : latenessOf(work, deadline, this.#backlog());
    if (refusal !== undefined) return Promise.reject(refusal);
    return new Promise((resolve, reject) => {
      const sinceMs = performance.now();
      const decodeBytes = decodeBytesOf(job);
      const waiting = { ...work, job, imageBytes, decodeBytes, deadline, sinceMs, resolve, reject };
      this.#queue.push(waiting);
      this.#queuedImageBytes += imageBytes;
      this.#fill();
    });
  }

  #fill(): void {
    while (this.#slots.hasFree) {
      const next = this.#queue.take(this.#slots.chooser());
      if (next === undefined) return;
      this.#queuedImageBytes -= next.imageBytes;
      if (isWorthStarting(next, this.#queue.lengthsOf(next).template === 0)) void this.#start(next);
      else {
        this.#queue.settle(next, -next.costMs);
        this.#giveUp(next);
      }
    }
  }

  /** Runs a job to its end. Never rejects. */
  async #start(waiting: Waiting): Promise<void> {
    const { job, costMs, sinceMs } = waiting;
    const slot = this.#slots.take(waiting);
    this.waits.count('started', sinceMs);
    try {
      const outcome = await this.#piscina.run(job);
      // Making plans tells nothing of what readers wait for.
      if (job.plansNow !== true) {
        this.#costs.learnOutcome(job, outcome, performance.now() - slot.startedMs);
      }
      waiting.resolve({ outcome, queuedMs: slot.startedMs - sinceMs });
    } catch (error) {
      this.threadFailures += 1;
      const detail = errorText(error);
      waiting.reject(new AppError('INTERNAL', 'The render failed.', { reason: 'thread', detail }));
    }
    this.#queue.settle(waiting, performance.now() - slot.startedMs - costMs);
    this.#slots.giveBack(slot);
    this.#fill();
    if (this.#slots.busy === 0) this.#onIdle?.();
  }

  #workOf(kind: RenderKind): QueuedWork {
    return { ...shareOf(kind), ...this.#costs.estimate(kind) };
  }

  #backlog(): Backlog {
    return { queue: this.#queue, queueMax: this.#options.queueMax, ...this.#slots.pace() };
  }

  #look(): void {
    if (this.#slots.oldestMs() > (this.#options.stuckAfterMs ?? stuckAfterMsDefault)) {
      this.#options.onStuck();
    }
    if (this.#queue.length > 0) this.#dropLate();
  }

  /** Refuses those who wait in vain: costs are not what they seemed to be. */
  #dropLate(): void {
    this.#queue.reprice(({ job }) => this.#costs.estimate(job));
    const backlog = this.#backlog();
    const nowMs = performance.now();
    const late = this.#queue.dropLate((work, ahead, isNext) => {
      const isKnown = this.#costs.isKnown(work.job);
      return isTooLate(work, { ...ahead, isNext, isKnown, nowMs }, backlog);
    });
    for (const waiting of late) {
      this.#queuedImageBytes -= waiting.imageBytes;
      this.#giveUp(waiting);
    }
  }

  #giveUp(waiting: Waiting, error = lateError(waiting, this.#backlog())): void {
    this.waits.count('given-up', waiting.sinceMs);
    waiting.reject(error);
  }

  #idle(timeoutMs: number): Promise<void> {
    if (this.#slots.busy === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, timeoutMs);
      this.#onIdle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
