/** Says whether a layer's conditions hold, and which of them never can. */
import { bindingsIn, bindText } from './bindings.ts';
import type { Condition, VariableCondition } from '../schema/layer-base.ts';
import { show } from '../check/template-problems.ts';
import type { TemplateProblem } from '../check/template-problems.ts';
import type { Variable, VariableType } from '../schema/template.ts';
import { valueProblems } from '../check/variable-problems.ts';
import { floorTime } from '../values/date-formats.ts';
import type { ClockUnit } from '../values/date-formats.ts';
import { expectedDate, parseDateText } from '../values/date-value.ts';
import { parseBooleanText, parseNumberText } from '../values/scalar-text.ts';
import type { FormatContext } from '../values/value-formats.ts';

/** The values that conditions look at, and their types by name. */
interface Compared {
  values: ReadonlyMap<string, string>;
  types: ReadonlyMap<string, VariableType>;
  context: FormatContext;
}

type Conditions = Condition | Condition[] | undefined;

/** Whether all conditions of a layer hold. Values are compared as what their variable is: `#F00` is `#ff0000`, `5.0` is 5. */
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
  const plainOf = (text: string): string => {
    const plain = plainValue(type, text, context);
    // Through capitals, so that ß is SS in small letters too.
    return ignoreCase ? plain.toUpperCase().toLowerCase() : plain;
  };
  const plain = plainOf(value);
  const isEqual = (text: string): boolean => plain === plainOf(bindText(text, values, context));
  if (equals !== undefined && !isEqual(equals)) return false;
  if (notEquals !== undefined && isEqual(notEquals)) return false;
  if (oneOf !== undefined && !oneOf.some(isEqual)) return false;
  const { greaterThan, lessThan } = condition;
  if (greaterThan === undefined && lessThan === undefined) return true;
  // A value that is neither a number nor a date is neither greater nor less.
  const number = orderOf(type, value, context);
  const boundOf = (bound: number | string): number =>
    typeof bound === 'number' ? bound : orderOf(type, bindText(bound, values, context), context);
  if (greaterThan !== undefined && !(number > boundOf(greaterThan))) return false;
  return lessThan === undefined || number < boundOf(lessThan);
}

/** The words that stand for the time of the render, each with the unit to which it is rounded down. */
export const clockWords: ReadonlyMap<string, ClockUnit> = new Map([
  ['now', 'minute'],
  ['today', 'day'],
]);

/** A number by which values are ordered: of a date its moment; NaN for what has no order. */
function orderOf(type: VariableType, text: string, context: FormatContext): number {
  if (type !== 'date') return text.trim() === '' ? Number.NaN : Number(text);
  const unit = clockWords.get(text);
  if (unit !== undefined) return floorTime(context.timeMs, unit);
  return parseDateText(text, context.documentLang)?.instantMs ?? Number.NaN;
}

/** Every question to a variable in some conditions, with its path. */
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

/** One spelling for all that mean the same; what is no value of the type stays as it is. */
function plainValue(type: VariableType, value: string, { documentLang }: FormatContext): string {
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
      const date = parseDateText(value, documentLang);
      return date === undefined ? value : String(date.instantMs);
    }
    case 'text':
    case 'image':
    case 'list':
      return value;
    default:
      return type satisfies never;
  }
}

/** Conditions on variables that are not there, or on values that theirs never has. `path` is theirs. */
export function conditionProblems(
  path: string,
  conditions: Conditions,
  variables: ReadonlyMap<string, Variable>,
): TemplateProblem[] {
  return [...questionsIn(conditions, path)].flatMap(([here, condition]) => {
    const variable = variables.get(condition.variable);
    if (variable === undefined) {
      const message = `names ${show(condition.variable)}, but the template has no variable of that name`;
      return [{ path: here, message }];
    }
    const { equals, notEquals, oneOf = [], greaterThan, lessThan } = condition;
    const compared: [property: string, text: string | undefined][] = [
      ['equals', equals],
      ['notEquals', notEquals],
      ...oneOf.map((text, at): [string, string] => [`oneOf[${at}]`, text]),
    ];
    const bounds: [property: string, bound: number | string | undefined][] = [
      ['greaterThan', greaterThan],
      ['lessThan', lessThan],
    ];
    return [
      ...compared.flatMap(([property, text]) =>
        comparedProblems(`${here}.${property}`, variable, text),
      ),
      ...bounds.flatMap(([property, bound]) =>
        boundProblems(`${here}.${property}`, variable, bound),
      ),
    ];
  });
}

/** A date is compared with dates and with the time, any other value with numbers. */
function boundProblems(
  path: string,
  { name, type }: Variable,
  bound: number | string | undefined,
): TemplateProblem[] {
  if (bound === undefined) return [];
  if (typeof bound === 'string' && bindingsIn(bound).length > 0) return [];
  const isRight =
    type === 'date'
      ? typeof bound === 'string' && (clockWords.has(bound) || parseDateText(bound) !== undefined)
      : type !== 'list' && (typeof bound === 'number' || !Number.isNaN(parseNumberText(bound)));
  if (isRight) return [];
  const expected = type === 'date' ? `now, today or ${expectedDate}` : 'a number';
  const message = `is ${show(bound)}, expected ${expected}: ${show(name)} is of the type ${type}`;
  return [{ path, message }];
}

/** Other variables' values may be any text, and any value may be empty by choice. */
function comparedProblems(
  path: string,
  variable: Variable,
  text: string | undefined,
): TemplateProblem[] {
  if (text === undefined || text === '' || bindingsIn(text).length > 0) return [];
  if (variable.type === 'list') {
    return [{ path, message: `compares ${show(variable.name)}, which is a list: expected "set"` }];
  }
  return valueProblems({ ...variable, value: text }).map((problem) => ({
    path,
    message: `${problem}: ${show(variable.name)} has no other values`,
  }));
}
