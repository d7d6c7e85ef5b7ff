/** Reads dates as email services write them. */
import { plainDate } from './date-words.ts';
import { dateFormat } from './intl.ts';
import { plainDigits } from './plain-digits.ts';

/** A parsed date. Times are in ms since the epoch. */
export interface DateValue {
  /** The written date and time, read as UTC. Formats show it. */
  wallMs: number;
  /** The instant; a text without a zone counts as UTC. */
  instantMs: number;
  hasTime: boolean;
  /** Whether the text has a zone or an offset from UTC. */
  hasZone: boolean;
}

/** The expected date, as words that follow "expected" or "not". */
export const expectedDate =
  'a date such as 2026-11-27, 2026-11-27T18:30+01:00, Fri, 27 Nov 2026 18:30 +0100 or seconds since 1970';

/** Maximum UTF-16 units of a date. JavaScript writes dates of about 60. */
const lengthMax = 100;

/** Finland, Denmark and Italy write a point between hours and minutes. */
const time = String.raw`(?<hour>\d{1,2})(?<colon>[:.])(?<minute>\d{2})(?:\k<colon>(?<second>\d{2})(?:[.,]\d{1,9})?)?\s*(?<half>[ap]\.?m\.?)?`;
/** In a link, an unencoded plus sign becomes a space. */
const offset = String.raw`(?<zone>z|utc|gmt|ut|[ecmp][sd]t|ces?t)?(?<offset>[+\u2212 -]\d{2}:?\d{2}|[+\u2212-]\d{2})?`;
const clock = String.raw`(?:(?:t|,?\s+(?:at\s+)?)${time}\s*?${offset})?`;

/** The accepted forms with named groups, matched against a trimmed text in lower case. */
const forms: readonly RegExp[] = [
  // ISO 8601 and RFC 3339, the separator of the date also a slash or a point.
  new RegExp(
    String.raw`^(?<year>\d{4})(?<mark>[-/.])(?<month>\d{1,2})\k<mark>(?<day>\d{1,2})${clock}$`,
  ),
  // ISO 8601 without separators.
  /^(?<year>(?:19|20)\d{2})(?<month>\d{2})(?<day>\d{2})(?:t?(?<hour>\d{2})(?<minute>\d{2})(?<second>\d{2})(?<zone>z)?)?$/,
  // A day of a week and of a year in ISO 8601: 2027-W05-1, 2027-032.
  new RegExp(String.raw`^(?<year>\d{4})-?w(?<week>\d{2})-?(?<weekday>[1-7])${clock}$`),
  new RegExp(String.raw`^(?<year>\d{4})-(?<day>\d{3})${clock}$`),
  // RFC 2822 and RFC 7231: Fri, 27 Nov 2026 18:30:00 +0100
  new RegExp(
    String.raw`^(?<day>\d{1,2})(?:st|nd|rd|th|\.|,)?[\s-]?(?<name>[a-z]{3,9})\.?,?[\s-](?<year>\d{4})${clock}$`,
  ),
  // American, and JavaScript's: November 27, 2026; Nov 27 2026 18:30:00 GMT+0100
  new RegExp(
    String.raw`^(?<name>[a-z]{3,9})\.?\s(?<day>\d{1,2})(?:st|nd|rd|th)?,?\s(?<year>\d{4})${clock}$`,
  ),
  // The asctime of C, and Java's: Fri Nov 27 18:30:00 UTC 2026
  new RegExp(
    String.raw`^(?<name>[a-z]{3})\s{1,2}(?<day>\d{1,2})\s${time}(?:\s${offset})?\s(?<year>\d{4})$`,
  ),
  // The year first: Hungarian, Lithuanian and Latvian.
  new RegExp(String.raw`^(?<year>\d{4})[.,]?\s(?<name>[a-z]{3})\.?\s(?<day>\d{1,2})\.?${clock}$`),
  new RegExp(String.raw`^(?<year>\d{4})[.,]?\s(?<day>\d{1,2})\.?\s(?<name>[a-z]{3})${clock}$`),
  new RegExp(String.raw`^(?<year>\d{4})\.\s?(?<month>\d{1,2})\.\s?(?<day>\d{1,2})\.?${clock}$`),
  // Vietnamese: 27 11, 2026, whose words for month and year are left out.
  new RegExp(String.raw`^(?<day>\d{1,2})\s(?<month>\d{1,2}),?\s(?<year>\d{4})${clock}$`),
  // Day first: languages that begin with the month do not use points.
  new RegExp(String.raw`^(?<day>\d{1,2})\.\s?(?<month>\d{1,2})\.\s?(?<year>\d{4})\.?${clock}$`),
  // Day or month first, by the language.
  new RegExp(
    String.raw`^(?<first>\d{1,2})(?<mark>[/-])(?<other>\d{1,2})\k<mark>(?<year>\d{4})${clock}$`,
  ),
];

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const longMonths =
  /^(january|february|march|april|may|june|july|august|september|sept|october|november|december)$/;
