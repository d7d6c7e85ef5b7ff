/** The data directory: made where it is missing, and looked at before anything is started that needs it. */
import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { directoryRemedies, errorCodeOf, unusableDirectory } from '../foundation/errors.ts';
import { ReadOnlyCopy } from './read-only-copy.ts';

/** A data directory that can be used. */
export interface DataDirectory {
  /** Where the database is opened and what can be made anew is written: of a read-only one a copy, which goes with the process. */
  path: string;
  /** Whether its file system was read-only at the start: what is stored can be read, and nothing be stored. */
  isReadOnly: boolean;
  /** Whether a database that is missing may be replaced by a new, empty one. */
  mayReplaceLost: boolean;
  /** Whether something could be stored now: the system may make a faulty disk read-only at any time. */
  isWritable(): boolean;
}

/**
 * Makes the directory, for its owner alone, unless it is there. On a read-only file system the database in it is copied
 * to a temporary folder, to be read there. Throws an error with one sentence for the operator when it cannot be made,
 * written or copied.
 */
export function prepareDataDirectory(path: string, mayReplaceLost = false): DataDirectory {
  const directory = resolve(path);
  try {
    makeDirectory(directory);
    if (!statSync(directory).isDirectory()) throw unusableDirectory(directory, 'it is a file');
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
    const isWritable = (): boolean => !isReadOnlyFileSystem(directory);
    return { path, isReadOnly: false, mayReplaceLost, isWritable };
  } catch (error) {
    const code = errorCodeOf(error);
    if (code === undefined || !(error instanceof Error)) throw error;
    if (code !== 'EROFS' || !existsSync(directory)) {
      throw unusableDirectory(directory, directoryRemedies[code] ?? error.message);
    }
  }
  const copy = new ReadOnlyCopy(directory);
  process.once('exit', () => copy.remove());
  return { path: copy.directory, isReadOnly: true, mayReplaceLost: false, isWritable: () => false };
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
