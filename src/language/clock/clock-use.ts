/** Which templates say something that depends on the time or the reader, and which values those are. */
import { itemPrefix } from '../values/list-value.ts';
import { bindingsIn, boundNames, walkStrings } from '../bind/bindings.ts';
import { clockWords, questionsIn } from '../bind/conditions.ts';
import { conditionsOfSpans } from '../bind/spans.ts';
import { walkLayers, withoutChildren } from '../layer-tree.ts';
import type { VariableCondition } from '../schema/layer-base.ts';
import type { StackLayer } from '../schema/layers.ts';
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

/** What an image reads of the time: with `repeating` once for each item that this stack draws. */
interface OfItems {
  repeating: StackLayer | undefined;
}

/** A binding with `relative`. */
export interface RelativeBinding extends OfItems {
  source: string;
}

/** A question to a live value, or one that compares a date with the words now and today. */
export interface TimedQuestion extends OfItems {
  question: VariableCondition;
  readsLive: boolean;
}

/** What a template needs of the time and of the reader. */
export interface ClockUse {
  /** The finest unit of `relative`, and of the words now and today in conditions. */
  unit: ClockUnit | undefined;
  /** Bindings of the image with `relative`. */
  relatives: readonly RelativeBinding[];
  /** Live values that it reads, also in its `alt`. */
  names: ReadonlySet<string>;
  /** Values that the image shows. */
  shown: readonly ShownValue[];
  questions: readonly TimedQuestion[];
  /** Variables that the clock reads. */
  read: ReadonlySet<string>;
  /** Of them those that nothing draws: an image depends on the countdown that they give, and not on them. */
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
  const image = { layers, ...(background === undefined ? {} : { background }) };
  const shown = shownIn(image, all, live);
  const inAlt = shownIn(alt, all, live);
  const asked = [...walkLayers(layers)].flatMap(([, layer, , repeating]) =>
    [layer.visibleWhen, ...conditionsOfSpans(layer)]
      .flatMap((conditions) => [...questionsIn(conditions)])
      .map(([, question]) => ({ question, readsLive: live.has(question.variable), repeating })),
  );
  const questions = asked
    .filter(({ question, readsLive }) => readsLive || wordsIn(question).length > 0)
    .map((timed) => ({
      ...timed,
      repeating: readsItem(timed.question) ? timed.repeating : undefined,
    }));
  const { until = '', per = '' } = template.clock ?? {};
  const read = new Set([until, per].flatMap((text) => [...boundNames(text, names)]));
  return {
    unit: finestClock(unitsIn({ ...image, alt })),
    relatives: relativesIn(image),
    names: new Set([
      ...[...shown, ...inAlt].map(({ name }) => name),
      ...asked.flatMap(({ question, readsLive }) => (readsLive ? [question.variable] : [])),
    ]),
    shown,
    questions,
    read,
    unseen: unseenNames(
      template,
      names,
      read,
      new Set(asked.map(({ question }) => question.variable)),
    ),
  };
}

/** The words for the time with which a question compares a date. */
export function wordsIn({ greaterThan, lessThan }: VariableCondition): ClockUnit[] {
  return [greaterThan, lessThan].flatMap((bound) => clockWords.get(String(bound)) ?? []);
}

/** Whether a question may have another answer for each item. */
function readsItem(question: VariableCondition): boolean {
  return [...walkStrings(question)].some(([, text]) => text.includes(itemPrefix));
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
  { layers, background }: Template,
  names: ReadonlySet<string>,
  read: ReadonlySet<string>,
  asked: ReadonlySet<string>,
): Set<string> {
  const unseen = new Set([...read].filter((name) => !asked.has(name)));
  if (unseen.size === 0) return unseen;
  for (const [, text] of walkStrings({ layers, background })) {
    for (const name of boundNames(text, names)) unseen.delete(name);
  }
  return unseen;
}

/** The finest part of a date that its first format draws. */
function shownUnit(source: string): ClockUnit {
  const [first] = compileBinding(source).formats;
  if (first?.name === 'date') return 'day';
  return first?.name === 'time' ? 'minute' : 'second';
}

/** Where conditions compare a date with the time. */
const boundPath = /visibleWhen.*\.(?:greaterThan|lessThan)$/;

function relativesIn({
  layers,
  background,
}: Pick<Template, 'layers' | 'background'>): RelativeBinding[] {
  const found = new Map<string, RelativeBinding>();
  const add = (part: unknown, repeating?: StackLayer): void => {
    for (const [, text] of walkStrings(part)) {
      if (!text.includes('|')) continue;
      for (const source of bindingsIn(text)) {
        const { clock, name } = compileBinding(source);
        if (clock === undefined) continue;
        const list = name.startsWith(itemPrefix) ? repeating : undefined;
        found.set(`${list?.id ?? ''} ${source}`, { source, repeating: list });
      }
    }
  };
  add(background);
  for (const [, layer, , repeating] of walkLayers(layers)) add(withoutChildren(layer), repeating);
  return [...found.values()];
}

function* unitsIn(value: unknown): Generator<ClockUnit | undefined> {
  for (const [path, text] of walkStrings(value)) {
    if (boundPath.test(path)) yield clockWords.get(text);
    if (!text.includes('|')) continue;
    for (const source of bindingsIn(text)) yield compileBinding(source).clock;
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

/** Whether only time or another reader changes the image of a template. */
export function isTimed(template: Template): boolean {
  const { relatives, questions } = clockUseOf(template);
  return isLive(template) || relatives.length > 0 || questions.length > 0;
}

/** The time that formats and conditions compare dates with. */
export function unitTimeMs(template: Template, timeMs: number): number | undefined {
  const { unit } = clockUseOf(template);
  return unit === undefined ? undefined : floorTime(timeMs, unit, template.clock?.zone);
}
