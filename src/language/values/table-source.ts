/** Parses the `from` of a variable: the cell of a data table that its value comes from. */

import { templateLimits } from '../limits/template-limits.ts';

/** JSON pattern of the name of a data table. */
export const tableNamePattern = '^[a-z0-9][a-z0-9_-]{0,63}$';

/** Maximum characters of the name of a column. */
export const columnNameCharactersMax = 128;

/** JSON pattern of `from`: table, key and column with a dot between each. A column may contain dots. */
export const tableSourcePattern = String.raw`^[a-z0-9][a-z0-9_-]{0,63}\.\{\{[^{}]{1,128}\}\}\..{1,${columnNameCharactersMax}}$`;

/** The parts of `members.{{id}}.points`. */
export interface TableSource {
  table: string;
  /** Name of the variable whose value is the key of the row. */
  keyVariable: string;
  column: string;
}

const sourcePattern = /^([^.]+)\.\{\{([^{}]+)\}\}\.(.+)$/s;

/** The parts of a `from` that fits its schema. */
export function parseTableSource(from: string): TableSource {
  const [, table = '', keyVariable = '', column = ''] = sourcePattern.exec(from) ?? [];
  return { table, keyVariable: keyVariable.trim(), column: column.trim() };
}

/** Whether a document may read another table beside those that it reads already. */
export function mayReadTable(read: Set<string>, table: string): boolean {
  if (read.size < templateLimits.tablesMax) read.add(table);
  return read.has(table);
}
