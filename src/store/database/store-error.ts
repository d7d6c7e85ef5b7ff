/** The one error of everything stored: what failed, why, and what to do about it. */
import type { TemplateProblem } from '#language/check/template-problems.ts';
import { errorCodeOf } from '../../foundation/errors.ts';

/**
 * What stands behind a `StoreError`.
 *
 * `FULL`, `READONLY`, `BUSY`, `CORRUPT` and `IO` come from the disk and the database file, `SCHEMA`
 * from a database of another program or of a newer Platen, or a migration that failed. The others
 * come from what was asked for: `INVALID` is not allowed, `TAKEN` in use by somebody else, `CONFLICT`
 * not possible as things stand, `CHANGED` based on something that was changed meanwhile.
 */
export type StoreErrorCode =
  | 'FULL'
  | 'READONLY'
  | 'BUSY'
  | 'CORRUPT'
  | 'IO'
  | 'SCHEMA'
  | 'INVALID'
  | 'TAKEN'
  | 'CONFLICT'
  | 'CHANGED';

/**
 * `message` is one or more whole sentences for the operator; those of the codes from `INVALID` on are fit for a
 * caller too, unless the error has a `cause`.
 */
export class StoreError extends Error {
  readonly code: StoreErrorCode;
  /** What is wrong with a document, one by one, where that is what is wrong. */
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

/** The cause and the remedy of each failure of the disk, to follow `… failed: `. */
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
 * Runs `work`; a failure of SQLite or of the file system comes out as a `StoreError` whose message
 * starts with `doing` (`Saving template hello`). Every other error passes as it is: it is a bug.
 */
export function storeErrors<Result>(doing: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw toStoreError(doing, error);
  }
}

function toStoreError(doing: string, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof StoreError) return error;
  const errorCode = errorCodeOf(error) ?? '';
  const code = diskCodes.find(([pattern]) => pattern.test(errorCode))?.[1];
  if (code === undefined) return error;
  const message = `${doing} failed: ${diskSentences[code]} (${errorCode}: ${error.message})`;
  return new StoreError(code, message, error);
}
