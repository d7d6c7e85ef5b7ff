/** The thread of `platen backup`: makes one copy, and sends one message with the result. */
import { parentPort, workerData } from 'node:worker_threads';
import { dirname, join } from 'node:path';
import { backupDatabase } from '../../store/database/backup.ts';
import type { BackupOutcome, BackupTask } from './command.ts';
import { toFailure } from '../exit-codes.ts';
import { backupTables } from '../../store/tables/backup-tables.ts';

const { source, target, tables } = workerData as BackupTask;
let outcome: BackupOutcome;
try {
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
