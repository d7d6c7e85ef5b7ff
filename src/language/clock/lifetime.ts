/**
 * Computes the part of a key that depends on time and reader, and when an image changes next. Times are ms since the
 * epoch.
 */
import { bindText, boundValue } from '../bind/bindings.ts';
import { conditionsHold } from '../bind/conditions.ts';
import type { Binder } from '../bind/binder.ts';
import { itemBinders, itemsMax, repeatedList } from '../bind/list-items.ts';
import type { StackLayer } from '../schema/layers.ts';
import type { Template } from '../schema/template.ts';
import { clockUnits, floorTime, nextTime, zonedText } from '../values/zoned-time.ts';
import { clockUseOf } from './clock-use.ts';
import { parseDeadline } from './deadline.ts';
import { countdownPart, liveValue, nextOfPart } from './live-values.ts';
import type { SettledMoment } from './live-values.ts';
import { nextOfCondition } from './condition-lifetime.ts';
import { nextOfRelative } from './relative-lifetime.ts';
import type { Position, ShownValue, TimedParts } from './timed-parts.ts';

/** Maximum number of texts and condition results in a key, over all items and frames. They take 5 ms at most. */
const keyPartsMax = 1000;

/**
 * The part of a key that depends on time and reader: equal texts mean equal images. It holds the drawn texts and the
 * results of conditions instead of the time, so two contacts with 3 days left share an image. With more than
 * `keyPartsMax` of them, it holds the time instead. `frames` bind the values of each frame; a still image has one.
 */
export function momentKey(
  template: Template,
  moment: SettledMoment,
  frames: readonly Binder[],
): string {
  const { relatives, shown, conditions } = clockUseOf(template);
  const drawn = frames.map((binder) => new DrawnParts(template, binder));
  if (countParts([...relatives, ...shown, ...conditions], drawn) > keyPartsMax) {
    const { timeMs, untilMs, client, share } = moment;
    return JSON.stringify({ timeMs, untilMs, client, share });
  }
  return drawn.map((parts) => frameKey(template, moment, parts)).join('\n');
}

function frameKey(template: Template, moment: SettledMoment, drawn: DrawnParts): string {
  const { relatives, shown, conditions } = clockUseOf(template);
  const zone = template.clock?.zone;
  return JSON.stringify([
    ...relatives.map(({ source, ...position }) =>
      drawn.map(position, ({ values, context }) => boundValue(source, values, context)),
    ),
    ...shown.map((value) => drawn.map(value, () => shownText(value, moment, zone))),
    ...conditions.map(({ condition, ...position }) =>
      drawn.map(position, (item) => (conditionsHold(condition, item) ? 1 : 0)),
    ),
  ]);
}

/** The part of a key that depends on the reader. Readers with equal texts see equal images at any time. */
export function readerKey(template: Template, binder: Binder): string {
  const { values, questions } = clockUseOf(template).reader;
  return JSON.stringify([
    ...values.map((name) => binder.values.get(name)),
    ...questions.map((question) => (conditionsHold(question, binder) ? 1 : 0)),
  ]);
}

/** Number of texts and condition results of `parts`: that of the first frame's items, times the number of frames. */
function countParts(
  parts: readonly (Position & { questionCount?: number })[],
  drawn: readonly DrawnParts[],
): number {
  const [first] = drawn;
  if (first === undefined) return 0;
  const count = parts.reduce((sum, part) => {
    const { questionCount = 1, guardQuestions } = part;
    return sum + (questionCount + guardQuestions) * first.count(part);
  }, 0);
  return count * drawn.length;
}

/** Evaluates the timed parts of one frame: once, or for each item that a stack draws. */
class DrawnParts {
  readonly #template: Template;
  readonly #binder: Binder;
  readonly #byStack = new Map<StackLayer, Binder[]>();
  readonly #drawn = new Map<Position['guards'], readonly boolean[]>();

  constructor(template: Template, binder: Binder) {
    this.#template = template;
    this.#binder = binder;
  }

  /** Returns null for each copy of a part that conditions hide. */
  map<Value>(position: Position, valueOf: (binder: Binder) => Value): (Value | null)[] {
    const binders = this.#bindersOf(position.repeating);
    if (position.guards.length === 0) return binders.map(valueOf);
    const isDrawn = this.#isDrawn(position, binders);
    return binders.map((binder, index) => (isDrawn[index] === true ? valueOf(binder) : null));
  }

