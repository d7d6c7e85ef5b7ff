/** The thread that reads large files of the database, and writes copies of fonts. It sends one answer for each order. */
import { parentPort } from 'node:worker_threads';
import { openAsItIs } from '../database/database.ts';
import type { Database } from '../database/database.ts';
import { StoreError, storeErrors } from '../database/store-error.ts';
import type { AssetOrder, CopyOrder, FileAnswer, FileOrder, FileResults } from './ask-files.ts';
import { AssetDisk } from './asset-disk.ts';
import { prepareAssetSelect, readAssetRow } from './asset-reading.ts';
import { toImage } from './asset-row.ts';
import { provideCopy } from './font-copies.ts';
import { ApartError } from './node-files.ts';

/** Opens the database for each file: an open connection would keep its log from ending with the service. */
function reading<Result>(databasePath: string, read: (db: Database) => Result): Result {
  const db = openAsItIs(databasePath);
  try {
    return read(db);
  } finally {
    db.close();
  }
}

function copyFont(order: CopyOrder): FileResults['font'] {
  const { organizationUid, digest, bytesMax } = order;
  const read = (db: Database): Buffer | undefined =>
    db
      .prepare<[string, string], Buffer>(
        'SELECT bytes FROM fonts WHERE organization_uid = ? AND digest = ?',
      )
      .pluck()
      .get(organizationUid, digest);
  return storeErrors(`Writing fonts in ${order.directory}`, () =>
    provideCopy(order, bytesMax, () => order.bytes ?? reading(order.databasePath, read)),
  );
}

/** Undefined if there is no such asset, or if only the shared database has its files. */
function readAsset(order: AssetOrder): FileResults['asset'] {
  const { databasePath, diskDirectory, digest } = order;
  const disk = diskDirectory === undefined ? undefined : new AssetDisk(diskDirectory, 0);
  return storeErrors(`Reading asset ${digest}`, () =>
    reading(databasePath, (db) => {
      try {
        const row = readAssetRow(prepareAssetSelect(db), order, disk);
        return row && toImage(row);
      } catch (error) {
        if (error instanceof ApartError) return undefined;
        throw error;
      }
    }),
  );
}

function answer(order: FileOrder): FileAnswer {
  try {
    return { ok: true, result: order.kind === 'font' ? copyFont(order) : readAsset(order) };
  } catch (error) {
    const { code = 'IO' } = error instanceof StoreError ? error : {};
    return { ok: false, code, message: String(error instanceof Error ? error.message : error) };
  }
}

parentPort?.on('message', (order: FileOrder) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is a window's, this is a thread's
  parentPort?.postMessage(answer(order));
});
