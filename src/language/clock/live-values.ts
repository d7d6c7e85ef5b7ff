/** The values that a template reads and no link gives: the time, the countdown, the client and the contact's share. */
import type { ScalarVariable, Template } from '../schema/template.ts';
import { liveClients } from '#wire/render-moment.ts';
import type { RenderMoment } from '#wire/render-moment.ts';
import { clockUnits, floorTime, wallTimeMs, zonedText } from '../values/zoned-time.ts';
import { weekdayOf, weekdays } from './deadline.ts';

/** A moment whose time and deadline are known. */
export type SettledMoment = RenderMoment & { timeMs: number };

/** A value that is read as a variable is. */
export interface LiveVariable extends ScalarVariable {
  /** All values that it has. */
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

/** A number of the countdown: whole units that are left, those of the next greater unit taken off where it has `of`. */
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

/** Every live value with what its clock must have, for documentation and messages. */
export const liveVariableNeeds: readonly (readonly [needs: string, LiveVariable[]])[] = [
  ['', [...always]],
  ['until or evergreen', [...ofCountdown]],
  ['per', [...ofContact]],
];

/** The live values that a template may bind, as variables with defaults. A variable of the template of that name wins. */
export function liveVariables({ clock }: Pick<Template, 'clock'>): LiveVariable[] {
  const hasCountdown = clock?.until !== undefined || clock?.evergreen !== undefined;
  return [
    ...always,
    ...(hasCountdown ? ofCountdown : []),
    ...(clock?.per === undefined ? [] : ofContact),
  ];
}

/** Whole milliseconds of seconds that are left at `timeMs`, never below zero. */
export function remainingMs(timeMs: number, untilMs: number): number {
  const seconds = Math.floor(untilMs / 1000) - Math.floor(timeMs / 1000);
  return Math.max(0, seconds) * 1000;
}

/** The next second in which fewer whole units are left; `Infinity` where none is. */
export function nextOfPart(unitMs: number, timeMs: number, untilMs: number): number {
  const leftMs = remainingMs(timeMs, untilMs);
  if (leftMs < unitMs) return Infinity;
  return floorTime(timeMs, 'second') + (leftMs % unitMs) + clockUnits.second;
}

/** The live value of this name as a text; undefined for a name of none. */
export function liveValue(
  name: string,
  { timeMs = 0, untilMs = timeMs, client = 'other', share = 0 }: RenderMoment,
  zone: string | undefined,
): string | undefined {
  const part = countdownPart(name);
  if (part !== undefined) {
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
      return String(remainingMs(timeMs, untilMs) === 0);
    case 'countdown.until':
      return zonedText(untilMs, zone);
    case 'client':
      return client;
    case 'share':
      return String(share);
    default:
      return undefined;
  }
}
