/** Clocks beside `performance.now()`, and the deadline of a request, which they measure. */
import { performance } from 'node:perf_hooks';
import { setMaxListeners } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from './errors.ts';

// A clock of the time in which the process was stopped.

/** Interval at which the process records that it runs. */
const beatEveryMs = 100;
/** A longer gap between two beats is a stopped process, not a busy turn of the event loop. */
const pauseMinMs = 500;

let seenMs = performance.now();
let pausedSumMs = 0;
let timer: NodeJS.Timeout | undefined;

/**
 * Milliseconds since the start in which the process was stopped. A caller reads it at the beginning of a measurement
 * and at its end. Every call updates the total, so that timers that are due after a pause see it.
 */
export function pausedTotalMs(nowMs: number = performance.now()): number {
  if (timer === undefined) {
    seenMs = nowMs;
    timer = setInterval(() => pausedTotalMs(), beatEveryMs);
    timer.unref();
  }
  const gapMs = nowMs - seenMs;
  if (gapMs > pauseMinMs) pausedSumMs += gapMs - beatEveryMs;
  if (gapMs > 0) seenMs = nowMs;
  return pausedSumMs;
}

// A clock for caches, circuit breakers and other code that changes of the wall clock must not affect.

/**
 * Milliseconds since the epoch by the wall clock at the start of the process, and monotonic since. With a wall clock
 * that is set back by an hour, an image would be kept, or a host blocked, an hour too long.
 */
export function steadyNowMs(): number {
  return performance.timeOrigin + performance.now();
}

// A clock that is read once a turn of the event loop, for per-request work that needs no more precision.

let turnMs: number | undefined;
const endTurn = (): void => {
  turnMs = undefined;
};

/**
 * Milliseconds of `performance.now()` at the first call in this turn. Reading the clock takes 60 ns, and a thousand
 * requests may arrive in a turn.
 */
export function turnNowMs(): number {
  if (turnMs === undefined) {
    turnMs = performance.now();
    setImmediate(endTurn);
  }
  return turnMs;
}

/** Milliseconds of a turn after which large work waits for another one. */
const shortTurnMs = 5;

/**
 * Runs `work`, such as a read of some megabytes, in a short turn of the event loop. If this turn has taken long, waits
 * for a later one, with requests in between.
 */
export async function inShortTurn<Result>(work: () => Result): Promise<Result> {
  while (performance.now() - turnNowMs() > shortTurnMs) {
    await nextTurn();
  }
  return work();
}

// The time by which a request must be answered, with an abort signal.

/**
 * A deadline on the clock of `performance.now()`. The first read of `signal` starts a timer, and `clear()` ends it. The
 * signal's reason is an `AppError` with code TIMEOUT. A deadline only moves later. `extendTo` keeps shared work alive
 * until the last deadline of its requests. Time in which the process was stopped is added.
 */
export class Deadline {
  #atMs: number;
  /** Pauses of the process that `#atMs` includes. */
  #pausedMs = pausedTotalMs();
  #controller: AbortController | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(atMs: number) {
    this.#atMs = atMs;
  }

  /** The deadline in ms of `performance.now()`. */
  get atMs(): number {
    const pausedMs = pausedTotalMs();
    this.#atMs += pausedMs - this.#pausedMs;
    this.#pausedMs = pausedMs;
    return this.#atMs;
  }

  /** Milliseconds left at `nowMs`; zero or negative after the deadline. */
  remainingMs(nowMs: number = performance.now()): number {
    return this.atMs - nowMs;
  }

  /** Moves the deadline to `atMs`, unless it is later already. */
  extendTo(atMs: number): void {
    if (atMs > this.atMs) this.#atMs = atMs;
  }

  /** Aborts when the deadline passes, with all its extensions. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      // A render with many images has a listener for each, which is not a leak.
      setMaxListeners(0, this.#controller.signal);
      this.#arm(this.#controller);
    }
    return this.#controller.signal;
  }

  /** Stops the timer; the signal then never aborts. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #arm(controller: AbortController): void {
    // A timer may fire a fraction of a millisecond early; one more millisecond avoids a second timer.
    this.#timer = setTimeout(() => this.#fire(controller), this.remainingMs() + 1);
    this.#timer.unref();
  }

  #fire(controller: AbortController): void {
    if (this.remainingMs() > 0) this.#arm(controller);
    else controller.abort(deadlineError());
  }
}

/** Creates the error of a passed deadline: 504 TIMEOUT. */
export function deadlineError(): AppError {
  return new AppError(
    'TIMEOUT',
    'The image was not ready before the deadline of the request; ask again in a moment.',
    { reason: 'deadline' },
  );
}
