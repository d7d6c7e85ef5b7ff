/** The time by which a request must be answered, and an abort signal for it. */
import { setMaxListeners } from 'node:events';
import { AppError } from './errors.ts';
import { pausedTotalMs } from './clocks.ts';

/**
 * A deadline on the clock of `performance.now()`. The first read of `signal` starts a timer, and `clear()` ends
 * it. The signal's reason is an `AppError` with code TIMEOUT. A deadline only moves later: `extendTo` keeps shared
 * work alive until the last deadline of its requests, and time in which the process was stopped is added.
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
