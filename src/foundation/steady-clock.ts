/** A clock for what lasts: caches, circuits, and everything else that a corrected wall clock must not disturb. */

/**
 * Milliseconds since the epoch, as the wall clock was when the process started, and running evenly since. Nobody
 * sets it: a wall clock that is put back by an hour would keep a picture an hour too long, or a host shut out.
 */
export function steadyNowMs(): number {
  return performance.timeOrigin + performance.now();
}
