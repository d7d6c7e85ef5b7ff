/** Converts a row to the query of a link, and finds problems of its cells. */
import { formatCurrencies } from '#language/bind/format-currencies.ts';
import { findUnmergedTag } from '#language/bind/merge-tags.ts';
import { templateLimits } from '#language/limits/template-limits.ts';
import type { Variable } from '#language/schema/template.ts';
import { orderOf, writtenOrder } from '#language/values/date-value.ts';
import { defaultText } from '#language/values/list-value.ts';
import { hasTwoReadings } from '#language/values/read-number.ts';
import type { Query } from '../../../http/query.ts';
import { parameter } from '../../../render/json-values.ts';
import { listPart } from '../../../render/list-values.ts';
import { fieldName } from '../../../render/link/correct-value.ts';
import { isEmptyText, parseValue } from '../../../render/parse-value.ts';
import type { OnInvalid, ReadingRules } from '../../../render/parse-value.ts';
import { findTableTexts } from '../../../render/table-values.ts';
import { checkVariables, listsBeyondLimit } from '../../../render/values.ts';
import type { ResolvedValues } from '../../../render/values.ts';
import type { PublishedTemplate } from '../../../store/published-cache.ts';
import type { TableLookup } from '../../../render/table-values.ts';
import type { ColumnMapping, ListFacts, Problem } from '../campaign.ts';
import { decidedDate, decidedNumber, provenTogether } from './column-readings.ts';
import type { ColumnDecimal, ColumnOrder, Proven } from './column-readings.ts';

/** A mapped column. */
export interface MappedColumn {
  /** Index of the cell in a row. */
  index: number;
  /** The name of a variable, or of a field of a list such as `items.0.title`. */
  name: string;
  variable: Variable;
  /** How a column of numbers writes decimals. */
  decimal: ColumnDecimal;
  /** How a column of dates orders day and month, if the language of the template does not say the same. */
  order: ColumnOrder;
  /** The result of an empty cell: the variable's default, nothing, or what the template intends for empty values. */
  whenEmpty: 'default' | 'nothing' | 'intended';
}

type ListReadings = Pick<ListFacts, 'columns' | 'decimals' | 'dateOrders'>;

/** The mapped columns of a list, in the order of the list. Names without a variable are left out. */
export function mappedColumns(
  { columns, decimals = [], dateOrders = [] }: ListReadings,
  mapping: ColumnMapping,
  { variables, document }: Pick<PublishedTemplate, 'variables' | 'document'>,
): MappedColumn[] {
  const ofLang = orderOf(document.lang);
  const amounts = formatCurrencies(document);
  const names = columns.map((column) =>
    Object.hasOwn(mapping, column) ? mapping[column] : undefined,
  );
  const fields = names.map((name) => (name === undefined ? undefined : fieldName(name)));
  /** What a column proves, with those of the same field in other items of its list. */
  const provenBy = <Reading>(readings: readonly Proven<Reading>[], at: number): Proven<Reading> =>
    provenTogether(readings.filter((_, index) => fields[index] === fields[at]));
  return names.flatMap((name, index): MappedColumn[] => {
    if (name === undefined) return [];
    const part = variables.has(name) ? undefined : listPart(name, variables);
    const variable = variables.get(name) ?? part?.list;
    // A row gives no value for a variable that reads a data table.
    if (variable === undefined || variable.from !== undefined) return [];
    const { type } = part?.field ?? variable;
    // A text that a format writes as an amount is a number, too.
    const isNumber = type === 'number' || amounts.has(fieldName(name));
    const decimal = isNumber ? provenBy(decimals, index) : null;
    const proven = type === 'date' ? provenBy(dateOrders, index) : null;
    const order = proven === ofLang ? null : proven;
    // An item without values is left out of its list.
    const whenEmpty = part ? 'intended' : whenEmptyOf(variable);
    return [{ index, name, variable, decimal, order, whenEmpty }];
  });
}

/** The result of an empty value of a variable. */
export function whenEmptyOf(variable: Variable): MappedColumn['whenEmpty'] {
  if (variable.whenEmpty === 'empty') return 'intended';
  return defaultText(variable).trim() === '' ? 'nothing' : 'default';
}

/** A row as the query of its link: every mapped cell, empty ones too. */
export function rowQuery(columns: readonly MappedColumn[], cells: readonly string[]): Query {
  return {
    parameters: columns.map(({ index, name, decimal, order }) =>
      parameter(name, decidedDate(decidedNumber(cells[index] ?? '', decimal), order)),
    ),
    isTruncated: false,
  };
}

