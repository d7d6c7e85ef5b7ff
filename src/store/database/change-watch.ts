/** Notices that the database changed, also when another process changed it, without asking it each time. */
import type { Database } from './database.ts';

/** How late a change by another process may be noticed. Asking costs microseconds, a hit less than one. */
const askEveryMs = 100;

export interface ChangeWatch {
  /**
   * A number that grows whenever something may have changed. A call asks the database at most
   * every 100 ms; it never throws: while the database cannot answer, what is known stays valid.
   */
  generation(): number;
  /** Tells of a change by this connection, which the database does not report to it. */
  noteChange(): void;
  /** Says that a change could not be followed: the next time the database is asked counts as one. */
  askAgain(): void;
}

/** `nowMs` is a clock that never goes back. */
export function createChangeWatch(db: Database, nowMs: () => number): ChangeWatch {
  // Grows with each commit of another connection (https://sqlite.org/pragma.html#pragma_data_version).
  const askDataVersion = db.prepare<[], number>('PRAGMA data_version').pluck();
  let knownDataVersion = askDataVersion.get();
  let askedAtMs = nowMs();
  let generation = 0;
  return {
    generation() {
      const now = nowMs();
      if (now - askedAtMs < askEveryMs) return generation;
      askedAtMs = now;
      try {
        const dataVersion = askDataVersion.get();
        if (dataVersion !== knownDataVersion) {
          knownDataVersion = dataVersion;
          generation += 1;
        }
      } catch {
        knownDataVersion = undefined;
      }
      return generation;
    },
    noteChange() {
      generation += 1;
    },
    askAgain() {
      knownDataVersion = undefined;
    },
  };
}

/** Tells of a change also after a failure: a commit that could not say so is then read from the database. */
export function notingChange<Result>(noteChange: () => void, work: () => Result): Result {
  try {
    return work();
  } finally {
    noteChange();
  }
}
