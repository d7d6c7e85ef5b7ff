/** The processes that render, and the queue in front of them. */
import type { RenderJob, RenderOutcome } from '#wire/render-job.ts';
import type { Deadline } from '../foundation/deadline.ts';
import type { AppError } from '../foundation/errors.ts';
import { decodeBytesOf, imageBytesOf } from './processes/job-bytes.ts';
import { lostError } from './processes/lost-render.ts';
import type { RenderLostError } from './processes/lost-render.ts';
import {
  closedError,
  isTooLate,
  isWorthStarting,
  lateError,
  latenessOf,
  overloadedError,
  refusalOf,
} from './admission.ts';
import type { Backlog } from './admission.ts';
import { RenderCosts } from './costs.ts';
import type { RenderKind } from './costs.ts';
import type { RenderPoolOptions } from './pool-options.ts';
import type { RenderProcess } from './processes/process.ts';
import type { ProcessHoldings } from './processes/processes.ts';
import { RenderProcesses } from './processes/processes.ts';
import { RenderQueue } from './queue.ts';
import type { QueuedWork } from './queue.ts';
import { Quarantine } from './quarantine.ts';
import { QueueWaits } from './queue-waits.ts';
import { shareOf } from './share.ts';
import { RenderSlots } from './slots.ts';

/** What a job became, and how long it waited for a thread. */
export type PooledRender = { outcome: RenderOutcome; queuedMs: number };

/** Bytes of source images in waiting jobs, counted a job: a queue of large pictures must not fill the memory. */
const queuedImageBytesMax = 512 * 1024 * 1024;

/** Three of the most expensive images that are let in. */
const decodesBytesMaxDefault = 1024 * 1024 * 1024;

/** Milliseconds between two looks for renders that will be late. */
const lookEveryMs = 250;

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
  /** Whether an image with this digest may not be rendered with the document: see `Quarantine`. */
  refusesImage(digest: string): boolean;
  /** Why no image of a caller may be rendered with the document; undefined while they may. */
  refusalOfCallerImages(): AppError | undefined;
  /** Gives the place back; nothing happens when it was used. */
  leave(): void;
}

/**
 * A pool with its own bounded queue, fair to organizations and templates (`RenderQueue`). A job is handed to
 * a thread only when one is free, and from then on it is never aborted: native code cannot be stopped. A
 * thread counts as busy until its job has really ended, also when nobody waits for it any more.
 */
export class RenderPool {
  readonly waits = new QueueWaits();
  readonly quarantine: Quarantine;
  readonly #options: RenderPoolOptions;
  readonly #processes: RenderProcesses;
  readonly #slots: RenderSlots;
  readonly #lateTimer: NodeJS.Timeout;
  readonly #queue = new RenderQueue<Waiting>();
  readonly #costs = new RenderCosts();
  #queuedImageBytes = 0;
  #isReady = false;
  #isClosed = false;
  #onIdle: (() => void) | undefined;

  constructor(options: RenderPoolOptions) {
    this.#options = options;
    this.quarantine = new Quarantine(options.log);
    const decodesBytesMax = options.decodesBytesMax ?? decodesBytesMaxDefault;
    this.#slots = new RenderSlots(options.threads, decodesBytesMax);
    const { threads, filename, fontConfigFile, limits, log } = options;
    const { plansBytesMax, drawablesBytesMax, ...caches } = options.caches ?? {};
    const program = { filename, options: { plansBytesMax, drawablesBytesMax } };
    const settings = { ...caches, ...program, fontConfigFile, limits };
    this.#processes = new RenderProcesses(threads, settings, log, () => this.#fill());
    this.#lateTimer = setInterval(() => this.#dropLate(), lookEveryMs).unref();
  }

  /** True once each process has rendered, until the pool is closed; false while none can be started. */
  get isReady(): boolean {
    return this.#isReady && !this.#isClosed && this.#processes.isUp;
  }

  /** Processes that ended since the start, with a job or without; each was replaced. */
  get threadFailures(): number {
    return this.#processes.failures;
  }

  get pids(): number[] {
    return this.#processes.pids;
  }

  get memory(): ProcessHoldings[] {
    return this.#processes.memory;
  }

  get queueLength(): number {
    return this.#queue.length;
  }

  get busyThreads(): number {
    return this.#slots.busy;
  }

