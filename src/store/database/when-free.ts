/** Repeats a write that met another process's lock, without blocking the main thread. */
import { setTimeout as pause } from 'node:timers/promises';
import { StoreError } from './store-error.ts';

/** Time in ms for which a write is repeated; writers of Platen hold the lock for milliseconds. */
const waitMsMax = 2000;
/** Milliseconds before the first repetition; each further one waits twice as long, up to the maximum. */
const firstPauseMs = 5;
const longestPauseMs = 250;

/**
 * Runs `write`, one whole transaction, and repeats it while it throws a `StoreError` `BUSY`, for at most 2 s; then
 * rejects with that error. The first run is synchronous. Other errors reject at once.
 */
export async function whenFree<Result>(write: () => Result): Promise<Result> {
  const givenUpAtMs = performance.now() + waitMsMax;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      return write();
    } catch (error) {
      const isBusy = error instanceof StoreError && error.code === 'BUSY';
      if (!isBusy || performance.now() + pauseMs > givenUpAtMs) throw error;
    }
    // oxlint-disable-next-line no-await-in-loop -- one attempt after the other
    await pause(pauseMs);
  }
}
