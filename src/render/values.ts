/** Resolves the value of every variable of a template from a query: defaults, empty values, limits. */
import { composed } from '#language/normal-form.ts';
import { problemsMax } from '#language/check/template-problems.ts';
import { templateLimits } from '#language/limits/template-limits.ts';
import type { ListVariable, Variable } from '#language/schema/template.ts';
import { countCodePoints } from '#language/limits/text-limit.ts';
import { defaultText } from '#language/values/list-value.ts';
import { unambiguousNumber } from '#language/values/read-number.ts';
import { findVariable, listPart, readList } from './list-values.ts';
import type { GivenList } from './list-values.ts';
import type { Query } from '../http/query.ts';
import { nestedUrl } from './link/nested-url.ts';
import { checkClockValues } from './moment.ts';
import {
  badValue,
  cutText,
  emptyValue,
  isEmptyText,
  parseValue,
  refuse,
  repair,
  withDetails,
} from './parse-value.ts';
import type {
  BadValueError,
  OnInvalid,
  ReadingRules,
  ValueNotes,
  ValueProblem,
} from './parse-value.ts';
import type { PublishedTemplate } from '../store/published-cache.ts';
import type { TableLookup } from './table-values.ts';
import { findTableTexts } from './table-values.ts';

/** Every variable's value by its name, in the template's order. A `Map`: `__proto__` is a name like any other. */
export type ResolvedValues = ReadonlyMap<string, string>;

/**
 * Resolves the variables of `template` from a query. An omitted or empty value means the default. A value is empty if
 * it has no visible character, only unmerged merge tags, or one of the template's `emptyWords`. If `whenEmpty` is
 * `empty`, an empty value remains empty; an omitted one has the default. The first of equal names counts; unknown
 * names are ignored. A variable with `from` has the value of its cell in `tables`, never that of the query.
 *
 * Throws BAD_REQUEST that names the variable, for an invalid colour, number, boolean, date or list, and for a text over
 * its limit. A text may have 2,000 code points, or the variable's `maxLength`, and 100 line breaks. All texts of a link
 * may have 8,000 code points. Images are checked when they are loaded. Writes what is remarkable into `notes`.
 */
export function resolveVariables(
  template: PublishedTemplate,
  query: Query,
  tables: TableLookup,
  notes?: ValueNotes,
): ResolvedValues {
  return resolveWith(template, query, tables, refuse, notes);
}

/**
 * Resolves the variables as `resolveVariables` does, but repairs invalid values. Texts are cut to their limits; any
 * other invalid value becomes empty.
 */
export function repairVariables(
  template: PublishedTemplate,
  query: Query,
  tables: TableLookup,
  notes?: ValueNotes,
): ResolvedValues {
  return resolveWith(template, query, tables, repair, notes);
}

/** Resolves the variables as `repairVariables` does, and returns the problems of invalid values. */
export function checkVariables(
  template: PublishedTemplate,
  query: Query,
  tables: TableLookup,
): { values: ResolvedValues; problems: ValueProblem[]; notes: ValueNotes } {
  const problems: ValueProblem[] = [];
  const notes: ValueNotes = {};
  const onInvalid: OnInvalid = ({ variable, problem, reason }) => {
    problems.push({ variable, problem, reason });
  };
  const values = resolveWith(template, query, tables, onInvalid, notes);
  return { values, problems, notes };
}

/**
 * Resolves the variables as `resolveVariables` does. The error has the first invalid values as details, each with its
 * path in a body, and the message of the first one.
 */
export function requireVariables(
  template: PublishedTemplate,
  query: Query,
  tables: TableLookup,
): ResolvedValues {
  const errors: BadValueError[] = [];
  const values = resolveWith(template, query, tables, (error) => {
    // A list may have a hundred thousand items that are invalid.
    if (errors.push(error) === problemsMax) throw withDetails(errors);
  });
  if (errors.length > 0) throw withDetails(errors);
  return values;
}

function resolveWith(
  template: PublishedTemplate,
  query: Query,
  tables: TableLookup,
  onInvalid: OnInvalid,
  notes: ValueNotes = {},
): ResolvedValues {
  const { given, lists } = readQuery(template, query);
  const { document } = template;
  const values = new Map<string, string>();
  const unread = new Set<string>();
  let units = 0;
  for (const [name, variable] of template.variables) {
    if (variable.type === 'list') {
      values.set(name, listValue(variable, lists.get(name), { document, onInvalid, notes }));
      continue;
    }
    const text = given.get(name);
    const parsed =
      text === undefined ? undefined : parseValue(variable, text, document, onInvalid, notes);
    const value = parsed ?? emptyValue(variable, text);
    values.set(name, value);
    if (text === undefined) continue;
    if (parsed === '') unread.add(name);
    if (parsed === undefined && !isEmptyText(text, document.emptyWords)) notes.isUnmerged = true;
    if (variable.type === 'text') units += value.length;
  }
  const cells = template.readsTables ? findTableTexts(template, values, given, tables) : [];
  const tooLong = listsBeyondLimit(cells);
  for (const [variable, text] of cells) {
    const value = tooLong.has(variable)
      ? ''
      : cellValue(variable, text, { document, unread, notes });
    values.set(variable.name, value);
    given.set(variable.name, text);
    if (variable.type === 'text') units += value.length;
  }
  if (document.clock !== undefined) checkClockValues(template, values, unread, onInvalid);
  // A code point takes one or two units, so most links need no counting.
  if (units > templateLimits.valuesCodePointsMax) {
    limitTexts(template, given, values, cells.length === 0 ? onInvalid : repair);
  }
  return values;
}

