/** Evaluates the conditions of layers and spans. */
import { bindingPattern, bindText, boundValue } from './bindings.ts';
import type { Condition, VariableCondition } from '../schema/layer-base.ts';
import { composed } from '../normal-form.ts';
import type { VariableType } from '../schema/template.ts';
import { parseDateText } from '../values/date-value.ts';
import { parseBooleanText, parseNumberText } from '../values/scalar-text.ts';
import type { FormatContext } from '../values/value-formats.ts';
import { floorTime, instantIn } from '../values/zoned-time.ts';
import type { ClockUnit } from '../values/zoned-time.ts';

/** The values that conditions read, and their types by name. */
export interface Compared {
  values: ReadonlyMap<string, string>;
  types: ReadonlyMap<string, VariableType>;
  context: FormatContext;
}

export type Conditions = Condition | Condition[] | undefined;

/** Whether all conditions hold. Values are compared by the type of their variable: `5.0` equals 5. */
export function conditionsHold(conditions: Conditions, compared: Compared): boolean {
  if (conditions === undefined) return true;
  return [conditions].flat().every((condition) => holds(condition, compared));
}

function holds(condition: Condition, compared: Compared): boolean {
  if ('all' in condition) return condition.all.every((inner) => holds(inner, compared));
  if ('any' in condition) return condition.any.some((inner) => holds(inner, compared));
  if ('not' in condition) return !holds(condition.not, compared);
  return variableHolds(condition, compared);
}

function variableHolds(condition: VariableCondition, compared: Compared): boolean {
  const { values, types, context } = compared;
  const value = values.get(condition.variable) ?? '';
  const { set, equals, notEquals, oneOf, ignoreCase = false } = condition;
  if (set !== undefined && (value !== '') !== set) return false;
  const type = types.get(condition.variable) ?? 'text';
  const { plain: known, folded } = spellingsOf(values, type, context);
  const plainOf = (text: string): string => {
    const plain = plainValue(type, text, context);
    return ignoreCase ? foldCase(plain) : plain;
  };
  const valueName = ignoreCase ? `${condition.variable} ignoreCase` : condition.variable;
  const plain = remember(known, valueName, value, () => plainOf(value));
  const constants = spellingsOf(condition, type, context).plain;
  const isEqual = (text: string): boolean => {
    if (!text.includes('{{')) {
      return plain === remember(constants, text, text, () => plainOf(text));
    }
    const bound = bindText(text, values, context);
    const isText = readsAsGiven.has(type) || bound.length > scalarLengthMax;
    if (ignoreCase && isText) return plain === bindFolded(text, compared, folded);
    return plain === plainOf(bound);
  };
  if (equals !== undefined && !isEqual(equals)) return false;
  if (notEquals !== undefined && isEqual(notEquals)) return false;
  if (oneOf !== undefined && !oneOf.some(isEqual)) return false;
  const { greaterThan, lessThan } = boundsOf(condition, compared);
  if (greaterThan === undefined && lessThan === undefined) return true;
  // A value that is neither a number nor a date is neither greater nor less.
  const { orders } = spellingsOf(values, type, context);
  const number = remember(orders, condition.variable, value, () => orderOf(type, value, context));
  if (greaterThan !== undefined && !(number > greaterThan)) return false;
  return lessThan === undefined || number < lessThan;
}

/** Types whose values are compared as they are, texts in their normal form. */
const readsAsGiven: ReadonlySet<VariableType> = new Set(['text', 'image', 'list']);

/** UTF-16 units that a number, date, boolean or colour never has: a longer text is compared as it is. */
const scalarLengthMax = 200;

/** A text without its case: ẞ becomes ß, SS and then ss. The two lower forms of Σ are equal. */
function foldCase(text: string): string {
  return composed(text).toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ');
}

/**
 * The text with its values, without its case. Each piece is folded alone, so that a long value that many texts bind is
 * folded once. `folded` caches the values by their text.
 */
function bindFolded(
  text: string,
  { values, context }: Compared,
  folded: Map<string, string>,
): string {
  let bound = '';
  let end = 0;
  for (const match of text.matchAll(bindingPattern)) {
    const value = boundValue(match[1] ?? '', values, context);
    let piece = folded.get(value);
    if (piece === undefined) folded.set(value, (piece = foldCase(value)));
    bound += foldCase(text.slice(end, match.index)) + piece;
    end = match.index + match[0].length;
  }
  return bound + foldCase(text.slice(end));
}

/** Cache of parsed values (by name) or constants of a condition, so that each is parsed once. */
interface Spellings extends Pick<FormatContext, 'documentLang' | 'zone'> {
  plain: Map<string, Read<string>>;
  orders: Map<string, Read<number>>;
  /** Values without their case, by their text. */
  folded: Map<string, string>;
}

const spellings = new WeakMap<object, Map<VariableType, Spellings>>();

