/** Turns a query into the value of every variable of a template: defaults, empty values, limits. */
import { isUnmergedTag } from '#shared/merge-tags.ts';
import { templateLimits } from '#shared/template-schema.ts';
import type { Variable } from '#shared/template-schema.ts';
import { AppError } from '../errors.ts';
import type { Query, QueryParameter } from '../http/query.ts';
import type { PublishedTemplate } from '../templates/published-cache.ts';

/** Every variable's value by its name, in the template's order. A `Map`: `__proto__` is a name like any other. */
export type ResolvedValues = ReadonlyMap<string, string>;

/**
 * Resolves the variables of `template` from a query. Omitted, empty, white space only or nothing but
 * unmerged merge tags means the default, or an empty value where the variable says `whenEmpty: "empty"`
 * (an omitted one always takes the default). The first of equal names counts; unknown names do not.
 *
 * Throws BAD_REQUEST that names the variable for a text over its limit (2,000 code points or the variable's
 * own `maxLength`, and 100 line breaks) and for what is no colour, no number in range, or no switch. What
 * an image variable names is judged when it is loaded.
 */
export function resolveVariables(template: PublishedTemplate, query: Query): ResolvedValues {
  const given = new Map<string, string>();
  for (const [index, { name, value }] of query.parameters.entries()) {
    const variable = template.variables.get(name);
    if (variable === undefined || given.has(name)) continue;
    given.set(name, variable.type === 'image' ? nestedUrl(template, query, index) : value);
  }
  const values = new Map<string, string>();
  for (const [name, variable] of template.variables) {
    values.set(name, resolveVariable(variable, given.get(name)));
  }
  return values;
}

function resolveVariable(variable: Variable, given: string | undefined): string {
  if (given === undefined) return variable.value;
  const trimmed = given.replaceAll(controlPattern, '').trim();
  if (trimmed === '' || isUnmergedTag(trimmed)) {
    return variable.whenEmpty === 'empty' ? '' : variable.value;
  }
  switch (variable.type) {
    case 'text':
      return parseText(variable, given);
    case 'image':
      return trimmed;
    case 'color':
      return parseColor(variable, trimmed);
    case 'number':
      return parseNumber(variable, trimmed);
    case 'boolean':
      return parseBoolean(variable, trimmed);
    default:
      return variable.type satisfies never;
  }
}

/**
 * The value of an image variable. One that begins with `https://` as it stands was never encoded, so
 * its escapes and plus signs are its own; and in `photo=https://example.com/a%2Fb.png?w=600&sig=x` the `&`
 * has cut it in two: segments are added until one that the link itself means, a variable, an option or
 * a campaign's `utm_…`.
 */
function nestedUrl(template: PublishedTemplate, query: Query, index: number): string {
  const [first, ...rest] = query.parameters.slice(index) as [QueryParameter, ...QueryParameter[]];
  const address = first.raw.slice(first.raw.indexOf('=') + 1);
  if (!/^https?:\/\//i.test(address)) return first.value;
  if (!address.includes('?')) return address;
  const end = rest.findIndex(({ name }) => template.variables.has(name) || /^(_|utm_)/.test(name));
  const continuation = end === -1 ? rest : rest.slice(0, end);
  return [address, ...continuation.map(({ raw }) => raw)].join('&');
}

/** Control characters but tab and line feed: no font draws them. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const controlPattern = /[\u0000-\u0008\u000b-\u001f\u007f]/g;

/** A text with line feeds for line ends, within its limits. */
function parseText(variable: Variable, given: string): string {
  const text = given.replaceAll(/\r\n?/g, '\n').replaceAll(controlPattern, '');
  const codePointsMax = variable.maxLength ?? templateLimits.valueCodePointsMax;
  // A code point takes one or two units, so most values need no counting.
  if (text.length > codePointsMax && countCodePoints(text) > codePointsMax) {
    throw badValue(variable, `is longer than ${codePointsMax} characters; shorten it`);
  }
  const lineBreaksMax = templateLimits.valueLineBreaksMax;
  if (text.split('\n', lineBreaksMax + 2).length > lineBreaksMax + 1) {
    throw badValue(variable, `has more than ${lineBreaksMax} line breaks; shorten it`);
  }
  return text;
}

/** A colour in lower case. The `#` may be missing: un-encoded, it would end the link. */
function parseColor(variable: Variable, text: string): string {
  const digits = text.replace(/^#/, '').toLowerCase();
  if (/^([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/.test(digits)) return `#${digits}`;
  throw badValue(variable, 'is no colour; expected hexadecimal digits such as ff8800');
}

function parseNumber(variable: Variable, text: string): string {
  const number = /^[+-]?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : Number.NaN;
  const { min = -Infinity, max = Infinity } = variable;
  if (number >= min && number <= max) return String(number);
  const range = [
    ...(min === -Infinity ? [] : [`from ${min}`]),
    ...(max === Infinity ? [] : [`up to ${max}`]),
  ].join(' ');
  throw badValue(variable, `is no number ${range}`.trimEnd());
}

const booleans: ReadonlyMap<string, string> = new Map([
  ['true', 'true'],
  ['1', 'true'],
  ['yes', 'true'],
  ['on', 'true'],
  ['false', 'false'],
  ['0', 'false'],
  ['no', 'false'],
  ['off', 'false'],
]);

function parseBoolean(variable: Variable, text: string): string {
  const value = booleans.get(text.toLowerCase());
  if (value === undefined) throw badValue(variable, 'is neither true nor false');
  return value;
}

function countCodePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

function badValue(variable: Variable, problem: string): AppError {
  return new AppError('BAD_REQUEST', `Invalid variable value: "${variable.name}" ${problem}.`, {
    reason: variable.type,
  });
}
