/** Runs asynchronous work one after the other. */
export class SerialWork {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs `work` after all earlier work, and resolves or rejects as `work` does. */
  run<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }
}
