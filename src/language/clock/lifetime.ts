/** What of the time and the reader decides an image, and when that changes next. Times are ms since the epoch. */
import { boundValue } from '../bind/bindings.ts';
import { boundsOf, conditionsHold } from '../bind/conditions.ts';
import type { Binder } from '../bind/binder.ts';
import type { VariableCondition } from '../schema/layer-base.ts';
import type { Template } from '../schema/template.ts';
import {
  clockUnits,
  floorTime,
  instantOfWall,
  nextTime,
  wallTimeMs,
  zonedText,
} from '../values/zoned-time.ts';
import { clockUseOf, unitTimeMs } from './clock-use.ts';
import type { ShownValue } from './clock-use.ts';
import { weekdayOf, weekdays } from './deadline.ts';
import { countdownPart, liveValue, remainingMs } from './live-values.ts';
import { nextOfRelative } from './relative-lifetime.ts';
import type { RenderMoment } from '#wire/render-moment.ts';

/** A moment whose time and deadline are known. */
export type SettledMoment = RenderMoment & { timeMs: number };

/**
 * The part of a key that time and reader decide: equal texts mean equal images. It has what is drawn and what conditions
 * answer, and not the time: two contacts with 3 days left share an image.
 */
export function momentKey(template: Template, moment: SettledMoment, binder: Binder): string {
  const { imageUnit, relatives, shown, questions } = clockUseOf(template);
  const zone = template.clock?.zone;
  return JSON.stringify([
    imageUnit === undefined ? 0 : unitTimeMs(template, moment.timeMs, imageUnit),
    ...relatives.map((source) => boundValue(source, binder.values, binder.context)),
    ...shown.map((value) => shownText(value, moment, zone)),
    ...questions.map((question) => (conditionsHold(question, binder) ? 1 : 0)),
  ]);
}

function shownText(
  { name, unit }: ShownValue,
  moment: SettledMoment,
  zone: string | undefined,
): string | undefined {
  const { timeMs, untilMs = timeMs } = moment;
  if (name === 'now') return zonedText(floorTime(timeMs, unit, zone), zone);
  if (name === 'countdown.until') return zonedText(floorTime(untilMs, unit, zone), zone);
  return liveValue(name, moment, zone);
}

/** When the image of these values changes next, if only time passes; `Infinity` for never. */
export function changesAtMs(template: Template, moment: SettledMoment, binder: Binder): number {
  const { imageUnit, relatives, shown, questions } = clockUseOf(template);
  const { clock } = template;
  const { timeMs, untilMs = timeMs } = moment;
  const times = shown.map((value) => nextOfShown(value, moment, clock?.zone));
  times.push(...questions.map((question) => nextOfQuestion(question, template, moment, binder)));
  if (imageUnit !== undefined) times.push(nextTime(timeMs, imageUnit, clock?.zone));
  times.push(...relatives.map((source) => nextOfRelative(source, template, timeMs, binder)));
  const names = [...shown.map(({ name }) => name), ...questions.map(({ variable }) => variable)];
  const counts = typeof clock?.atZero === 'object' || names.some(isOfCountdown);
  // A deadline that comes again starts the count again.
  if (counts && untilMs > timeMs) times.push(floorTime(untilMs, 'second'));
  return Math.min(...times, Infinity);
}

function isOfCountdown(name: string): boolean {
  return name.startsWith('countdown.');
}

/** The next time at which a value that is drawn has another text. */
function nextOfShown(
  { name, unit }: ShownValue,
  moment: SettledMoment,
  zone: string | undefined,
): number {
  const { timeMs, untilMs = timeMs } = moment;
  const part = countdownPart(name);
  if (part !== undefined) return nextOfPart(part.unitMs, moment);
  switch (name) {
    case 'now':
      return nextTime(timeMs, unit, zone);
    case 'now.hour':
      return nextTime(timeMs, 'hour', zone);
    case 'now.weekday':
      return nextTime(timeMs, 'day', zone);
    case 'countdown.until':
      // The deadline of somebody whose time has not begun moves with the time.
      return moment.isFloating === true
        ? timeMs + nextTime(untilMs, unit, zone) - untilMs
        : Infinity;
    default:
      return Infinity;
  }
}

/** The next second in which fewer whole units are left. */
function nextOfPart(unitMs: number, { timeMs, untilMs = timeMs }: SettledMoment): number {
  const leftMs = remainingMs(timeMs, untilMs);
  if (leftMs < unitMs) return Infinity;
  return floorTime(timeMs, 'second') + (leftMs % unitMs) + clockUnits.second;
}

/** The next time at which a question may have another answer. */
function nextOfQuestion(
  question: VariableCondition,
  { clock }: Template,
  moment: SettledMoment,
  binder: Binder,
): number {
  const { variable: name, equals, notEquals, oneOf } = question;
  if (name === 'now.hour') return nextAnswer(question, 'hour', moment.timeMs, clock?.zone, binder);
  if (name === 'now.weekday') {
    return nextAnswer(question, 'day', moment.timeMs, clock?.zone, binder);
  }
  const part = countdownPart(name);
  const comparesOrder = equals === undefined && notEquals === undefined && oneOf === undefined;
  if (comparesOrder && (name === 'now' || (part !== undefined && part.of === undefined))) {
    const { greaterThan, lessThan } = boundsOf(question, binder);
    const { timeMs, untilMs = timeMs } = moment;
    const times = [greaterThan, lessThan].map((bound, at) => {
      if (bound === undefined || Number.isNaN(bound)) return Infinity;
      if (part === undefined) return boundary(bound, at === 0);
      // In whole units: fewer than `least` are left.
      const least = at === 0 ? Math.floor(bound) + 1 : Math.ceil(bound);
      return floorTime(untilMs, 'second') - least * part.unitMs + clockUnits.second;
    });
    return Math.min(...times.filter((time) => time > timeMs), Infinity);
  }
  return nextOfShown({ name, unit: 'second' }, moment, clock?.zone);
}

/** The first whole second after a time, or not before it. */
function boundary(boundMs: number, isAfter: boolean): number {
  const second = floorTime(boundMs, 'second');
  return isAfter || second < boundMs ? second + clockUnits.second : second;
}

/** When the answer to a question about the hour or the day of the week changes next. */
function nextAnswer(
  question: VariableCondition,
  unit: 'hour' | 'day',
  timeMs: number,
  zone: string | undefined,
  binder: Binder,
): number {
  const unitMs = clockUnits[unit];
  const wallMs = floorTime(wallTimeMs(timeMs, zone), unit);
  const values = new Map(binder.values);
  const isTrue = conditionsHold(question, binder);
  const rounds = unit === 'hour' ? 24 : 7;
  for (let ahead = 1; ahead < rounds; ahead += 1) {
    const thereMs = wallMs + ahead * unitMs;
    const value =
      unit === 'hour' ? String(new Date(thereMs).getUTCHours()) : weekdays[weekdayOf(thereMs)];
    values.set(question.variable, value ?? '');
    if (conditionsHold(question, { ...binder, values }) !== isTrue) {
      return instantOfWall(thereMs, zone);
    }
  }
  return Infinity;
}
