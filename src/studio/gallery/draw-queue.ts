/** Renders thumbnails a few at a time, so that the image being edited never waits for them. */
import { statusOf } from '../wording.ts';

/** A queue of render calls, with a limit of concurrent calls. */
export interface DrawQueue {
  /**
   * Runs `draw` when a slot is free, and retries it while the service is overloaded. Rejects with the error of `draw`.
   * A call whose `signal` is aborted leaves the queue at once.
   */
  run<Result>(draw: (signal: AbortSignal) => Promise<Result>, signal: AbortSignal): Promise<Result>;
}

/** Attempts for one image while the service is overloaded. */
const attemptsMax = 4;

/** Delay before the second attempt, in ms. The delay doubles for each later attempt. */
const retryMs = 400;

/** Creates a queue that runs at most `runningMax` calls at a time. The other calls wait in order of arrival. */
export function createDrawQueue(runningMax: number): DrawQueue {
  const waiting: Array<() => void> = [];
  let running = 0;
  /** Passes the slot to the first waiting call, before a later call can take it. */
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

/** Calls `draw` up to `attemptsMax` times while the service answers 503. Rejects like `draw`, or if `signal` aborts. */
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
