/** Reads the text of one value by the type of its variable. */
import { formatCurrencies } from '#language/bind/format-currencies.ts';
import { isEmptyWord, isUnmergedTag } from '#language/bind/merge-tags.ts';
import { expectedNumber } from '#language/check/variable-problems.ts';
import { templateLimits } from '#language/limits/template-limits.ts';
import { countCodePoints, lineBreakPattern } from '#language/limits/text-limit.ts';
import { composed } from '#language/normal-form.ts';
import type { ScalarVariable, Template, Variable } from '#language/schema/template.ts';
import { dateProblem, parseDateText } from '#language/values/date-value.ts';
import { readColor } from '#language/values/read-color.ts';
import { decimalSign } from '#language/values/decimal-signs.ts';
import { hasTwoReadings, readNumber, writtenCurrencies } from '#language/values/read-number.ts';
import { parseBooleanText } from '#language/values/scalar-text.ts';
import { AppError } from '../foundation/errors.ts';
import { correctValue, fieldName } from './link/correct-value.ts';
import type { CodeRules } from './link/correct-value.ts';

/** An invalid value. */
export interface ValueProblem {
  variable: Variable;
  /** The end of a sentence that begins with the variable's name. */
  problem: string;
  /** The reason of the error: the expected type, by default that of the variable. */
  reason: string | undefined;
}

/** The value in place of one that cannot be read: it draws nothing. The default may be a sample, such as a price. */
const unread = '';

/** Called with the error of an invalid value. If it returns, the value is repaired. */
export type OnInvalid = (error: BadValueError) => void;

export const refuse: OnInvalid = (error) => {
  throw error;
};

export const repair: OnInvalid = () => undefined;

/** The properties of a document that affect how a value is read. */
export type ReadingRules = Pick<Template, 'lang' | 'emptyWords' | 'clock' | 'alt'> & CodeRules;

/** What is remarkable about values that can be read. */
export interface ValueNotes {
  /** Whether a value consists only of merge tags. */
  isUnmerged?: boolean;
  /** Names of variables, or of fields such as `items.0.title`, with a value that `correctValue` changed. */
  corrected?: Set<string>;
}

/**
 * Parses a value. Undefined for an empty value: nothing visible, merge tags only, or one of the `emptyWords`. A
 * corrected value is noted.
 */
export function parseValue(
  variable: ScalarVariable,
  given: string,
  rules: ReadingRules,
  onInvalid: OnInvalid,
  notes?: ValueNotes,
): string | undefined {
  const { emptyWords } = rules;
  const isPlain = plainNumber.test(given);
  if (isPlain ? isEmptyWord(given, emptyWords) : isEmptyText(given, emptyWords)) return undefined;
  const trimmed = isPlain ? given : trimText(given);
  if (!isPlain && isUnmergedTag(trimmed, variable.name)) return undefined;
  const corrected = isPlain ? given : correctValue(variable, given, rules);
  if (notes !== undefined && corrected !== given) {
    (notes.corrected ??= new Set()).add(variable.name);
  }
  const plain = isPlain ? given : trimText(corrected);
  switch (variable.type) {
    case 'text': {
      const text = parseText(variable, corrected, onInvalid);
      // A text that was cut may have nothing visible left.
      return isEmptyText(text, undefined) ? undefined : text;
    }
    case 'image':
      return plain;
    case 'color':
      return parseColor(variable, plain, onInvalid);
    case 'number':
      return parseNumber(variable, plain, rules, onInvalid);
    case 'boolean':
      return parseBoolean(variable, plain, onInvalid);
    case 'date':
      return parseDate(variable, plain, rules, onInvalid);
    default:
      return variable.type satisfies never;
  }
}

/** A number that needs no check for invisible text, space and merge tags: a fast path for lists with thousands. */
const plainNumber = /^-?\d{1,15}(?:\.\d{1,15})?$/;

/** Whether a text is empty: it has no visible character, or is one of the template's `emptyWords`. */
export function isEmptyText(text: string, emptyWords: ReadingRules['emptyWords']): boolean {
  return !visiblePattern.test(text) || isEmptyWord(trimText(text), emptyWords);
}

/** A visible character: no white space, no control character, and no invisible one such as U+200B and U+3164. */
const visiblePattern = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}]/u;

function trimText(text: string): string {
  return text.replaceAll(controlPattern, '').trim();
}

