/** Input of requests: JSON bodies, with problems by line, column and JSON path, and values of the query. */
import type { Static, TSchema } from 'typebox';
import { Type } from 'typebox';
import { findJsonMistake, isTooMuchJson } from '#language/check/json-text.ts';
import { findProblems, problemsMax } from '#language/check/template-problems.ts';
import { createValidator } from '#language/schema/validator.ts';
import type { Validator } from '#language/schema/validator.ts';
import { AppError } from '../../foundation/errors.ts';
import type { ErrorDetail } from '../../foundation/errors.ts';
import { organizationShares } from '../../foundation/thread-shares.ts';
import type { Exchange } from '../../http/exchange.ts';
import type { Query } from '../../http/query.ts';
import { firstValue } from '../../http/query.ts';
import type { Handler } from '../../http/route.ts';

/** Maximum bytes of a body with a few options. */
export const smallBodyBytesMax = 16_384;

const noProperties = Buffer.from('{}');

/** Compiled at the first use of a schema. */
const validators = new WeakMap<TSchema, Validator>();

/**
 * Parses the body as JSON, whatever its content type (`curl -d` sends that of a form). Rejects with BAD_REQUEST for an
 * empty body, bytes that are no UTF-8, or a mistake, with its line and column.
 */
export async function readJson(exchange: Exchange): Promise<unknown> {
  return parseJson(await takeBody(exchange));
}

/** Resolves with the body when its organization may have it parsed and checked. Rejects as `takeShare` does. */
async function takeBody(exchange: Exchange): Promise<Buffer> {
  const bytes = await exchange.readBody();
  await takeShare(exchange, bytes.length);
  return bytes;
}

/**
 * Resolves when the organization, or a caller without a key, may use the main thread. Rejects with OVERLOADED if too
 * many of its requests wait.
 */
export async function takeShare(exchange: Exchange, bodyBytes = 0): Promise<void> {
  await organizationShares.take(exchange.organizationUid, bodyBytes);
  // A client that closed the connection gets no answer, so the work and a render are saved.
  if (!exchange.isAborted) return;
  throw new AppError('BAD_REQUEST', 'The caller has left.', { reason: 'aborted' });
}

/** A handler for callers without a key, who share a part of the main thread. */
export function inAnonymousShare(handler: Handler): Handler {
  return (exchange) => takeShare(exchange).then(() => handler(exchange));
}

/** Schema of an empty body, for requests whose path says everything. */
export const emptyBody = Type.Object({}, { additionalProperties: false });

/** Parses a body by `schema`; an empty body is an empty object. Rejects with BAD_REQUEST, as `parseBody` throws. */
export async function readBody<Schema extends TSchema>(
  exchange: Exchange,
  schema: Schema,
): Promise<Static<Schema>> {
  const bytes = await takeBody(exchange);
  return parseBody(schema, bytes.length === 0 ? noProperties : bytes);
}

/** Parses a body by `schema`. Throws BAD_REQUEST with each problem. */
export function parseBody<Schema extends TSchema>(schema: Schema, bytes: Buffer): Static<Schema> {
  const value = parseJson(bytes);
  let validator = validators.get(schema) as Validator<Static<Schema>> | undefined;
  if (validator === undefined) {
    validator = createValidator(schema);
    validators.set(schema, validator);
  }
  if (validator.Check(value)) return value;
  throw badBody(findProblems('', schema, value, validator), 'body');
}

/** Makes BAD_REQUEST with the problems of a body: the first in the message, and up to `problemsMax` as details. */
export function badBody(problems: readonly ErrorDetail[], subject: string): AppError {
  const details = problems.slice(0, problemsMax).map(({ path, message }) => ({ path, message }));
  const [first] = details;
  const more = details.length > 1 ? `, and ${details.length - 1} more in details` : '';
  const summary = first === undefined ? 'is not as expected' : `: ${first.path} ${first.message}`;
  return new AppError('BAD_REQUEST', `The ${subject} is not valid${summary}${more}`, {
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
  if (isTooMuchJson(bytes)) throw badJson(text);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw badJson(text);
  }
}

function badJson(text: string): AppError {
  const { line, column, message } = findJsonMistake(text) ?? { line: 1, column: 1, message: '' };
  return badBody([{ path: `line ${line}, column ${column}`, message }], 'JSON of the body');
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw badBody([{ path: '(document)', message: 'is no UTF-8 text, expected JSON' }], 'body');
  }
}

// Whole numbers and booleans of the query.

/** Parses a whole number from `minimum` on; undefined if absent or empty. A number beyond 2^53 counts as 2^53. */
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

/** Parses `true` or `false`; undefined if absent or empty. */
export function parseFlag(query: Query, name: string): boolean | undefined {
  const text = filledValue(query, name);
  if (text === undefined) return undefined;
  if (text === 'true' || text === 'false') return text === 'true';
  throw new AppError('BAD_REQUEST', `Invalid ${name}: expected true or false`, { reason: name });
}

/** As in render links, white space around a value does not count, and an empty value counts as absent. */
function filledValue(query: Query, name: string): string | undefined {
  const text = firstValue(query, name)?.trim();
  return text === '' ? undefined : text;
}

/** Parses the id of a database row in a path: positive, without leading zeros. Undefined for any other text. */
export function parseId(text: string): number | undefined {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}
