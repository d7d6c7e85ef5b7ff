/** What a thread says of a list that has ended it. */
import { errorCodeOf } from '../../foundation/errors.ts';
import { tooLarge } from './list.ts';

/** Upper bound of the heap of a thread that reads a list, in MB. Batches are short, and shared texts lie outside. */
export const listHeapMbMax = 256;

/** The error of a list whose thread has ended by `error`: PAYLOAD_TOO_LARGE if the list took too much memory. */
export function lostListError(error: unknown): Error {
  if (errorCodeOf(error) === 'ERR_WORKER_OUT_OF_MEMORY') {
    return tooLarge(
      `The list takes more than ${listHeapMbMax} MB of memory to read. Save the sheet as CSV.`,
    );
  }
  return lostThreadError(error);
}

export function lostThreadError(error: unknown): Error {
  return error instanceof Error ? error : new Error('A thread ended unasked.');
}
