/** Formats of dates: in words or digits, the time of day, and the distance from today. */
import { parseDateText } from './date-value.ts';
import { dateFormat, relativeFormat } from './intl.ts';
import { clockUnits, instantIn, wallTimeMs } from './zoned-time.ts';
import type { DateValue } from './zoned-time.ts';

/** The inputs of a date format besides the value. */
export interface DateContext {
  /** The language of the output. */
  lang: string;
  /** The document's language, if set. It decides whether 03/04/2026 is 3 April or 4 March. */
  documentLang: string | undefined;
  /** The time of the render, ms since the epoch, rounded down to the unit of its template. */
  timeMs: number;
  /** IANA name of the zone of the document's clock; absent: UTC. */
  zone?: string | undefined;
}

/** Writes a date; undefined for a text that the format cannot read. */
export type WriteDate = (text: string, context: DateContext) => string | undefined;

const dateStyles: ReadonlySet<string> = new Set(['short', 'medium', 'long', 'full']);

/** Parts of a date that a template may choose. The language decides their order and separators. */
export const dateParts: Readonly<Record<string, Intl.DateTimeFormatOptions>> = {
  weekday: { weekday: 'long' },
  'weekday-short': { weekday: 'short' },
  day: { day: 'numeric' },
  'day-2': { day: '2-digit' },
  month: { month: 'long' },
  'month-short': { month: 'short' },
  'month-number': { month: 'numeric' },
  'month-2': { month: '2-digit' },
  year: { year: 'numeric' },
  'year-2': { year: '2-digit' },
};

function dateOptions(argument: string): Intl.DateTimeFormatOptions | undefined {
  const style = argument === '' ? 'medium' : argument;
  if (dateStyles.has(style)) return { dateStyle: style as 'short' };
  const options: Intl.DateTimeFormatOptions = {};
  for (const part of style.split(',')) {
    const named = Object.hasOwn(dateParts, part.trim()) ? dateParts[part.trim()] : undefined;
    const [name = ''] = Object.keys(named ?? {});
    if (named === undefined || Object.hasOwn(options, name)) return undefined;
    Object.assign(options, named);
  }
  return options;
}

/** `date`, `date:long`, or parts such as `date:weekday,day,month`. */
export function prepareDate(argument: string): WriteDate | undefined {
  const options = dateOptions(argument);
  if (options === undefined) return undefined;
  return (text, { lang, documentLang, zone }) => {
    const date = parseDateText(text, documentLang, zone);
    return date && dateFormat(lang, options).format(date.wallMs);
  };
}

/** `time`, `time:12` or `time:24`. */
export function prepareTime(argument: string): WriteDate | undefined {
  const cycles = { '': {}, '12': { hourCycle: 'h12' }, '24': { hourCycle: 'h23' } } as const;
  if (!Object.hasOwn(cycles, argument)) return undefined;
  const cycle = cycles[argument as keyof typeof cycles];
  const options: Intl.DateTimeFormatOptions = { hour: 'numeric', minute: '2-digit', ...cycle };
  return (text, { lang, documentLang, zone }) => {
    const date = parseDateText(text, documentLang, zone);
    return date?.hasTime === true ? dateFormat(lang, options).format(date.wallMs) : undefined;
  };
}

/** `relative` in days; `relative:hour` and `relative:minute` also in hours and minutes. */
export function prepareRelative(argument: string): WriteDate | undefined {
  if (!['', 'day', 'hour', 'minute'].includes(argument)) return undefined;
  return (text, { lang, documentLang, timeMs, zone }) => {
    const date = parseDateText(text, documentLang, zone);
    if (date === undefined) return undefined;
    const [count, unit] = distance(date, { timeMs, zone }, isFinelyRelative(argument));
    return (
      writeDistance(count, unit, lang) ??
      dateFormat(lang, { dateStyle: 'medium' }).format(date.wallMs)
    );
  };
}

/**
 * Whether `relative` writes hours and minutes. Both arguments mean the same: in the hour before and after a date, whole
 * hours would be 0, whose words ("this hour", in Dutch "within an hour") do not tell past from future.
 */
export function isFinelyRelative(argument: string): boolean {
  return argument === 'hour' || argument === 'minute';
}

/**
 * A distance in words (tomorrow). In numbers where the words are those of the other direction too, as Hindi has one for
 * yesterday and tomorrow; undefined where the Unicode CLDR has one text for both directions, as for days in Maithili.
 */
function writeDistance(
  count: number,
  unit: Intl.RelativeTimeFormatUnit,
  lang: string,
): string | undefined {
  // With `auto`, one year would be written as "next year", which 12 months or more need not be.
  const styles = unit === 'year' ? (['always'] as const) : (['auto', 'always'] as const);
  for (const style of styles) {
    const format = relativeFormat(lang, style);
    const text = format.format(count, unit);
    if (count === 0 || text !== format.format(-count, unit)) return text;
  }
  return undefined;
}

/**
 * The distance to a date: days up to 30, months below 12, then years. Days and months count calendar units. A part of a
 * minute counts as one.
 */
function distance(
  date: DateValue,
  { timeMs, zone }: Pick<DateContext, 'timeMs' | 'zone'>,
  isFine: boolean,
): [count: number, unit: Intl.RelativeTimeFormatUnit] {
  const { day, hour, minute } = clockUnits;
  const instantMs = instantIn(date, zone);
  const ms = instantMs - timeMs;
  if (date.hasTime && isFine) {
    if (ms === 0) return [0, 'second'];
    if (Math.abs(ms) < hour)
      return [Math.sign(ms) * Math.max(1, Math.trunc(Math.abs(ms) / minute)), 'minute'];
    if (Math.abs(ms) < day) return [Math.trunc(ms / hour), 'hour'];
  }
  // Without a zone of the document, the written day counts.
  const wallMs = zone === undefined ? date.wallMs : wallTimeMs(instantMs, zone);
  const nowMs = wallTimeMs(timeMs, zone);
  const days = Math.floor(wallMs / day) - Math.floor(nowMs / day);
  if (Math.abs(days) < 31) return [days, 'day'];
  const [there, now] = [new Date(wallMs), new Date(nowMs)];
  const years = there.getUTCFullYear() - now.getUTCFullYear();
  const months = years * 12 + there.getUTCMonth() - now.getUTCMonth();
  return Math.abs(months) < 12 ? [months, 'month'] : [Math.trunc(months / 12), 'year'];
}
