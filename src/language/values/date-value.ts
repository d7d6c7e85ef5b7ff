/** Reads dates as email services write them. */
import { plainDate } from './date-words.ts';
import { dateFormat, knownLanguage } from './intl.ts';
import { directionMarks, plainDigits } from './plain-digits.ts';
import { clockUnits, namedMinutes, sharedZoneNames, zoneNames } from './zoned-time.ts';
import type { DateValue } from './zoned-time.ts';

/** The expected date, as words that follow "expected" or "not". */
export const expectedDate =
  'a date such as 2026-11-27, 2026-11-27T18:30+01:00, Fri, 27 Nov 2026 18:30 +0100 or seconds since 1970';

/** Maximum UTF-16 units of a date. JavaScript writes dates of about 60. */
const lengthMax = 100;

/** A time, with a point in place of colons too. `6:30p` is the afternoon; `6:30 P` may be a military zone. */
const time = String.raw`(?<hour>\d{1,2})(?:(?<colon>[:.])(?<minute>\d{2})(?:\k<colon>(?<second>\d{2})(?:[.,]\d{1,9})?)?|(?=\s?[ap]\.?m))(?<half>\s*[ap]\.?\s?m\.?(?![a-z])|[ap](?![a-z.]))?`;
/** In a link, an unencoded plus sign becomes a space. */
const offset = String.raw`(?<zone>${zoneNames})?(?<offset>[+\u2212 -]\d{2}:?\d{2}|[+\u2212-]\d{2})?`;
const clock = String.raw`(?:(?:(?<iso>t)|,?\s+(?:at\s+)?)${time}\s*?${offset})?`;

/** Day or month first, by the language. */
const dayAndMonth = new RegExp(
  String.raw`^(?<first>\d{1,2})(?<mark>[/-])(?<other>\d{1,2})\k<mark>(?<year>\d{4})${clock}$`,
);

/** The accepted forms with named groups, matched against a trimmed text in lower case. */
const forms: readonly RegExp[] = [
  // ISO 8601 and RFC 3339, the separator of the date also a slash or a point.
  new RegExp(
    String.raw`^(?<year>\d{4})(?<mark>[-/.])(?<month>\d{1,2})\k<mark>(?<day>\d{1,2})${clock}$`,
  ),
  // ISO 8601 without separators.
  new RegExp(
    String.raw`^(?<year>(?:19|20)\d{2})(?<month>\d{2})(?<day>\d{2})(?:t?(?<hour>\d{2})(?<minute>\d{2})(?:(?<second>\d{2})(?:\d{3})?)?${offset})?$`,
  ),
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
  dayAndMonth,
];

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const longMonths =
  /^(january|february|march|april|may|june|july|august|september|sept|october|november|december)$/;
const weekday = /^(mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}\.?,?\s+/;
/** The name of a zone behind its offset, as Go and Java write it. */
const zoneLabel = /(?<=z|[+-]\d{2}:?\d{2})\s?(?:\[[\w/+-]{1,40}\]|[a-z]{2,5})$/;
/** A time in front of the date: 18:30 27/11/2026. */
const timeFirst = /^(\d{1,2}:\d{2}(?::\d{2})?(?:\s?[ap]\.?\s?m\.?)?),?\s+([^:]*\d{4})$/;

/**
 * Reads a date: ISO 8601 with or without time and zone, RFC 2822, or month names of the CLDR. Also reads seconds (9 or 10
 * digits) or milliseconds (12 or 13) since 1970, and day, month and year in digits. `lang` decides whether the day or
 * the month comes first in 03/04/2026; without it, such a text is no date. `zone` (IANA) decides what a name of several
 * zones means. Undefined for a text that is no date. Never throws. Linear time.
 */
export function parseDateText(text: string, lang?: string, zone?: string): DateValue | undefined {
  if (text.length > lengthMax) return undefined;
  const plain = text.replaceAll(directionMarks, '').trim().toLowerCase();
  if (/^-?[\d.]+$/.test(plain)) {
    const unix = parseUnix(plain);
    if (unix !== undefined) return hasTwoMeanings(plain) ? undefined : unix;
  }
  const bare = bareDate(plain);
  const plainly = matchForm(bare, lang, zone);
  if (plainly !== undefined && !otherEra.test(bare)) return plainly;
  const translated = plainDate(plain.normalize('NFC'), lang);
  return translated === undefined ? undefined : matchForm(translated, lang, zone);
}