  /**
   * Lets each process, those that replace others included, render `job` once, so that fonts and code are loaded before
   * the first request. Rejects when that fails, or is not done by the deadline.
   */
  async warmUp(job: RenderJob, deadline: Deadline): Promise<void> {
    const late = Promise.withResolvers<never>();
    deadline.signal.addEventListener('abort', () => late.reject(deadline.signal.reason));
    await Promise.race([this.#processes.warmUp(job), late.promise]);
    deadline.clear();
    this.#isReady = true;
  }

  /** The work that a render of this kind would be. Throws as `admit` does, and takes no place. */
  checkRoom(kind: RenderKind, deadline: Deadline): QueuedWork {
    if (this.#isClosed) throw closedError();
    const quarantined = this.quarantine.refusalOf(kind.templateKey);
    if (quarantined !== undefined) throw quarantined;
    const work = this.#workOf(kind);
    // A thread without work may be idle because all that was let in waits for its images.
    const isIdle = this.#slots.busy + this.#queue.announced < this.#processes.alive;
    const refusal = isIdle ? undefined : refusalOf(work, deadline, this.#backlog());
    if (refusal !== undefined) throw refusal;
    return work;
  }

  /**
   * Takes a place for a render of this kind, whose images are still to be fetched; the caller must `leave` it
   * in the end. Throws OVERLOADED when the queue is full for it or its wait would outlast the deadline, and what
   * `Quarantine.refusalOf` gives.
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
      refusesImage: (digest) => this.quarantine.refusesImage(kind.templateKey, digest),
      refusalOfCallerImages: () => this.quarantine.refusalOfCallerImages(kind.templateKey),
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
    clearInterval(this.#lateTimer);
    this.quarantine.close();
    for (const waiting of this.#queue.dropLate(() => true)) this.#giveUp(waiting, closedError());
    await this.#idle(timeoutMs);
    await this.#processes.close();
  }

  #enqueue(job: RenderJob, deadline: Deadline): Promise<PooledRender> {
    if (this.#isClosed) return Promise.reject(closedError());
    const work = this.#workOf(job);
    const imageBytes = imageBytesOf(job);
    const isIdle = this.#hasFree && this.#queue.length === 0;
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

  get #hasFree(): boolean {
    return this.#slots.hasFree && this.#processes.hasIdle;
  }

  #fill(): void {
    while (this.#hasFree) {
      const next = this.#queue.take(this.#slots.chooser());
      if (next === undefined) return;
      this.#queuedImageBytes -= next.imageBytes;
      // Waiting jobs of what has just been quarantined would end one process after the other.
      const quarantined = this.quarantine.refusalOfJob(next.job);
      const isOnly = this.#queue.lengthsOf(next).template === 0;
      const isKnown = this.#costs.isKnown(next.job);
      const mayStart = quarantined === undefined && isWorthStarting(next, { isOnly, isKnown });
      const process = mayStart ? this.#processes.take() : undefined;
      if (process !== undefined) void this.#start(next, process);
      else {
        this.#queue.settle(next, -next.costMs);
        this.#giveUp(next, quarantined);
      }
    }
  }

  /** Runs a job to its end. Never rejects. */
  async #start(waiting: Waiting, process: RenderProcess): Promise<void> {
    const { job, costMs, sinceMs } = waiting;
    const slot = this.#slots.take(waiting, () => process.jobCpuMs);
    const queuedMs = performance.now() - sinceMs;
    this.waits.count('started', sinceMs);
    try {
      const outcome = await process.run(job);
      // Making plans tells nothing of what readers wait for.
      if (job.makesBaseRender !== true)
        this.#costs.learnOutcome(job, outcome, this.#slots.heldMs(slot));
      waiting.resolve({ outcome, queuedMs });
    } catch (error) {
      const loss = error as RenderLostError;
      this.quarantine.note(job, loss);
      waiting.reject(lostError(loss));
    }
    this.#queue.settle(waiting, this.#slots.heldMs(slot) - costMs);
    this.#slots.giveBack(slot);
    this.#fill();
    if (this.#slots.busy === 0) this.#onIdle?.();
  }

  #workOf(kind: RenderKind): QueuedWork {
    return { ...shareOf(kind), ...this.#costs.estimate(kind) };
  }

  #backlog(): Backlog {
    const { queueMax } = this.#options;
    const pace = { queue: this.#queue, queueMax, ...this.#slots.pace() };
    return this.#processes.isUp ? pace : { ...pace, threads: 0 };
  }

  /** Refuses those who wait in vain: costs are not what they seemed to be. */
  #dropLate(): void {
    if (this.#queue.length === 0) return;
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
