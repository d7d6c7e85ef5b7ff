/** The one error class and the closed table of codes, from which every status and error body derives. */

/** Status and log level of each code (contract section 1, errors; the organization endpoints add the last rows). */
export const errorTable = {
  BAD_REQUEST: { status: 400, level: 'info' },
  UNAUTHORIZED: { status: 401, level: 'info' },
  NOT_FOUND: { status: 404, level: 'info' },
  METHOD_NOT_ALLOWED: { status: 405, level: 'info' },
  OVERLOADED: { status: 503, level: 'warn' },
  TIMEOUT: { status: 504, level: 'warn' },
  INTERNAL: { status: 500, level: 'error' },
} as const satisfies Record<string, { status: number; level: 'info' | 'warn' | 'error' }>;

export type ErrorCode = keyof typeof errorTable;

/** What an error may carry beside its public sentence. */
export interface AppErrorOptions {
  /** One word for the log and the metrics: `dns timeout blocked status too_large not_image decode …`. */
  reason?: string;
  /** Private text for the log only; never sent. */
  detail?: string;
  /** Seconds, for `Retry-After`. */
  retryAfterSeconds?: number;
  /** Methods, for `Allow`. */
  allow?: string;
  cause?: unknown;
}

/**
 * An answer that is not the one asked for. `message` is public and goes into the body: it names the
 * thing, what was expected and what to do; `detail` is private and goes into the log.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly reason: string | undefined;
  readonly detail: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly allow: string | undefined;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.reason = options.reason;
    this.detail = options.detail;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.allow = options.allow;
  }

  get status(): number {
    return errorTable[this.code].status;
  }
}
