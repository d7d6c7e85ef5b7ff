/** Checks variables beyond their schema: their bounds, and that a link could give their default. */
import { composed } from '../normal-form.ts';
import { templateLimits } from '../limits/template-limits.ts';
import { show } from './template-problems.ts';
import type { ListVariable, ScalarVariable, Variable } from '../schema/template.ts';
import { countCodePoints, countLineBreaks } from '../limits/text-limit.ts';
import { expectedDate, parseDateText } from '../values/date-value.ts';
import { mayReadTable, parseTableSource } from '../values/table-source.ts';
import { decimalPattern, numberPattern } from '../values/scalar-text.ts';

type NumberBounds = Pick<ScalarVariable, 'min' | 'max'>;

/** The expected number, as words that follow "not" or "expected"; undefined for a text that the variable takes. */
export function expectedNumber(text: string, bounds: NumberBounds): string | undefined {
  if (!decimalPattern.test(text)) {
    return `a number${rangeText(bounds)} in digits, with an optional sign and decimal point`;
  }
  const number = Number(text);
  const { min = -Infinity, max = Infinity } = bounds;
  if (number < min || number > max) return `a number${rangeText(bounds)}`;
  const { numberMax } = templateLimits;
  const fits = number >= (bounds.min ?? -numberMax) && number <= (bounds.max ?? numberMax);
  if (fits && numberPattern.test(text)) return undefined;
  return `a number of at most 15 digits before and 15 after its decimal point, from -${numberMax} to ${numberMax}; a variable of type text takes longer ones`;
}

/** Bounds in words that follow `a number`: ` from 1 to 5`, ` of at least 1`, ` of at most 5`, or nothing. */
function rangeText({ min, max }: NumberBounds): string {
  if (min !== undefined && max !== undefined) return ` from ${min} to ${max}`;
  if (min !== undefined) return ` of at least ${min}`;
  return max === undefined ? '' : ` of at most ${max}`;
}

/** Properties that only variables of one type have, with that type. */
const propertyTypes = { maxLength: 'text', min: 'number', max: 'number', fields: 'list' } as const;

/** The problems of a variable, by property. A default replaces every invalid value, so it must be valid. */
export function variableProblems(variable: Variable): [property: string, message: string][] {
  const problems: [string, string][] = [];
  for (const [property, type] of Object.entries(propertyTypes)) {
    if (!Object.hasOwn(variable, property) || variable.type === type) continue;
    const message = `is for variables of type ${type}, and this one has the type ${variable.type}; remove it`;
    problems.push([property, message]);
  }
  if (variable.type === 'list') return [...problems, ...listProblems(variable)];
  if (typeof variable.value !== 'string') {
    return [...problems, ['value', `is ${show(variable.value)}, expected a text`]];
  }
  const { min, max } = variable;
  if (min !== undefined && max !== undefined && min > max) {
    problems.push(['min', `is ${min}, expected at most max, ${max}`]);
  } else
    problems.push(
      ...valueProblems(variable).map((message) => ['value', message] as [string, string]),
    );
  return problems;
}

