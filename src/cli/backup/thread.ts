/** The thread of `platen backup`: makes one copy, and sends one message with the result. */
import { parentPort, workerData } from 'node:worker_threads';
import { backupDatabase } from '../../store/database/backup.ts';
import type { BackupOutcome } from './command.ts';
import { toFailure } from '../exit-codes.ts';

const { source, target } = workerData as { source: string; target: string };
let outcome: BackupOutcome;
try {
  outcome = { ok: true, backup: backupDatabase(source, target) };
} catch (error) {
  const { exitCode, message } = toFailure(error);
  outcome = { ok: false, exitCode, message };
}
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is a window's, this is a thread's
parentPort?.postMessage(outcome);
