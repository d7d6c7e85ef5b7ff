/** Counts what is open, such as requests and connections, and tells when nothing is. */

/** Starts with nothing open. */
export class OpenCount {
  #open = 0;
  #onNone: (() => void) | undefined;

  /** What is open now. */
  get count(): number {
    return this.#open;
  }

  /** 1 for one that opens, -1 for one that ends. */
  add(change: number): void {
    this.#open += change;
    if (this.#open === 0) this.#onNone?.();
  }

  /** Resolves when none is open, or after `timeoutMs`. One wait at a time. */
  none(timeoutMs: number): Promise<void> {
    if (this.#open === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, timeoutMs);
      this.#onNone = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
