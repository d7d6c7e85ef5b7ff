/** The render hosts and the queue in front of them. */
import type { RenderJob, RenderOutcome } from '#wire/render-job.ts';
import type { Deadline } from '../foundation/deadline.ts';
import type { AppError } from '../foundation/errors.ts';
import type { Log } from '../foundation/log.ts';
import { lostError, RenderLostError } from './hosts/lost-render.ts';
import {
  closedError,
  outlookAtTurn,
  outlookInQueue,
  outlookOf,
  refusalError,
  refusalOf,
  waitMsOf,
} from './admission.ts';
import type { Backlog } from './admission.ts';
import { RenderCosts, shareOf } from './costs.ts';
import type { RenderKind } from './costs.ts';
import type { RenderHostSettings } from './hosts/host.ts';
import type { HostHoldings } from './hosts/hosts.ts';
import type { Seat } from './hosts/suspects.ts';
import { RenderHosts } from './hosts/hosts.ts';
import { LongRenders } from './long-renders.ts';
import { RenderQueue } from './queue.ts';
import type { QueuedWork } from './queue.ts';
import { Quarantine } from './quarantine.ts';
import { QueueWaits } from './stats.ts';
import { decodeBytesOf, imageBytesOf, RenderSlots } from './slots.ts';

/** The outcome of a job, and the time that it waited for a thread. */
export type PooledRender = { outcome: RenderOutcome; queuedMs: number };

/** Bytes of source images in waiting jobs, counted for each job. */
const queuedImageBytesMax = 512 * 1024 * 1024;

export interface RenderPoolOptions extends RenderHostSettings {
  /** Threads of all hosts. */
  threadCount: number;
  /** Jobs that may wait for a thread. */
  queueMax: number;
  /** Estimated bytes of decoding in all threads at a time, beside 100 MB that each always has. Default: 1 GiB. */
  decodesBytesMax?: number;
  log: Log;
}

interface Waiting extends QueuedWork {
  job: RenderJob;
  imageBytes: number;
  decodeBytes: number;
  deadline: Deadline;
  sinceMs: number;
  resolve: (render: PooledRender) => void;
  reject: (error: AppError) => void;
}

/** A slot in the queue, taken before the images of a render are fetched. */
export interface Admission {
  /** Renders `job`; may be called again. Rejects as `RenderPool.run` does. */
  run(job: RenderJob, deadline: Deadline): Promise<PooledRender>;
  /** Whether an image with this digest must not be rendered with the document: see `Quarantine`. */
  refusesImage(digest: string): boolean;
  /** Returns why images of callers must not be rendered with the document; undefined if they may. */
  refusalOfCallerImages(): AppError | undefined;
  /** Releases the slot; does nothing if it was used. */
  leave(): void;
}

/** Interval in ms between two checks for waiting renders that will be late. */
const dropLateEveryMs = 250;

/**
 * A pool with a bounded queue, fair to organizations and templates (`RenderQueue`). A job goes to a thread only when
 * one is free, and is never aborted from then on: native code cannot be interrupted. A thread counts as busy until its
 * job has ended, even if no request waits for it any more.
 */
export class RenderPool {
  readonly waits = new QueueWaits();
  readonly quarantine: Quarantine;
  readonly #options: RenderPoolOptions;
  readonly #hosts: RenderHosts;
  readonly #slots: RenderSlots;
  readonly #queue = new RenderQueue<Waiting>();
  readonly #costs = new RenderCosts();
  readonly #longRenders = new LongRenders();
  readonly #lateTimer: NodeJS.Timeout;
  #queuedImageBytes = 0;
  #isReady = false;
  #isClosed = false;
  #onIdle: (() => void) | undefined;

