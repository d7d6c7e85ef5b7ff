/** Turns what the stores refuse into answers: a caller's mistake is told to the caller, a broken disk to the log. */
import type { ErrorCode } from '../../foundation/errors.ts';
import { AppError } from '../../foundation/errors.ts';
import type { Handler, Route } from '../../http/server.ts';
import { QuotaError } from '../../store/database/storage-quota.ts';
import type { StoreErrorCode } from '../../store/database/store-error.ts';
import { StoreError } from '../../store/database/store-error.ts';
import { badBody } from './input.ts';

/** A disk is mended by people. */
const diskRetrySeconds = 60;

/** Codes that come from what was asked for. */
const callerCodes: Partial<Record<StoreErrorCode, ErrorCode>> = {
  INVALID: 'BAD_REQUEST',
  TAKEN: 'CONFLICT',
  CONFLICT: 'CONFLICT',
  CHANGED: 'PRECONDITION_FAILED',
};

/** Codes of a disk that cannot be written or read, and what is to be told of it. */
const diskSentences: Partial<Record<StoreErrorCode, string>> = {
  FULL: 'its disk is full',
  READONLY: 'its database is read-only',
  IO: 'its disk cannot be read or written',
};

/** Makes an error of the API of what was thrown. */
type Tell = (error: unknown) => unknown;

/** The same route, whose answers tell what its stores refuse. */
export function withStoreErrors(route: Route, tell: Tell): Route {
  const { get, post, put, delete: remove } = route;
  return {
    ...route,
    ...(get && { get: tellingStoreErrors(get, tell) }),
    ...(post && { post: tellingStoreErrors(post, tell) }),
    ...(put && { put: tellingStoreErrors(put, tell) }),
    ...(remove && { delete: tellingStoreErrors(remove, tell) }),
  };
}

/**
 * The same handler, whose stores' errors become those of the API: the caller's mistakes by their code, a full quota 413, a
 * database that stays locked 503, a disk that fails 507, and what is damaged 500, with the sentence in the log alone.
 */
function tellingStoreErrors(handler: Handler, tell: Tell): Handler {
  return (exchange) => {
    try {
      const reply = handler(exchange);
      if (!(reply instanceof Promise)) return reply;
      return reply.catch((error: unknown) => {
        throw tell(error);
      });
    } catch (error) {
      throw tell(error);
    }
  };
}

/** What a store throws as an error of the API; anything else as it is. */
export function tellStoreError(error: unknown): unknown {
  if (!(error instanceof StoreError)) return error;
  const { code, message, problems, cause } = error;
  if (problems !== undefined) return badBody(problems, 'template document');
  if (code === 'BUSY') {
    const sentence =
      'The database is locked by another program, and nothing was changed: send it again in a moment.';
    return new AppError('OVERLOADED', sentence, { reason: 'store', retryAfterSeconds: 1, cause });
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
  // With a cause it is the database that refused a row, and its sentence names tables and columns.
  if (known !== undefined && cause === undefined) {
    return new AppError(known, message, { reason: code.toLowerCase() });
  }
  return new AppError('INTERNAL', 'The database failed.', { reason: 'store', detail: message });
}
