/** Lost renders: why a process ended, the error for the client, and the number of recent losses. */
import { AppError } from '../../foundation/errors.ts';
import { steadyNowMs } from '../../foundation/deadline.ts';

/**
 * Why a render was lost. `cpu`: it computed for longer than a render may. `stalled`: it neither computed nor answered.
 * `stopped`: so, because a signal such as SIGSTOP has stopped the process, which no job does.
 * `memory`: the JavaScript heap was full, or the process exceeded its memory bound. `killed`: by SIGKILL from outside,
 * which is how the kernel reclaims memory. `crash`: a fault in native code. `exit`: anything else.
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

/** The end of a process in the middle of a job. */
export class RenderLostError extends Error {
  override name = 'RenderLostError';
  readonly lossCause: LossCause;

  constructor(lossCause: LossCause, detail: string) {
    super(detail);
    this.lossCause = lossCause;
  }
}

/** Returns the error for the client of a lost render; the cause is for the log. */
export function lostError({ lossCause, message }: RenderLostError): AppError {
  if (lossCause === 'stopped') {
    const text = 'The process of the render was stopped; ask again.';
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
/** Maximum of keys. A caller cannot evict keys cheaply, because each key costs a render process. */
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
