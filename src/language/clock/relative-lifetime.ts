/** Computes when a text such as `in 3 days` changes. Times are ms since the epoch. */
import { boundValue } from '../bind/bindings.ts';
import type { Binder } from '../bind/binder.ts';
import type { Template } from '../schema/template.ts';
import { parseDateText } from '../values/date-value.ts';
import { compileBinding } from '../values/formatted-binding.ts';
import { clockUnits, floorTime, instantIn, nextTime } from '../values/zoned-time.ts';
import type { ClockUnit } from '../values/zoned-time.ts';
import { clockUseOf, unitTimeMs } from './clock-use.ts';

const { day, hour } = clockUnits;

/** Maximum steps between possible changes. A text in months changes after at most 31 midnights, one in years later. */
const stepsMax = 40;

/**
 * The next time at which the text of a binding with `relative` may change; the last step if no step finds a change.
 * `Infinity` for a value that is no date, which is drawn as text.
 */
export function nextOfRelative(
  source: string,
  template: Template,
  timeMs: number,
  { values, context }: Binder,
): number {
  const { name, clock = 'day' } = compileBinding(source);
  const date = parseDateText(values.get(name) ?? '', context.documentLang, context.zone);
  if (date === undefined) return Infinity;
  const unit = date.hasTime ? clock : 'day';
  const rounded = clockUseOf(template).unit ?? unit;
  const instantMs = instantIn(date, context.zone);
  const textAt = (atMs: number): string =>
    boundValue(source, values, { ...context, timeMs: unitTimeMs(template, atMs) ?? 0 });
  const text = textAt(timeMs);
  let atMs = timeMs;
  for (let step = 0; step < stepsMax; step += 1) {
    atMs = nextStep(atMs, instantMs, { unit, rounded, zone: context.zone });
    if (textAt(atMs) !== text) break;
  }
  return atMs;
}

interface Steps {
  /** The finest unit of the text. */
  unit: ClockUnit;
  /** The unit to which the time of the render is rounded down. */
  rounded: ClockUnit;
  zone: string | undefined;
}

/** The next time at which the count can change: midnight; within a day of the date, also whole hours or minutes. */
function nextStep(timeMs: number, instantMs: number, { unit, rounded, zone }: Steps): number {
  const midnight = nextTime(timeMs, 'day', zone);
  if (unit === 'day') return midnight;
  const leftMs = instantMs - timeMs;
  // The time of the render is rounded down, so a count changes one step after its instant.
  const soon = nextTime(timeMs, rounded, zone);
  const isNear = (rangeMs: number): boolean => Math.abs(leftMs) <= rangeMs + clockUnits[rounded];
  if (isNear(hour)) return Math.min(midnight, nextTime(timeMs, 'minute'));
  if (isNear(day)) return Math.min(midnight, afterWhole(leftMs, timeMs, soon, { rounded, zone }));
  const dayBefore = floorTime(instantMs - day, rounded, zone);
  return dayBefore > timeMs ? Math.min(midnight, dayBefore) : midnight;
}

/** The time of the next whole hour before or after the date; `soon` if one has just passed. */
function afterWhole(
  leftMs: number,
  timeMs: number,
  soon: number,
  { rounded, zone }: Pick<Steps, 'rounded' | 'zone'>,
): number {
  const overMs = ((leftMs % hour) + hour) % hour;
  if (overMs < clockUnits[rounded] || hour - overMs < clockUnits[rounded]) return soon;
  return Math.max(soon, floorTime(timeMs + overMs, rounded, zone));
}
