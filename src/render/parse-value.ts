/** Reads the text of one value by the type of its variable. */
import { isEmptyWord, isUnmergedTag } from '#language/bind/merge-tags.ts';
import { expectedNumber } from '#language/check/variable-problems.ts';
import { templateLimits } from '#language/limits/template-limits.ts';
import { countCodePoints, lineBreakPattern } from '#language/limits/text-limit.ts';
import type { ScalarVariable, Template, Variable } from '#language/schema/template.ts';
import { expectedDate, parseDateText } from '#language/values/date-value.ts';
import { parseBooleanText } from '#language/values/scalar-text.ts';
import { AppError } from '../foundation/errors.ts';

/** An invalid value. */
export interface ValueProblem {
  variable: Variable;
  /** The end of a sentence that begins with the variable's name. */
  problem: string;
  /** What the value is not: the type of its variable, or what the template reads it as. */
  reason: string | undefined;
}

/** Called with an invalid value's error; where it returns, the value is repaired. */
export type OnInvalid = (error: BadValueError) => void;

export const refuse: OnInvalid = (error) => {
  throw error;
};

export const repair: OnInvalid = () => undefined;

/** What of a document decides how a value is read. */
export type ReadingRules = Pick<Template, 'lang' | 'emptyWords'>;

/** Undefined for what counts as no value: what shows nothing, merge tags, and the words that the template chooses. */
export function parseValue(
  variable: ScalarVariable,
  given: string,
  { lang, emptyWords }: ReadingRules,
  onInvalid: OnInvalid,
): string | undefined {
  const isPlain = plainNumber.test(given);
  if (isPlain ? isEmptyWord(given, emptyWords) : isEmptyText(given, emptyWords)) return undefined;
  const trimmed = isPlain ? given : trimText(given);
  if (!isPlain && isUnmergedTag(trimmed, variable.name)) return undefined;
  switch (variable.type) {
    case 'text': {
      const text = parseText(variable, given, onInvalid);
      // What is left of a text that was cut.
      return isEmptyText(text, undefined) ? undefined : text;
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

/** Digits are visible, have no space around them, and are no merge tag: lists have thousands. */
const plainNumber = /^-?\d{1,15}(?:\.\d{1,15})?$/;

/** Whether a text is empty: it has nothing that fonts draw, or is one of the words that the template chooses. */
export function isEmptyText(text: string, emptyWords: ReadingRules['emptyWords']): boolean {
  return !visiblePattern.test(text) || isEmptyWord(trimText(text), emptyWords);
}

/** A character that is no white space, no control character and none that is invisible, such as U+200B and U+3164. */
const visiblePattern = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}]/u;

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
export function cutText(text: string, codePointsMax: number): string {
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

/** What stands in for no value. */
export function emptyValue(variable: ScalarVariable, given: string | undefined): string {
  return given !== undefined && variable.whenEmpty === 'empty' ? '' : variable.value;
}
