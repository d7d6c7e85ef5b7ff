/** The data directory: made where it is missing, and looked at before anything is started that needs it. */
import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** What an operator can do about the usual causes, by Node's code. */
const remedies: Readonly<Record<string, string>> = {
  EACCES: 'this user has no permission to write there',
  EPERM: 'this user has no permission to write there',
  EROFS: 'its file system is read-only',
  ENOSPC: 'its disk is full',
  ENOTDIR: 'a part of the path is a file',
};

/**
 * Makes the directory, for its owner alone, unless it is there. Throws an error with one sentence for the operator
 * when it cannot be made or written.
 */
export function prepareDataDirectory(path: string): void {
  const directory = resolve(path);
  try {
    makeDirectory(directory);
    if (!statSync(directory).isDirectory()) throw unusable(directory, 'it is a file');
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error;
    throw unusable(directory, remedies[String(error.code)] ?? error.message);
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

function unusable(directory: string, reason: string): Error {
  return new Error(
    `The data directory ${directory} cannot be used: ${reason}. Set PLATEN_DATA_DIR to a folder that this user may write.`,
  );
}