/** A date in small letters without what repeats its weekday or its zone. */
function bareDate(plain: string): string {
  return plain
    .replace(/\s*\([^()]*\)$/, '')
    .replace(zoneLabel, '')
    .replace(weekday, '');
}

/** Whether digits alone are a date with a time as well as Unix time: 202611271830. */
function hasTwoMeanings(digits: string): boolean {
  if (!/^(?:\d{10}|\d{12})$/.test(digits)) return false;
  return matchForm(digits.padEnd(12, '0'), undefined, undefined) !== undefined;
}

/** Describes why a text is no date: the end of a sentence that begins with the name of its variable. */
export function dateProblem(text: string): string {
  const plain = text.trim().toLowerCase();
  if (writtenOrder(text) === 'either') {
    return 'has two readings, with the day or the month first; set the lang of the template, or write the year first';
  }
  if (hasTwoMeanings(plain)) {
    return 'has two readings, a date with a time and Unix time; write 2026-11-27T18:30, or milliseconds with 13 digits';
  }
  const shared = new RegExp(String.raw`:\d{2}\s?(?:[ap]\.?m\.?)?\s?(${sharedZoneNames()})\b`);
  const [, name] = shared.exec(bareDate(plain)) ?? [];
  return name === undefined
    ? `is not ${expectedDate}`
    : `has the zone ${name.toUpperCase()}, a name of several zones, and the clock of the template has none of them; write an offset such as +08:00`;
}

/** What comes first where the year is last. */
export type DateOrder = 'day' | 'month';

/** The order that a date in digits proves, `either` if it has both readings; undefined for any other text. */
export function writtenOrder(text: string): DateOrder | 'either' | undefined {
  if (text.length > lengthMax || !/[/-]/.test(text)) return undefined;
  const plain = plainDigits(text).replaceAll(directionMarks, '').trim().toLowerCase();
  const groups = dayAndMonth.exec(bareDate(plain))?.groups;
  if (groups === undefined) return undefined;
  const [first, other] = [Number(groups['first']), Number(groups['other'])];
  if (toDate(groups, 'en-GB', undefined) === undefined) {
    return toDate(groups, 'en-US', undefined) && 'month';
  }
  if (first > 12) return 'day';
  if (other > 12) return 'month';
  return first === other ? undefined : 'either';
}

/** Writes a date that has both readings so that no language reads it otherwise: `2026-04-03`, with what follows it. */
export function unambiguousDate(text: string, order: DateOrder): string {
  return text.replace(
    /(\p{Nd}{1,2})[/-](\p{Nd}{1,2})[/-](\p{Nd}{4})/u,
    (_, first: string, other: string, year: string) => {
      const [month, day] = order === 'month' ? [first, other] : [other, first];
      const [two, three] = [month, day].map((digits) => plainDigits(digits).padStart(2, '0'));
      return `${plainDigits(year)}-${two}-${three}`;
    },
  );
}

/** A year that another calendar may have counted. */
const otherEra = /(?<!\d)(?:1[0-6]|2[4-9])\d\d(?!\d)/;

