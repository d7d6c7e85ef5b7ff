/** Finds the parts of an image that read the time or the reader, and the conditions under which they are drawn. */
import { bindingsIn, boundNames, boundTextsIn } from '../bind/bindings.ts';
import { clockWords, questionsIn } from '../bind/conditions.ts';
import type { Conditions } from '../bind/conditions.ts';
import { isParent } from '../layer-tree.ts';
import type { VariableCondition } from '../schema/layer-base.ts';
import type { Layer, StackLayer } from '../schema/layers.ts';
import type { Template } from '../schema/template.ts';
import { compileBinding, variableOf } from '../values/formatted-binding.ts';
import type { Names } from '../values/formatted-binding.ts';
import { itemPrefix } from '../values/list-value.ts';
import type { ClockUnit } from '../values/zoned-time.ts';

/** The context in which a part is drawn. */
export interface Position {
  /** The stack that repeats the part, if it may differ from item to item. */
  repeating: StackLayer | undefined;
  /** Conditions of the layers around the part, all of which must hold. */
  guards: readonly NonNullable<Conditions>[];
  /** Number of conditions in `guards`, and of bindings in their constants. */
  guardQuestions: number;
}

/** A live value that a template draws. `unit` is the finest unit that is drawn of a date. */
export interface ShownValue extends Position {
  name: string;
  unit: ClockUnit;
}

/** A binding with `relative`. */
export interface RelativeBinding extends Position {
  source: string;
}

/** A condition on a live value, or one that compares a date with `now` or `today`. */
export interface TimedQuestion {
  question: VariableCondition;
  readsLive: boolean;
}

/** The conditions of a layer or a span, at least one of which is timed. */
export interface TimedCondition extends Position {
  condition: NonNullable<Conditions>;
  questions: readonly TimedQuestion[];
  /** Number of conditions, timed or not, and of bindings in their constants. */
  questionCount: number;
}

/** The parts of an image that read the time or the reader. */
export interface TimedParts {
  shown: readonly ShownValue[];
  relatives: readonly RelativeBinding[];
  conditions: readonly TimedCondition[];
}

/** Names that a template may bind: all, and live values only. */
export interface BoundNames {
  all: Names;
  live: ReadonlySet<string>;
}

/** Number of conditions and of the bindings in their constants, each of which builds a text. */
function countQuestions(asked: readonly unknown[], json: string): number {
  return asked.length + bindingsIn(json).length;
}

/** Conditions of the layers around a part. Equal conditions are one object, so that they are evaluated once. */
interface Guards {
  id: number;
  conditions: Position['guards'];
  questions: number;
  readsItem: boolean;
}

class KnownGuards {
  readonly none: Guards = { id: 0, conditions: [], questions: 0, readsItem: false };
  readonly #known = new Map<string, Guards>();

  inside(outer: () => Guards, condition: Conditions): () => Guards {
    if (condition === undefined) return outer;
    let found: Guards | undefined;
    return () => (found ??= this.#find(outer(), condition));
  }

  #find(outer: Guards, condition: NonNullable<Conditions>): Guards {
    const json = JSON.stringify(condition);
    const key = `${outer.id} ${json}`;
    let guards = this.#known.get(key);
    if (guards === undefined) {
      guards = {
        id: this.#known.size + 1,
        conditions: [...outer.conditions, condition],
        questions: outer.questions + countQuestions([...questionsIn(condition)], json),
        readsItem: outer.readsItem || json.includes(itemPrefix),
      };
      this.#known.set(key, guards);
    }
    return guards;
  }
}

/** The surroundings of a part of a document. Most parts are not timed, so their guards are found at the first use. */
interface Around {
  guards: () => Guards;
  repeating: StackLayer | undefined;
}

/** A part of a document whose texts are bound under the same conditions. */
interface BoundPart extends Around {
  /** The bindings of its texts. */
  sources: readonly string[];
  /** Present if the part is the conditions of a layer or span. */
  condition?: NonNullable<Conditions>;
}

