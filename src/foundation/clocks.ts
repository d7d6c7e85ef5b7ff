/** Clocks beside `performance.now()`: one without pauses of the process, a steady one, and one read once a turn. */
import { performance } from 'node:perf_hooks';

/** How often the process says that it runs. */
const beatEveryMs = 100;
/** A beat that is later than this was no busy turn of the event loop: nobody could have worked meanwhile. */
const pauseMinMs = 500;

let seenMs = performance.now();
let pausedMs = 0;
let timer: NodeJS.Timeout | undefined;

/**
 * Milliseconds since the start in which the process stood still. Whoever counts by it must read it at the beginning of
 * what it measures too. Every reading looks for itself, so that no timer that is due after a pause comes before it.
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

// A clock for what lasts: caches, circuits, and everything else that a corrected wall clock must not disturb.

/**
 * Milliseconds since the epoch, as the wall clock was when the process started, and running evenly since. Nobody
 * sets it: a wall clock that is put back by an hour would keep a picture an hour too long, or a host shut out.
 */
export function steadyNowMs(): number {
  return performance.timeOrigin + performance.now();
}

// A clock that is read once a turn of the event loop, for what happens with each request and needs no more.

let turnMs: number | undefined;
const endTurn = (): void => {
  turnMs = undefined;
};

/**
 * Milliseconds of `performance.now()` when it was first asked for in this turn. Reading the clock itself takes 60 ns,
 * and a thousand requests may arrive in a turn.
 */
export function turnNowMs(): number {
  if (turnMs === undefined) {
    turnMs = performance.now();
    setImmediate(endTurn);
  }
  return turnMs;
}
