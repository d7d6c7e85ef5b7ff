/** The thread of `platen backup`: makes one copy and posts one message with the result. */
import { existsSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { dirname, join } from 'node:path';
import { backupDatabase } from '../../store/database/backup.ts';
import type { BackupOutcome, BackupTask } from './command.ts';
import { toFailure } from '../exit-codes.ts';
import { openAsItIs } from '../../store/database/database.ts';
import { StoreError, storeErrors } from '../../store/database/store-error.ts';
import { readReplicaState } from '../../store/database/shared-port.ts';
import { backupTables } from '../../mailings/commands.ts';

const { source, target, tables } = workerData as BackupTask;
let outcome: BackupOutcome;
try {
  requireNoCopy(source);
  const backup = backupDatabase(source, target);
  const tablesFolder = join(dirname(source), 'tables');
  const copied =
    tables === undefined ? {} : { tables: backupTables(source, tablesFolder, target, tables) };
  outcome = { ok: true, backup: { ...backup, ...copied } };
} catch (error) {
  const { exitCode, message } = toFailure(error);
  outcome = { ok: false, exitCode, message };
}
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is a window's, this is a thread's
parentPort?.postMessage(outcome);

/** Refuses the replica of a node: it may lack files of assets, so its backup would be incomplete. */
function requireNoCopy(path: string): void {
  if (!existsSync(path)) return;
  const isCopy = storeErrors(`The backup of ${path}`, () => {
    const db = openAsItIs(path);
    try {
      return readReplicaState(db) !== undefined;
    } finally {
      db.close();
    }
  });
  if (!isCopy) return;
  throw new StoreError(
    'CONFLICT',
    `${path} is a copy of a shared database, without the files of all assets: back up PostgreSQL with pg_dump.`,
  );
}
