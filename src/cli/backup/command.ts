/** `platen backup`: copies the database in a thread and shows the progress. */
import { existsSync, rmSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { programPath } from '#paths.ts';
import { loadConfig } from '../../settings.ts';
import { endProcess } from '../../process/shutdown.ts';
import type { Backup } from '../../store/database/backup.ts';
import type { Invocation } from '../terminal.ts';
import { CommandError, exitCodes } from '../exit-codes.ts';
import type { ExitCode } from '../exit-codes.ts';
import { databasePath } from '../local-database.ts';
import { startProgress } from '../progress.ts';
import { counted } from '../terminal.ts';

/** Interval at which the progress bar reads the size of the copy, in ms. */
const lookEveryMs = 100;

const mebibyte = 1024 * 1024;

/** The input of the thread, as absolute paths. */
export interface BackupTask {
  source: string;
  target: string;
  /** Folder for the rows of data tables; absent: data tables are not copied. */
  tables?: string;
}

/** The message of the thread. It holds no Error object, because errors lose their class and fields between threads. */
export type BackupOutcome =
  | { ok: true; backup: Backup & { tables?: number } }
  | { ok: false; exitCode: ExitCode; message: string };

/**
 * Writes a checked copy of the whole database. With `tables`, also writes the rows of data tables into that folder.
 * JSON: `{"file","bytes","schemaVersion","organizations","templates","assets"}`, and `"tables"` if they are copied.
 */
export async function backup(
  file: string,
  { tables: folder }: { tables?: string },
  { terminal, startDirectory }: Invocation,
): Promise<ExitCode> {
  const source = databasePath(loadConfig());
  const target = resolve(startDirectory, file);
  if (!existsSync(source)) {
    throw new CommandError(
      exitCodes.noInput,
      `There is no database ${source}: set PLATEN_DATA_DIR to the service's data directory.`,
    );
  }
  const bar = startProgress('Copying, MiB', toMebibytes(source), terminal.isJson);
  // Temporary name of the copy until it is complete.
  const draft = `${target}.${process.pid}.part`;
  const timer = setInterval(() => bar.update(toMebibytes(draft)), lookEveryMs);
  // The thread runs native code, so only the end of the process stops it.
  process.removeAllListeners('SIGINT').once('SIGINT', () => {
    bar.close();
    for (const path of [draft, `${draft}-journal`]) rmSync(path, { force: true });
    endProcess(exitCodes.interrupted);
  });
  try {
    const tables = folder === undefined ? {} : { tables: resolve(startDirectory, folder) };
    const outcome = await runThread({ source, target, ...tables });
    if (!outcome.ok) throw new CommandError(outcome.exitCode, outcome.message);
    const { bytes, organizations, templates, assets, tables: copied } = outcome.backup;
    const parts = [
      counted(organizations, 'organization'),
      counted(templates, 'template'),
      counted(assets, 'asset'),
      ...(copied === undefined ? [] : [counted(copied, 'data table')]),
    ];
    bar.close();
    terminal.result(
      { file: target, ...outcome.backup },
      `${target}  ${bytes} bytes, checked: ${parts.join(', ')}`,
    );
    return exitCodes.ok;
  } finally {
    clearInterval(timer);
    bar.close();
  }
}

function runThread(task: BackupTask): Promise<BackupOutcome> {
  const worker = new Worker(programPath('backup'), { workerData: task });
  return new Promise((done, failed) => {
    worker.once('message', done);
    worker.once('error', failed);
    worker.once('exit', () => failed(new Error('The copying thread ended without an answer.')));
  });
}

function toMebibytes(path: string): number {
  const { size } = statSync(path, { throwIfNoEntry: false }) ?? { size: 0 };
  return Math.round(size / mebibyte);
}
