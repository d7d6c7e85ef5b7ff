/** Detects changes of the database by any process, without a query for each request. */
import type { Database } from './database.ts';

/** Minimum time in ms between two queries. A query costs microseconds, a cache hit less than one. */
const askEveryMs = 100;

export interface ChangeWatch {
  /**
   * A number that rises whenever something may have changed. A call queries the database at most
   * every 100 ms. It never throws: while the database fails, the known number stays valid.
   */
  generation(): number;
  /** Records a change by this connection, which the database does not report to it. */
  noteChange(): void;
  /** Records that a change could not be followed: the next query counts as a change. */
  askAgain(): void;
}

/** The watches of each connection. */
const watches = new WeakMap<Database, ChangeWatch[]>();

/** Records a change in every watch of a connection, so that the process reads its commits at once. */
export function noteChangeOf(db: Database): void {
  for (const watch of watches.get(db) ?? []) watch.noteChange();
}

/** `nowMs` is a monotonic clock. */
export function createChangeWatch(db: Database, nowMs: () => number): ChangeWatch {
  // Grows with each commit of another connection (https://sqlite.org/pragma.html#pragma_data_version).
  const askDataVersion = db.prepare<[], number>('PRAGMA data_version').pluck();
  let knownDataVersion = askDataVersion.get();
  let askedAtMs = nowMs();
  let generation = 0;
  const watch: ChangeWatch = {
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
  watches.set(db, [...(watches.get(db) ?? []), watch]);
  return watch;
}

/** Runs `work` and records a change, also after a failure: an unreported commit is then read from the database. */
export function notingChange<Result>(noteChange: () => void, work: () => Result): Result {
  try {
    return work();
  } finally {
    noteChange();
  }
}