/** Problems of a variable's `value`, as words that follow its path. A link must be able to give this value. */
export function valueProblems(variable: ScalarVariable): string[] {
  const { type, value } = variable;
  const expected = (what: string): string[] => [`is ${show(value)}, expected ${what}`];
  switch (type) {
    case 'text':
      return textProblems(variable);
    case 'color':
      return /^(#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8}))?$/i.test(value)
        ? []
        : expected('a colour: #rgb, #rgba, #rrggbb or #rrggbbaa');
    case 'boolean':
      return /^(true|false|)$/.test(value) ? [] : expected('"true" or "false"');
    case 'number':
      return numberProblems(variable);
    case 'date':
      return value === '' || parseDateText(value) !== undefined ? [] : expected(expectedDate);
    case 'image':
      return [];
    default:
      return type satisfies never;
  }
}

function numberProblems(variable: ScalarVariable): string[] {
  const { value } = variable;
  const expected = value === '' ? undefined : expectedNumber(value, variable);
  return expected === undefined ? [] : [`is ${show(value)}, expected ${expected}`];
}

function textProblems({ value, maxLength }: ScalarVariable): string[] {
  const { valueCodePointsMax, valueLineBreaksMax } = templateLimits;
  const codePointsMax = maxLength ?? valueCodePointsMax;
  const codePoints = countCodePoints(composed(value));
  return [
    ...(codePoints > codePointsMax
      ? [`has ${codePoints} characters, the limit is ${codePointsMax}`]
      : []),
    ...(countLineBreaks(value) > valueLineBreaksMax
      ? [`has more than ${valueLineBreaksMax} line breaks`]
      : []),
  ];
}

/**
 * Whether a variable is too malformed for further checks: a list without fields, or a default of the wrong kind. The
 * schema accepts both.
 */
export function isMisshapen(variable: Partial<ListVariable> | Variable): boolean {
  const isList = variable.type === 'list';
  return Array.isArray(variable.value) !== isList || (isList && variable.fields === undefined);
}

/** The problems of a list: its fields, and the items of its default. */
function listProblems(variable: ListVariable): [property: string, message: string][] {
  // The schema has one kind of variable, so both properties may be absent or of another type.
  const { value, fields = [] } = variable as Partial<ListVariable>;
  if (fields.length === 0) {
    return [
      ['fields', 'is missing, expected the fields of the list: name, type and value of each'],
    ];
  }
  if (!Array.isArray(value)) return [['value', `is ${show(value)}, expected an array of items`]];
  const problems: [string, string][] = [];
  const byName = new Map(fields.map((field) => [field.name, field]));
  for (const [index, field] of fields.entries()) {
    if (byName.get(field.name) !== field) {
      problems.push([
        `fields[${index}].name`,
        `is ${show(field.name)} again, expected a unique one`,
      ]);
    }
    for (const problem of valueProblems(field)) problems.push([`fields[${index}].value`, problem]);
  }
  for (const [index, item] of value.entries()) {
    for (const [name, given] of Object.entries(item)) {
      const field = byName.get(name);
      const path = `value[${index}].${name}`;
      const known = [...byName.keys()].join(', ');
      const found =
        field === undefined
          ? [`is no field of the list; it has ${known}`]
          : valueProblems({ ...field, value: String(given) });
      for (const problem of found) problems.push([path, problem]);
    }
  }
  const { listCodePointsMax, listTextCodePointsMax } = templateLimits;
  const texts = new Set(fields.filter(({ type }) => type === 'text').map(({ name }) => name));
  const count = (isCounted: (name: string) => boolean): number => {
    const values = value.flatMap((item) => Object.entries(item));
    const counted = values.map(([name, text]) => (isCounted(name) ? composed(String(text)) : ''));
    return countCodePoints(counted.join(''));
  };
  const [codePoints, textCodePoints] = [count(() => true), count((name) => texts.has(name))];
  if (codePoints > listCodePointsMax) {
    problems.push(['value', `has ${codePoints} characters, the limit is ${listCodePointsMax}`]);
  } else if (textCodePoints > listTextCodePointsMax) {
    const message = `has ${textCodePoints} characters in its texts, the limit is ${listTextCodePointsMax}`;
    problems.push(['value', message]);
  }
  return problems;
}

/**
 * The problem of the `from` of a variable, as words that follow its path; undefined if it is valid or absent. `tables`
 * has the tables of the variables before, and gets this one's.
 */
export function tableSourceProblem(
  { name, from }: Variable,
  variables: ReadonlyMap<string, Variable>,
  tables: Set<string>,
): string | undefined {
  if (from === undefined) return undefined;
  const { table, keyVariable } = parseTableSource(from);
  if (!mayReadTable(tables, table)) {
    return `reads the table "${table}" beside ${templateLimits.tablesMax} others, the limit; join tables into one with more columns`;
  }
  const key = variables.get(keyVariable);
  const shown = `{{${keyVariable}}}`;
  if (key === undefined) {
    return `has the key ${shown}, but the template has no variable of that name; add one of type text`;
  }
  if (keyVariable === name) return `has the variable itself as its key; expected another one`;
  if (key.from !== undefined) {
    return `has the key ${shown}, whose value comes from a table itself; expected a variable that the link gives`;
  }
  if (key.type === 'text' || key.type === 'number') return undefined;
  return `has the key ${shown}, which has the type ${key.type}; expected a variable of type text or number`;
}