/** Control characters except tab and line feed: no font draws them. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const controlPattern = /[\u0000-\u0008\u000b-\u001f\u007f]/g;

/** Parses a text: converts all line breaks to line feeds, removes control characters, and applies the limits. */
function parseText(variable: ScalarVariable, given: string, onInvalid: OnInvalid): string {
  let text = given.replaceAll(lineBreakPattern, '\n').replaceAll(controlPattern, '');
  const codePointsMax = variable.maxLength ?? templateLimits.valueCodePointsMax;
  // A code point takes one or two units, and composing at most triples them: most values need no counting.
  if (text.length * 3 > codePointsMax && countCodePoints(composed(text)) > codePointsMax) {
    onInvalid(badValue(variable, `is longer than ${codePointsMax} characters; shorten it`));
    text = cutText(composed(text), codePointsMax);
  }
  const linesMax = templateLimits.valueLineBreaksMax + 1;
  const lines = text.split('\n', linesMax + 1);
  if (lines.length <= linesMax) return text;
  onInvalid(badValue(variable, `has more than ${linesMax - 1} line breaks; shorten it`));
  return lines.slice(0, linesMax).join('\n');
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** The beginning of a text with at most `codePointsMax` code points, cut between graphemes. */
export function cutText(text: string, codePointsMax: number): string {
  let codePoints = 0;
  for (const { segment, index } of graphemes.segment(text)) {
    codePoints += countCodePoints(segment);
    if (codePoints <= codePointsMax) continue;
    // A single grapheme may exceed the limit, because it may have thousands of marks.
    return index === 0
      ? Array.from(segment).slice(0, codePointsMax).join('')
      : text.slice(0, index);
  }
  return text;
}

/** Parses a colour; returns it as hexadecimal digits in lower case. */
function parseColor(variable: ScalarVariable, text: string, onInvalid: OnInvalid): string {
  const color = readColor(text);
  if (color !== undefined) return color;
  onInvalid(badValue(variable, 'is no colour; expected hexadecimal digits such as ff8800'));
  return unread;
}

/** Checks a date; returns the text as the link writes it, which formats parse and texts show unchanged. */
function parseDate(
  variable: ScalarVariable,
  text: string,
  { lang, clock }: ReadingRules,
  onInvalid: OnInvalid,
): string {
  if (parseDateText(text, lang, clock?.zone) !== undefined) return text;
  onInvalid(badValue(variable, dateProblem(text)));
  return unread;
}

/** Parses a number; returns it with a decimal point and the decimals as written: a text shows `19.90`. */
function parseNumber(
  variable: ScalarVariable,
  text: string,
  rules: ReadingRules,
  onInvalid: OnInvalid,
): string {
  const { lang } = rules;
  const number = readNumber(text, lang === undefined ? undefined : decimalSign(lang));
  const expected = expectedNumber(number ?? text, variable);
  if (number !== undefined && expected === undefined) {
    const other = number === text ? undefined : otherCurrency(variable, text, rules);
    if (other === undefined) return number;
    onInvalid(badValue(variable, other));
    return unread;
  }
  const problem = hasTwoReadings(text)
    ? 'has two readings, with thousands or with decimals; set the lang of the template, or write a decimal point'
    : `is not ${expected}`;
  onInvalid(badValue(variable, problem));
  return unread;
}

/** The problem of an amount in another currency than that of the variable's format. */
function otherCurrency(
  { name }: ScalarVariable,
  text: string,
  rules: ReadingRules,
): string | undefined {
  const written = writtenCurrencies(text);
  if (written === undefined) return undefined;
  const currency = formatCurrencies(rules).get(fieldName(name));
  if (currency === undefined || written.includes(currency)) return undefined;
  return `is an amount in ${written.slice(0, 3).join(' or ')}, but the template writes it in ${currency}; send the number alone, or an amount in ${currency}`;
}

function parseBoolean(variable: ScalarVariable, text: string, onInvalid: OnInvalid): string {
  if (parseBooleanText(text) !== undefined) return text;
  onInvalid(badValue(variable, 'is neither true nor false'));
  return unread;
}

/** The error of one invalid value. */
export class BadValueError extends AppError implements ValueProblem {
  readonly variable: Variable;
  readonly problem: string;

  constructor(variable: Variable, problem: string, reason: string) {
    super('BAD_REQUEST', `Invalid variable value: "${variable.name}" ${problem}.`, {
      reason,
    });
    this.variable = variable;
    this.problem = problem;
  }
}

export function badValue(
  variable: Variable,
  problem: string,
  reason: string = variable.type,
): BadValueError {
  return new BadValueError(variable, problem, reason);
}

/** Returns the first of the errors with all of them as details. */
export function withDetails(errors: readonly BadValueError[]): AppError {
  const [first] = errors;
  const details = errors.map(({ variable, problem }) => ({
    path: `values.${variable.name}`,
    message: problem,
  }));
  return new AppError('BAD_REQUEST', first?.message ?? '', {
    reason: first?.reason ?? 'values',
    details,
  });
}

/** The value in place of an empty one: '' if the link gives it and `whenEmpty` is `empty`, else the default. */
export function emptyValue(variable: ScalarVariable, given: string | undefined): string {
  return given !== undefined && variable.whenEmpty === 'empty' ? '' : variable.value;
}
