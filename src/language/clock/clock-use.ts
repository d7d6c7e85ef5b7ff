/** Which templates say something that depends on the time or the reader, and which values those are. */
import { bindingsIn, boundNames, walkStrings } from '../bind/bindings.ts';
import { clockWords, questionsIn } from '../bind/conditions.ts';
import { conditionsOfSpans } from '../bind/spans.ts';
import { walkLayers } from '../layer-tree.ts';
import type { VariableCondition } from '../schema/layer-base.ts';
import type { Template } from '../schema/template.ts';
import { compileBinding, finestClock, variableOf } from '../values/formatted-binding.ts';
import type { Names } from '../values/formatted-binding.ts';
import { floorTime } from '../values/zoned-time.ts';
import type { ClockUnit } from '../values/zoned-time.ts';
import { liveVariables } from './live-values.ts';

/** A live value that a template draws. Of a date, `unit` is the finest part that is drawn. */
export interface ShownValue {
  name: string;
  unit: ClockUnit;
}

/** What a template needs of the time and of the reader. */
export interface ClockUse {
  /** The finest unit of `relative`, and of the words now and today in conditions. */
  unit: ClockUnit | undefined;
  /** The finest unit of the image's conditions, and of what is `relative` in items of lists. */
  imageUnit: ClockUnit | undefined;
  /** Bindings of the image with `relative`, but for those of items. */
  relatives: readonly string[];
  /** Live values that it reads, also in its `alt`. */
  names: ReadonlySet<string>;
  /** Values that the image shows. */
  shown: readonly ShownValue[];
  /** Questions to live values. */
  questions: readonly VariableCondition[];
  /** Variables that the clock reads and nothing draws: an image depends on the countdown that they give, and not on them. */
  unseen: ReadonlySet<string>;
}

const uses = new WeakMap<Template, ClockUse>();

/** What a template needs of the clock; found once for each document. */
export function clockUseOf(template: Template): ClockUse {
  let use = uses.get(template);
  if (use === undefined) uses.set(template, (use = findUse(template)));
  return use;
}

/** Lets a copy of a document with fewer layers read the same time as the document. */
export function shareClockUse(template: Template, copy: Template): void {
  uses.set(copy, clockUseOf(template));
}

function findUse(template: Template): ClockUse {
  const { layers, background, alt, variables } = template;
  const names = new Set(variables.map(({ name }) => name));
  const live = new Set(
    liveVariables(template).flatMap(({ name }) => (names.has(name) ? [] : [name])),
  );
  const all = { has: (name: string): boolean => names.has(name) || live.has(name) };
  const image = { layers, background };
  const shown = shownIn(image, all, live);
  const inAlt = shownIn(alt, all, live);
  const asked = [...walkLayers(layers)]
    .flatMap(([, layer]) => [layer.visibleWhen, ...conditionsOfSpans(layer)])
    .flatMap((conditions) => [...questionsIn(conditions)].map(([, question]) => question));
  const questions = asked.filter(({ variable }) => live.has(variable));
  return {
    unit: finestClock(unitsIn({ ...image, alt })),
    imageUnit: finestClock(unitsIn(image, isOfItem)),
    relatives: relativesIn(image),
    names: new Set([
      ...[...shown, ...inAlt].map(({ name }) => name),
      ...questions.map(({ variable }) => variable),
    ]),
    shown,
    questions,
    unseen: unseenNames(template, new Set(asked.map(({ variable }) => variable))),
  };
}

/** The live values in a part of a document, each once with each unit. `all` are the names that it may bind. */
function shownIn(part: unknown, all: Names, live: ReadonlySet<string>): ShownValue[] {
  const shown = new Map<string, ShownValue>();
  for (const [, text] of walkStrings(part)) {
    if (!text.includes('{{')) continue;
    for (const source of bindingsIn(text)) {
      const name = variableOf(source, all);
      if (!live.has(name)) continue;
      const unit = shownUnit(source);
      shown.set(`${name} ${unit}`, { name, unit });
    }
  }
  return [...shown.values()];
}

function unseenNames(
  { clock, layers, background, variables }: Template,
  asked: ReadonlySet<string>,
): Set<string> {
  const names = new Set(variables.map(({ name }) => name));
  const ofClock = new Set(
    [clock?.until, clock?.per].flatMap((text) => boundNames(text ?? '', names)),
  );
  if (ofClock.size === 0) return ofClock;
  for (const [, text] of walkStrings({ layers, background })) {
    for (const name of boundNames(text, names)) ofClock.delete(name);
  }
  for (const name of asked) ofClock.delete(name);
  return ofClock;
}

/** The finest part of a date that its first format draws. */
function shownUnit(source: string): ClockUnit {
  const [first] = compileBinding(source).formats;
  if (first?.name === 'date') return 'day';
  return first?.name === 'time' ? 'minute' : 'second';
}

/** Where conditions compare a date with the time. */
const boundPath = /visibleWhen.*\.(?:greaterThan|lessThan)$/;

/** Whether a binding reads a field of an item: its value differs from item to item. */
function isOfItem(source: string): boolean {
  return compileBinding(source).name.startsWith('item.');
}

function relativesIn(image: unknown): string[] {
  const found = new Set<string>();
  for (const [, text] of walkStrings(image)) {
    if (!text.includes('|')) continue;
    for (const source of bindingsIn(text)) {
      if (compileBinding(source).clock !== undefined && !isOfItem(source)) found.add(source);
    }
  }
  return [...found];
}

function* unitsIn(
  value: unknown,
  counts: (source: string) => boolean = () => true,
): Generator<ClockUnit | undefined> {
  for (const [path, text] of walkStrings(value)) {
    if (boundPath.test(path)) yield clockWords.get(text);
    if (!text.includes('|')) continue;
    for (const source of bindingsIn(text)) {
      if (counts(source)) yield compileBinding(source).clock;
    }
  }
}

/** The finest unit of formats and conditions that compare dates with the time; undefined for a template without any. */
export function clockUnitOf(template: Template): ClockUnit | undefined {
  return clockUseOf(template).unit;
}

/** Whether a template reads the time, the countdown, the client or the share, or ends in another template. */
export function isLive(template: Template): boolean {
  return clockUseOf(template).names.size > 0 || typeof template.clock?.atZero === 'object';
}

/**
 * The time of a render: `nowMs` in whole seconds for a live template, else rounded down to the unit of its formats and
 * conditions; undefined for one that needs no clock.
 */
export function renderTimeMs(template: Template, nowMs: number): number | undefined {
  if (isLive(template)) return floorTime(nowMs, 'second');
  return unitTimeMs(template, nowMs);
}

/** The time that formats and conditions compare dates with; of the image alone with `imageUnit`. */
export function unitTimeMs(
  template: Template,
  timeMs: number,
  unit = clockUseOf(template).unit,
): number | undefined {
  return unit === undefined ? undefined : floorTime(timeMs, unit, template.clock?.zone);
}