const weekdayName = /^(mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}\.?,?\s+/;
/** Named zones (RFC 2822, 4.3, and Central Europe) in minutes east of UTC. */
const zoneMinutes: Readonly<Record<string, number>> = {
  est: -300,
  edt: -240,
  cst: -360,
  cdt: -300,
  mst: -420,
  mdt: -360,
  pst: -480,
  pdt: -420,
  cet: 60,
  cest: 120,
};

/**
 * Reads a date: ISO 8601 with or without time and zone, RFC 2822, or month names of the CLDR. Also reads seconds (9 or 10
 * digits) or milliseconds (12 or 13) since 1970, and day, month and year in digits. `lang` decides whether the day or
 * the month comes first in 03/04/2026; without it, such a text is no date. Undefined for a text that is no date. Never
 * throws. Linear time.
 */
export function parseDateText(text: string, lang?: string): DateValue | undefined {
  if (text.length > lengthMax) return undefined;
  const plain = text.trim().toLowerCase();
  const unix = parseUnix(plain);
  if (unix !== undefined) return unix;
  const bare = plain.replace(/\s*\([^()]*\)$/, '').replace(weekdayName, '');
  const plainly = matchForm(bare, lang);
  if (plainly !== undefined && !otherEra.test(bare)) return plainly;
  const translated = plainDate(text.trim().normalize('NFC').toLowerCase(), lang);
  return translated === undefined ? undefined : matchForm(translated, lang);
}

/** The part with which a date in digits begins. */
export type DateOrder = 'day' | 'month';

/** Two numbers and a year, whose order the numbers or a language decide. */
const slashed = /(?<!\d)(\d{1,2})([/-])(\d{1,2})\2(\d{4})(?!\d)/;

/** The order that a date in digits proves; `either` if both are possible. Undefined for any other text. */
export function dateOrder(text: string): DateOrder | 'either' | undefined {
  if (text.length > lengthMax) return undefined;
  const [, first, , other] = slashed.exec(plainDigits(text)) ?? [];
  const [a, b] = [Number(first), Number(other)];
  if (a > 12 && b <= 12) return 'day';
  if (b > 12 && a <= 12) return 'month';
  return a <= 12 && b <= 12 && a !== b ? 'either' : undefined;
}

/** A date with both orders possible as ISO 8601 writes it. */
export function inOrder(text: string, order: DateOrder): string {
  return plainDigits(text).replace(slashed, (...groups: string[]) => {
    const [, first = '', , other = '', year = ''] = groups;
    const [month, day] = order === 'day' ? [other, first] : [first, other];
    return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  });
}

/** A year that another calendar may have counted. */
const otherEra = /(?<!\d)(?:1[0-6]|2[4-9])\d\d(?!\d)/;

function matchForm(text: string, lang: string | undefined): DateValue | undefined {
  for (const form of forms) {
    const groups = form.exec(text)?.groups;
    if (groups !== undefined) return toDate(groups, lang);
  }
  return undefined;
}

function parseUnix(text: string): DateValue | undefined {
  const isSeconds = /^-?\d{9,10}(\.\d{1,9})?$/.test(text);
  if (!isSeconds && !/^-?\d{12,13}$/.test(text)) return undefined;
  const ms = isSeconds ? Math.floor(Number(text) * 1000) : Number(text);
  return { wallMs: ms, instantMs: ms, hasTime: true, hasZone: true };
}

type Groups = Record<string, string | undefined>;

