/** Lost renders: why a process ended, the error for the client, and the number of recent losses. */
import { AppError } from '../../foundation/errors.ts';
import { steadyNowMs } from '../../foundation/deadline.ts';

/**
 * Why a render was lost. `cpu`: it computed for longer than a render may. `stalled`: it neither computed nor answered.
 * `stopped`: so, because a signal such as SIGSTOP has stopped the host, which no job does. `memory`: the JavaScript heap
 * was full, the host exceeded its memory bound, or the kernel killed it to reclaim memory. `killed`: by SIGKILL from
 * outside. `crash`: a fault in native code. `exit`: anything else.
 */
export const lossCauses = [
  'cpu',
  'stalled',
  'stopped',
  'memory',
  'killed',
  'crash',
  'exit',
] as const;
export type LossCause = (typeof lossCauses)[number];

/** Causes outside of all jobs: they blame neither a document nor an image. */
export const outsideCauses: ReadonlySet<LossCause> = new Set(['stopped', 'killed']);

/** The end of a host or a thread in the middle of a job. */
export class RenderLostError extends Error {
  override name = 'RenderLostError';
  readonly lossCause: LossCause;
  /** The job may be innocent: other jobs ran in the host, or it was killed from outside. */
  readonly mayRunAgain: boolean;

  constructor(lossCause: LossCause, detail: string, mayRunAgain = false) {
    super(detail);
    this.lossCause = lossCause;
    this.mayRunAgain = mayRunAgain;
  }
}

/** Returns the error for the client of a lost render; the cause is for the log. */
export function lostError({ lossCause, message }: RenderLostError): AppError {
  if (outsideCauses.has(lossCause)) {
    const text = `The process of the render was ${lossCause}; ask again.`;
    return new AppError('TIMEOUT', text, { reason: 'lost', detail: message });
  }
  const isTooLong = lossCause === 'cpu' || lossCause === 'stalled';
  const text = isTooLong
    ? 'The image takes more computing time than a render may.'
    : 'The render failed.';
  const options = { reason: 'lost', detail: message };
  return new AppError(isTooLong ? 'TIMEOUT' : 'INTERNAL', text, options);
}

// Counts lost renders by key within a sliding window.

/** Losses that are kept for each key; a count never exceeds it. */
const lossesMax = 100;
/** Maximum of keys. A caller cannot evict keys cheaply, because each key costs a render host. */
const keysMax = 10_000;

export class RecentLosses {
  /** Times of the losses of each key, oldest first; keys in order of their latest loss. */
  readonly #timesMs = new Map<string, number[]>();
  readonly #windowMs: number;
  readonly #nowMs: () => number;

  constructor(windowMs: number, nowMs = steadyNowMs) {
    this.#windowMs = windowMs;
    this.#nowMs = nowMs;
  }

  add(key: string): void {
    const times = [...this.#recent(key), this.#nowMs()].slice(-lossesMax);
    this.#timesMs.delete(key);
    this.#timesMs.set(key, times);
    const [oldest] = this.#timesMs.keys();
    if (this.#timesMs.size > keysMax && oldest !== undefined) this.#timesMs.delete(oldest);
  }

  /** Milliseconds until fewer than `countMin` losses of the key are in the window; 0 if there are fewer now. */
  msUntilBelow(countMin: number, key: string): number {
    const recent = this.#recent(key);
    const first = recent[recent.length - countMin];
    return first === undefined ? 0 : first + this.#windowMs - this.#nowMs();
  }

  #recent(key: string): number[] {
    // Fast path: every render request calls this, and few services have lost a render.
    const times = this.#timesMs.get(key);
    if (times === undefined) return [];
    const fromMs = this.#nowMs() - this.#windowMs;
    return times.filter((ms) => ms > fromMs);
  }
}
