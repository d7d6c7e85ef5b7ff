/** Reads whole numbers and yes or no out of the query of an organization endpoint. */
import { AppError } from '../errors.ts';
import type { Query } from '../http/query.ts';
import { firstValue } from '../http/query.ts';

/** A whole number, `minimum` or greater; undefined when the query has none. Numbers beyond 2^53 count as that. */
export function parseCount(query: Query, name: string, minimum: number): number | undefined {
  const text = firstValue(query, name);
  if (text === undefined) return undefined;
  const count = /^\d+$/.test(text) ? Math.min(Number(text), Number.MAX_SAFE_INTEGER) : -1;
  if (count >= minimum) return count;
  throw new AppError(
    'BAD_REQUEST',
    `Invalid ${name}: expected a whole number, ${minimum} or greater`,
    { reason: name },
  );
}

/** `true` or `false`; undefined when the query has neither. */
export function parseFlag(query: Query, name: string): boolean | undefined {
  const text = firstValue(query, name);
  if (text === undefined) return undefined;
  if (text === 'true' || text === 'false') return text === 'true';
  throw new AppError('BAD_REQUEST', `Invalid ${name}: expected true or false`, { reason: name });
}
