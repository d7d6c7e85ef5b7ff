/** Turns a query into the value of every variable of a template: defaults, empty values, limits. */
import { isEmptyWord, isUnmergedTag } from '#language/bind/merge-tags.ts';
import { templateLimits } from '#language/limits/template-limits.ts';
import type {
  ListVariable,
  ScalarVariable,
  Template,
  Variable,
} from '#language/schema/template.ts';
import { countCodePoints, lineBreakPattern } from '#language/limits/text-limit.ts';
import { expectedNumber } from '#language/check/variable-problems.ts';
import { expectedDate, parseDateText } from '#language/values/date-value.ts';
import { defaultText } from '#language/values/list-value.ts';
import { parseBooleanText } from '#language/values/scalar-text.ts';
import { listPart, readList } from './list-values.ts';
import type { GivenList } from './list-values.ts';
import { AppError } from '../foundation/errors.ts';
import type { Query } from '../http/query.ts';
import { nestedUrl } from './link/nested-url.ts';
import type { PublishedTemplate } from '../store/published-cache.ts';

/** Every variable's value by its name, in the template's order. A `Map`: `__proto__` is a name like any other. */
export type ResolvedValues = ReadonlyMap<string, string>;

/**
 * Resolves the variables of `template` from a query. Omitted, empty, white space only, nothing but
 * unmerged merge tags or one of the template's `emptyWords` means the default, or an empty value where the variable says `whenEmpty: "empty"`
 * (an omitted one always takes the default). The first of equal names counts; unknown names do not.
 *
 * Throws BAD_REQUEST that names the variable for a text over its limit (2,000 code points or the variable's
 * own `maxLength`, 100 line breaks, and 8,000 for all texts of a link) and for what is no colour, no number in range, or no switch. What
 * an image variable names is judged when it is loaded. `onUnmerged` is told of the template, once, when a value
 * is nothing but merge tags, or such a word.
 */
export function resolveVariables(
  template: PublishedTemplate,
  query: Query,
  onUnmerged?: (templateUid: string) => void,
): ResolvedValues {
  return resolveWith(template, query, refuse, onUnmerged);
}

/**
 * Resolves the variables as `resolveVariables` does, but throws nothing: a text over a limit is cut to it, and any other
 * invalid value is the variable's default.
 */
export function repairVariables(template: PublishedTemplate, query: Query): ResolvedValues {
  return resolveWith(template, query, () => undefined);
}

/** An invalid value. */
export interface ValueProblem {
  variable: Variable;
  /** The end of a sentence that begins with the variable's name. */
  problem: string;
}

/** Resolves the variables as `repairVariables` does, and says what is invalid. */
export function checkVariables(
  template: PublishedTemplate,
  query: Query,
): { values: ResolvedValues; problems: ValueProblem[] } {
  const problems: ValueProblem[] = [];
  const values = resolveWith(template, query, ({ variable, problem }) => {
    problems.push({ variable, problem });
  });
  return { values, problems };
}

/** Called with an invalid value's error; where it returns, the value is repaired. */
type OnInvalid = (error: BadValueError) => void;

const refuse: OnInvalid = (error) => {
  throw error;
};

function resolveWith(
  template: PublishedTemplate,
  query: Query,
  onInvalid: OnInvalid,
  onUnmerged?: (templateUid: string) => void,
): ResolvedValues {
  const { given, lists } = readQuery(template, query);
  const { document } = template;
  const values = new Map<string, string>();
  let units = 0;
  let isUnmerged = false;
  for (const [name, variable] of template.variables) {
    if (variable.type === 'list') {
      values.set(name, listValue(variable, lists.get(name), document, onInvalid));
      continue;
    }
    const text = given.get(name);
    const parsed = text === undefined ? undefined : parseValue(variable, text, document, onInvalid);
    const value = parsed ?? emptyValue(variable, text);
    values.set(name, value);
    if (text === undefined) continue;
    if (parsed === undefined && trimText(text) !== '') isUnmerged = true;
    if (variable.type === 'text') units += value.length;
  }
  if (isUnmerged) onUnmerged?.(template.uid);
  // A code point takes one or two units, so most links need no counting.
  if (units > templateLimits.valuesCodePointsMax) limitTexts(template, given, values, onInvalid);
  return values;
}

