/** Turns for works of limited concurrency, organization by organization: many works of one delay another's by one of them. */

export class FairTurns {
  readonly #runningMax: number;
  #running = 0;
  /** Works that wait, oldest first, by organization; the first organization is next. */
  readonly #waiting = new Map<string, (() => void)[]>();

  constructor(runningMax: number) {
    this.#runningMax = runningMax;
  }

  /** Runs `work` when its turn comes. The caller bounds how many an organization has. */
  async run<Result>(organizationUid: string, work: () => Promise<Result>): Promise<Result> {
    if (this.#running < this.#runningMax) this.#running += 1;
    else await this.#turn(organizationUid);
    try {
      return await work();
    } finally {
      this.#handOn();
    }
  }

  #turn(organizationUid: string): Promise<void> {
    return new Promise((resolve) => {
      const works = this.#waiting.get(organizationUid) ?? [];
      works.push(resolve);
      this.#waiting.set(organizationUid, works);
    });
  }

  /** Gives the turn to the next organization, which comes last afterwards. */
  #handOn(): void {
    for (const [organizationUid, [start, ...others]] of this.#waiting) {
      this.#waiting.delete(organizationUid);
      if (others.length > 0) this.#waiting.set(organizationUid, others);
      start?.();
      return;
    }
    this.#running -= 1;
  }
}
