/** The error of all stores, which says what failed, why, and what to do. */
import type { TemplateProblem } from '#language/check/template-problems.ts';
import { errorCodeOf } from '../../foundation/errors.ts';
import { setTimeout as pause } from 'node:timers/promises';
import { writeRoute } from './write-route.ts';

/**
 * The kind of a `StoreError`.
 *
 * `FULL`, `READONLY`, `BUSY`, `CORRUPT` and `IO` come from the disk and the database file. `SCHEMA` means a database of
 * another program or of a newer Platen, or a failed migration. `AWAY` means that the shared database cannot be used,
 * and `ABSENT` that a node lacks rows of a data table or a file.
 *
 * The others come from the request. `INVALID` is not allowed, and `TAKEN` is in use already. `CONFLICT` is not possible
 * in the present state, and `CHANGED` is based on an older state.
 */
export type StoreErrorCode =
  | 'FULL'
  | 'READONLY'
  | 'BUSY'
  | 'CORRUPT'
  | 'IO'
  | 'SCHEMA'
  | 'AWAY'
  | 'ABSENT'
  | 'INVALID'
  | 'TAKEN'
  | 'CONFLICT'
  | 'CHANGED';

/**
 * `message` has one or more sentences for the operator. Errors from `INVALID` on, without a `cause`, may also be sent
 * to clients.
 */
export class StoreError extends Error {
  readonly code: StoreErrorCode;
  /** All problems of an invalid document. */
  readonly problems: readonly TemplateProblem[] | undefined;

  constructor(
    code: StoreErrorCode,
    message: string,
    cause?: unknown,
    problems?: readonly TemplateProblem[],
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'StoreError';
    this.code = code;
    this.problems = problems;
  }
}

/**
 * `AWAY` of a shared database that is reached and refuses a statement, for example with a full disk. The refusal may
 * end by itself.
 */
export class AnsweredError extends StoreError {
  constructor(message: string, cause: unknown) {
    super('AWAY', message, cause);
  }
}

/** Cause and remedy of each disk failure, as the text after `… failed: `. */
const diskSentences = {
  FULL: 'the disk that holds the database is full; nothing was changed. Free some space, then try again.',
  READONLY:
    'the database cannot be written. Check the owner and the permissions of the data directory, and that its file system is not mounted read-only.',
  BUSY: 'another process kept the database locked for too long; nothing was changed. Try again; if it stays so, look for a second process that uses the data directory.',
  CORRUPT:
    'the database file is damaged or no database. Stop the service, keep a copy of the file, and restore the newest backup.',
  IO: 'the database file cannot be read or written. Check the disk and the permissions of the data directory.',
  INVALID: 'the database refuses the row; nothing was changed.',
} as const;

type DiskCode = keyof typeof diskSentences;

/** Primary result codes of SQLite (https://sqlite.org/rescode.html) and system codes of Node. */
const diskCodes: readonly [pattern: RegExp, code: DiskCode][] = [
  [/^(SQLITE_FULL|ENOSPC|EDQUOT)/, 'FULL'],
  [/^(SQLITE_READONLY|SQLITE_PERM|EROFS|EACCES|EPERM)/, 'READONLY'],
  [/^SQLITE_(BUSY|LOCKED)/, 'BUSY'],
  [/^SQLITE_(CORRUPT|NOTADB)/, 'CORRUPT'],
  [/^(SQLITE_IOERR|SQLITE_CANTOPEN|SQLITE_PROTOCOL|E[A-Z]+$)/, 'IO'],
  [/^SQLITE_(CONSTRAINT|TOOBIG|MISMATCH)/, 'INVALID'],
];

/**
 * Runs `work` and turns a failure of SQLite or of the file system into a `StoreError` whose message
 * starts with `doing` (`Saving template hello`). Other errors are bugs and pass unchanged.
 */
export function storeErrors<Result>(doing: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw toStoreError(doing, error);
  }
}

/** Converts a failure as `storeErrors` does. */
export function toStoreError(doing: string, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof StoreError) return error;
  const errorCode = errorCodeOf(error) ?? '';
  const code = diskCodes.find(([pattern]) => pattern.test(errorCode))?.[1];
  if (code === undefined) return error;
  const message = `${doing} failed: ${diskSentences[code]} (${errorCode}: ${error.message})`;
  return new StoreError(code, message, error);
}

// Repetition of writes while another process holds the lock. The write waits without blocking the thread.

/** Maximum time in ms for which a write is repeated; writers of Platen hold the lock for milliseconds. */
const waitMsMax = 2000;
/** Milliseconds before the first repetition; each further one waits twice as long, up to the maximum. */
const firstPauseMs = 5;
const longestPauseMs = 250;

/**
 * Stores `write`, one whole transaction, in the shared database if there is one, else as `repeatWhileBusy` does. Every
 * write that other nodes must see uses this function or `writeNote`.
 */
export function whenFree<Result>(write: () => Result): Promise<Result> {
  return writeRoute()?.write(write) ?? repeatWhileBusy(write);
}

/**
 * Runs `write` and repeats it while it throws a `StoreError` `BUSY`, for at most 2 s; then rejects with that error. The
 * first run is synchronous. Other errors reject at once.
 */
export async function repeatWhileBusy<Result>(write: () => Result): Promise<Result> {
  const givenUpAtMs = performance.now() + waitMsMax;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      return write();
    } catch (error) {
      const isBusy = error instanceof StoreError && error.code === 'BUSY';
      if (!isBusy || performance.now() + pauseMs > givenUpAtMs) throw error;
    }
    await pause(pauseMs);
  }
}