/** The texts that a query gives to variables, and to the fields of lists. */
function readQuery(
  template: PublishedTemplate,
  query: Query,
): { given: Map<string, string>; lists: Map<string, GivenList> } {
  const { variables } = template;
  const given = new Map<string, string>();
  const lists = new Map<string, GivenList>();
  const listOf = (name: string): GivenList => {
    const known = lists.get(name) ?? { parts: new Map() };
    lists.set(name, known);
    return known;
  };
  for (const [index, { name, value }] of query.parameters.entries()) {
    const variable = variables.get(name);
    if (variable?.type === 'list') listOf(name).json ??= value;
    else if (variable !== undefined && !given.has(name)) {
      given.set(name, variable.type === 'image' ? nestedUrl(template, query, index) : value);
    } else if (variable === undefined && name.includes('.')) {
      const part = listPart(name, variables);
      if (part === undefined) continue;
      const { parts } = listOf(part.list.name);
      const row = parts.get(part.index) ?? new Map<string, string>();
      parts.set(part.index, row);
      const text = part.field.type === 'image' ? nestedUrl(template, query, index) : value;
      const [, fieldName = ''] = /([^.]+)$/.exec(name) ?? [];
      if (!row.has(fieldName)) row.set(fieldName, text);
    }
  }
  return { given, lists };
}

function listValue(
  list: ListVariable,
  given: GivenList | undefined,
  document: ReadingRules,
  onInvalid: OnInvalid,
): string {
  if (given === undefined) return defaultText(list);
  const value = readList(list, given, {
    readField: (field, text) => parseValue(field, text, document, onInvalid),
    refuse: (problem) => onInvalid(badValue(list, problem)),
  });
  return value ?? (list.whenEmpty === 'empty' ? '' : defaultText(list));
}

/** Limits all texts of a link together: the error names the longest, the repair cuts the longest ones to equal lengths. */
function limitTexts(
  template: PublishedTemplate,
  given: ReadonlyMap<string, string>,
  values: Map<string, string>,
  onInvalid: OnInvalid,
): void {
  const { valuesCodePointsMax } = templateLimits;
  const texts = [...template.variables.values()]
    .filter((variable) => variable.type === 'text' && given.has(variable.name))
    .map((variable) => ({ variable, length: countCodePoints(values.get(variable.name) ?? '') }))
    .toSorted((a, b) => b.length - a.length);
  const sum = texts.reduce((total, { length }) => total + length, 0);
  const [longest] = texts;
  if (sum <= valuesCodePointsMax || longest === undefined) return;
  const problem = `is the longest of texts that have ${sum} characters together, the limit is ${valuesCodePointsMax}; shorten them`;
  onInvalid(badValue(longest.variable, problem));
  let left = valuesCodePointsMax;
  // From the shortest: what it leaves of its equal part is the others'.
  for (const [index, { variable, length }] of texts.toReversed().entries()) {
    const codePoints = Math.min(length, Math.floor(left / (texts.length - index)));
    values.set(variable.name, cutText(values.get(variable.name) ?? '', codePoints));
    left -= codePoints;
  }
}

function emptyValue(variable: ScalarVariable, given: string | undefined): string {
  return given !== undefined && variable.whenEmpty === 'empty' ? '' : variable.value;
}

/** What of a document decides how a value is read. */
type ReadingRules = Pick<Template, 'lang' | 'emptyWords'>;

