/** Which templates say something that depends on the time, and the time that their renders take. */
import { floorTime } from '../values/date-formats.ts';
import type { ClockUnit } from '../values/date-formats.ts';
import { compileBinding, finestClock } from '../values/formatted-binding.ts';
import type { Template } from '../schema/template.ts';
import { bindingsIn, walkStrings } from './bindings.ts';
import { clockWords } from './conditions.ts';

const units = new WeakMap<Template, ClockUnit | 'none'>();

/** The unit of the clock that a template needs, the finest of its formats and conditions; undefined for one that needs none. */
export function clockUnitOf(template: Template): ClockUnit | undefined {
  let unit = units.get(template);
  if (unit === undefined) {
    const { layers, background, alt } = template;
    unit = finestClock(unitsIn({ layers, background, alt })) ?? 'none';
    units.set(template, unit);
  }
  return unit === 'none' ? undefined : unit;
}

/** Where conditions compare a date with the time. */
const boundPath = /visibleWhen.*\.(?:greaterThan|lessThan)$/;

function* unitsIn(value: unknown): Generator<ClockUnit | undefined> {
  for (const [path, text] of walkStrings(value)) {
    if (boundPath.test(path)) yield clockWords.get(text);
    if (!text.includes('|')) continue;
    for (const source of bindingsIn(text)) yield compileBinding(source).clock;
  }
}

/** The time of a render: `nowMs` rounded down to the unit of its template; undefined for one that needs no clock. */
export function renderTimeMs(template: Template, nowMs: number): number | undefined {
  const unit = clockUnitOf(template);
  return unit === undefined ? undefined : floorTime(nowMs, unit);
}
