/** The thread that writes copies of organizations' fonts. It sends one answer for each order. */
import { parentPort } from 'node:worker_threads';
import { openAsItIs } from '../database/database.ts';
import { StoreError, storeErrors } from '../database/store-error.ts';
import { provideCopy } from './font-copies.ts';
import type { CopyOutcome } from './font-copies.ts';
import type { CopyAnswer, CopyOrder } from './font-files.ts';

function provide(order: CopyOrder): CopyOutcome {
  return storeErrors(`Writing fonts in ${order.directory}`, () =>
    provideCopy(order, order.bytesMax, () => order.bytes ?? readFont(order)),
  );
}

/** Opens the database for each font: an open connection would keep its log from ending with the service. */
function readFont({ databasePath, organizationUid, digest }: CopyOrder): Buffer | undefined {
  const db = openAsItIs(databasePath);
  try {
    return db
      .prepare<[string, string], Buffer>(
        'SELECT bytes FROM fonts WHERE organization_uid = ? AND digest = ?',
      )
      .pluck()
      .get(organizationUid, digest);
  } finally {
    db.close();
  }
}

function answer(order: CopyOrder): CopyAnswer {
  try {
    return { ok: true, outcome: provide(order) };
  } catch (error) {
    const { code = 'IO' } = error instanceof StoreError ? error : {};
    return { ok: false, code, message: String(error instanceof Error ? error.message : error) };
  }
}

parentPort?.on('message', (order: CopyOrder) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is a window's, this is a thread's
  parentPort?.postMessage(answer(order));
});
