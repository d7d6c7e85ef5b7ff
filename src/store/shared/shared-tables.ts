/** Lists the tables that all nodes share, from the schema of SQLite, and translates them to PostgreSQL. */
import type { Database } from '../database/database.ts';
import { replicaTable } from './replica-state.ts';

export interface SharedColumn {
  name: string;
  type: 'bigint' | 'text' | 'bytea' | 'double precision';
  isRequired: boolean;
  /** A constant of SQL. */
  defaultSql: string | undefined;
}

export interface SharedTable {
  name: string;
  columns: readonly SharedColumn[];
  /** Columns of the primary key, in its order. */
  key: readonly string[];
}

/**
 * Tables of one node: losses of its render hosts, its document index, the files that it reads for data tables, and
 * its replica state.
 */
const localTables: ReadonlySet<string> = new Set([
  'document_references',
  'lost_renders',
  'node_tables',
  'unindexed_documents',
  replicaTable,
]);

/** Tables with sums that triggers of other tables update. Their rows are written last, with the final sums. */
const tablesOfSums = ['first_open_counts', 'organizations'];

const postgresTypes: Readonly<Record<string, SharedColumn['type']>> = {
  INTEGER: 'bigint',
  TEXT: 'text',
  BLOB: 'bytea',
  REAL: 'double precision',
};

interface ColumnRow {
  name: string;
  type: string;
  notnull: number;
  dflt_value: string | null;
  pk: number;
}

/** All shared tables of a migrated database, in the order in which their rows are written. */
export function listSharedTables(db: Database): SharedTable[] {
  const names = db
    .prepare<[], string>(
      `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`,
    )
    .pluck()
    .all()
    .filter((name) => !localTables.has(name));
  return names
    .toSorted((a, b) => tablesOfSums.indexOf(a) - tablesOfSums.indexOf(b))
    .map((name) => readTable(db, name));
}

function readTable(db: Database, name: string): SharedTable {
  const rows = db.prepare<[string], ColumnRow>('SELECT * FROM pragma_table_info(?)').all(name);
  const columns = rows.map(({ name: column, type, notnull, dflt_value: defaultSql }) => {
    const postgresType = postgresTypes[type];
    if (postgresType === undefined) throw new Error(`Column ${name}.${column} has type ${type}.`);
    return {
      name: column,
      type: postgresType,
      isRequired: notnull === 1,
      defaultSql: defaultSql ?? undefined,
    };
  });
  const keyRows = rows.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk);
  return { name, columns, key: keyRows.map(({ name: column }) => column) };
}

/** Statements that create the table or add columns. They omit most constraints, which SQLite has checked. */
export function tableStatements({ name, columns, key }: SharedTable): string[] {
  const declare = (column: SharedColumn): string =>
    [
      quote(column.name),
      column.type,
      column.isRequired ? 'NOT NULL' : '',
      column.defaultSql === undefined ? '' : `DEFAULT ${column.defaultSql}`,
    ].join(' ');
  const definitions = [...columns.map(declare), `PRIMARY KEY (${quoteAll(key)})`];
  return [
    `CREATE TABLE IF NOT EXISTS ${quote(name)} (${definitions.join(', ')})`,
    ...columns.map(
      (column) => `ALTER TABLE ${quote(name)} ADD COLUMN IF NOT EXISTS ${declare(column)}`,
    ),
  ];
}

export function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export function quoteAll(names: readonly string[]): string {
  return names.map(quote).join(', ');
}

export function columnNames(table: SharedTable): string[] {
  return table.columns.map(({ name }) => name);
}

/** Whether a row may have several MiB, so that only few rows may be in memory at once. */
export function hasLargeRows({ columns }: SharedTable): boolean {
  return columns.some(({ name }) => name === 'bytes' || name.endsWith('_json'));
}
