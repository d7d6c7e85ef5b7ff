/** What of the time and the reader decides an image, and when that changes next. Times are ms since the epoch. */
import { bindText, boundValue } from '../bind/bindings.ts';
import { conditionsHold } from '../bind/conditions.ts';
import type { Binder } from '../bind/binder.ts';
import { itemBinders, itemsMax, repeatedList } from '../bind/list-items.ts';
import type { StackLayer } from '../schema/layers.ts';
import type { Template } from '../schema/template.ts';
import { floorTime, nextTime, zonedText } from '../values/zoned-time.ts';
import { clockUseOf } from './clock-use.ts';
import type { ShownValue } from './clock-use.ts';
import { parseDeadline } from './deadline.ts';
import { countdownPart, liveValue, nextOfPart } from './live-values.ts';
import type { SettledMoment } from './live-values.ts';
import { nextOfQuestion } from './question-lifetime.ts';
import { nextOfRelative } from './relative-lifetime.ts';

/**
 * The part of a key that time and reader decide: equal texts mean equal images. It has what is drawn and what conditions
 * answer, and not the time: two contacts with 3 days left share an image.
 */
export function momentKey(template: Template, moment: SettledMoment, binder: Binder): string {
  const { relatives, shown, questions } = clockUseOf(template);
  const zone = template.clock?.zone;
  const ofItems = new ItemBinders(template, binder);
  return JSON.stringify([
    ...relatives.map(({ source, repeating }) =>
      ofItems.map(repeating, ({ values, context }) => boundValue(source, values, context)),
    ),
    ...shown.map((value) => shownText(value, moment, zone)),
    ...questions.map(({ question, repeating }) =>
      ofItems.map(repeating, (item) => (conditionsHold(question, item) ? 1 : 0)),
    ),
  ]);
}

/** The binders with which an image reads a part of it: one, or those of the items that a stack draws. */
class ItemBinders {
  readonly #template: Template;
  readonly #binder: Binder;
  readonly #byStack = new Map<StackLayer, Binder[]>();

  constructor(template: Template, binder: Binder) {
    this.#template = template;
    this.#binder = binder;
  }

  map<Value>(repeating: StackLayer | undefined, valueOf: (binder: Binder) => Value): Value[] {
    if (repeating?.repeat === undefined) return [valueOf(this.#binder)];
    let binders = this.#byStack.get(repeating);
    if (binders === undefined) {
      const list = repeatedList(repeating.repeat, this.#template.variables);
      const { items = [], rest } =
        list === undefined ? {} : itemBinders(list, this.#binder, itemsMax(repeating.repeat));
      binders = rest === undefined ? items : [...items, rest];
      this.#byStack.set(repeating, binders);
    }
    return binders.map(valueOf);
  }
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
  const { relatives, shown, questions } = clockUseOf(template);
  const { clock } = template;
  const { timeMs, untilMs = timeMs } = moment;
  const ofItems = new ItemBinders(template, binder);
  const times = shown.map((value) => nextOfShown(value, moment, clock?.zone));
  for (const { repeating, ...timed } of questions) {
    times.push(...ofItems.map(repeating, (item) => nextOfQuestion(timed, template, moment, item)));
  }
  for (const { source, repeating } of relatives) {
    times.push(...ofItems.map(repeating, (item) => nextOfRelative(source, template, timeMs, item)));
  }
  const names = [
    ...shown.map(({ name }) => name),
    ...questions.map(({ question }) => question.variable),
  ];
  const counts = names.some((name) => name.startsWith('countdown.'));
  const hasEnd =
    typeof clock?.atZero === 'object' || (counts && comesAgain(template, moment, binder));
  if (hasEnd && untilMs > timeMs) times.push(floorTime(untilMs, 'second'));
  return Math.min(...times, Infinity);
}

/** Whether another countdown begins where this one ends. */
function comesAgain(
  { clock, lang }: Template,
  { timeMs, untilMs = timeMs }: SettledMoment,
  { values, context }: Binder,
): boolean {
  if (clock?.until === undefined) return false;
  const text = bindText(clock.until, values, context);
  const next = parseDeadline(text, Math.max(timeMs, untilMs), { zone: clock.zone, lang });
  return next !== undefined && next > untilMs;
}

/** The next time at which a value that is drawn has another text. */
function nextOfShown(
  { name, unit }: ShownValue,
  moment: SettledMoment,
  zone: string | undefined,
): number {
  const { timeMs, untilMs = timeMs } = moment;
  const part = countdownPart(name);
  if (part !== undefined) return nextOfPart(part.unitMs, timeMs, untilMs);
  switch (name) {
    case 'now':
      return nextTime(timeMs, unit, zone);
    case 'now.hour':
      return nextTime(timeMs, 'hour', zone);
    case 'now.weekday':
      return nextTime(timeMs, 'day', zone);
    case 'countdown.isOver':
      return untilMs > timeMs ? floorTime(untilMs, 'second') : Infinity;
    case 'countdown.until':
      // The deadline of somebody whose time has not begun moves with the time.
      return moment.isFloating === true
        ? timeMs + nextTime(untilMs, unit, zone) - untilMs
        : Infinity;
    default:
      return Infinity;
  }
}
