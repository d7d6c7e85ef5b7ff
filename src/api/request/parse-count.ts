/** Reads whole numbers and yes or no out of the query of an organization endpoint. */
import { AppError } from '../../foundation/errors.ts';
import type { Query } from '../../http/query.ts';
import { firstValue } from '../../http/query.ts';

/** A whole number, `minimum` or greater; undefined when it is absent or empty. Numbers beyond 2^53 count as that. */
export function parseCount(query: Query, name: string, minimum: number): number | undefined {
  const text = filledValue(query, name);
  if (text === undefined) return undefined;
  const count = /^\d+$/.test(text) ? Math.min(Number(text), Number.MAX_SAFE_INTEGER) : -1;
  if (count >= minimum) return count;
  throw new AppError(
    'BAD_REQUEST',
    `Invalid ${name}: expected a whole number, ${minimum} or greater`,
    { reason: name },
  );
}

/** `true` or `false`; undefined when it is absent or empty. */
export function parseFlag(query: Query, name: string): boolean | undefined {
  const text = filledValue(query, name);
  if (text === undefined) return undefined;
  if (text === 'true' || text === 'false') return text === 'true';
  throw new AppError('BAD_REQUEST', `Invalid ${name}: expected true or false`, { reason: name });
}

/** As for the options of a render link, white space around a value does not count, and nothing is as good as absent. */
function filledValue(query: Query, name: string): string | undefined {
  const text = firstValue(query, name)?.trim();
  return text === '' ? undefined : text;
}

/** One page of a list. */
export interface PageRange {
  limit: number;
  offset: number;
}

/** The page that `limit` and `offset` ask for; a `limit` over `limitMax` counts as that. */
export function parsePage(query: Query, limitDefault: number, limitMax: number): PageRange {
  const limit = Math.min(parseCount(query, 'limit', 1) ?? limitDefault, limitMax);
  return { limit, offset: parseCount(query, 'offset', 0) ?? 0 };
}
