/** Counts lost renders by key within a sliding window. */
import { steadyNowMs } from '../foundation/clocks.ts';

/** Losses that are remembered of a key; a count never exceeds it. */
const lossesMax = 100;
/** Each key costs a render process, so a caller cannot push keys out cheaply. */
const keysMax = 10_000;

export class RecentLosses {
  /** Times of the losses of each key, oldest first; the key of the latest loss stands last. */
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

  /** Milliseconds until fewer than `countMin` losses of the key lie in the window; 0 when that is so now. */
  msUntilBelow(countMin: number, key: string): number {
    const recent = this.#recent(key);
    const first = recent[recent.length - countMin];
    return first === undefined ? 0 : first + this.#windowMs - this.#nowMs();
  }

  #recent(key: string): number[] {
    // Every render request asks; hardly any service has lost a render.
    const times = this.#timesMs.get(key);
    if (times === undefined) return [];
    const fromMs = this.#nowMs() - this.#windowMs;
    return times.filter((ms) => ms > fromMs);
  }
}
