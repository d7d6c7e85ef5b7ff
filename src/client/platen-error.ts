/** What a call that does not succeed rejects with. */

/** One thing that is wrong in a body: where, and what was expected. */
export interface ErrorDetail {
  path: string;
  message: string;
}

/** An answer that is no success, or none at all (`status` 0). `message` is the service's sentence. */
export class PlatenError extends Error {
  readonly status: number;
  /** The code of a render's error, such as `BAD_REQUEST`; of other endpoints undefined. */
  readonly code: string | undefined;
  /** For questions about this very answer. */
  readonly requestId: string | undefined;
  readonly details: readonly ErrorDetail[];
  /** Seconds to wait before another try, when the service says so. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    message: string,
    facts: Partial<Omit<PlatenError, keyof Error>> & { status: number; cause?: unknown },
  ) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.name = 'PlatenError';
    this.status = facts.status;
    this.code = facts.code;
    this.requestId = facts.requestId;
    this.details = facts.details ?? [];
    this.retryAfterSeconds = facts.retryAfterSeconds;
  }
}