function toDate(groups: Groups, lang: string | undefined): DateValue | undefined {
  const midnightMs = midnightOf(groups, lang);
  const hasTime = groups['hour'] !== undefined;
  const hour = hourOf(groups);
  const minute = Number(groups['minute'] ?? 0);
  const second = Number(groups['second'] ?? 0);
  // The end of a day may be written as 24:00 (ISO 8601:2004), and leap seconds as 60.
  const isDayEnd = hour === 24 && minute === 0 && second === 0 && groups['half'] === undefined;
  if (hour === undefined || (hour > 23 && !isDayEnd) || minute > 59 || second > 60)
    return undefined;
  if (midnightMs === undefined) return undefined;
  const wallMs = midnightMs + ((hour * 60 + minute) * 60 + second) * 1000;
  const minutesEast = offsetMinutes(groups);
  if (minutesEast === undefined) return undefined;
  const hasZone = groups['zone'] !== undefined || groups['offset'] !== undefined;
  return { wallMs, instantMs: wallMs - minutesEast * 60_000, hasTime, hasZone };
}

const dayMs = 86_400_000;

/** The midnight of a date; undefined for a day that does not exist. */
function midnightOf(groups: Groups, lang: string | undefined): number | undefined {
  const { week, weekday } = groups;
  const year = Number(groups['year']);
  const midnight = new Date(0);
  if (week !== undefined) {
    // The first week of a year has 4 January, and its Thursday is in the year.
    midnight.setUTCFullYear(year, 0, 4);
    const sinceMonday = (midnight.getUTCDay() + 6) % 7;
    const thursdayMs = midnight.getTime() + ((Number(week) - 1) * 7 + 3 - sinceMonday) * dayMs;
    const isOfYear = new Date(thursdayMs).getUTCFullYear() === year;
    return isOfYear ? thursdayMs + (Number(weekday) - 4) * dayMs : undefined;
  }
  const [month, day] = monthAndDay(groups, lang);
  // `Date.UTC` reads years below 100 as years of the 20th century.
  midnight.setUTCFullYear(year, month - 1, day);
  const isDayOfYear = groups['day']?.length === 3 && midnight.getUTCFullYear() === year && day > 0;
  const isDay = midnight.getUTCMonth() === month - 1 && midnight.getUTCDate() === day;
  return isDay || isDayOfYear ? midnight.getTime() : undefined;
}

function monthAndDay(groups: Groups, lang: string | undefined): [month: number, day: number] {
  const { name, first, other } = groups;
  if (name !== undefined) {
    const isKnown = name.length === 3 || longMonths.test(name);
    return [isKnown ? months.indexOf(name.slice(0, 3)) + 1 : 0, Number(groups['day'])];
  }
  if (first === undefined) return [Number(groups['month'] ?? 1), Number(groups['day'])];
  const [a, b] = [Number(first), Number(other)];
  if (a > 12 || a === b) return [b, a];
  if (b > 12) return [a, b];
  if (lang === undefined) return [0, 0];
  const order = orderOf(lang);
  return order === 'year' ? [0, 0] : order === 'month' ? [a, b] : [b, a];
}

/** The part with which a language begins a date. With the year, it does not say how it ends. */
export function orderOf(lang: string): DateOrder | 'year' {
  const parts = dateFormat(lang, { dateStyle: 'short', calendar: 'gregory' }).formatToParts(0);
  const [first] = parts.filter(({ type }) => ['day', 'month', 'year'].includes(type));
  return (first?.type ?? 'year') as DateOrder | 'year';
}

/** The hour, 0 to 23 for times with a.m. or p.m.; undefined for 13 p.m. */
function hourOf({ hour = '0', half }: Groups): number | undefined {
  const number = Number(hour);
  if (half === undefined) return number;
  if (number < 1 || number > 12) return undefined;
  return (number % 12) + (half.startsWith('p') ? 12 : 0);
}

function offsetMinutes({ zone = '', offset: text }: Groups): number | undefined {
  const named = zoneMinutes[zone] ?? 0;
  if (text === undefined) return named;
  const [, hours = '', minutes = '00'] = /(\d{2}):?(\d{2})?$/.exec(text.slice(1)) ?? [];
  if (Number(hours) > 14 || Number(minutes) > 59) return undefined;
  const east = Number(hours) * 60 + Number(minutes);
  return named + (/^[-\u2212]/.test(text) ? -east : east);
}
