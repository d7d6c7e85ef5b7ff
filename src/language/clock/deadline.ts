/** Computes the deadline of a countdown: a date, a recurring time, or a duration after the first open of a contact. */
import { bindText, boundNames } from '../bind/bindings.ts';
import type { Template } from '../schema/template.ts';
import { expectedDate, parseDateText } from '../values/date-value.ts';
import type { FormatContext } from '../values/value-formats.ts';
import {
  clockUnits,
  durationMs,
  instantIn,
  instantOfWall,
  wallTimeMs,
} from '../values/zoned-time.ts';

/** English names of the weekdays. 4 January 1970 was the first of them, a Sunday. */
export const weekdays = [
  'sunday',
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
] as const;

/** The expected deadline, as words that follow "expected" or "not". */
export const expectedDeadline = `${expectedDate}, nor a time that comes again, such as friday 18:00 or daily 18:00`;

const rulePattern = new RegExp(
  String.raw`^(?:every\s+)?(daily|day|${weekdays.map((day) => `${day}|${day.slice(0, 3)}`).join('|')})\s+(\d{1,2}):(\d{2})$`,
);

/** A recurring time: `day` is an index of `weekdays`, undefined for every day. `ofDayMs` is the time since midnight. */
interface Rule {
  day: number | undefined;
  ofDayMs: number;
}

function parseRule(text: string): Rule | undefined {
  const [, name = '', hour = '', minute = ''] = rulePattern.exec(text.trim().toLowerCase()) ?? [];
  if (name === '' || Number(hour) > 23 || Number(minute) > 59) return undefined;
  const day = weekdays.findIndex((known) => known.slice(0, 3) === name.slice(0, 3));
  const ofDayMs = Number(hour) * clockUnits.hour + Number(minute) * clockUnits.minute;
  return { day: day === -1 ? undefined : day, ofDayMs };
}

/** The index of a wall time's day in `weekdays`. */
export function weekdayOf(wallMs: number): number {
  // 1 January 1970 was a Thursday.
  return (((Math.floor(wallMs / clockUnits.day) + 4) % 7) + 7) % 7;
}

/** The next instant of a rule after `timeMs`. */
function nextOfRule({ day, ofDayMs }: Rule, timeMs: number, zone: string | undefined): number {
  const wallMs = wallTimeMs(timeMs, zone);
  const midnightMs = Math.floor(wallMs / clockUnits.day) * clockUnits.day;
  // Takes up to eight days: today's time may have passed, and a zone may skip or repeat an hour.
  for (let ahead = 0; ; ahead += 1) {
    const thereMs = midnightMs + ahead * clockUnits.day;
    if (day !== undefined && weekdayOf(thereMs) !== day) continue;
    const instantMs = instantOfWall(thereMs + ofDayMs, zone);
    if (instantMs > timeMs) return instantMs;
  }
}

/**
 * The instant of a deadline text, in ms; undefined for an invalid text. A recurring time gives its next instant after
 * `timeMs`.
 */
export function parseDeadline(
  text: string,
  timeMs: number,
  { zone, lang }: { zone: string | undefined; lang: string | undefined },
): number | undefined {
  const date = parseDateText(text, lang, zone);
  if (date !== undefined) return instantIn(date, zone);
  const rule = parseRule(text);
  return rule && nextOfRule(rule, timeMs, zone);
}

/** The instant of a date text, in ms; undefined for an invalid text. */
export function parseInstant(text: string, zone: string | undefined): number | undefined {
  const date = parseDateText(text, undefined, zone);
  return date && instantIn(date, zone);
}

/**
 * Name in the values of a render whose deadline cannot be read: it then has no countdown. No variable has this name. The
 * value of a variable cannot say it, because `{{deadline | default:friday 18:00}}` gives an empty one a deadline.
 */
export const unreadDeadline = '{deadline}';

/** The inputs that a deadline depends on. */
export interface DeadlineInput {
  values: ReadonlyMap<string, string>;
  context: FormatContext;
  /** The time of the render, in ms since the epoch. */
  timeMs: number;
  /** The first open of the contact, in ms since the epoch. Absent: the render is the first one. */
  startedMs?: number | undefined;
}

/**
 * The end of a template's countdown: that of `until` or of `evergreen`, whichever is first. `isFloating`: the end is
 * that of an evergreen countdown without a first open. `invalid`: a text of `until` that is no deadline; there is no end
 * then. Empty without a countdown.
 */
export function deadlineOf(
  { clock, lang }: Pick<Template, 'clock' | 'lang'>,
  { values, context, timeMs, startedMs }: DeadlineInput,
): { untilMs?: number; isFloating?: boolean; invalid?: string } {
  const { until, evergreen, zone } = clock ?? {};
  if (values.has(unreadDeadline)) return { invalid: '' };
  const ends: number[] = [];
  if (evergreen !== undefined) {
    // If the clock was set back, the countdown is not extended.
    ends.push(Math.min(startedMs ?? timeMs, timeMs) + durationMs(evergreen));
  }
  const text = until === undefined ? '' : bindText(until, values, context).trim();
  if (text !== '') {
    const untilMs = parseDeadline(text, timeMs, { zone, lang });
    if (untilMs === undefined) return { invalid: text };
    ends.push(untilMs);
  }
  if (until !== undefined && ends.length === 0) return { invalid: text };
  if (ends.length === 0) return {};
  const untilMs = Math.min(...ends);
  const isFloating = evergreen !== undefined && startedMs === undefined && untilMs === ends[0];
  return isFloating ? { untilMs, isFloating } : { untilMs };
}

/** The contact of a render, trimmed; empty if the template or the link has none. */
export function contactOf(
  { clock }: Pick<Template, 'clock'>,
  values: ReadonlyMap<string, string>,
  context?: FormatContext,
): string {
  if (clock?.per === undefined) return '';
  const names = boundNames(clock.per, values);
  // `shop-{{contact}}` with an empty `contact` is no contact.
  const isEmpty = names.length > 0 && names.every((name) => (values.get(name) ?? '').trim() === '');
  return isEmpty ? '' : bindText(clock.per, values, context).trim();
}
