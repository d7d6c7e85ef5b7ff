/** Reads values as people and spreadsheets write them, into the form that links take. */
import type { ScalarVariable } from '#language/schema/template.ts';
import { parseDateText } from '#language/values/date-value.ts';
import { readColor } from '#language/values/read-color.ts';
import { decimalSign } from '#language/values/decimal-signs.ts';
import { hasTwoReadings, readNumber } from '#language/values/read-number.ts';
import { numberPattern, parseBooleanText } from '#language/values/scalar-text.ts';

/**
 * Returns a text as a value of `type`; undefined for a text that is none. `lang` decides between the readings of
 * `1,234` and of `03/04/2026`; without it, both are undefined. An empty text is a value of every type.
 */
export function readValue(
  type: ScalarVariable['type'],
  text: string,
  lang: string | undefined,
): string | undefined {
  const plain = text.trim();
  if (type === 'text' || type === 'image') return text;
  if (plain === '') return '';
  switch (type) {
    case 'number':
      return readPlainNumber(plain, lang);
    case 'date':
      return readDate(plain, lang);
    case 'color':
      return readColor(plain);
    case 'boolean':
      return parseBooleanText(plain)?.toString();
    default:
      return type satisfies never;
  }
}

/** The problem of a text that `readValue` does not read, as a sentence. */
export function unreadWords(type: ScalarVariable['type'], text: string): string {
  if (type === 'number') {
    if (!hasTwoReadings(text)) return 'Write a number, such as 12.5.';
    const plain = text.trim();
    return `Write ${plain.replace(',', '')} or ${plain.replace(',', '.')}: a comma may mean both.`;
  }
  if (type === 'date') return 'Write a date, such as 2026-11-27 or 27 Nov 2026.';
  return type === 'color' ? 'Write a colour, such as #ff8800.' : 'Write true or false.';
}

/** A number in the form that links take: without `+`, with a digit in front of the point. */
function readPlainNumber(text: string, lang: string | undefined): string | undefined {
  const number = readNumber(text, lang === undefined ? undefined : decimalSign(lang));
  if (number === undefined || !numberPattern.test(number)) return undefined;
  const [, sign = '', whole = '', decimals = ''] = /^\+?(-?)(\d*)\.?(\d*)$/.exec(number) ?? [];
  return `${sign}${whole || '0'}${decimals === '' ? '' : `.${decimals}`}`;
}

// Dates.

/** The fields of a date: `2026-11-27`, `18:30` with optional seconds, and a zone such as `+01:00`; empty if absent. */
export interface DateParts {
  day: string;
  time: string;
  zone: string;
}

/** The form in which a calendar and a field for the time write a date. */
const calendarForm = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d)?(?:Z|[+-]\d\d:\d\d)?)?$/;

/** Whether a date has the form that `joinDate` returns. */
export function isCalendarDate(text: string): boolean {
  return calendarForm.test(text) && parseDateText(text) !== undefined;
}

/** Splits a date of any accepted form; undefined for a text that is no date. */
export function splitDate(text: string, lang: string | undefined): DateParts | undefined {
  const date = parseDateText(text, lang);
  if (date === undefined) return undefined;
  const written = new Date(date.wallMs).toISOString();
  const secondsEnd = /:\d\d:\d\d/.test(text) ? 19 : 16;
  return {
    day: written.slice(0, 10),
    time: date.hasTime ? written.slice(11, secondsEnd) : '',
    zone: date.hasZone ? offsetText(date.wallMs - date.instantMs) : '',
  };
}

/** Joins the fields of a date. The zone belongs to the time. */
export function joinDate({ day, time, zone }: DateParts): string {
  return time === '' ? day : `${day}T${time}${zone}`;
}

function readDate(text: string, lang: string | undefined): string | undefined {
  if (isCalendarDate(text)) return text;
  const parts = splitDate(text, lang);
  return parts && joinDate(parts);
}

const minuteMs = 60_000;

/** Writes an offset from UTC in ms: `Z` or `+01:00`. */
function offsetText(offsetMs: number): string {
  if (offsetMs === 0) return 'Z';
  const minutes = Math.abs(offsetMs) / minuteMs;
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  const digits = [hours, rest].map((each) => String(each).padStart(2, '0'));
  return `${offsetMs < 0 ? '-' : '+'}${digits.join(':')}`;
}
