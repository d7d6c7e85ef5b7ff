/** Lets asynchronous work run one after the other. */
export class SerialWork {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs `work` after all that came before, and resolves or rejects as it does. */
  run<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }
}
