/** Converts errors of the stores: the client gets its mistakes, the log gets the faults of the disk. */
import type { ErrorCode } from '../../foundation/errors.ts';
import { AppError } from '../../foundation/errors.ts';
import type { Handler } from '../../http/server.ts';
import { QuotaError } from '../../store/database/storage-quota.ts';
import type { StoreErrorCode } from '../../store/database/store-error.ts';
import { AnsweredError, StoreError } from '../../store/database/store-error.ts';
import { badBody } from './input.ts';

/** `Retry-After` of a failing disk in seconds. It is long, because a person must repair the disk. */
const diskRetrySeconds = 60;

/** Codes of temporary errors, with the message and the `Retry-After` for the client. */
const passing: Partial<Record<StoreErrorCode, { sentence: string; retryAfterSeconds: number }>> = {
  BUSY: {
    sentence:
      'The database is busy with another program or after an upgrade, and nothing was changed: send it again in a moment.',
    retryAfterSeconds: 1,
  },
  // For example, the database restarts or fails over.
  AWAY: {
    sentence:
      'The shared database cannot be reached, so nothing can be changed: send it again in a moment.',
    retryAfterSeconds: 5,
  },
  ABSENT: {
    sentence:
      'Rows of a data table or the file of an image are not on this node yet: send it again in a moment.',
    retryAfterSeconds: 2,
  },
};

/** For the client; the log has the error of the database. */
const answeredSentence =
  'The shared database answers with an error, and nothing was changed: send it again in a moment. If it stays so, tell the operator of the service.';

/** Codes of a request that cannot be done. */
const callerCodes: Partial<Record<StoreErrorCode, ErrorCode>> = {
  INVALID: 'BAD_REQUEST',
  TAKEN: 'CONFLICT',
  CONFLICT: 'CONFLICT',
  CHANGED: 'PRECONDITION_FAILED',
};

/** Codes of a failing disk, with a clause of the message for the client. */
const diskSentences: Partial<Record<StoreErrorCode, string>> = {
  FULL: 'its disk is full',
  READONLY: 'its database is read-only',
  IO: 'its disk cannot be read or written',
};

/**
 * Wraps a handler so that `report` converts its errors: `toApiError` converts errors of the stores to errors of the
 * API.
 */
export function reportErrors(handler: Handler, report: (error: unknown) => unknown): Handler {
  return (exchange) => {
    try {
      const reply = handler(exchange);
      if (!(reply instanceof Promise)) return reply;
      return reply.catch((error: unknown) => {
        throw report(error);
      });
    } catch (error) {
      throw report(error);
    }
  };
}

/**
 * Converts an error of a store to an error of the API; other errors stay as they are. Mistakes of the client have the
 * status of their code. A full quota is 413. A locked or unreachable database and absent rows are 503. A failing disk
 * is 507. Damage is 500, with its details only in the log.
 */
export function toApiError(error: unknown): unknown {
  if (!(error instanceof StoreError)) return error;
  const { code, message, problems, cause } = error;
  if (problems !== undefined) return badBody(problems, 'template document');
  const delay = passing[code];
  if (delay !== undefined) {
    const { retryAfterSeconds } = delay;
    const sentence = error instanceof AnsweredError ? answeredSentence : delay.sentence;
    const options = { reason: 'store', detail: message, retryAfterSeconds, cause };
    return new AppError('OVERLOADED', sentence, options);
  }
  const disk = diskSentences[code];
  if (disk !== undefined) {
    const sentence = `The service cannot store anything at the moment: ${disk}. Tell its operator, and send it again later.`;
    return new AppError('STORAGE_UNAVAILABLE', sentence, {
      reason: 'disk',
      detail: message,
      retryAfterSeconds: diskRetrySeconds,
      cause,
    });
  }
  if (error instanceof QuotaError) {
    return new AppError('PAYLOAD_TOO_LARGE', message, { reason: 'quota' });
  }
  const known = callerCodes[code];
  // With a cause, the database refused a row, and its message names tables and columns.
  if (known !== undefined && cause === undefined) {
    return new AppError(known, message, { reason: code.toLowerCase() });
  }
  return new AppError('INTERNAL', 'The database failed.', { reason: 'store', detail: message });
}
