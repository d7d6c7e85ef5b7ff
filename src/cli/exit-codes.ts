/** Exit codes of commands, those of sysexits.h where possible, and the error class with an exit code. */
import { errorText } from '#wire/error-text.ts';

/** docs/cli.md lists them. */
export const exitCodes = {
  ok: 0,
  /** The command found problems. */
  problems: 1,
  /** An unknown or missing command, option or value. */
  usage: 2,
  /** EX_NOINPUT: a missing file, database or organization. */
  noInput: 66,
  /** EX_UNAVAILABLE: the service, an image server, or a part of this machine cannot be used. */
  unavailable: 69,
  /** EX_SOFTWARE: a bug. */
  internal: 70,
  /** EX_IOERR: the disk is full or faulty. */
  disk: 74,
  /** EX_TEMPFAIL: the database is busy; try again. */
  busy: 75,
  /** EX_NOPERM: no valid key, or no right to a file. */
  noPermission: 77,
  /** EX_CONFIG: the environment, or a database of another version. */
  configuration: 78,
  /** 128 + SIGINT. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Ends a command with a message for the user: the problem and the remedy. */
export class CommandError extends Error {
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string) {
    super(message);
    this.name = 'CommandError';
    this.exitCode = exitCode;
  }
}

/** Exit codes of the service's errors, by class and code. Other codes are `problems`. */
const codesByError: Readonly<Record<string, Readonly<Record<string, ExitCode>>>> = {
  StoreError: {
    FULL: exitCodes.disk,
    IO: exitCodes.disk,
    CORRUPT: exitCodes.disk,
    READONLY: exitCodes.noPermission,
    BUSY: exitCodes.busy,
    SCHEMA: exitCodes.configuration,
    AWAY: exitCodes.unavailable,
  },
  AppError: {
    OVERLOADED: exitCodes.unavailable,
    STORAGE_UNAVAILABLE: exitCodes.unavailable,
    TIMEOUT: exitCodes.unavailable,
    INTERNAL: exitCodes.internal,
  },
  QuotaError: {},
};

/** Exit codes of Node's system errors. */
const codesBySystem: Readonly<Record<string, ExitCode>> = {
  ENOENT: exitCodes.noInput,
  ENOTDIR: exitCodes.noInput,
  EISDIR: exitCodes.noInput,
  EACCES: exitCodes.noPermission,
  EPERM: exitCodes.noPermission,
  EROFS: exitCodes.noPermission,
  ENOSPC: exitCodes.disk,
  EIO: exitCodes.disk,
};

/**
 * The exit code and the message of an error. Compares error names, because importing the classes would load the whole
 * service. An unexpected error is `internal`, with its stack.
 */
export function toFailure(error: unknown): { exitCode: ExitCode; message: string } {
  if (error instanceof CommandError) return error;
  if (!(error instanceof Error)) return { exitCode: exitCodes.internal, message: String(error) };
  const code = 'code' in error ? String(error.code) : '';
  if (error.name === 'ConfigError' || error.name === 'SharedDatabaseError') {
    return { exitCode: exitCodes.configuration, message: error.message };
  }
  const known = codesByError[error.name];
  if (known !== undefined) {
    return { exitCode: known[code] ?? exitCodes.problems, message: error.message };
  }
  const bySystem = codesBySystem[code];
  if (bySystem !== undefined) return { exitCode: bySystem, message: error.message };
  const message = `This is a bug of Platen: ${errorText(error)}`;
  return { exitCode: exitCodes.internal, message };
}

/** The message of any thrown value, as a part of a longer message. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
