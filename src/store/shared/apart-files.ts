/** Files of assets and fonts: PostgreSQL has them in rows; the database of a node has a mark in their place. */
import type { Value } from './connection.ts';
import type { Row, TableChanges } from './row-changes.ts';
import { columnNames, quote } from './shared-tables.ts';
import type { SharedTable } from './shared-tables.ts';

/** Columns with whole files, by table. Their digests are columns too, so that they never change. */
const fileColumns: Readonly<Record<string, readonly string[]>> = {
  assets: ['bytes', 'drawing'],
  fonts: ['bytes'],
};

/** In place of a file that is apart. No image and no font has one byte. */
const mark = Buffer.of(0);

/** Whether a node's row lacks the file. */
export function isApart(bytes: Uint8Array): boolean {
  return bytes.byteLength === mark.byteLength && bytes[0] === mark[0];
}

export function isFileColumn(table: SharedTable, column: string): boolean {
  return fileColumns[table.name]?.includes(column) === true;
}

/** The columns of a table in a query of PostgreSQL, with marks in place of files. */
export function selectApart(table: SharedTable): string {
  const columns = columnNames(table).map((column) => {
    const name = quote(column);
    if (!isFileColumn(table, column)) return name;
    return `CASE WHEN ${name} IS NOT NULL THEN '\\x${mark.toString('hex')}'::bytea END AS ${name}`;
  });
  return columns.join(', ');
}

/** The row with marks in place of files. */
export function toApart(table: SharedTable, row: Row): Row {
  if (fileColumns[table.name] === undefined) return row;
  return row.map((value, index) => {
    const column = table.columns[index]?.name ?? '';
    return isFileColumn(table, column) && value !== null ? mark : value;
  });
}

/** Splits changed rows: those with marks have no file to store. */
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
