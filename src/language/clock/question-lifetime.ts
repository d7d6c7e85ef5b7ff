/** When a condition on the time has another answer, if only time passes. Times are ms since the epoch. */
import type { Binder } from '../bind/binder.ts';
import { comparedNumbers, conditionsHold } from '../bind/conditions.ts';
import type { Template } from '../schema/template.ts';
import { parseDateText } from '../values/date-value.ts';
import { clockUnits, floorTime, instantIn, nextTime } from '../values/zoned-time.ts';
import type { ClockUnit } from '../values/zoned-time.ts';
import { unitTimeMs, wordsIn } from './clock-use.ts';
import type { TimedQuestion } from './clock-use.ts';
import { countdownPart, liveValue, nextOfPart } from './live-values.ts';
import type { SettledMoment } from './live-values.ts';

const { second: secondMs } = clockUnits;

/** Hours of the longest day, whose clock has an hour twice, and days of a week. */
const cycles = { hour: 25, day: 7 } as const;

/** The next time at which a question has another answer; `Infinity` for never. */
export function nextOfQuestion(
  timed: Omit<TimedQuestion, 'repeating'>,
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
  const values = new Map(binder.values);
  const holdsAt = (atMs: number): boolean => {
    if (readsLive) {
      values.set(
        question.variable,
        liveValue(question.variable, { ...moment, timeMs: atMs }, zone) ?? '',
      );
    }
    const context = { ...binder.context, timeMs: unitTimeMs(template, atMs) ?? 0 };
    return conditionsHold(question, { ...binder, values, context });
  };
  const holds = holdsAt(timeMs);
  const times = readsLive
    ? changesOfLive(timed, moment, binder, zone)
    : wordsIn(question).flatMap((unit) => changesOfDate(question.variable, unit, binder));
  return (
    times
      .filter((atMs) => atMs > timeMs)
      .toSorted((one, other) => one - other)
      .find((atMs) => holdsAt(atMs) !== holds) ?? Infinity
  );
}

/** All times at which a date can come before or after the beginning of a unit of the clock. */
function changesOfDate(name: string, unit: ClockUnit, { values, context }: Binder): number[] {
  const date = parseDateText(values.get(name) ?? '', context.documentLang);
  if (date === undefined) return [];
  const instantMs = instantIn(date, context.zone);
  return [floorTime(instantMs, unit, context.zone), nextTime(instantMs, unit, context.zone)];
}

/** The times among which a question to a live value has its next answer. */
function changesOfLive(
  { question }: Pick<TimedQuestion, 'question'>,
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
    // In whole units: fewer than `least` are left.
    return comparedNumbers(question, binder)
      .flatMap((number) => [Math.ceil(number), Math.floor(number) + 1])
      .map((least) => floorTime(untilMs, 'second') - least * unitMs + secondMs);
  }
  switch (name) {
    case 'countdown.isOver':
      return [floorTime(untilMs, 'second')];
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