/** The cache entries of `owner` for a type. `owner` is a map of values or a condition. */
function spellingsOf(
  owner: object,
  type: VariableType,
  { documentLang, zone }: FormatContext,
): Spellings {
  let byType = spellings.get(owner);
  if (byType === undefined) spellings.set(owner, (byType = new Map<VariableType, Spellings>()));
  const known = byType.get(type);
  const isSame = known?.documentLang === documentLang && known?.zone === zone;
  if (known !== undefined && isSame) return known;
  const next = {
    documentLang,
    zone,
    plain: new Map(),
    orders: new Map(),
    folded: new Map(),
  } as Spellings;
  byType.set(type, next);
  return next;
}

/** A text and its parsed value. The text tells whether the entry is still valid. */
interface Read<Value> {
  text: string;
  value: Value;
}

function remember<Value>(
  reads: Map<string, Read<Value>>,
  name: string,
  text: string,
  read: () => Value,
): Value {
  const known = reads.get(name);
  if (known?.text === text) return known.value;
  const value = read();
  reads.set(name, { text, value });
  return value;
}

/** The bounds of a condition: numbers, or instants of dates in ms. NaN for a bound that is neither. */
export function boundsOf(
  question: VariableCondition,
  { values, types, context }: Compared,
): { greaterThan: number | undefined; lessThan: number | undefined } {
  const { variable, greaterThan, lessThan } = question;
  const type = types.get(variable) ?? 'text';
  const boundOf = (bound: number | string | undefined): number | undefined => {
    if (typeof bound !== 'string') return bound;
    const unit = type === 'date' ? clockWords.get(bound) : undefined;
    if (unit !== undefined) return floorTime(context.timeMs, unit, context.zone);
    if (bound.includes('{{')) return orderOf(type, bindText(bound, values, context), context);
    const { orders } = spellingsOf(question, type, context);
    return remember(orders, bound, bound, () => orderOf(type, bound, context));
  };
  return { greaterThan: boundOf(greaterThan), lessThan: boundOf(lessThan) };
}

/** Every number, or instant of a date in ms, that a condition compares its variable with. */
export function comparedNumbers(question: VariableCondition, compared: Compared): number[] {
  const { equals, notEquals, oneOf = [], variable } = question;
  const { values, types, context } = compared;
  const type = types.get(variable) ?? 'text';
  const { greaterThan, lessThan } = boundsOf(question, compared);
  const equal = [equals, notEquals, ...oneOf].map((text = '') => {
    const bound = bindText(text, values, context);
    return type === 'number' ? parseNumberText(bound) : orderOf(type, bound, context);
  });
  return [...equal, greaterThan, lessThan].filter(
    (number) => number !== undefined && !Number.isNaN(number),
  ) as number[];
}

/** Words for the time of the render, each with the unit to which the time is rounded down. */
export const clockWords: ReadonlyMap<string, ClockUnit> = new Map([
  ['now', 'minute'],
  ['today', 'day'],
]);

/** The number that orders values: the instant of a date in ms, or the number. NaN for an unordered value. */
function orderOf(type: VariableType, text: string, context: FormatContext): number {
  if (type !== 'date') return text.trim() === '' ? Number.NaN : Number(text);
  const date = parseDateText(text, context.documentLang, context.zone);
  return date === undefined ? Number.NaN : instantIn(date, context.zone);
}

/** Every condition on a variable, with its path in `conditions`. */
export function* questionsIn(
  conditions: Conditions,
  path = '',
): Generator<[path: string, condition: VariableCondition]> {
  if (conditions === undefined) return;
  if (Array.isArray(conditions)) {
    for (const [index, each] of conditions.entries()) yield* questionsIn(each, `${path}[${index}]`);
  } else if ('all' in conditions) yield* questionsIn(conditions.all, `${path}.all`);
  else if ('any' in conditions) yield* questionsIn(conditions.any, `${path}.any`);
  else if ('not' in conditions) yield* questionsIn(conditions.not, `${path}.not`);
  else yield [path, conditions];
}

/** The normalized spelling of a value. A text that is no value of the type is returned unchanged. */
function plainValue(
  type: VariableType,
  value: string,
  { documentLang, zone }: FormatContext,
): string {
  if (type === 'text') return composed(value);
  if (value.length > scalarLengthMax) return value;
  switch (type) {
    case 'color': {
      const color = value.toLowerCase();
      if (!/^#[0-9a-f]+$/.test(color)) return value;
      const long = color.length <= 5 ? color.replaceAll(/[0-9a-f]/g, '$&$&') : color;
      return long.length === 9 && long.endsWith('ff') ? long.slice(0, 7) : long;
    }
    case 'number': {
      const number = parseNumberText(value);
      return Number.isNaN(number) ? value : String(number + 0);
    }
    case 'boolean':
      return String(parseBooleanText(value) ?? value);
    case 'date': {
      const date = parseDateText(value, documentLang, zone);
      return date === undefined ? value : String(instantIn(date, zone));
    }
    case 'image':
    case 'list':
      return value;
    default:
      return type satisfies never;
  }
}
