/** Limits concurrency with a turn for each organization: many tasks of one organization delay another's by one task. */

export class FairTurns {
  readonly #runningMax: number;
  #running = 0;
  /** Waiting tasks by organization, oldest first. The first organization is next. */
  readonly #waiting = new Map<string, (() => void)[]>();

  constructor(runningMax: number) {
    this.#runningMax = runningMax;
  }

  /** Runs `work` when its turn comes. The caller bounds the tasks of an organization. */
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

  /** Starts a task of the next organization, which then moves to the end of the queue. */
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
