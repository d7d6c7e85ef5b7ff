/** A point in time by which an answer is owed, and the signal that fires then. */
import { setMaxListeners } from 'node:events';
import { AppError } from './errors.ts';
import { pausedTotalMs } from './clocks.ts';

/**
 * A deadline on the clock of `performance.now()`. Reading it costs nothing; a timer starts only when
 * somebody asks for the `signal`, and `clear()` ends it. The signal's reason is an `AppError` with code
 * TIMEOUT. A deadline only ever moves later: `extendTo` lets a piece of work that several requests wait
 * for live as long as the last of them, and time in which the process stood still is added: what had no chance to
 * run is not late.
 */
export class Deadline {
  #atMs: number;
  /** Pauses of the process that `#atMs` holds already. */
  #pausedMs = pausedTotalMs();
  #controller: AbortController | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(atMs: number) {
    this.#atMs = atMs;
  }

  /** The moment, in milliseconds of `performance.now()`. */
  get atMs(): number {
    const pausedMs = pausedTotalMs();
    this.#atMs += pausedMs - this.#pausedMs;
    this.#pausedMs = pausedMs;
    return this.#atMs;
  }

  /** Milliseconds left at `nowMs`; zero or less when the deadline has passed. */
  remainingMs(nowMs: number = performance.now()): number {
    return this.atMs - nowMs;
  }

  /** Moves the deadline to `atMs` unless it is already later. */
  extendTo(atMs: number): void {
    if (atMs > this.atMs) this.#atMs = atMs;
  }

  /** Aborts when the deadline passes, however often it was extended meanwhile. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      // A render with many images has a listener for each: that is no leak to be warned of.
      setMaxListeners(0, this.#controller.signal);
      this.#arm(this.#controller);
    }
    return this.#controller.signal;
  }

  /** Stops the timer; a signal that has not fired never will. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #arm(controller: AbortController): void {
    // A timer may fire a fraction of a millisecond early; one millisecond more spares a second round.
    this.#timer = setTimeout(() => this.#fire(controller), this.remainingMs() + 1);
    this.#timer.unref();
  }

  #fire(controller: AbortController): void {
    if (this.remainingMs() > 0) this.#arm(controller);
    else controller.abort(deadlineError());
  }
}

/** The error of a deadline that passed: 504 TIMEOUT. */
export function deadlineError(): AppError {
  return new AppError(
    'TIMEOUT',
    'The image was not ready before the deadline of the request; ask again in a moment.',
    { reason: 'deadline' },
  );
}
