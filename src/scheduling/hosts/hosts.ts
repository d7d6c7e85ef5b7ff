/** The render hosts: a fixed number, each replaced when it ends, and the renders that run again after a loss. */
import type { RenderJob, RenderOutcome } from '#wire/render-job.ts';
import { errorText } from '#wire/error-text.ts';
import type { Deadline } from '../../foundation/deadline.ts';
import type { Log } from '../../foundation/log.ts';
import { kernelKills } from '../../foundation/process-usage.ts';
import { RenderHost } from './host.ts';
import type { RenderHostSettings } from './host.ts';
import { RenderLostError } from './lost-render.ts';
import { Suspects } from './suspects.ts';
import type { Seat } from './suspects.ts';
import type { RenderThread } from './thread.ts';

/** Threads of one host: a lost host loses the time of at most so many renders. */
const threadsOfHostMax = 4;
/**
 * Pauses before starts that follow failed starts. The first failure has none, because the host may have been killed
 * before its first job. Then the pause starts at 250 ms and doubles up to 30 s.
 */
const pauseMs = { first: 250, max: 30_000 } as const;
/** Interval between two checks of the resources of the hosts. */
const lookEveryMs = 250;
/** Time in ms; a host that ends sooner without a job counts as a failed start. */
const soundAfterMs = 5000;
/** Times that a render runs whose host is killed from outside each time. */
const attemptsMax = 3;

/** A host and its last report of memory. */
export interface HostHoldings {
  pid: number;
  figures: RenderHost['figures'];
}

interface Member {
  host: RenderHost;
  startedMs: number;
  threadCount: number;
  /** The threads that have rendered the first job, so they take others. */
  warm: Set<RenderThread>;
  hasWorked: boolean;
}

/** Resolves when every thread has rendered the first job. */
type Warming = PromiseWithResolvers<void> & { job: RenderJob };

/** Returns the threads of each host: several hosts where there are several threads, so that a lost one leaves another. */
export function threadsOfHosts(threadCount: number): number[] {
  const hosts = threadCount < 2 ? 1 : Math.max(2, Math.ceil(threadCount / threadsOfHostMax));
  return Array.from({ length: hosts }, (_, at) => Math.floor((threadCount + at) / hosts));
}

export class RenderHosts {
  /** Hosts and threads that ended or were killed; each was replaced. */
  failures = 0;
  readonly hostCount: number;
  readonly #threadCount: number;
  readonly #settings: RenderHostSettings;
  readonly #log: Log;
  readonly #onIdle: () => void;
  /** In order of their starts. */
  readonly #members = new Map<RenderHost, Member>();
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #watchdog: NodeJS.Timeout;
  /** Kills by the kernel at the last check, and at the one before. */
  #kernelKills: [number, number] = [kernelKills(), kernelKills()];
  #lookedMs = performance.now();
  #warming: Warming | undefined;
  #failedStarts = 0;
  #isClosed = false;
  #onEmpty: (() => void) | undefined;
  readonly #suspects = new Suspects();

  /** Starts hosts with `threadCount` threads in all; `onIdle` is called whenever one may have become free. */
  constructor(threadCount: number, settings: RenderHostSettings, log: Log, onIdle: () => void) {
    this.#threadCount = threadCount;
    this.#settings = settings;
    this.#log = log;
    this.#onIdle = onIdle;
    const counts = threadsOfHosts(threadCount);
    this.hostCount = counts.length;
    for (const threads of counts) this.#start(threads);
    this.#watchdog = setInterval(() => this.#look(), lookEveryMs);
    this.#watchdog.unref();
  }

  /** Number of threads that take jobs, with the busy ones. */
  get alive(): number {
    let alive = 0;
    for (const { host, warm } of this.#members.values()) if (host.isOpen) alive += warm.size;
    return alive;
  }

  /** False if there is no thread and the last two starts failed. */
  get isUp(): boolean {
    return this.#failedStarts <= 1 || this.alive > 0;
  }

  get hasIdle(): boolean {
    return this.#idle() !== undefined;
  }

  /** Memory of each host, with those that have done no job yet. */
  get memory(): HostHoldings[] {
    return [...this.#members.keys()].flatMap(({ pid, figures }) =>
      pid === undefined ? [] : [{ pid, figures }],
    );
  }

  /** Makes every thread, now and later, render `job` before any other. Rejects if one fails at the first attempt. */
  warmUp(job: RenderJob): Promise<void> {
    this.#warming = { ...Promise.withResolvers<void>(), job };
    return this.#warming.promise;
  }

  /**
   * Returns an idle thread of the host with the fewest jobs: a lost host takes few along, and hosts become alike. Of two
   * such hosts the older one, because its caches are the fullest.
   */
  take(): Seat | undefined {
    const seat = this.#idle();
    const member = seat && this.#members.get(seat.host);
    if (member !== undefined) member.hasWorked = true;
    return seat;
  }

  /**
   * Renders a job in a thread. If its host ends and it may be innocent, it runs again, alone in a host, in what is left
   * of its time. Rejects with `RenderLostError` if it ended a host alone, and with TIMEOUT.
   */
  async run({ host, thread }: Seat, job: RenderJob, deadline: Deadline): Promise<RenderOutcome> {
    let running = host.run(thread, job);
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await running;
      } catch (error) {
        const mayRunAgain = error instanceof RenderLostError && error.mayRunAgain;
        if (!mayRunAgain || attempt === attemptsMax || this.#isClosed) throw error;
      }
      running = this.#runAlone(job, deadline);
    }
  }

