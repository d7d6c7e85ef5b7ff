/** Lets asynchronous work run one after the other. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs `work` after all that came before, and resolves or rejects as it does. */
  take<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}
