/** The render processes: a fixed number, each replaced when it ends. */
import type { RenderJob } from '#wire/render-job.ts';
import { errorText } from '#wire/error-text.ts';
import type { Log } from '../../foundation/log.ts';
import type { RenderLostError } from './lost-render.ts';
import { RenderProcess } from './process.ts';
import type { RenderProcessSettings } from './process.ts';

/**
 * Pauses before starts that follow failed starts. The first failure has none, because the process may have been killed
 * before its first job. Then the pause starts at 250 ms and doubles up to 30 s.
 */
const pauseMs = { first: 250, max: 30_000 } as const;
/** Interval between two checks of the resources of the processes. */
const lookEveryMs = 250;
/** Time in ms; a process that ends sooner without a job counts as a failed start. */
const soundAfterMs = 5000;

/** A process and its last report of memory. */
export interface ProcessHoldings {
  pid: number;
  figures: RenderProcess['figures'];
}

interface Member {
  process: RenderProcess;
  startedMs: number;
  /** The process has rendered the first job, so it takes others. */
  isWarm: boolean;
  hasWorked: boolean;
}

/** Resolves when every process has rendered the first job. */
type Warming = PromiseWithResolvers<void> & { job: RenderJob };

export class RenderProcesses {
  /** Processes that ended or were killed; each was replaced. */
  failures = 0;
  readonly #count: number;
  readonly #settings: RenderProcessSettings;
  readonly #log: Log;
  readonly #onIdle: () => void;
  readonly #members = new Map<RenderProcess, Member>();
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #watchdog: NodeJS.Timeout;
  #lookedMs = performance.now();
  #warming: Warming | undefined;
  #failedStarts = 0;
  #isClosed = false;
  #onEmpty: (() => void) | undefined;

  /** Starts `count` processes; `onIdle` is called whenever one may have become free. */
  constructor(count: number, settings: RenderProcessSettings, log: Log, onIdle: () => void) {
    this.#count = count;
    this.#settings = settings;
    this.#log = log;
    this.#onIdle = onIdle;
    for (let index = 0; index < count; index += 1) this.#start();
    this.#watchdog = setInterval(() => this.#look(), lookEveryMs);
    this.#watchdog.unref();
  }

  /** Number of processes that take jobs, with the busy ones. */
  get alive(): number {
    let alive = 0;
    for (const { process, isWarm } of this.#members.values()) {
      if (isWarm && process.isReady) alive += 1;
    }
    return alive;
  }

  /** False if there is no process and the last two starts failed. */
  get isUp(): boolean {
    return this.#failedStarts <= 1 || this.alive > 0;
  }

  get hasIdle(): boolean {
    return this.#idle() !== undefined;
  }

  /** Process ids, for tests and operators. */
  get pids(): number[] {
    return [...this.#members.keys()].flatMap(({ pid }) => pid ?? []);
  }

  /** Memory of each process, with those that have done no job yet. */
  get memory(): ProcessHoldings[] {
    return [...this.#members.keys()].flatMap(({ pid, figures }) =>
      pid === undefined ? [] : [{ pid, figures }],
    );
  }

  /** Makes every process, now and later, render `job` before any other. Rejects if one fails at the first attempt. */
  warmUp(job: RenderJob): Promise<void> {
    this.#warming = { ...Promise.withResolvers<void>(), job };
    return this.#warming.promise;
  }

  /** Returns the oldest idle process, because its caches are the fullest. */
  take(): RenderProcess | undefined {
    const member = this.#idle();
    if (member !== undefined) member.hasWorked = true;
    return member?.process;
  }

  /** Kills all processes and resolves when they have ended. */
  close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#watchdog);
    for (const timer of this.#timers) clearTimeout(timer);
    for (const process of this.#members.keys()) process.kill('exit');
    if (this.#members.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onEmpty = resolve;
    });
  }

  /** Kills the processes whose job is above a limit. */
  #look(): void {
    const nowMs = performance.now();
    // While the service was stopped, the render processes may have been stopped too.
    const ranMs = Math.min(nowMs - this.#lookedMs, 2 * lookEveryMs);
    this.#lookedMs = nowMs;
    for (const process of this.#members.keys()) process.look(ranMs);
  }

  #idle(): Member | undefined {
    for (const member of this.#members.values()) {
      if (member.isWarm && member.process.isIdle) return member;
    }
    return undefined;
  }

  #start(): void {
    try {
      const process = new RenderProcess(
        this.#settings,
        () => void this.#warm(process),
        (loss) => this.#ended(process, loss),
      );
      const startedMs = performance.now();
      this.#members.set(process, { process, startedMs, isWarm: false, hasWorked: false });
    } catch (error) {
      // No memory or no file descriptors for another process.
      this.#log.error('render process not started', { detail: errorText(error) });
      this.#failed(error);
      this.#startLater();
    }
  }

  #failed(error: unknown): void {
    this.#failedStarts += 1;
    this.#warming?.reject(error);
  }

  /** Never rejects. */
  async #warm(process: RenderProcess): Promise<void> {
    const warming = this.#warming;
    try {
      const outcome = warming && (await process.run(warming.job));
      if (outcome?.ok === false) throw new Error(`The first render failed: ${outcome.detail}`);
    } catch (error) {
      warming?.reject(error);
      process.kill('exit');
      return;
    }
    const member = this.#members.get(process);
    if (member === undefined) return;
    member.isWarm = true;
    if (this.alive === this.#count) warming?.resolve();
    this.#onIdle();
  }

  #ended(process: RenderProcess, loss: RenderLostError): void {
    const member = this.#members.get(process);
    this.#members.delete(process);
    if (this.#isClosed) {
      if (this.#members.size === 0) this.#onEmpty?.();
      return;
    }
    this.failures += 1;
    this.#log.error('render process ended', { cause: loss.lossCause, detail: loss.message });
    const isSound =
      member?.hasWorked === true ||
      (member?.isWarm === true && performance.now() - member.startedMs > soundAfterMs);
    if (isSound) this.#failedStarts = 0;
    else this.#failed(loss);
    this.#startLater();
  }

  #startLater(): void {
    if (this.#failedStarts === 0) {
      this.#start();
      return;
    }
    // Never synchronously: a start that throws would call itself recursively.
    const pausesBefore = this.#failedStarts - 2;
    const delayMs = pausesBefore < 0 ? 0 : Math.min(pauseMs.max, pauseMs.first * 2 ** pausesBefore);
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.#start();
    }, delayMs);
    this.#timers.add(timer);
  }
}
