/** Deletes unused uploaded images: at the start, once a day, and on an operator's command. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AssetStore } from './asset-store.ts';
import type { Database } from '../database/database.ts';
import { isReadOnlyDatabase } from '../database/database.ts';
import { repeatWhileBusy, StoreError, storeErrors, whenFree } from '../database/store-error.ts';
import { createDocumentReferences } from '../document-references.ts';

/** Maximum number of deletions of one run. */
const deletionsMax = 500;
/** Assets that one turn of the event loop examines, which takes 1 ms. */
const candidatesAtOnce = 500;
const dayMs = 24 * 60 * 60 * 1000;

/** Result of a run. */
export interface Collection {
  deleted: number;
  bytes: number;
}

interface CandidateRow {
  row: number;
  saved_at: string;
  organization_uid: string;
  digest: string;
  size_bytes: number;
}

/**
 * Deletes assets whose last upload and last use in an image are older than `unusedMs`; uses are recorded by day. Keeps
 * assets that a draft or a version of their organization names, also in archived templates, or that the brand kit
 * names. Deletes at most 500, the oldest first, while renders continue. Keeps an asset that a template names in the
 * meantime. Throws a `StoreError`; earlier deletions remain.
 */
export async function collectUnusedAssets(
  db: Database,
  assets: Pick<AssetStore, 'deleteAsset'>,
  unusedMs: number,
  nowMs = Date.now(),
): Promise<Collection> {
  if (isReadOnlyDatabase(db)) return { deleted: 0, bytes: 0 };
  const before = new Date(nowMs - unusedMs).toISOString();
  const collection = { deleted: 0, bytes: 0 };
  const references = createDocumentReferences(db);
  let isIndexed = false;
  for await (const candidate of candidates(db, before)) {
    const { organization_uid: organizationUid, digest, size_bytes: bytes } = candidate;
    while (!isIndexed) {
      isIndexed = await repeatWhileBusy(() => references.indexSome());
      await nextTurn();
    }
    if (await repeatWhileBusy(() => references.findAsset(organizationUid, `asset:${digest}`)))
      continue;
    await nextTurn();
    if (!(await deleteUnlessUsed(assets, organizationUid, digest))) continue;
    collection.deleted += 1;
    collection.bytes += bytes;
    if (collection.deleted >= deletionsMax) break;
  }
  return collection;
}

/** Assets without an upload or a use since `before`, the oldest first, one page in each turn of the event loop. */
async function* candidates(db: Database, before: string): AsyncGenerator<CandidateRow> {
  const select = db.prepare<Record<string, unknown>, CandidateRow>(
    `SELECT rowid AS row, saved_at, organization_uid, digest, size_bytes FROM assets a
     WHERE saved_at < @before AND (saved_at, rowid) > (@savedAt, @row) AND NOT EXISTS (
       SELECT 1 FROM asset_use u
       WHERE u.organization_uid = a.organization_uid AND u.digest = a.digest AND u.used_on >= @day
     ) ORDER BY saved_at, rowid LIMIT @pageRowsMax`,
  );
  let after = { savedAt: '', row: 0 };
  for (;;) {
    const page = storeErrors('Looking for unused assets', () =>
      select.all({ before, day: before.slice(0, 10), ...after, pageRowsMax: candidatesAtOnce }),
    );
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < candidatesAtOnce) return;
    after = { savedAt: last.saved_at, row: last.row };
    await nextTurn();
  }
}

async function deleteUnlessUsed(
  assets: Pick<AssetStore, 'deleteAsset'>,
  organizationUid: string,
  digest: string,
): Promise<boolean> {
  try {
    return await whenFree(() => assets.deleteAsset(organizationUid, `asset:${digest}`));
  } catch (error) {
    // A template names the asset by now.
    if (error instanceof StoreError && error.code === 'CONFLICT') return false;
    throw error;
  }
}

/**
 * Runs a collection now and once a day. Calls `onEnd` after a collection that deleted assets, and `onError` after a
 * failure. Close it before the stores.
 */
export class AssetCollector {
  readonly #timer: NodeJS.Timeout;
  readonly #collect: () => Promise<void>;
  #running: Promise<void>;

  constructor(
    collect: () => Promise<Collection>,
    onEnd: (collection: Collection) => void,
    onError: (error: unknown) => void,
  ) {
    this.#collect = async () => {
      try {
        const collection = await collect();
        if (collection.deleted > 0) onEnd(collection);
      } catch (error) {
        onError(error);
      }
    };
    this.#running = this.#collect();
    this.#timer = setInterval(() => void (this.#running = this.#collect()), dayMs);
    this.#timer.unref();
  }

  /** Stops further collections, and resolves when none is running. */
  close(): Promise<void> {
    clearInterval(this.#timer);
    return this.#running;
  }
}
