/** Turns what the stores refuse into answers: a caller's mistake is told to the caller, a broken disk to the log. */
import type { ErrorCode } from '../errors.ts';
import { AppError } from '../errors.ts';
import type { Handler, Route } from '../http/server.ts';
import type { StoreErrorCode } from '../templates/store-error.ts';
import { StoreError } from '../templates/store-error.ts';
import { badBody } from './json-body.ts';

/** Codes that come from what was asked for. */
const callerCodes: Partial<Record<StoreErrorCode, ErrorCode>> = {
  INVALID: 'BAD_REQUEST',
  TAKEN: 'CONFLICT',
  CONFLICT: 'CONFLICT',
  CHANGED: 'PRECONDITION_FAILED',
};

/** The same route, whose answers tell what its stores refuse. */
export function withStoreErrors(route: Route): Route {
  const { get, post, put, delete: remove } = route;
  return {
    ...route,
    ...(get && { get: answering(get) }),
    ...(post && { post: answering(post) }),
    ...(put && { put: answering(put) }),
    ...(remove && { delete: answering(remove) }),
  };
}

function answering(handler: Handler): Handler {
  return (exchange) => {
    try {
      const reply = handler(exchange);
      if (!(reply instanceof Promise)) return reply;
      return reply.catch((error: unknown) => {
        throw toAppError(error);
      });
    } catch (error) {
      throw toAppError(error);
    }
  };
}

function toAppError(error: unknown): unknown {
  if (!(error instanceof StoreError)) return error;
  const { code, message, problems, cause } = error;
  if (problems !== undefined) return badBody(problems, 'template document');
  if (code === 'BUSY') {
    const sentence = 'The database is busy; ask again in a moment.';
    return new AppError('OVERLOADED', sentence, { reason: 'store', retryAfterSeconds: 1, cause });
  }
  const known = callerCodes[code];
  // With a cause it is the database that refused a row, and its sentence names tables and columns.
  if (known !== undefined && cause === undefined) {
    return new AppError(known, message, { reason: code.toLowerCase() });
  }
  return new AppError('INTERNAL', 'The database failed.', { reason: 'store', detail: message });
}