/** Returns the values of a row, with invalid ones replaced, the problems of its cells, and the names of corrected values. */
export function checkCells(
  template: PublishedTemplate,
  columns: readonly MappedColumn[],
  cells: readonly string[],
  tables: TableLookup,
): { values: ResolvedValues; problems: Problem[]; corrected: ReadonlySet<string> } {
  const problems: Problem[] = [];
  for (const column of columns) {
    const problem = cellProblem(column, cells[column.index] ?? '', template.document);
    if (problem !== undefined) problems.push(problem);
  }
  const query = rowQuery(columns, cells);
  const checked = checkVariables(template, query, tables);
  for (const { variable, problem, reason } of checked.problems) {
    const code = reason === 'text' ? 'VALUE_TOO_LONG' : 'BAD_VALUE';
    problems.push({ code, variable: variable.name, message: `"${variable.name}" ${problem}` });
  }
  problems.push(...listProblems(columns, checked.values));
  const { values, notes } = checked;
  if (template.readsTables) {
    const given = new Map(query.parameters.map(({ name, value }) => [name, value]));
    const found = findTableTexts(template, values, given, tables);
    problems.push(...tableProblems(template, found));
  }
  return { values, problems, corrected: notes.corrected ?? new Set() };
}

/** Finds lists without an item: the template draws its default items, which are mostly samples. */
function listProblems(columns: readonly MappedColumn[], values: ResolvedValues): Problem[] {
  const lists = new Set(
    columns.map(({ variable }) => variable).filter(({ type }) => type === 'list'),
  );
  return [...lists].flatMap((variable) => {
    const { name } = variable;
    const isStated =
      values.get(name) !== defaultText(variable) || whenEmptyOf(variable) === 'intended';
    return isStated ? [] : [emptyProblem(name, whenEmptyOf(variable) === 'default')];
  });
}

/** Finds problems of variables with data tables: keys without a row, empty cells, and invalid values. */
function tableProblems(
  template: PublishedTemplate,
  cells: ReturnType<typeof findTableTexts>,
): Problem[] {
  const texts = new Map(cells.map(([{ name }, text]) => [name, text]));
  const tooLong = listsBeyondLimit(cells);
  return [...template.variables.values()]
    .filter(({ from }) => from !== undefined)
    .flatMap((variable) =>
      tooLong.has(variable)
        ? [tooLongProblem(variable)]
        : tableCellProblems(variable, texts.get(variable.name) ?? '', template.document),
    );
}

function tooLongProblem({ name }: Variable): Problem {
  const message = `"${name}" is not read: lists of data tables may have ${templateLimits.tableListsUnitsMax} characters in one image; shorten them`;
  return { code: 'VALUE_TOO_LONG', variable: name, message };
}

/** Finds problems of one cell. No message contains the value of the cell. */
function tableCellProblems(variable: Variable, text: string, rules: ReadingRules): Problem[] {
  const { name } = variable;
  if (isEmptyText(text, rules.emptyWords)) {
    const whenEmpty = whenEmptyOf(variable);
    return whenEmpty === 'intended' ? [] : [emptyProblem(name, whenEmpty === 'default')];
  }
  if (findUnmergedTag(text, name) !== undefined) {
    const message = `"${name}" of its data table has a merge tag, which was not replaced: fill the table with values`;
    return [{ code: 'UNMERGED', variable: name, message }];
  }
  if (variable.type === 'list') return [];
  const problems: Problem[] = [];
  const onInvalid: OnInvalid = ({ problem }) => {
    const code = variable.type === 'text' ? 'VALUE_TOO_LONG' : 'BAD_VALUE';
    problems.push({ code, variable: name, message: `"${name}" of its data table ${problem}` });
  };
  parseValue(variable, text, rules, onInvalid);
  return problems;
}

function emptyProblem(name: string, hasDefault: boolean): Problem {
  const problem = { code: 'EMPTY', variable: name } as const;
  return hasDefault
    ? { ...problem, message: `"${name}" is empty: its default is used`, isDefault: true }
    : { ...problem, message: `"${name}" is empty, and has no default` };
}

function cellProblem(
  { name, variable, decimal, order, whenEmpty }: MappedColumn,
  cell: string,
  { emptyWords }: ReadingRules,
): Problem | undefined {
  if (isEmptyText(cell, emptyWords)) {
    // `listProblems` checks lists as a whole.
    if (whenEmpty === 'intended' || variable.type === 'list') return undefined;
    return emptyProblem(name, whenEmpty === 'default');
  }
  if (decimal === 'mixed' && hasTwoReadings(cell)) {
    const message = `"${name}" has thousands or decimals: some rows of its column have a comma before decimals, and others a point; write all of them in one way`;
    return { code: 'BAD_VALUE', variable: name, message };
  }
  if (order === 'mixed' && writtenOrder(cell) === 'either') {
    const message = `"${name}" begins with the day or the month: some rows of its column begin with the day, and others with the month; write all of them as 2026-11-27`;
    return { code: 'BAD_VALUE', variable: name, message };
  }
  const tag = findUnmergedTag(cell, name);
  if (tag === undefined) return undefined;
  const message = `"${name}" has the merge tag ${tag}, which was not replaced: export the list with its values`;
  return { code: 'UNMERGED', variable: name, message };
}
