/** Deletes expired rows of stores, in addition to the daily collection of unused assets. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from './database/database.ts';
import { isReadOnlyDatabase } from './database/database.ts';
import { StoreError, whenFree } from './database/store-error.ts';

/** Maximum number of rows of one transaction, which takes some milliseconds. */
const deletionsMax = 1000;

/** A store whose rows expire. */
export interface ExpiringStore {
  /** Deletes up to `deletionsMax` expired rows and returns their number. Throws a `StoreError`. */
  deleteExpired(deletionsMax: number): number;
}

/** Deletes expired rows of each store while renders continue. Rejects with a `StoreError`; earlier deletions remain. */
export async function collectExpired(
  db: Database,
  stores: readonly ExpiringStore[],
): Promise<void> {
  if (isReadOnlyDatabase(db)) return;
  for (const store of stores) {
    await deleteInParts((max) => store.deleteExpired(max));
  }
}

/**
 * Calls `deletePart` until no row is left, while renders continue. `deletePart` deletes up to `deletionsMax` rows and
 * returns their number. Resolves with the number of all deleted rows. Rejects with a `StoreError`, `BUSY` after
 * `msMax`; earlier deletions remain.
 */
export async function deleteInParts(
  deletePart: (deletionsMax: number) => number,
  msMax = Infinity,
): Promise<number> {
  const startedMs = performance.now();
  let deleted = 0;
  for (;;) {
    const part = await whenFree(() => deletePart(deletionsMax));
    if (part === 0) return deleted;
    deleted += part;
    if (performance.now() - startedMs >= msMax) throw someAreLeft(deleted);
    await nextTurn();
  }
}

function someAreLeft(deleted: number): StoreError {
  return new StoreError('BUSY', `${deleted} are deleted, and some are left: repeat the request.`);
}