  constructor(options: RenderPoolOptions) {
    this.#options = options;
    this.quarantine = new Quarantine(options.log);
    const { threadCount, decodesBytesMax, log } = options;
    this.#slots = new RenderSlots(threadCount, decodesBytesMax);
    this.#hosts = new RenderHosts(threadCount, options, log, () => this.#fill());
    this.#lateTimer = setInterval(() => this.#dropLate(), dropLateEveryMs).unref();
  }

  /** True once each thread has rendered, until the pool is closed; false while none can be started. */
  get isReady(): boolean {
    return this.#isReady && !this.#isClosed && this.#hosts.isUp;
  }

  get hostCount(): number {
    return this.#hosts.hostCount;
  }

  /** Hosts and threads that ended since the start, with or without a job; each was replaced. */
  get failures(): number {
    return this.#hosts.failures;
  }

  get memory(): HostHoldings[] {
    return this.#hosts.memory;
  }

  get queueLength(): number {
    return this.#queue.length;
  }

  get busyThreads(): number {
    return this.#slots.busy;
  }

  /**
   * Makes each thread, replacements included, render `job` once, so that fonts and code are loaded before the first
   * request. Rejects if that fails or is not done by the deadline.
   */
  async warmUp(job: RenderJob, deadline: Deadline): Promise<void> {
    const late = Promise.withResolvers<never>();
    deadline.signal.addEventListener('abort', () => late.reject(deadline.signal.reason));
    await Promise.race([this.#hosts.warmUp(job), late.promise]);
    deadline.clear();
    this.#isReady = true;
  }

  /**
   * Takes a slot for a render of this kind, whose images are still to be fetched; the caller must `leave` it in the
   * end. Throws the error of `Quarantine.refusalOf`, OVERLOADED if the queue is full for it or its wait would exceed
   * the deadline, and TIMEOUT after the deadline.
   */
  admit(kind: RenderKind, deadline: Deadline): Admission {
    if (this.#isClosed) throw closedError();
    const quarantined = this.quarantine.refusalOf(kind.templateKey);
    if (quarantined !== undefined) throw quarantined;
    const work = this.#workOf(kind);
    // A thread may be idle because every admitted render waits for its images.
    const isIdle = this.#slots.busy + this.#queue.announced < this.#hosts.alive;
    if (!isIdle) this.#requireTime(work, deadline);
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
      run: (job, until) => {
        leave();
        return this.#enqueue(job, until);
      },
    };
  }

  #requireTime(work: QueuedWork, deadline: Deadline): void {
    const outlook = outlookOf(work, this.#backlog());
    const refusal = refusalOf(work, deadline.remainingMs(), outlook);
    if (refusal !== undefined) throw refusalError(refusal, outlook.waitMs);
  }

  /**
   * Renders one job. Rejects with the errors of `admit`, and with OVERLOADED if it would be late at its turn. Rejects
   * with TIMEOUT if the deadline passes in the queue, and with the error of `lostError` if it is lost.
   */
  async run(job: RenderJob, deadline: Deadline): Promise<PooledRender> {
    return this.admit(job, deadline).run(job, deadline);
  }

  /** Refuses waiting jobs, waits up to `timeoutMs` for running ones, and ends the hosts. */
  async close(timeoutMs: number): Promise<void> {
    this.#isClosed = true;
    this.quarantine.close();
    clearInterval(this.#lateTimer);
    for (const waiting of this.#queue.dropLate(() => true)) this.#giveUp(waiting, closedError());
    const idle = Promise.withResolvers<void>();
    this.#onIdle = idle.resolve;
    const timer = setTimeout(idle.resolve, this.#slots.busy === 0 ? 0 : timeoutMs);
    await idle.promise;
    clearTimeout(timer);
    await this.#hosts.close();
  }

  #enqueue(job: RenderJob, deadline: Deadline): Promise<PooledRender> {
    if (this.#isClosed) return Promise.reject(closedError());
    const work = this.#workOf(job);
    const imageBytes = imageBytesOf(job);
    // Memory bounds: announced renders may exceed the slots.
    const isIdle = this.#hasFree && this.#queue.length === 0;
    const isTooLarge = this.#queuedImageBytes + imageBytes > queuedImageBytesMax;
    const isFull = this.#queue.length >= this.#options.queueMax;
    if (!isIdle && (isTooLarge || isFull)) {
      const waitMs = waitMsOf(work, this.#backlog());
      return Promise.reject(refusalError(isTooLarge ? 'images' : 'queue', waitMs));
    }
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
    return this.#slots.hasFree && this.#hosts.hasIdle;
  }

  #fill(): void {
    while (this.#hasFree) {
      const next = this.#queue.take(this.#slots.chooser());
      if (next === undefined) return;
      this.#queuedImageBytes -= next.imageBytes;
      const refusal = this.#refusalAtTurn(next);
      const seat = refusal === undefined ? this.#hosts.take() : undefined;
      if (seat !== undefined) void this.#start(next, seat);
      else {
        this.#queue.settle(next, -next.costMs);
        this.#giveUp(next, refusal ?? refusalError('late', waitMsOf(next, this.#backlog())));
      }
    }
  }

  /** Refuses waiting renders that cannot meet their deadlines by the current estimates. */
  #dropLate(): void {
    if (this.#queue.length === 0) return;
    this.#queue.reprice(({ job }) => this.#costs.estimate(job));
    const backlog = this.#backlog();
    const late = this.#queue.dropLate((work, ahead, isOnly) => {
      const outlook = outlookInQueue(work, ahead, isOnly, backlog);
      return refusalOf(work, work.deadline.remainingMs(), outlook) !== undefined;
    });
    for (const waiting of late) {
      this.#queuedImageBytes -= waiting.imageBytes;
      const reason = waiting.deadline.remainingMs() <= 0 ? 'deadline' : 'late';
      this.#giveUp(waiting, refusalError(reason, waitMsOf(waiting, backlog)));
    }
  }

  /** Uses the current estimate: the renders before it may have shown that it costs more than estimated on arrival. */
  #refusalAtTurn(waiting: Waiting): AppError | undefined {
    const { job, deadline } = waiting;
    // Waiting jobs of a document that was just quarantined would end one host after the other.
    const quarantined = this.quarantine.refusalOfJob(job);
    if (quarantined !== undefined) return quarantined;
    const outlook = outlookAtTurn(this.#queue.lengthsOf(waiting).template === 0);
    const refusal = refusalOf(this.#costs.estimate(job), deadline.remainingMs(), outlook);
    if (refusal === undefined) return undefined;
    return refusalError(refusal === 'wait' ? 'late' : refusal, waitMsOf(waiting, this.#backlog()));
  }

  /** Runs a job to its end. Never rejects. */
  async #start(waiting: Waiting, seat: Seat): Promise<void> {
    const { job, costMs, sinceMs, deadline } = waiting;
    const slot = this.#slots.take(waiting, () => seat.thread.jobCpuMs);
    const queuedMs = performance.now() - sinceMs;
    this.waits.count('started', sinceMs);
    try {
      const outcome = await this.#hosts.run(seat, this.#longRenders.allow(job), deadline);
      this.#longRenders.note(job, outcome);
      this.#costs.learnOutcome(job, outcome, this.#slots.heldMs(slot));
      waiting.resolve({ outcome, queuedMs });
    } catch (error) {
      if (error instanceof RenderLostError) this.quarantine.note(job, error);
      waiting.reject(error instanceof RenderLostError ? lostError(error) : (error as AppError));
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
    const backlog = { queue: this.#queue, queueMax: this.#options.queueMax, ...this.#slots.pace() };
    return this.#hosts.isUp ? backlog : { ...backlog, threadCount: 0 };
  }

  #giveUp(waiting: Waiting, error: AppError): void {
    this.waits.count('given-up', waiting.sinceMs);
    waiting.reject(error);
  }
}
