/** Counts requests by the name of their sender, so that each sends a limited number in a time. */

export interface CountLimit {
  /** Requests in a window. */
  countMax: number;
  windowSeconds: number;
}

/** Names counted at a time by each limit: some 100 bytes each. */
const entriesMax = 10_000;

interface Count {
  count: number;
  /** End of the window, on the clock of `nowMs`. */
  untilMs: number;
}

/** Counts requests by name in windows. Above `entriesMax` names, the oldest are forgotten. */
export class RequestCounts {
  readonly #limit: CountLimit;
  /** In the order of their ends, because all windows are equally long. */
  readonly #counts = new Map<string, Count>();

  constructor(limit: CountLimit) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#counts.size;
  }

  /** Counts one request. Returns the milliseconds until the window ends if there were too many, else 0. */
  add(name: string, nowMs: number): number {
    this.#forgetPast(nowMs);
    const known = this.#counts.get(name);
    if (known === undefined) {
      this.#counts.set(name, { count: 1, untilMs: nowMs + this.#limit.windowSeconds * 1000 });
      this.#dropOldest();
      return 0;
    }
    known.count += 1;
    return known.count <= this.#limit.countMax ? 0 : known.untilMs - nowMs;
  }

  #forgetPast(nowMs: number): void {
    for (const [name, { untilMs }] of this.#counts) {
      if (untilMs > nowMs) return;
      this.#counts.delete(name);
    }
  }

  #dropOldest(): void {
    if (this.#counts.size <= entriesMax) return;
    const [oldest = ''] = this.#counts.keys();
    this.#counts.delete(oldest);
  }
}
