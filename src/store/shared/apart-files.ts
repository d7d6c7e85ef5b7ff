/**
 * Keeps files of assets and fonts out of a node's database. PostgreSQL stores the bytes; the node's row holds a
 * one-byte mark instead.
 */
import type { TableChanges } from './row-changes.ts';
import { columnNames, quote } from './shared-tables.ts';
import type { SharedTable } from './shared-tables.ts';
import { apartMark, isApart } from '../database/shared-contract.ts';
import type { Row, Value } from '../database/shared-contract.ts';

/** Columns that hold whole files, by table. The file of a row never changes, because its digest is a column too. */
const fileColumns: Readonly<Record<string, readonly string[]>> = {
  assets: ['bytes', 'drawing'],
  fonts: ['bytes'],
};

export function isFileColumn(table: SharedTable, column: string): boolean {
  return fileColumns[table.name]?.includes(column) === true;
}

/** The select list of a table for PostgreSQL, with the mark instead of each file that is not null. */
export function selectApart(table: SharedTable): string {
  const columns = columnNames(table).map((column) => {
    const name = quote(column);
    if (!isFileColumn(table, column)) return name;
    return `CASE WHEN ${name} IS NOT NULL THEN '\\x${apartMark.toString('hex')}'::bytea END AS ${name}`;
  });
  return columns.join(', ');
}

/** The row with the mark instead of each file. */
export function toApart(table: SharedTable, row: Row): Row {
  if (fileColumns[table.name] === undefined) return row;
  return row.map((value, index) => {
    const column = table.columns[index]?.name ?? '';
    return isFileColumn(table, column) && value !== null ? apartMark : value;
  });
}

/** Splits changed rows into `whole` ones and `apart` ones, which hold a mark and therefore no file to store. */
export function splitApart({ table, rows }: TableChanges): { whole: Row[]; apart: Row[] } {
  const isMarked = (value: Value, index: number): boolean =>
    isFileColumn(table, table.columns[index]?.name ?? '') &&
    Buffer.isBuffer(value) &&
    isApart(value);
  const { true: apart = [], false: whole = [] } = Object.groupBy(rows, (row) =>
    row.some(isMarked) ? 'true' : 'false',
  );
  return { whole, apart };
}
