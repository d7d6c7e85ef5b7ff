/** A clock that is read once a turn of the event loop, for what happens with each request and needs no more. */
import { performance } from 'node:perf_hooks';

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
