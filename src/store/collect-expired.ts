/** Deletes what has expired, beside the daily collection of unused assets. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from './database/database.ts';
import { isReadOnlyDatabase } from './database/database.ts';
import { whenFree } from './database/store-error.ts';
import type { IdempotencyStore } from './idempotency-store.ts';
import type { ShortLinkStore } from './short-link-store.ts';

/** Rows of one transaction: some milliseconds. */
const deletionsMax = 1000;

interface ExpiringStores {
  db: Database;
  shortLinks: Pick<ShortLinkStore, 'deleteExpired'>;
  idempotency: Pick<IdempotencyStore, 'deleteExpired'>;
}

/** Deletes expired short links and kept answers, while renders continue. Rejects with a `StoreError`; earlier deletions remain. */
export async function collectExpired({
  db,
  shortLinks,
  idempotency,
}: ExpiringStores): Promise<void> {
  if (isReadOnlyDatabase(db)) return;
  for (const store of [shortLinks, idempotency]) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other, so that renders run in between
    while ((await whenFree(() => store.deleteExpired(deletionsMax))) > 0) await nextTurn();
  }
}
