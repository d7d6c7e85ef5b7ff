/** The data directory: made where it is missing, and checked before anything is started that needs it. */
import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { directoryRemedies, errorCodeOf, unusableDirectory } from '../foundation/errors.ts';

/** A data directory that can be written. */
export interface DataDirectory {
  /** Whether a database that is missing may be replaced by a new, empty one. */
  mayReplaceLost: boolean;
  /** Whether something could be stored now: the kernel may make a faulty disk read-only at any time. */
  isWritable(): boolean;
}

/**
 * The file system of the data directory is read-only. SQLite reads a write-ahead log only beside files that it may
 * write, so the service does not start. A restart does not help: an operator has to mount it writable.
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
 * Makes the directory, for its owner alone, unless it is there. Throws an error with one sentence for the operator when
 * it cannot be made or written: `ReadOnlyFileSystemError` where its file system is read-only.
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

/** Whether nothing can be written there, whoever tries, because of how its file system is mounted. */
export function isReadOnlyFileSystem(directory: string): boolean {
  try {
    accessSync(directory, constants.W_OK);
    return false;
  } catch (error) {
    return errorCodeOf(error) === 'EROFS';
  }
}

/** One folder after the other: the recursive form of Node 22 never returns below `/proc`. */
function makeDirectory(directory: string): void {
  if (existsSync(directory)) return;
  makeDirectory(dirname(directory));
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    // Another process was faster.
    if (!existsSync(directory)) throw error;
  }
}
