/** Finds the values and conditions of a template that depend on the time or the reader. */
import { bindingsIn, boundNames, boundTextsIn } from '../bind/bindings.ts';
import { questionsIn } from '../bind/conditions.ts';
import { conditionsOfSpans } from '../bind/spans.ts';
import { walkLayers } from '../layer-tree.ts';
import type { VariableCondition } from '../schema/layer-base.ts';
import type { Template } from '../schema/template.ts';
import { compileBinding, finestClock, variableOf } from '../values/formatted-binding.ts';
import { floorTime } from '../values/zoned-time.ts';
import type { ClockUnit } from '../values/zoned-time.ts';
import { liveVariables } from './live-values.ts';
import { liveNamesIn, timedPartsOf, wordsIn } from './timed-parts.ts';
import type { TimedParts } from './timed-parts.ts';

/** The parts of an image that depend on the reader. */
export interface ReaderUse {
  /** Live values that are drawn, or compared with the value of a binding. */
  values: readonly string[];
  /** All other conditions on the reader, without duplicates. */
  questions: readonly VariableCondition[];
}

/** The use that a template makes of the time and of the reader. */
export interface ClockUse extends TimedParts {
  /** The finest unit of `relative`, and of `now` and `today` in conditions. */
  unit: ClockUnit | undefined;
  /** Live values that the template reads, including in its `alt`. */
  names: ReadonlySet<string>;
  /** Variables that the clock reads. */
  read: ReadonlySet<string>;
  /**
   * Variables of `read` that nothing draws. An image depends on the countdown that they give, but not on their values.
   */
  unseen: ReadonlySet<string>;
  reader: ReaderUse;
}

const uses = new WeakMap<Template, ClockUse>();

/** The clock use of a template, cached for each document. */
export function clockUseOf(template: Template): ClockUse {
  let use = uses.get(template);
  if (use === undefined) uses.set(template, (use = findUse(template)));
  return use;
}

/** Gives a copy of a document with fewer layers the clock use of the document. */
export function shareClockUse(template: Template, copy: Template): void {
  uses.set(copy, clockUseOf(template));
}

function findUse(template: Template): ClockUse {
  const { layers, background, alt = '', variables } = template;
  const names = new Set(variables.map(({ name }) => name));
  const live = new Set(
    liveVariables(template).flatMap(({ name }) => (names.has(name) ? [] : [name])),
  );
  const bound = {
    all: { has: (name: string): boolean => names.has(name) || live.has(name) },
    live,
  };
  const parts = timedPartsOf(layers, background, bound);
  const walked = Array.from(walkLayers(layers), ([, layer]) => layer);
  const questions = walked
    .flatMap((layer) => [layer.visibleWhen, ...conditionsOfSpans(layer)])
    .flatMap((conditions) => Array.from(questionsIn(conditions), ([, question]) => question));
  const asked = new Set(questions.map(({ variable }) => variable));
  const bindings = [...walked, { background }].flatMap((part) =>
    boundTextsIn(part).flatMap(({ sources }) => sources),
  );
  const { until = '', per = '' } = template.clock ?? {};
  const read = new Set([until, per].flatMap((text) => boundNames(text, names)));
  return {
    ...parts,
    unit: finestClock([
      ...questions.flatMap(wordsIn),
      ...[...bindings, ...bindingsIn(alt)].map(unitOf),
    ]),
    names: new Set([
      ...parts.shown.map(({ name }) => name),
      ...liveNamesIn(alt, bound),
      ...[...asked].filter((name) => live.has(name)),
    ]),
    read,
    unseen: unseenNames(bindings, { names, read, asked }),
    reader: readerUse(parts),
  };
}

const readerNames: ReadonlySet<string> = new Set(['client', 'share']);

function readerUse({ shown, conditions }: TimedParts): ReaderUse {
  const values = new Set(shown.map(({ name }) => name));
  const questions = new Map<string, VariableCondition>();
  for (const { question, readsLive } of conditions.flatMap((timed) => timed.questions)) {
    if (!readsLive || !readerNames.has(question.variable)) continue;
    const json = JSON.stringify(question);
    // Bindings have other values in each frame and item.
    if (json.includes('{{')) values.add(question.variable);
    else questions.set(json, question);
  }
  return {
    values: [...values].filter((name) => readerNames.has(name)),
    questions: [...questions.values()],
  };
}

/** `bindings` are those of the image. */
function unseenNames(
  bindings: readonly string[],
  { names, read, asked }: Record<'names' | 'read' | 'asked', ReadonlySet<string>>,
): Set<string> {
  const unseen = new Set([...read].filter((name) => !asked.has(name)));
  if (unseen.size === 0) return unseen;
  for (const source of bindings) unseen.delete(variableOf(source, names));
  return unseen;
}

function unitOf(source: string): ClockUnit | undefined {
  return source.includes('|') ? compileBinding(source).clock : undefined;
}

/**
 * The finest unit of formats and conditions that compare dates with the time; undefined for a template without them.
 */
export function clockUnitOf(template: Template): ClockUnit | undefined {
  return clockUseOf(template).unit;
}

/** Whether a template reads the time, the countdown, the client or the share, or ends in another template. */
export function isLive(template: Template): boolean {
  return clockUseOf(template).names.size > 0 || typeof template.clock?.atZero === 'object';
}

/**
 * The time of a render. For a live template, `nowMs` is rounded down to whole seconds; otherwise to the unit of its
 * formats and conditions. Undefined for a template that needs no clock.
 */
export function renderTimeMs(template: Template, nowMs: number): number | undefined {
  if (isLive(template)) return floorTime(nowMs, 'second');
  return unitTimeMs(template, nowMs);
}

/** Whether the image of a template can change with the time or the reader alone. */
export function isTimed(template: Template): boolean {
  const { relatives, conditions } = clockUseOf(template);
  return isLive(template) || relatives.length > 0 || conditions.length > 0;
}

/** The time with which formats and conditions compare dates; undefined for a template without them. */
export function unitTimeMs(template: Template, timeMs: number): number | undefined {
  const { unit } = clockUseOf(template);
  return unit === undefined ? undefined : floorTime(timeMs, unit, template.clock?.zone);
}
