/** Input of requests: JSON bodies, whose faults are reported by line, column and JSON path, and values of the query. */
import type { Static, TSchema } from 'typebox';
import { findJsonMistake } from '#language/check/json-text.ts';
import { toProblems } from '#language/check/template-problems.ts';
import { createValidator } from '#language/schema/validator.ts';
import type { Validator } from '#language/schema/validator.ts';
import { AppError } from '../../foundation/errors.ts';
import type { ErrorDetail } from '../../foundation/errors.ts';
import type { Exchange } from '../../http/exchange.ts';
import type { Query } from '../../http/query.ts';
import { firstValue } from '../../http/query.ts';

/** Bytes of a body that only says how something is to be done. */
export const smallBodyBytesMax = 16_384;

/** Problems told of one body. */
const problemsMax = 20;

const noProperties = Buffer.from('{}');

/** Compiled when a schema is first needed, and kept with it. */
const validators = new WeakMap<TSchema, Validator>();

/**
 * The body as JSON, whatever its type says it is (`curl -d` says that it is a form). Rejects with BAD_REQUEST: an
 * empty body, bytes that are no UTF-8, or a mistake with its line and column.
 */
export async function readJson(exchange: Exchange): Promise<unknown> {
  return parseJson(await exchange.readBody());
}

/** A reader of bodies that fit `schema`; no body is an empty object. It rejects as `parseBody` throws. */
export function createBodyReader<Schema extends TSchema>(
  schema: Schema,
): (exchange: Exchange) => Promise<Static<Schema>> {
  return async (exchange) => {
    const bytes = await exchange.readBody();
    return parseBody(schema, bytes.length === 0 ? noProperties : bytes);
  };
}

/** A body that fits `schema`. Throws BAD_REQUEST with each problem. */
export function parseBody<Schema extends TSchema>(schema: Schema, bytes: Buffer): Static<Schema> {
  const value = parseJson(bytes);
  let validator = validators.get(schema) as Validator<Static<Schema>> | undefined;
  if (validator === undefined) {
    validator = createValidator(schema);
    validators.set(schema, validator);
  }
  if (validator.Check(value)) return value;
  throw badBody(toProblems('', schema, value, validator.Errors(value)), 'body');
}

/** BAD_REQUEST that names each problem of what was sent: its first ones, in whole sentences too. */
export function badBody(problems: readonly ErrorDetail[], subject: string): AppError {
  const details = problems.slice(0, problemsMax).map(({ path, message }) => ({ path, message }));
  const [first] = details;
  const more = details.length > 1 ? `, and ${details.length - 1} more in details` : '';
  const told = first === undefined ? 'is not as expected' : `: ${first.path} ${first.message}`;
  return new AppError('BAD_REQUEST', `The ${subject} is not valid${told}${more}`, {
    reason: 'body',
    details,
  });
}

function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) {
    const message = 'is empty, expected a JSON object';
    throw badBody([{ path: '(document)', message }], 'body');
  }
  const text = decode(bytes);
  try {
    return JSON.parse(text);
  } catch {
    const { line, column, message } = findJsonMistake(text) ?? { line: 1, column: 1, message: '' };
    const detail = { path: `line ${line}, column ${column}`, message };
    throw badBody([detail], 'JSON of the body');
  }
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw badBody([{ path: '(document)', message: 'is no UTF-8 text, expected JSON' }], 'body');
  }
}

// Whole numbers, booleans and pages of the query.

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
interface PageRange {
  limit: number;
  offset: number;
}

/** The page that `limit` and `offset` ask for; a `limit` over `limitMax` counts as that. */
export function parsePage(query: Query, limitDefault: number, limitMax: number): PageRange {
  const limit = Math.min(parseCount(query, 'limit', 1) ?? limitDefault, limitMax);
  return { limit, offset: parseCount(query, 'offset', 0) ?? 0 };
}
