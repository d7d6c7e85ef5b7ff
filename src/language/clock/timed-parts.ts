/** Which parts of an image read the time or the reader, and under which conditions they are drawn. */
import { bindingsIn, walkStrings } from '../bind/bindings.ts';
import { clockWords, questionsIn } from '../bind/conditions.ts';
import type { Conditions } from '../bind/conditions.ts';
import { isParent, withoutChildren } from '../layer-tree.ts';
import type { VariableCondition } from '../schema/layer-base.ts';
import type { Layer, StackLayer } from '../schema/layers.ts';
import type { Template } from '../schema/template.ts';
import { compileBinding, variableOf } from '../values/formatted-binding.ts';
import type { Names } from '../values/formatted-binding.ts';
import { itemPrefix } from '../values/list-value.ts';
import type { ClockUnit } from '../values/zoned-time.ts';

/** Where a part is drawn. */
export interface Position {
  /** It may differ in each item that this stack draws. */
  repeating: StackLayer | undefined;
  /** Conditions of the layers around it, all of which must hold. */
  guards: readonly NonNullable<Conditions>[];
}

/** A live value that a template draws. Of a date, `unit` is the finest part that is drawn. */
export interface ShownValue extends Position {
  name: string;
  unit: ClockUnit;
}

/** A binding with `relative`. */
export interface RelativeBinding extends Position {
  source: string;
}

/** A question to a live value, or one that compares a date with the words now and today. */
export interface TimedQuestion {
  question: VariableCondition;
  readsLive: boolean;
}

/** Conditions of a layer or a span, some of whose questions are timed. */
export interface TimedCondition extends Position {
  condition: NonNullable<Conditions>;
  questions: readonly TimedQuestion[];
}

/** What an image reads of the time and of the reader. */
export interface TimedParts {
  shown: readonly ShownValue[];
  relatives: readonly RelativeBinding[];
  conditions: readonly TimedCondition[];
}

/** Names that a template may bind: all, and those of its live values. */
export interface BoundNames {
  all: Names;
  live: ReadonlySet<string>;
}

/** A part of a document whose strings are bound under the same conditions. */
interface BoundPart extends Position {
  part: unknown;
}

/** Finds all timed parts of an image. */
export function timedPartsOf(
  { layers, background }: Pick<Template, 'layers' | 'background'>,
  { all, live }: BoundNames,
): TimedParts {
  const shown = new Map<string, ShownValue>();
  const relatives = new Map<string, RelativeBinding>();
  const conditions = new Map<string, TimedCondition>();
  const known = new Map<string, Position['guards']>();
  const parts = [{ part: background, repeating: undefined, guards: [] }, ...walkParts(layers)];
  for (const { part, ...position } of parts) {
    for (const source of sourcesIn(part)) {
      const name = variableOf(source, all);
      const at = positionOf(position, source, known);
      const key = `${at.repeating?.id ?? ''} ${JSON.stringify(at.guards)}`;
      const unit = shownUnit(source);
      if (live.has(name)) shown.set(`${name} ${unit} ${key}`, { name, unit, ...at });
      if (compileBinding(source).clock !== undefined)
        relatives.set(`${source} ${key}`, { source, ...at });
    }
  }
  for (const { condition, ...position } of walkConditions(layers)) {
    const questions = [...questionsIn(condition)]
      .map(([, question]) => ({ question, readsLive: live.has(question.variable) }))
      .filter(({ question, readsLive }) => readsLive || wordsIn(question).length > 0);
    if (questions.length === 0) continue;
    const timed = { condition, questions, ...positionOf(position, condition, known) };
    // Many layers have the same conditions.
    const key = JSON.stringify([condition, timed.guards, timed.repeating?.id]);
    conditions.set(key, timed);
  }
  return {
    shown: [...shown.values()],
    relatives: [...relatives.values()],
    conditions: [...conditions.values()],
  };
}

/** The words for the time with which a question compares a date. */
export function wordsIn({ greaterThan, lessThan }: VariableCondition): ClockUnit[] {
  return [greaterThan, lessThan].flatMap((bound) => clockWords.get(String(bound)) ?? []);
}

/** Live values in a part of a document. */
export function liveNamesIn(part: unknown, { all, live }: BoundNames): string[] {
  const names = Array.from(sourcesIn(part), (source) => variableOf(source, all));
  return names.filter((name) => live.has(name));
}

function* sourcesIn(part: unknown): Generator<string> {
  for (const [, text] of walkStrings(part)) if (text.includes('{{')) yield* bindingsIn(text);
}

/** The position of a part, with its items only where it differs from item to item. Equal guards are the same list, of `known`. */
function positionOf(
  { repeating, guards }: Position,
  part: unknown,
  known: Map<string, Position['guards']>,
): Position {
  const readsItem = [...walkStrings([part, guards])].some(([, text]) => text.includes(itemPrefix));
  const at = readsItem ? repeating : undefined;
  const key = `${at?.id ?? ''} ${JSON.stringify(guards)}`;
  const same = known.get(key) ?? guards;
  known.set(key, same);
  return { repeating: at, guards: same };
}

/** What layers bind: conditions under those of the layers around them, spans also under those of the span. */
function* walkParts(
  layers: readonly Layer[],
  guards: Position['guards'] = [],
  repeating?: StackLayer,
): Generator<BoundPart> {
  for (const layer of layers) {
    const { visibleWhen, ...rest } = withoutChildren(layer);
    const inside = guarded(guards, visibleWhen);
    yield { part: visibleWhen, guards, repeating };
    if (layer.type === 'text' && layer.spans !== undefined) {
      yield { part: { ...rest, spans: [] }, guards: inside, repeating };
      for (const { visibleWhen: ofSpan, ...span } of layer.spans) {
        yield { part: ofSpan, guards: inside, repeating };
        yield { part: span, guards: guarded(inside, ofSpan), repeating };
      }
    } else yield { part: rest, guards: inside, repeating };
    if (isParent(layer)) yield* walkParts(layer.layers, inside, repeats(layer) ?? repeating);
  }
}

function* walkConditions(
  layers: readonly Layer[],
  guards: Position['guards'] = [],
  repeating?: StackLayer,
): Generator<Position & { condition: NonNullable<Conditions> }> {
  for (const layer of layers) {
    const { visibleWhen } = layer;
    if (visibleWhen !== undefined) yield { condition: visibleWhen, guards, repeating };
    const inside = guarded(guards, visibleWhen);
    for (const span of layer.type === 'text' ? (layer.spans ?? []) : []) {
      if (span.visibleWhen !== undefined)
        yield { condition: span.visibleWhen, guards: inside, repeating };
    }
    if (isParent(layer)) yield* walkConditions(layer.layers, inside, repeats(layer) ?? repeating);
  }
}

function repeats(layer: Layer): StackLayer | undefined {
  return layer.type === 'stack' && layer.repeat !== undefined ? layer : undefined;
}

function guarded(guards: Position['guards'], condition: Conditions): Position['guards'] {
  return condition === undefined ? guards : [...guards, condition];
}

/** The finest part of a date that its first format draws. */
function shownUnit(source: string): ClockUnit {
  const [first] = compileBinding(source).formats;
  if (first?.name === 'date') return 'day';
  return first?.name === 'time' ? 'minute' : 'second';
}
