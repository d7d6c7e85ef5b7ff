/** Deletes what has expired, beside the daily collection of unused assets. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from './database/database.ts';
import { isReadOnlyDatabase } from './database/database.ts';
import { StoreError, whenFree } from './database/store-error.ts';

/** Rows of one transaction: some milliseconds. */
const deletionsMax = 1000;

/** Something that keeps rows for a time. */
export interface ExpiringStore {
  /** Deletes up to `deletionsMax` rows whose time is over; returns how many. Throws a `StoreError`. */
  deleteExpired(deletionsMax: number): number;
}

/** Deletes what has expired in each store, while renders continue. Rejects with a `StoreError`; earlier deletions remain. */
export async function collectExpired(
  db: Database,
  stores: readonly ExpiringStore[],
): Promise<void> {
  if (isReadOnlyDatabase(db)) return;
  for (const store of stores) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await deleteInParts((max) => store.deleteExpired(max));
  }
}

/**
 * Deletes with `deletePart` until nothing is left, while renders continue: it deletes up to so many rows, and returns how
 * many. Resolves with all of them. Rejects with a `StoreError`, `BUSY` after `msMax`; earlier deletions remain.
 */
export async function deleteInParts(
  deletePart: (deletionsMax: number) => number,
  msMax = Infinity,
): Promise<number> {
  const startedMs = performance.now();
  let deleted = 0;
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- renders run in between
    const part = await whenFree(() => deletePart(deletionsMax));
    if (part === 0) return deleted;
    deleted += part;
    if (performance.now() - startedMs >= msMax) throw someAreLeft(deleted);
    // oxlint-disable-next-line no-await-in-loop
    await nextTurn();
  }
}

function someAreLeft(deleted: number): StoreError {
  return new StoreError('BUSY', `${deleted} are deleted, and some are left: repeat the request.`);
}