/** The lists of data tables after so many characters that more of them would take the thread from others. */
export function listsBeyondLimit(
  cells: readonly (readonly [Variable, string])[],
): ReadonlySet<Variable> {
  let units = 0;
  const lists = cells.filter(([variable, text]) => {
    if (variable.type === 'list') units += text.length;
    return variable.type === 'list' && units > templateLimits.tableListsUnitsMax;
  });
  return new Set(lists.map(([variable]) => variable));
}

/**
 * The value of a cell. An invalid cell is no error of the link: texts are cut, other values become empty. Programs fill
 * tables, so a point stands before decimals in every language. Adds the name of a variable that cannot be read.
 */
function cellValue(
  variable: Variable,
  text: string,
  { document, unread, notes }: { document: ReadingRules; unread: Set<string>; notes: ValueNotes },
): string {
  if (variable.type === 'list') {
    const list = { json: text, parts: new Map() };
    const ofItems: ValueNotes = {};
    const value = listValue(variable, list, { document, onInvalid: repair, notes: ofItems });
    // A table may have many items, so the list is noted instead of their fields.
    if (ofItems.corrected !== undefined) (notes.corrected ??= new Set()).add(variable.name);
    return value;
  }
  const plain = variable.type === 'number' ? unambiguousNumber(text) : text;
  const parsed = parseValue(variable, plain, document, repair, notes);
  if (parsed === '') unread.add(variable.name);
  return parsed ?? emptyValue(variable, text);
}

/** The texts that a query gives to variables, and to the fields of lists. */
function readQuery(
  template: PublishedTemplate,
  query: Query,
): { given: Map<string, string>; lists: Map<string, GivenList> } {
  const { variables } = template;
  const given = new Map<string, string>();
  const lists = new Map<string, GivenList>();
  const listOf = (name: string): GivenList => {
    const known = lists.get(name) ?? { parts: new Map() };
    lists.set(name, known);
    return known;
  };
  for (const [index, { name, value }] of query.parameters.entries()) {
    const variable = findVariable(name, variables);
    // A link cannot replace a value from a table.
    if (variable?.from !== undefined) continue;
    if (variable?.type === 'list') listOf(variable.name).json ??= value;
    else if (variable !== undefined && !given.has(variable.name)) {
      given.set(
        variable.name,
        variable.type === 'image' ? nestedUrl(template, query, index) : value,
      );
    } else if (variable === undefined && name.includes('.')) {
      const part = listPart(name, variables);
      if (part === undefined || part.list.from !== undefined) continue;
      const { parts } = listOf(part.list.name);
      const row = parts.get(part.index) ?? new Map<string, string>();
      parts.set(part.index, row);
      const text = part.field.type === 'image' ? nestedUrl(template, query, index) : value;
      const [, fieldName = ''] = /([^.]+)$/.exec(part.field.name) ?? [];
      if (!row.has(fieldName)) row.set(fieldName, text);
    }
  }
  return { given, lists };
}

function listValue(
  list: ListVariable,
  given: GivenList | undefined,
  {
    document,
    onInvalid,
    notes,
  }: { document: ReadingRules; onInvalid: OnInvalid; notes?: ValueNotes },
): string {
  if (given === undefined) return defaultText(list);
  let isUnread = false;
  const value = readList(list, given, {
    readField: (field, text) => parseValue(field, text, document, onInvalid, notes),
    refuse: (problem) => {
      isUnread = true;
      onInvalid(badValue(list, problem));
    },
  });
  return value ?? (isUnread || list.whenEmpty === 'empty' ? '' : defaultText(list));
}

/** Limits all texts of a link together. The error names the longest; a repair cuts the longest to equal lengths. */
function limitTexts(
  template: PublishedTemplate,
  given: ReadonlyMap<string, string>,
  values: Map<string, string>,
  onInvalid: OnInvalid,
): void {
  const { valuesCodePointsMax } = templateLimits;
  const texts = [...template.variables.values()]
    .filter((variable) => variable.type === 'text' && given.has(variable.name))
    .map((variable) => {
      const text = composed(values.get(variable.name) ?? '');
      return { variable, text, length: countCodePoints(text) };
    })
    .toSorted((a, b) => b.length - a.length);
  const sum = texts.reduce((total, { length }) => total + length, 0);
  const [longest] = texts;
  if (sum <= valuesCodePointsMax || longest === undefined) return;
  const problem = `is the longest of texts that have ${sum} characters together, the limit is ${valuesCodePointsMax}; shorten them`;
  onInvalid(badValue(longest.variable, problem));
  let left = valuesCodePointsMax;
  // From the shortest text on: the unused rest of its equal part goes to the longer texts.
  for (const [index, { variable, text, length }] of texts.toReversed().entries()) {
    const codePoints = Math.min(length, Math.floor(left / (texts.length - index)));
    if (codePoints < length) values.set(variable.name, cutText(text, codePoints));
    left -= codePoints;
  }
}
