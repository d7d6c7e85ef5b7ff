/** Draws many small images a few at a time, so that the one that is being edited never waits for them. */
import { statusOf } from '../wording.ts';

/** Runs calls that draw. */
export interface DrawQueue {
  /**
   * Runs `draw` when its turn has come, again when the service is busy, and rejects with what it rejects with. One whose
   * `signal` is aborted leaves the queue at once.
   */
  run<Result>(draw: (signal: AbortSignal) => Promise<Result>, signal: AbortSignal): Promise<Result>;
}

/** Attempts for one image while the service is overloaded. */
const attemptsMax = 4;

/** Milliseconds to the second attempt; each later one waits twice as long. */
const retryMs = 400;

/** Makes a queue of which at most `runningMax` calls are under way; the rest wait in their order. */
export function createDrawQueue(runningMax: number): DrawQueue {
  const waiting: Array<() => void> = [];
  let running = 0;
  /** A waiter takes the free slot before later callers can. */
  const leave = (): void => {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  };
  const enter = (signal: AbortSignal): Promise<void> => {
    if (running < runningMax) {
      running += 1;
      return Promise.resolve();
    }
    return new Promise<void>((resolve, reject) => {
      const giveUp = (): void => {
        waiting.splice(waiting.indexOf(go), 1);
        reject(abortReason(signal));
      };
      const go = (): void => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      signal.addEventListener('abort', giveUp, { once: true });
      waiting.push(go);
    });
  };
  return {
    async run(draw, signal) {
      signal.throwIfAborted();
      await enter(signal);
      try {
        return await drawPatiently(draw, signal);
      } finally {
        leave();
      }
    },
  };
}

/** Calls `draw` up to a few times while the service is overloaded. Rejects like it, and with `signal`. */
export async function drawPatiently<Result>(
  draw: (signal: AbortSignal) => Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await draw(signal);
    } catch (error) {
      if (statusOf(error) !== 503 || attempt === attemptsMax) throw error;
      await pause(retryMs * 2 ** (attempt - 1), signal);
    }
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => {
      clearTimeout(timer);
      reject(abortReason(signal));
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', giveUp);
      resolve();
    }, ms);
    signal.addEventListener('abort', giveUp, { once: true });
  });
}

function abortReason({ reason }: AbortSignal): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
