/**
 * Live values, which a template reads and no link sets: the time, the countdown, the client and the contact's share.
 */
import type { ScalarVariable, Template } from '../schema/template.ts';
import { liveClients } from '#wire/render-moment.ts';
import type { RenderMoment } from '#wire/render-moment.ts';
import { clockUnits, floorTime, wallTimeMs, zonedText } from '../values/zoned-time.ts';
import { weekdayOf, weekdays } from './deadline.ts';

/** A moment with a known time. */
export type SettledMoment = RenderMoment & { timeMs: number };

/** A live value, described as a variable. */
export interface LiveVariable extends ScalarVariable {
  /** All possible values, if the list is closed. */
  words?: readonly string[];
}

const countdownParts = {
  'countdown.days': { unitMs: clockUnits.day },
  'countdown.hours': { unitMs: clockUnits.hour, of: 24 },
  'countdown.minutes': { unitMs: clockUnits.minute, of: 60 },
  'countdown.seconds': { unitMs: clockUnits.second, of: 60 },
  'countdown.totalHours': { unitMs: clockUnits.hour },
  'countdown.totalMinutes': { unitMs: clockUnits.minute },
  'countdown.totalSeconds': { unitMs: clockUnits.second },
} as const satisfies Record<string, { unitMs: number; of?: number }>;

/** A number of the countdown: the whole units that are left, modulo `of` if present. Undefined for any other name. */
export function countdownPart(name: string): { unitMs: number; of?: number } | undefined {
  return Object.hasOwn(countdownParts, name)
    ? countdownParts[name as keyof typeof countdownParts]
    : undefined;
}

const numbers = (names: readonly string[]): LiveVariable[] =>
  names.map((name) => ({ name, type: 'number', value: '0' }));

const always: readonly LiveVariable[] = [
  { name: 'now', type: 'date', value: '2026-01-01T00:00:00Z' },
  { name: 'now.weekday', type: 'text', value: 'thursday', words: weekdays },
  ...numbers(['now.hour']),
  { name: 'client', type: 'text', value: 'other', words: liveClients },
];
const ofCountdown: readonly LiveVariable[] = [
  ...numbers(Object.keys(countdownParts)),
  { name: 'countdown.isOver', type: 'boolean', value: 'false' },
  { name: 'countdown.until', type: 'date', value: '2026-01-01T00:00:00Z' },
];
const ofContact: readonly LiveVariable[] = numbers(['share']);

/** All live values, grouped by the part of the clock that they need, for documentation and messages. */
export const liveVariableNeeds: readonly (readonly [needs: string, LiveVariable[]])[] = [
  ['', [...always]],
  ['until or evergreen', [...ofCountdown]],
  ['per', [...ofContact]],
];

/**
 * The live values that a template may bind, as variables with defaults. A variable of the same name takes precedence.
 */
export function liveVariables({ clock }: Pick<Template, 'clock'>): LiveVariable[] {
  const hasCountdown = clock?.until !== undefined || clock?.evergreen !== undefined;
  return [
    ...always,
    ...(hasCountdown ? ofCountdown : []),
    ...(clock?.per === undefined ? [] : ofContact),
  ];
}

/** Time left at `timeMs` in whole seconds, as milliseconds; 0 after the end. */
export function remainingMs(timeMs: number, untilMs: number): number {
  const seconds = Math.floor(untilMs / 1000) - Math.floor(timeMs / 1000);
  return Math.max(0, seconds) * 1000;
}

/** The next second at which fewer whole units are left; `Infinity` if no whole unit is left. */
export function nextOfPart(unitMs: number, timeMs: number, untilMs: number): number {
  const leftMs = remainingMs(timeMs, untilMs);
  if (leftMs < unitMs) return Infinity;
  return floorTime(timeMs, 'second') + (leftMs % unitMs) + clockUnits.second;
}

/** A live value by its name, as a text; empty for one of a countdown without an end; undefined for any other name. */
export function liveValue(
  name: string,
  { timeMs = 0, untilMs, client = 'other', share = 0 }: RenderMoment,
  zone: string | undefined,
): string | undefined {
  const part = countdownPart(name);
  if (part !== undefined) {
    if (untilMs === undefined) return '';
    const whole = Math.floor(remainingMs(timeMs, untilMs) / part.unitMs);
    return String(part.of === undefined ? whole : whole % part.of);
  }
  switch (name) {
    case 'now':
      return zonedText(timeMs, zone);
    case 'now.weekday':
      return weekdays[weekdayOf(wallTimeMs(timeMs, zone))];
    case 'now.hour':
      return String(new Date(wallTimeMs(timeMs, zone)).getUTCHours());
    case 'countdown.isOver':
      return untilMs === undefined ? '' : String(remainingMs(timeMs, untilMs) === 0);
    case 'countdown.until':
      return untilMs === undefined ? '' : zonedText(untilMs, zone);
    case 'client':
      return client;
    case 'share':
      return String(share);
    default:
      return undefined;
  }
}
