/** The one error class and the closed table of codes, from which every status and error body derives. */
import { resolve } from 'node:path';

/** Status and log level of each code. 507: RFC 4918 section 11.5. */
export const errorTable = {
  BAD_REQUEST: { status: 400, level: 'info' },
  UNAUTHORIZED: { status: 401, level: 'info' },
  FORBIDDEN: { status: 403, level: 'info' },
  NOT_FOUND: { status: 404, level: 'info' },
  METHOD_NOT_ALLOWED: { status: 405, level: 'info' },
  REQUEST_TIMEOUT: { status: 408, level: 'info' },
  CONFLICT: { status: 409, level: 'info' },
  PRECONDITION_FAILED: { status: 412, level: 'info' },
  PAYLOAD_TOO_LARGE: { status: 413, level: 'info' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, level: 'info' },
  IDEMPOTENCY_KEY_REUSED: { status: 422, level: 'info' },
  TOO_MANY_REQUESTS: { status: 429, level: 'info' },
  OVERLOADED: { status: 503, level: 'warn' },
  QUARANTINED: { status: 503, level: 'warn' },
  STORAGE_UNAVAILABLE: { status: 507, level: 'error' },
  TIMEOUT: { status: 504, level: 'warn' },
  INTERNAL: { status: 500, level: 'error' },
} as const satisfies Record<string, { status: number; level: 'info' | 'warn' | 'error' }>;

export type ErrorCode = keyof typeof errorTable;

/** One fault of a request: its JSON path or a name, and what was expected. */
export interface ErrorDetail {
  path: string;
  message: string;
  /** Ids of the layers at fault, where the path names none. */
  layers?: readonly string[];
}

/** Fields of an error beside its public sentence. */
export interface AppErrorOptions {
  /** One word for the log and the metrics: `dns timeout blocked status too_large not_image decode …`. */
  reason?: string;
  /** Private text for the log; never sent. */
  detail?: string;
  /** Seconds, for `Retry-After`. */
  retryAfterSeconds?: number;
  /** Methods, for `Allow`. */
  allow?: string;
  /** All problems of a body, for the organization endpoints. */
  details?: readonly ErrorDetail[];
  /** Ids of the layers of the template that cannot be drawn. */
  layers?: readonly string[];
  cause?: unknown;
}

/**
 * An error with a status. `message` is public and part of the body: it names the thing, what was
 * expected and what to do. `detail` is private and only logged.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly reason: string | undefined;
  readonly detail: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly allow: string | undefined;
  readonly details: readonly ErrorDetail[] | undefined;
  readonly layers: readonly string[];

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    const { stackTraceLimit } = Error;
    // Only bugs need a stack trace, and under a flood of refusals the trace is most of their cost.
    if (code !== 'INTERNAL') Error.stackTraceLimit = 0;
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    Error.stackTraceLimit = stackTraceLimit;
    this.name = 'AppError';
    this.code = code;
    this.reason = options.reason;
    this.detail = options.detail;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.allow = options.allow;
    this.details = options.details;
    this.layers = options.layers ?? [];
  }

  get status(): number {
    return errorTable[this.code].status;
  }
}

/** The code of an error of SQLite (`SQLITE_FULL`) or Node (`ENOENT`). */
export function errorCodeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** The usual causes, by Node's code, as the end of a sentence. */
export const directoryRemedies: Readonly<Record<string, string>> = {
  EACCES: 'this user has no permission to write there',
  EPERM: 'this user has no permission to write there',
  EROFS: 'its file system is read-only',
  ENOSPC: 'its disk is full',
  ENOTDIR: 'a part of the path is a file',
};

/** Converts the error of a directory that cannot be written to a sentence for operators; returns others unchanged. */
export function directoryError(directory: string, error: unknown): unknown {
  const remedy = directoryRemedies[errorCodeOf(error) ?? ''];
  return remedy === undefined ? error : unusableDirectory(resolve(directory), remedy);
}

/** `reason` is a clause: `its disk is full`. */
export function unusableDirectory(directory: string, reason: string): Error {
  return new Error(
    `The data directory ${directory} cannot be used: ${reason}. Set PLATEN_DATA_DIR to a folder that this user may write.`,
  );
}
