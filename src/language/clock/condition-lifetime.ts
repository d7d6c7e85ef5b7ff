/** Computes when the results of conditions on the time change. Times are ms since the epoch. */
import { LayeredValues } from '../bind/binder.ts';
import type { Binder } from '../bind/binder.ts';
import { comparedNumbers, conditionsHold } from '../bind/conditions.ts';
import type { VariableCondition } from '../schema/layer-base.ts';
import type { Template } from '../schema/template.ts';
import { parseDateText } from '../values/date-value.ts';
import { clockUnits, floorTime, instantIn, nextTime } from '../values/zoned-time.ts';
import type { ClockUnit } from '../values/zoned-time.ts';
import { unitTimeMs } from './clock-use.ts';
import { wordsIn } from './timed-parts.ts';
import type { TimedCondition, TimedQuestion } from './timed-parts.ts';
import { countdownPart, liveValue, nextOfPart } from './live-values.ts';
import type { SettledMoment } from './live-values.ts';

const { second: secondMs } = clockUnits;

/** Hours of the longest day, on which the clock repeats an hour, and days of a week. */
const cycles = { hour: 25, day: 7 } as const;

/**
 * The next time at which the result of conditions changes; `Infinity` for never. With several conditions, it steps from
 * one change to the next. After `stepsMax` steps it returns the last step.
 */
export function nextOfCondition(
  { condition, questions }: Pick<TimedCondition, 'condition' | 'questions'>,
  template: Template,
  moment: SettledMoment,
  { binder, stepsMax }: { binder: Binder; stepsMax: number },
): number {
  const holds = conditionsHold(condition, binder);
  let atMs = moment.timeMs;
  for (let step = 0; step < stepsMax; step += 1) {
    const from = { ...moment, timeMs: atMs };
    const now = binderAt(questions, template, from, binder);
    atMs = Math.min(...questions.map((timed) => nextOfQuestion(timed, template, from, now)));
    if (atMs === Infinity) break;
    const then = binderAt(questions, template, { ...moment, timeMs: atMs }, binder);
    if (conditionsHold(condition, then) !== holds) break;
  }
  return atMs;
}

/** The binder at another time, with the live values that the conditions read. */
function binderAt(
  questions: readonly TimedQuestion[],
  template: Template,
  moment: SettledMoment,
  binder: Binder,
): Binder {
  const values = new LayeredValues(binder.values);
  for (const { question, readsLive } of questions) {
    const value = liveValue(question.variable, moment, template.clock?.zone);
    if (readsLive && value !== undefined) values.set(question.variable, value);
  }
  const context = { ...binder.context, timeMs: unitTimeMs(template, moment.timeMs) ?? 0 };
  return { ...binder, values, context };
}

/** The next time at which the result of one condition changes; `Infinity` for never. */
function nextOfQuestion(
  timed: TimedQuestion,
  template: Template,
  moment: SettledMoment,
  binder: Binder,
): number {
  const { question, readsLive } = timed;
  const zone = template.clock?.zone;
  const { timeMs } = moment;
  if (question.variable === 'countdown.until' && readsLive && moment.isFloating === true) {
    return timeMs + secondMs;
  }
  const holds = conditionsHold(question, binder);
  const values = new LayeredValues(binder.values);
  const differs = (atMs: number): boolean => {
    const value = liveValue(question.variable, { ...moment, timeMs: atMs }, zone);
    if (readsLive && value !== undefined) values.set(question.variable, value);
    const context = { ...binder.context, timeMs: unitTimeMs(template, atMs) ?? 0 };
    return conditionsHold(question, { ...binder, values, context }) !== holds;
  };
  const times = readsLive
    ? changesOfLive(question, moment, binder, zone)
    : wordsIn(question).flatMap((unit) => changesOfDate(question.variable, unit, binder));
  const later = times.filter((atMs) => atMs > timeMs).toSorted((one, other) => one - other);
  return later.find(differs) ?? Infinity;
}

/** The times at which the order of a date and the start of the clock's current unit can change. */
function changesOfDate(name: string, unit: ClockUnit, { values, context }: Binder): number[] {
  const date = parseDateText(values.get(name) ?? '', context.documentLang, context.zone);
  if (date === undefined) return [];
  const instantMs = instantIn(date, context.zone);
  return [floorTime(instantMs, unit, context.zone), nextTime(instantMs, unit, context.zone)];
}

/** Candidate times for the next change of a condition on a live value. */
function changesOfLive(
  question: VariableCondition,
  moment: SettledMoment,
  binder: Binder,
  zone: string | undefined,
): number[] {
  const { timeMs, untilMs = timeMs } = moment;
  const { variable: name } = question;
  const part = countdownPart(name);
  if (part !== undefined) {
    const { unitMs, of } = part;
    if (of !== undefined) return stepsFrom(timeMs, of, (atMs) => nextOfPart(unitMs, atMs, untilMs));
    // The time from which fewer than `least` whole units are left.
    return comparedNumbers(question, binder)
      .flatMap((number) => [Math.ceil(number), Math.floor(number) + 1])
      .map((least) => floorTime(untilMs, 'second') - least * unitMs + secondMs);
  }
  switch (name) {
    case 'countdown.isOver':
      return [floorTime(untilMs, 'second')];
    case 'countdown.until':
      return wordsIn(question).flatMap((unit) => [
        floorTime(untilMs, unit, zone),
        nextTime(untilMs, unit, zone),
      ]);
    case 'now': {
      const instants = comparedNumbers(question, binder).flatMap((instantMs) => [
        Math.ceil(instantMs / secondMs) * secondMs,
        floorTime(instantMs, 'second') + secondMs,
      ]);
      const ofWords = wordsIn(question).flatMap((unit) => {
        const nextMs = nextTime(timeMs, unit, zone);
        return [timeMs + secondMs, nextMs, nextMs + secondMs];
      });
      return [...instants, ...ofWords];
    }
    case 'now.hour':
      return stepsFrom(timeMs, cycles.hour, (atMs) => nextTime(atMs, 'hour', zone));
    case 'now.weekday':
      return stepsFrom(timeMs, cycles.day, (atMs) => nextTime(atMs, 'day', zone));
    default:
      return [];
  }
}

function stepsFrom(timeMs: number, count: number, next: (atMs: number) => number): number[] {
  const times: number[] = [];
  for (let atMs = timeMs; times.length < count; times.push(atMs)) {
    atMs = next(atMs);
    if (atMs === Infinity) break;
  }
  return times;
}
