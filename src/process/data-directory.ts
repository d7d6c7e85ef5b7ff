/** Creates the data directory if it is missing, and checks it before the start. */
import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { directoryRemedies, errorCodeOf, unusableDirectory } from '../foundation/errors.ts';

/** A writable data directory. */
export interface DataDirectory {
  /** Whether a new, empty database may replace a missing one. */
  mayReplaceLost: boolean;
  /** Whether a write is possible now: the kernel may make a faulty disk read-only at any time. */
  isWritable(): boolean;
}

/**
 * The file system of the data directory is read-only. SQLite reads a write-ahead log only beside writable files, so
 * the service does not start. A restart does not help: the operator must mount the file system writable.
 */
export class ReadOnlyFileSystemError extends Error {
  constructor(directory: string) {
    super(
      `The file system of the data directory ${directory} is read-only, and the database must write there. Mount it writable, or set PLATEN_DATA_DIR to a folder that this user may write.`,
    );
    this.name = 'ReadOnlyFileSystemError';
  }
}

/**
 * Creates the directory with mode 0700 if it is missing. Throws an error with one sentence for the operator if it
 * cannot be created or written: `ReadOnlyFileSystemError` on a read-only file system.
 */
export function prepareDataDirectory(path: string, mayReplaceLost = false): DataDirectory {
  const directory = resolve(path);
  try {
    makeDirectory(directory);
    if (!statSync(directory).isDirectory()) throw unusableDirectory(directory, 'it is a file');
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const code = errorCodeOf(error);
    if (code === undefined || !(error instanceof Error)) throw error;
    if (code === 'EROFS') throw new ReadOnlyFileSystemError(directory);
    throw unusableDirectory(directory, directoryRemedies[code] ?? error.message);
  }
  return { mayReplaceLost, isWritable: () => !isReadOnlyFileSystem(directory) };
}

/** Whether the file system is mounted read-only. */
export function isReadOnlyFileSystem(directory: string): boolean {
  try {
    accessSync(directory, constants.W_OK);
    return false;
  } catch (error) {
    return errorCodeOf(error) === 'EROFS';
  }
}

/** Creates one folder after the other: the recursive form of Node 22 never returns below `/proc`. */
function makeDirectory(directory: string): void {
  if (existsSync(directory)) return;
  makeDirectory(dirname(directory));
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    // Another process may have created the folder meanwhile.
    if (!existsSync(directory)) throw error;
  }
}