/** Finds all timed parts of an image, without duplicates. */
export function timedPartsOf(
  layers: readonly Layer[],
  background: Template['background'],
  { all, live }: BoundNames,
): TimedParts {
  const shown = new Map<string, ShownValue>();
  const relatives = new Map<string, RelativeBinding>();
  const conditions = new Map<string, TimedCondition>();
  const known = new KnownGuards();
  const whole = { guards: () => known.none, repeating: undefined };
  const ofCanvas = boundTextsIn({ background }).flatMap(({ sources }) => sources);
  const canvas: BoundPart = { sources: ofCanvas, ...whole };
  for (const part of [canvas, ...walkParts(layers, whole, known)]) {
    for (const source of part.sources) {
      const name = variableOf(source, all);
      const isRelative = compileBinding(source).clock !== undefined;
      if (!live.has(name) && !isRelative) continue;
      const [key, position] = positionOf(part, source);
      const unit = shownUnit(source);
      if (live.has(name)) shown.set(`${name} ${unit} ${key}`, { name, unit, ...position });
      if (isRelative) relatives.set(`${source} ${key}`, { source, ...position });
    }
    const { condition } = part;
    if (condition === undefined) continue;
    const asked = [...questionsIn(condition)];
    const questions = asked
      .map(([, question]) => ({ question, readsLive: live.has(question.variable) }))
      .filter(({ question, readsLive }) => readsLive || wordsIn(question).length > 0);
    if (questions.length === 0) continue;
    // Many layers share the same conditions.
    const json = JSON.stringify(condition);
    const [key, position] = positionOf(part, json);
    const timed = { condition, questions, questionCount: countQuestions(asked, json), ...position };
    conditions.set(`${json} ${key}`, timed);
  }
  return {
    shown: [...shown.values()],
    relatives: [...relatives.values()],
    conditions: [...conditions.values()],
  };
}

/** The units of `now` and `today` in the bounds of a condition. */
export function wordsIn({ greaterThan, lessThan }: VariableCondition): ClockUnit[] {
  return [greaterThan, lessThan].flatMap((bound) => clockWords.get(String(bound)) ?? []);
}

/** Live values in a text. */
export function liveNamesIn(text: string, { all, live }: BoundNames): string[] {
  return boundNames(text, all).filter((name) => live.has(name));
}

/** The bindings of each part of a layer: `` is the layer, `.visibleWhen` its conditions, `[2].visibleWhen` those of a span. */
type PartSources = ReadonlyMap<string, readonly string[]>;

const noSources: readonly string[] = [];
const noParts: PartSources = new Map();

function sourcesOf(layer: Layer): PartSources {
  const texts = boundTextsIn(layer);
  if (texts.length === 0) return noParts;
  const parts = new Map<string, string[]>();
  for (const { path, sources } of texts) {
    const [, span = '', when = ''] = /^(?:\.spans(\[\d+\]))?(\.visibleWhen\b)?/.exec(path) ?? [];
    const part = parts.get(span + when);
    if (part === undefined) parts.set(span + when, [...sources]);
    else part.push(...sources);
  }
  return parts;
}

/** The position of a text and its key. `repeating` is set only if the text may differ from item to item. */
function positionOf(around: Around, text: string): [key: string, Position] {
  const { repeating } = around;
  const guards = around.guards();
  const at = guards.readsItem || text.includes(itemPrefix) ? repeating : undefined;
  const position = {
    repeating: at,
    guards: guards.conditions,
    guardQuestions: guards.questions,
  };
  return [`${guards.id} ${at?.id ?? ''}`, position];
}

/**
 * The parts of layers. Conditions of a layer are guarded by its ancestors' conditions, spans also by their layer's and
 * their own.
 */
function* walkParts(
  layers: readonly Layer[],
  around: Around,
  known: KnownGuards,
): Generator<BoundPart> {
  for (const layer of layers) {
    const { visibleWhen } = layer;
    const parts = sourcesOf(layer);
    yield* ofCondition(visibleWhen, around, parts.get('.visibleWhen'));
    const inside = { ...around, guards: known.inside(around.guards, visibleWhen) };
    yield { sources: parts.get('') ?? noSources, ...inside };
    const spans = layer.type === 'text' ? (layer.spans ?? []) : [];
    for (const [index, { visibleWhen: ofSpan }] of spans.entries()) {
      yield* ofCondition(ofSpan, inside, parts.get(`[${index}].visibleWhen`));
      const guards = known.inside(inside.guards, ofSpan);
      yield { sources: parts.get(`[${index}]`) ?? noSources, ...inside, guards };
    }
    if (!isParent(layer)) continue;
    yield* walkParts(
      layer.layers,
      { ...inside, repeating: repeats(layer) ?? around.repeating },
      known,
    );
  }
}

function* ofCondition(
  condition: Conditions,
  around: Around,
  sources: readonly string[] = noSources,
): Generator<BoundPart> {
  if (condition !== undefined) yield { sources, condition, ...around };
}

function repeats(layer: Layer): StackLayer | undefined {
  return layer.type === 'stack' && layer.repeat !== undefined ? layer : undefined;
}

/** The finest unit of a date that the first format draws. */
function shownUnit(source: string): ClockUnit {
  const [first] = compileBinding(source).formats;
  if (first?.name === 'date') return 'day';
  return first?.name === 'time' ? 'minute' : 'second';
}
