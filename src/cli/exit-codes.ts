/** How a command ends: exit codes as in sysexits.h where there is one, and the error that carries one. */
import { errorText } from '#wire/error-text.ts';

/** What a shell or a pipeline reads; docs/cli.md lists them. */
export const exitCodes = {
  ok: 0,
  /** What was asked for was looked at, and something is wrong with it. */
  problems: 1,
  /** An unknown command, option or value, or one that is missing. */
  usage: 2,
  /** EX_NOINPUT: a file, a database or an organization that is not there. */
  noInput: 66,
  /** EX_UNAVAILABLE: the service, an origin of images, or a part of this machine cannot be used. */
  unavailable: 69,
  /** EX_SOFTWARE: a bug. */
  internal: 70,
  /** EX_IOERR: the disk. */
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

/** Ends a command with a message for the person at the terminal: what is wrong and what to do. */
export class CommandError extends Error {
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string) {
    super(message);
    this.name = 'CommandError';
    this.exitCode = exitCode;
  }
}

/** Exit codes of what the parts of the service throw: by the error's class and its code. */
const codesByError: Readonly<Record<string, Readonly<Record<string, ExitCode>>>> = {
  StoreError: {
    FULL: exitCodes.disk,
    IO: exitCodes.disk,
    CORRUPT: exitCodes.disk,
    READONLY: exitCodes.noPermission,
    BUSY: exitCodes.busy,
    SCHEMA: exitCodes.configuration,
  },
  AppError: {
    OVERLOADED: exitCodes.unavailable,
    STORAGE_UNAVAILABLE: exitCodes.unavailable,
    TIMEOUT: exitCodes.unavailable,
    INTERNAL: exitCodes.internal,
  },
};

/** Codes of Node's own errors. */
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
 * The exit code of anything thrown, and what to say. By the error's name, not its class: that would load the modules of every
 * part for every command. What nobody expected is `internal`, with its stack.
 */
export function toFailure(error: unknown): { exitCode: ExitCode; message: string } {
  if (error instanceof CommandError) return error;
  if (!(error instanceof Error)) return { exitCode: exitCodes.internal, message: String(error) };
  const code = 'code' in error ? String(error.code) : '';
  if (error.name === 'ConfigError') {
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

/** What to say of anything thrown, where it is a part of a longer message. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
