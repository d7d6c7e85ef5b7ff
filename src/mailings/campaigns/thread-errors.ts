/** Converts errors for messages between the main thread and the campaign thread. */
import { errorText } from '#wire/error-text.ts';
import { AppError } from '../../foundation/errors.ts';
import { QuotaError } from '../../store/database/storage-quota.ts';
import { StoreError } from '../../store/database/store-error.ts';
import type { ThreadError } from './messages.ts';

export function toThreadError(error: unknown): ThreadError {
  if (error instanceof AppError) {
    const { code, message, reason, detail, details } = error;
    return { code, message, reason, detail, details };
  }
  if (error instanceof StoreError) {
    const { code, message } = error;
    return { storeCode: code, isQuota: error instanceof QuotaError, message };
  }
  const message = 'The campaign failed.';
  return { code: 'INTERNAL', message, reason: 'campaigns', detail: errorText(error) };
}

export function fromThreadError(error: ThreadError): AppError | StoreError {
  if ('storeCode' in error) {
    return new (error.isQuota ? QuotaError : StoreError)(error.storeCode, error.message);
  }
  const { code, message, ...options } = error;
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return new AppError(code, message, Object.fromEntries(given));
}

/** The error of an order that comes when the service ends. */
export function serviceEnds(): AppError {
  return new AppError('OVERLOADED', 'The service ends: send it again in a moment.', {
    reason: 'campaigns',
    retryAfterSeconds: 1,
  });
}

/** The message of a failure for users. The log has the details. */
export function publicMessage(error: unknown): string {
  if (error instanceof AppError && error.code !== 'INTERNAL') return error.message;
  if (error instanceof StoreError) return error.message;
  return 'The run failed by a fault of the service, which its log describes. Start it again.';
}
