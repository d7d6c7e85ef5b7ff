/** Creates the tables of the shared database. */
import { randomUUID } from 'node:crypto';
import type { Replica } from './replica.ts';
import { everythingChanged } from './row-changes.ts';
import { compareTables } from './compare-tables.ts';
import { moveHead, partLengthOf, readHead, saveRows } from './shared-rows.ts';
import type { SharedHead } from './shared-rows.ts';
import { columnNames, quote, tableStatements } from './shared-tables.ts';
import type { SharedTable } from './shared-tables.ts';
import { SharedDatabaseError } from '../database/shared-contract.ts';
import type { Connection, Row, TableDigest } from '../database/shared-contract.ts';

/** Advisory lock of the set-up, "Pltn" in ASCII. */
const setUpLock = 0x50_6c_74_6e;

/** Position of the change that creates the tables. */
export const firstPosition = 1;

const bookkeepingTables = [
  `CREATE TABLE platen_cluster (
     id integer PRIMARY KEY CHECK (id = 1), cluster text NOT NULL, position bigint NOT NULL, entry text NOT NULL,
     sequences text NOT NULL, schema integer NOT NULL)`,
  'CREATE TABLE platen_changes (position bigint PRIMARY KEY, entry text NOT NULL, changes text NOT NULL)',
];

/** Rows of data tables, and files of campaigns, in which the file of a list has the id of its campaign. */
const contentTables = [
  `CREATE TABLE IF NOT EXISTS platen_table_files (
     file_id text PRIMARY KEY, number bigint GENERATED ALWAYS AS IDENTITY)`,
  `CREATE TABLE IF NOT EXISTS platen_table_rows (
     file bigint NOT NULL, key bytea NOT NULL, cells text NOT NULL, revision bigint NOT NULL,
     PRIMARY KEY (file, key))`,
  `CREATE INDEX IF NOT EXISTS platen_table_changes ON platen_table_rows (file, revision)
     WHERE revision > 0`,
  `CREATE TABLE IF NOT EXISTS platen_table_deletions (
     file bigint NOT NULL, key bytea NOT NULL, revision bigint NOT NULL,
     deleted_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (file, key))`,
  'CREATE INDEX IF NOT EXISTS platen_tables_by_file ON data_tables (file_id)',
  // `bytes` is null until all parts are stored.
  `CREATE TABLE IF NOT EXISTS platen_campaign_files (
     id text PRIMARY KEY, campaign_id text NOT NULL, bytes bigint, changed_at timestamptz NOT NULL DEFAULT now())`,
  `CREATE TABLE IF NOT EXISTS platen_campaign_parts (
     file_id text NOT NULL REFERENCES platen_campaign_files ON DELETE CASCADE, number integer NOT NULL, digest text NOT NULL, bytes bytea NOT NULL,
     PRIMARY KEY (file_id, number))`,
  'CREATE INDEX IF NOT EXISTS platen_campaign_files_by_campaign ON platen_campaign_files (campaign_id)',
];

/** The head of the shared database; undefined if its tables do not exist yet. */
export async function findHead(connection: Connection): Promise<SharedHead | undefined> {
  // `to_regclass` would remember within the transaction that the table was missing before another node created it.
  const rows = await connection.query(
    `SELECT 1 FROM pg_class WHERE relname = 'platen_cluster' AND pg_table_is_visible(oid)`,
  );
  return rows.length === 0 ? undefined : readHead(connection);
}

/** Throws a `SharedDatabaseError` if a newer version has changed the tables. */
export function checkSchema(head: SharedHead, schema: number): void {
  if (head.schema <= schema) return;
  throw new SharedDatabaseError(
    `The shared database has schema ${head.schema}, but this version of Platen knows schemas up to ${schema}: start the newer version.`,
  );
}

/**
 * Creates the tables and fills them with the rows of the replica's database, in one transaction. The transaction reads
 * the rows again and compares them. `fillFiles` receives the digests and stores the files of the rows. Returns the
 * head, or the head of another node that was first. Throws a `SharedDatabaseError` if rows differ.
 */
export async function setUp(
  connection: Connection,
  replica: Replica,
  schema: number,
  fillFiles?: (digests: readonly TableDigest[]) => Promise<void>,
): Promise<SharedHead> {
  await connection.begin();
  await connection.query(`SELECT pg_advisory_xact_lock(${setUpLock})::text`);
  const found = await findHead(connection);
  if (found !== undefined) {
    await connection.query('ROLLBACK');
    return found;
  }
  const head = {
    cluster: randomUUID(),
    position: firstPosition,
    entry: randomUUID(),
    sequences: replica.sequences(),
    schema,
  };
  for (const statement of bookkeepingTables) {
    await connection.query(statement);
  }
  await createTables(connection, replica);
  await connection.query(`INSERT INTO platen_cluster VALUES (1, $1, 0, '', '[]', $2)`, [
    head.cluster,
    schema,
  ]);
  await fillTables(connection, replica);
  const digests = await compareTables(connection, replica);
  await fillFiles?.(digests);
  await moveHead(connection, head, everythingChanged);
  await connection.query('COMMIT');
  replica.begin(head);
  return head;
}

/**
 * Creates the tables of the replica or adds missing columns. Also creates the tables of campaign files and of data
 * table rows.
 */
export async function createTables(connection: Connection, { tables }: Replica): Promise<void> {
  for (const statement of [...tables.flatMap(tableStatements), ...contentTables]) {
    await connection.query(statement);
  }
}

/** Replaces the rows of all tables by those of the replica. */
export async function fillTables(connection: Connection, replica: Replica): Promise<void> {
  for (const table of replica.tables) {
    await connection.query(`DELETE FROM ${quote(table.name)}`);
    for (const rows of replica.read(table, partLengthOf(table))) {
      requireStorable(table, rows);
      await saveRows(connection, table, rows);
    }
  }
}

/** Throws a `SharedDatabaseError` that names a text with U+0000, which SQLite can store and PostgreSQL cannot. */
function requireStorable(table: SharedTable, rows: readonly Row[]): void {
  const names = columnNames(table);
  for (const row of rows) {
    const index = row.findIndex((value) => typeof value === 'string' && value.includes('\0'));
    if (index === -1) continue;
    const key = table.key.map((name) => `${name} ${String(row[names.indexOf(name)])}`).join(', ');
    throw new SharedDatabaseError(
      `The table ${table.name} has the character U+0000 in the column ${names[index]} of the row with ${key}, which PostgreSQL cannot store. Nothing was changed: change or delete it, and run it again.`,
    );
  }
}
