/** Converts values of a JSON body to the parameters of a link. */
import type { Variable } from '#language/schema/template.ts';
import { encodePair } from '#language/signed-text.ts';
import { unambiguousNumber } from '#language/values/read-number.ts';
import type { ErrorDetail } from '../foundation/errors.ts';
import type { Query, QueryParameter } from '../http/query.ts';
import type { PublishedTemplate } from '../store/published-cache.ts';
import { countTextValues, countValues } from '../foundation/count-values.ts';
import { findVariable, knownFields, listPart, tooManyValues, valuesMax } from './list-values.ts';

type JsonValues = Readonly<Record<string, unknown>>;

/**
 * Returns the values as a query. A list is an array of objects, its text in a link, or fields such as `items.0.title`.
 * Any other variable takes a string, a number or a boolean; null counts as omitted. Numbers and lists are written as in
 * the result of `toExact`, which is called for at most `valuesMax` values. `ignored` has names without a variable, and
 * those of variables whose values come from tables.
 */
export function toQuery(
  values: JsonValues,
  { variables }: Pick<PublishedTemplate, 'variables'>,
  toExact: () => JsonValues = () => values,
): { query: Query; ignored: string[]; problems: ErrorDetail[] } {
  const query: Query = { parameters: [], isTruncated: false };
  const ignored: string[] = [];
  const problems: ErrorDetail[] = [];
  if (hasTooManyValues(values, variables)) {
    return { query, ignored, problems: [{ path: 'values', message: tooManyValues }] };
  }
  const exactValues = toExact();
  for (const [name, value] of Object.entries(values)) {
    const part = listPart(name, variables);
    const variable = findVariable(name, variables) ?? part?.field;
    if (variable === undefined || (part?.list ?? variable).from !== undefined) {
      if (ignored.length < ignoredMax) ignored.push(name);
    } else if (fitsVariable(variable, value)) {
      query.parameters.push(parameter(name, writtenValue(variable, value, exactValues[name])));
    } else if (value !== null) {
      problems.push({
        path: `values.${name}`,
        message: `is ${kindOf(value)}, expected ${expectedKinds[variable.type]}`,
      });
    }
  }
  return { query, ignored, problems };
}

/** Whether there are more than `valuesMax` values, with those of lists that are written as texts. */
function hasTooManyValues(values: JsonValues, variables: PublishedTemplate['variables']): boolean {
  let count = countValues(values, valuesMax);
  for (const [name, value] of Object.entries(values)) {
    if (count > valuesMax) return true;
    if (typeof value === 'string' && findVariable(name, variables)?.type === 'list')
      count += countTextValues(value, valuesMax);
  }
  return count > valuesMax;
}

/** The text of a JSON value in a link. A number is one of a program, whatever the language of the template. */
function writtenValue(variable: Variable, value: unknown, exact: unknown): unknown {
  if (variable.type === 'list') return knownFields(variable, value, exact);
  const isProgramNumber = variable.type === 'number' && typeof value === 'number';
  return isProgramNumber ? unambiguousNumber(String(exact)) : exact;
}

/** A parameter as in a link: encoded, so that `&` and `%` of a URL remain part of its value. */
export function parameter(name: string, value: unknown): QueryParameter {
  const text = String(value).toWellFormed();
  return {
    name,
    value: text,
    // Lazy: only a link that is written needs the raw text, which takes a millisecond for a list.
    get raw() {
      return encodePair(name, text);
    },
  };
}

/** Upper bound of the ignored names in a response. */
const ignoredMax = 50;

const expectedKinds: Readonly<Record<Variable['type'], string>> = {
  text: 'a string, a number or a boolean',
  image: 'a string: an address or an asset’s id',
  color: 'a string such as "#ff8800"',
  number: 'a number',
  boolean: 'true or false',
  date: 'a string such as "2026-11-27", or a number of seconds',
  list: 'an array of objects',
};

function fitsVariable({ type }: Variable, value: unknown): boolean {
  if (typeof value === 'string') return true;
  if (type === 'list') return Array.isArray(value);
  return typeof value === 'number' || typeof value === 'boolean';
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