function matchForm(
  text: string,
  lang: string | undefined,
  zone: string | undefined,
): DateValue | undefined {
  const dateFirst = text.replace(timeFirst, '$2 $1');
  for (const form of forms) {
    const groups = form.exec(dateFirst)?.groups;
    if (groups !== undefined) return toDate(groups, lang, zone);
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

function toDate(
  groups: Groups,
  lang: string | undefined,
  zone: string | undefined,
): DateValue | undefined {
  const midnightMs = groups['week'] === undefined ? dayOf(groups, lang) : dayOfWeek(groups);
  const hasTime = groups['hour'] !== undefined;
  const hour = hourOf(groups);
  const minute = Number(groups['minute'] ?? 0);
  const second = Number(groups['second'] ?? 0);
  // The end of a day may be written as 24:00 (ISO 8601:2004), and leap seconds as 60.
  const isDayEnd = hour === 24 && minute === 0 && second === 0 && groups['half'] === undefined;
  if (midnightMs === undefined || hour === undefined) return undefined;
  if ((hour > 23 && !isDayEnd) || minute > 59 || second > 60) return undefined;
  const wallMs = midnightMs + ((hour * 60 + minute) * 60 + second) * 1000;
  const minutesEast = offsetMinutes(groups, wallMs, zone);
  if (minutesEast === undefined || wallMs === noDateMs) return undefined;
  const hasZone = groups['zone'] !== undefined || groups['offset'] !== undefined;
  return { wallMs, instantMs: wallMs - minutesEast * 60_000, hasTime, hasZone };
}

/** What .NET and Go write for no date. */
const noDateMs = Date.parse('0001-01-01T00:00:00Z');

/** The midnight that begins a day, in ms; undefined for a day that does not exist. */
function dayOf(groups: Groups, lang: string | undefined): number | undefined {
  const [month, day] = monthAndDay(groups, lang);
  const midnight = new Date(0);
  // `Date.UTC` reads years below 100 as years of the 20th century.
  midnight.setUTCFullYear(Number(groups['year']), month - 1, day);
  const isDay = midnight.getUTCMonth() === month - 1 && midnight.getUTCDate() === day;
  const isOfYear = midnight.getUTCFullYear() === Number(groups['year']) && day > 0;
  return isDay || (groups['day']?.length === 3 && isOfYear) ? midnight.getTime() : undefined;
}

/** The midnight of a day of a week (ISO 8601): the first week has 4 January. */
function dayOfWeek({ year, week, weekday: day }: Groups): number | undefined {
  const fourth = new Date(0);
  fourth.setUTCFullYear(Number(year), 0, 4);
  const days = (Number(week) - 1) * 7 + Number(day) - ((fourth.getUTCDay() + 6) % 7) - 1;
  const found = new Date(fourth.getTime() + days * clockUnits.day);
  const thursday = new Date(found.getTime() + (4 - Number(day)) * clockUnits.day);
  return Number(week) > 0 && thursday.getUTCFullYear() === Number(year)
    ? found.getTime()
    : undefined;
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
  const order = orderOf(lang);
  if (order === undefined) return [0, 0];
  return order === 'month' ? [a, b] : [b, a];
}

/** Languages that write the year first, and the day before the month where the year is last. */
const dayFirst: ReadonlySet<string> = new Set('sv se lt af xh eu fr-CA en-ZA en-SE'.split(' '));

/**
 * The order of a language where the year is last: that of its short dates. Undefined without a language, and for one
 * that writes the year first in all dates.
 */
export function orderOf(lang: string | undefined): DateOrder | undefined {
  if (lang === undefined) return undefined;
  const known = knownLanguage(lang);
  const parts = dateFormat(known, { dateStyle: 'short', calendar: 'gregory' }).formatToParts(0);
  const [first] = parts
    .map(({ type }) => type)
    .filter((type) => /^(?:day|month|.*year)$/i.test(type));
  if (first === 'day' || first === 'month') return first;
  const [, language = '', region] = /^([a-z]+)(?:-[A-Z][a-z]{3})?(-[A-Z]{2})?/.exec(known) ?? [];
  return dayFirst.has(language) || dayFirst.has(`${language}${region}`) ? 'day' : undefined;
}

/** The hour, 0 to 23 for times with a.m. or p.m., 0:30 p.m. too; undefined for 13 p.m. */
function hourOf({ hour = '0', half, iso }: Groups): number | undefined {
  const number = Number(hour);
  if (half === undefined) return number;
  // A letter alone behind ISO 8601 is a military zone.
  if (number > 12 || (iso !== undefined && half.length === 1)) return undefined;
  return (number % 12) + (half.trim().startsWith('p') ? 12 : 0);
}

function offsetMinutes(
  { zone: name, offset: text }: Groups,
  wallMs: number,
  zone: string | undefined,
): number | undefined {
  const named = name === undefined ? 0 : namedMinutes(name, wallMs, zone);
  if (text === undefined || named === undefined) return named;
  const [, hours = '', minutes = '00'] = /(\d{2}):?(\d{2})?$/.exec(text.slice(1)) ?? [];
  if (Number(hours) > 14 || Number(minutes) > 59) return undefined;
  const east = Number(hours) * 60 + Number(minutes);
  return named + (/^[-\u2212]/.test(text) ? -east : east);
}
