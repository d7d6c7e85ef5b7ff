/** Says whether a layer's conditions hold, and which of them never can. */
import { bindingsIn, bindText } from './bindings.ts';
import type { Condition } from '../schema/layer-base.ts';
import { show } from '../check/template-problems.ts';
import type { TemplateProblem } from '../check/template-problems.ts';
import type { Variable, VariableType } from '../schema/template.ts';
import { valueProblems } from '../check/variable-problems.ts';
import { parseDateText } from '../values/date-value.ts';
import { parseBooleanText, parseNumberText } from '../values/scalar-text.ts';
import type { FormatContext } from '../values/value-formats.ts';

/** The values that conditions look at, and their types by name. */
interface Compared {
  values: ReadonlyMap<string, string>;
  types: ReadonlyMap<string, VariableType>;
  context: FormatContext;
}

/** Whether all conditions of a layer hold. Values are compared as what their variable is: `#F00` is `#ff0000`, `5.0` is 5. */
export function conditionsHold(
  conditions: Condition | Condition[] | undefined,
  compared: Compared,
): boolean {
  if (conditions === undefined) return true;
  return [conditions].flat().every((condition) => holds(condition, compared));
}

function holds(condition: Condition, { values, types, context }: Compared): boolean {
  const value = values.get(condition.variable) ?? '';
  const { set, equals, notEquals, oneOf, greaterThan, lessThan } = condition;
  if (set !== undefined && (value !== '') !== set) return false;
  const type = types.get(condition.variable) ?? 'text';
  const plain = plainValue(type, value, context);
  const isEqual = (text: string): boolean =>
    plain === plainValue(type, bindText(text, values, context), context);
  if (equals !== undefined && !isEqual(equals)) return false;
  if (notEquals !== undefined && isEqual(notEquals)) return false;
  if (oneOf !== undefined && !oneOf.some(isEqual)) return false;
  // What is no number is neither greater nor less.
  const number = value.trim() === '' ? Number.NaN : Number(value);
  if (greaterThan !== undefined && !(number > greaterThan)) return false;
  return lessThan === undefined || number < lessThan;
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
      return value;
    default:
      return type satisfies never;
  }
}

/** Conditions of a layer on variables that are not there, or on values that theirs never has. `path` is theirs. */
export function conditionProblems(
  path: string,
  conditions: Condition | Condition[] | undefined,
  variables: ReadonlyMap<string, Variable>,
): TemplateProblem[] {
  return [conditions ?? []].flat().flatMap((condition, index) => {
    const here = Array.isArray(conditions) ? `${path}[${index}]` : path;
    const variable = variables.get(condition.variable);
    if (variable === undefined) {
      const message = `names ${show(condition.variable)}, but the template has no variable of that name`;
      return [{ path, message }];
    }
    const { equals, notEquals, oneOf = [] } = condition;
    const compared: [property: string, text: string | undefined][] = [
      ['equals', equals],
      ['notEquals', notEquals],
      ...oneOf.map((text, at): [string, string] => [`oneOf[${at}]`, text]),
    ];
    return compared.flatMap(([property, text]) =>
      comparedProblems(`${here}.${property}`, variable, text),
    );
  });
}

/** Other variables' values may be any text, and any value may be empty by choice. */
function comparedProblems(
  path: string,
  variable: Variable,
  text: string | undefined,
): TemplateProblem[] {
  if (text === undefined || text === '' || bindingsIn(text).length > 0) return [];
  return valueProblems({ ...variable, value: text }).map((problem) => ({
    path,
    message: `${problem}: ${show(variable.name)} has no other values`,
  }));
}