/** Undefined for what counts as no value: white space, merge tags, and the words that the template chooses. */
function parseValue(
  variable: ScalarVariable,
  given: string,
  { lang, emptyWords }: ReadingRules,
  onInvalid: OnInvalid,
): string | undefined {
  const trimmed = trimText(given);
  if (trimmed === '' || isUnmergedTag(trimmed, variable.name)) return undefined;
  if (isEmptyWord(trimmed, emptyWords)) return undefined;
  switch (variable.type) {
    case 'text': {
      const text = parseText(variable, given, onInvalid);
      // What is left of a text that was cut.
      return text.trim() === '' ? undefined : text;
    }
    case 'image':
      return trimmed;
    case 'color':
      return parseColor(variable, trimmed, onInvalid);
    case 'number':
      return parseNumber(variable, trimmed, onInvalid);
    case 'boolean':
      return parseBoolean(variable, trimmed, onInvalid);
    case 'date':
      return parseDate(variable, trimmed, lang, onInvalid);
    default:
      return variable.type satisfies never;
  }
}

function trimText(text: string): string {
  return text.replaceAll(controlPattern, '').trim();
}

/** Control characters but tab and line feed: no font draws them. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const controlPattern = /[\u0000-\u0008\u000b-\u001f\u007f]/g;

/** A text with line feeds for whatever ends a line, within its limits. */
function parseText(variable: ScalarVariable, given: string, onInvalid: OnInvalid): string {
  let text = given.replaceAll(lineBreakPattern, '\n').replaceAll(controlPattern, '');
  const codePointsMax = variable.maxLength ?? templateLimits.valueCodePointsMax;
  // A code point takes one or two units, so most values need no counting.
  if (text.length > codePointsMax && countCodePoints(text) > codePointsMax) {
    onInvalid(badValue(variable, `is longer than ${codePointsMax} characters; shorten it`));
    text = cutText(text, codePointsMax);
  }
  const linesMax = templateLimits.valueLineBreaksMax + 1;
  const lines = text.split('\n', linesMax + 1);
  if (lines.length <= linesMax) return text;
  onInvalid(badValue(variable, `has more than ${linesMax - 1} line breaks; shorten it`));
  return lines.slice(0, linesMax).join('\n');
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** The beginning of a text, at most so many code points, without a cut inside a character as people see it. */
function cutText(text: string, codePointsMax: number): string {
  let codePoints = 0;
  for (const { segment, index } of graphemes.segment(text)) {
    codePoints += countCodePoints(segment);
    if (codePoints <= codePointsMax) continue;
    // One character may have thousands of marks.
    return index === 0
      ? Array.from(segment).slice(0, codePointsMax).join('')
      : text.slice(0, index);
  }
  return text;
}

/** A colour in lower case. The `#` may be missing: un-encoded, it would end the link. */
function parseColor(variable: ScalarVariable, text: string, onInvalid: OnInvalid): string {
  const digits = text.replace(/^#/, '').toLowerCase();
  if (/^([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/.test(digits)) return `#${digits}`;
  onInvalid(badValue(variable, 'is no colour; expected hexadecimal digits such as ff8800'));
  return variable.value;
}

/** The date as the link writes it: a format reads it, and a text shows it as it is. */
function parseDate(
  variable: ScalarVariable,
  text: string,
  lang: string | undefined,
  onInvalid: OnInvalid,
): string {
  if (parseDateText(text, lang) !== undefined) return text;
  onInvalid(badValue(variable, `is not ${expectedDate}`));
  return variable.value;
}

/** The number as the link writes it: a text shows `19.90`, and a property takes 19.9. */
function parseNumber(variable: ScalarVariable, text: string, onInvalid: OnInvalid): string {
  const expected = expectedNumber(text, variable);
  if (expected === undefined) return text;
  onInvalid(badValue(variable, `is not ${expected}`));
  return variable.value;
}

function parseBoolean(variable: ScalarVariable, text: string, onInvalid: OnInvalid): string {
  if (parseBooleanText(text) !== undefined) return text;
  onInvalid(badValue(variable, 'is neither true nor false'));
  return variable.value;
}

class BadValueError extends AppError implements ValueProblem {
  override name = 'BadValueError';
  readonly variable: Variable;
  readonly problem: string;

  constructor(variable: Variable, problem: string) {
    super('BAD_REQUEST', `Invalid variable value: "${variable.name}" ${problem}.`, {
      reason: variable.type,
    });
    this.variable = variable;
    this.problem = problem;
  }
}

function badValue(variable: Variable, problem: string): BadValueError {
  return new BadValueError(variable, problem);
}
