/** Time in which this process stood still: stopped, swapped out, on a paused machine, or without a core to run on. */

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
