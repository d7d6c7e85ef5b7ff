/** Keeps how long each host of one fetch was waited for, so that a time-out is held against the right one. */

/**
 * The attack: a host that answers after 4.9 s with a redirect to a healthy one. Ten of them, and that
 * one would count as failing, and be left alone.
 */
export class HopTimes {
  readonly #usedMs = new Map<string, number>();
  #host: string | undefined;
  #startedMs = 0;

  /** From now on `host` is waited for, and no longer the one before. */
  start(host: string): void {
    this.#stop();
    this.#host = host;
    this.#startedMs = performance.now();
  }

  /** The host that was waited for longest, when that was longer than `ms`; else undefined. */
  longest(ms: number): string | undefined {
    this.#stop();
    let longest: [host: string | undefined, usedMs: number] = [undefined, ms];
    for (const entry of this.#usedMs) if (entry[1] > longest[1]) longest = entry;
    return longest[0];
  }

  #stop(): void {
    const now = performance.now();
    if (this.#host !== undefined)
      this.#usedMs.set(this.#host, (this.#usedMs.get(this.#host) ?? 0) + now - this.#startedMs);
    this.#startedMs = now;
  }
}
