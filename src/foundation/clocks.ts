/** Clocks beside `performance.now()`: one without pauses of the process, a steady one, and one read once a turn. */
import { performance } from 'node:perf_hooks';

/** Interval at which the process records that it runs. */
const beatEveryMs = 100;
/** A longer gap between two beats is a stopped process, not a busy turn of the event loop. */
const pauseMinMs = 500;

let seenMs = performance.now();
let pausedMs = 0;
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
  if (gapMs > pauseMinMs) pausedMs += gapMs - beatEveryMs;
  if (gapMs > 0) seenMs = nowMs;
  return pausedMs;
}

// A clock for caches, circuits and everything else that a corrected wall clock must not disturb.

/**
 * Milliseconds since the epoch by the wall clock at the start of the process, and monotonic since. A wall clock that
 * is set back by an hour would keep an image an hour too long, or block a host.
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