  /** Kills all hosts and resolves when they have ended. */
  close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#watchdog);
    for (const timer of this.#timers) clearTimeout(timer);
    for (const host of this.#members.keys()) host.kill('exit');
    if (this.#members.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onEmpty = resolve;
    });
  }

  async #runAlone(job: RenderJob, deadline: Deadline): Promise<RenderOutcome> {
    const running = this.#suspects.run(deadline, ({ host, thread }) => host.run(thread, job));
    this.#next();
    return running.finally(() => this.#next());
  }

  /** Starts a suspect if the host that is kept for them is without jobs, and calls `onIdle`. */
  #next(): void {
    const reserved = this.#suspects.host === undefined ? this.#reserved() : undefined;
    const [thread] = reserved?.warm ?? [];
    if (thread !== undefined && reserved?.host.isOpen === true && reserved.host.busy === 0) {
      reserved.hasWorked = true;
      this.#suspects.start({ host: reserved.host, thread });
    }
    this.#onIdle();
  }

  /** The host that takes suspects only: that of the one that runs, or the newest one if all hosts are there. */
  #reserved(): Member | undefined {
    const { host, isWaiting } = this.#suspects;
    if (host !== undefined) return this.#members.get(host);
    const isNeeded = isWaiting && this.#members.size === this.hostCount;
    return isNeeded ? [...this.#members.values()].at(-1) : undefined;
  }

  /** Kills the hosts with a job that is above a limit. */
  #look(): void {
    const nowMs = performance.now();
    // While the service was stopped, the hosts may have been stopped too.
    const ranMs = Math.min(nowMs - this.#lookedMs, 2 * lookEveryMs);
    this.#lookedMs = nowMs;
    this.#kernelKills = [kernelKills(), this.#kernelKills[0]];
    for (const host of this.#members.keys()) host.look(ranMs);
  }

  #idle(): Seat | undefined {
    const reserved = this.#reserved();
    let idle: (Seat & { busy: number }) | undefined;
    for (const member of this.#members.values()) {
      const { host, warm } = member;
      if (member === reserved || !host.isOpen) continue;
      const { busy } = host;
      if (idle !== undefined && idle.busy <= busy) continue;
      for (const thread of warm) if (thread.job === undefined) idle = { host, thread, busy };
    }
    return idle;
  }

  #start(threadCount: number): void {
    try {
      const host: RenderHost = new RenderHost(this.#settings, threadCount, {
        onThread: (thread) => void this.#warm(host, thread),
        onThreadEnd: (thread) => this.#threadEnded(host, thread),
        onEnd: (loss) => this.#ended(host, loss),
        hasKernelKilled: () => kernelKills() > this.#kernelKills[1],
      });
      const startedMs = performance.now();
      const warm = new Set<RenderThread>();
      this.#members.set(host, { host, startedMs, threadCount, warm, hasWorked: false });
    } catch (error) {
      // No memory or no file descriptors for another process.
      this.#log.error('render host not started', { detail: errorText(error) });
      this.#failed(error);
      this.#startLater(threadCount);
    }
  }

  #failed(error: unknown): void {
    this.#failedStarts += 1;
    this.#warming?.reject(error);
  }

  /** Never rejects. */
  async #warm(host: RenderHost, thread: RenderThread): Promise<void> {
    const warming = this.#warming;
    try {
      const outcome = warming && (await host.run(thread, warming.job));
      if (outcome?.ok === false) throw new Error(`The first render failed: ${outcome.detail}`);
    } catch (error) {
      warming?.reject(error);
      host.kill('exit');
      return;
    }
    this.#members.get(host)?.warm.add(thread);
    if (this.alive === this.#threadCount) warming?.resolve();
    this.#next();
  }

  /** The host starts another thread by itself. */
  #threadEnded(host: RenderHost, thread: RenderThread): void {
    this.#members.get(host)?.warm.delete(thread);
    this.failures += 1;
    this.#log.error('render thread ended', { pid: host.pid ?? 0 });
  }

  #ended(host: RenderHost, loss: RenderLostError): void {
    const member = this.#members.get(host);
    this.#members.delete(host);
    if (this.#isClosed) {
      if (this.#members.size === 0) this.#onEmpty?.();
      return;
    }
    this.failures += 1;
    this.#log.error('render host ended', { cause: loss.lossCause, detail: loss.message });
    const isSound =
      member?.hasWorked === true ||
      (member !== undefined &&
        member.warm.size > 0 &&
        performance.now() - member.startedMs > soundAfterMs);
    if (isSound) this.#failedStarts = 0;
    else this.#failed(loss);
    this.#startLater(member?.threadCount ?? 1);
  }

  #startLater(threadCount: number): void {
    if (this.#failedStarts === 0) {
      this.#start(threadCount);
      return;
    }
    // Never synchronously: a start that throws would call itself recursively.
    const pausesBefore = this.#failedStarts - 2;
    const delayMs = pausesBefore < 0 ? 0 : Math.min(pauseMs.max, pauseMs.first * 2 ** pausesBefore);
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.#start(threadCount);
    }, delayMs);
    this.#timers.add(timer);
  }
}