  #isDrawn({ guards }: Position, binders: readonly Binder[]): readonly boolean[] {
    let known = this.#drawn.get(guards);
    if (known?.length !== binders.length) {
      known = binders.map((binder) => guards.every((guard) => conditionsHold(guard, binder)));
      this.#drawn.set(guards, known);
    }
    return known;
  }

  /** Number of times that a part is evaluated. */
  count({ repeating }: Position): number {
    return this.#bindersOf(repeating).length;
  }

  #bindersOf(repeating: StackLayer | undefined): Binder[] {
    if (repeating?.repeat === undefined) return [this.#binder];
    let binders = this.#byStack.get(repeating);
    if (binders === undefined) {
      const list = repeatedList(repeating.repeat, this.#template.variables);
      const bound = list && itemBinders(list, this.#binder, itemsMax(repeating.repeat));
      binders = [...(bound?.items ?? []), ...(bound?.rest === undefined ? [] : [bound.rest])];
      this.#byStack.set(repeating, binders);
    }
    return binders;
  }
}

function shownText(
  { name, unit }: ShownValue,
  moment: SettledMoment,
  zone: string | undefined,
): string | undefined {
  const { timeMs, untilMs } = moment;
  if (name === 'now') return zonedText(floorTime(timeMs, unit, zone), zone);
  if (name === 'countdown.until' && untilMs !== undefined)
    return zonedText(floorTime(untilMs, unit, zone), zone);
  return liveValue(name, moment, zone);
}

/**
 * Maximum number of conditions, over all items and frames, whose next change is searched in a request. It also limits
 * the steps of this search: 5 ms at most, at 26 µs each. Beyond it, an image lasts for one second.
 */
const questionsMax = 200;
/** The same limit for texts with `relative`: 8 ms at most, at 160 µs each. Beyond it, they last for one unit. */
const relativesMax = 50;

/**
 * The time at which the image changes next with the same values; `Infinity` for never. `frames` bind the values of each
 * frame; a still image has one.
 */
export function changesAtMs(
  template: Template,
  moment: SettledMoment,
  frames: readonly Binder[],
): number {
  const { relatives, shown, conditions, names, unit = 'second' } = clockUseOf(template);
  const { clock } = template;
  const { timeMs, untilMs = timeMs } = moment;
  const times: number[] = [];
  const drawn = frames.map((binder) => new DrawnParts(template, binder));
  const hasManyRelatives = countParts(relatives, drawn) > relativesMax;
  if (hasManyRelatives) times.push(nextTime(timeMs, unit, clock?.zone));
  // With too many conditions around them, all values count as drawn.
  const hasManyShown = countParts(shown, drawn) > keyPartsMax;
  if (hasManyShown) times.push(...shown.map((each) => nextOfShown(each, moment, clock?.zone)));
  const asked = countParts(conditions, drawn);
  if (asked > questionsMax) times.push(floorTime(timeMs, 'second') + clockUnits.second);
  const searched = {
    shown: hasManyShown ? [] : shown,
    relatives: hasManyRelatives ? [] : relatives,
    conditions: asked > questionsMax ? [] : conditions,
    stepsMax: Math.max(1, Math.floor(questionsMax / asked)),
  };
  for (const parts of drawn) times.push(frameChangesAtMs(template, moment, parts, searched));
  const counts = [...names].some((name) => name.startsWith('countdown.'));
  const hasEnd =
    typeof clock?.atZero === 'object' ||
    (counts && frames.some((binder) => comesAgain(template, moment, binder)));
  if (hasEnd && untilMs > timeMs) times.push(floorTime(untilMs, 'second'));
  return Math.min(...times);
}

/** The time at which a frame changes next, by the given parts. */
function frameChangesAtMs(
  template: Template,
  moment: SettledMoment,
  drawn: DrawnParts,
  { shown, relatives, conditions, stepsMax }: TimedParts & { stepsMax: number },
): number {
  let next = Infinity;
  const take = (times: readonly (number | null)[]): void => {
    for (const time of times) next = Math.min(next, time ?? Infinity);
  };
  for (const value of shown)
    take(drawn.map(value, () => nextOfShown(value, moment, template.clock?.zone)));
  for (const binding of relatives)
    take(
      drawn.map(binding, (item) => nextOfRelative(binding.source, template, moment.timeMs, item)),
    );
  for (const timed of conditions) {
    take(
      drawn.map(timed, (item) =>
        nextOfCondition(timed, template, moment, { binder: item, stepsMax }),
      ),
    );
  }
  return next;
}

/** Whether another countdown begins when this one ends. */
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

/** The next time at which the text of a drawn value changes. */
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
      // The deadline of a contact without a first open moves with the time.
      return moment.isFloating === true
        ? timeMs + nextTime(untilMs, unit, zone) - untilMs
        : Infinity;
    default:
      return Infinity;
  }
}
