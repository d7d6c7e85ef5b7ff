/** Reads and writes rows, the head and the log of changes in PostgreSQL. */
import { StoreError } from '../database/store-error.ts';
import { isFileColumn, selectApart, splitApart } from './apart-files.ts';
import { lacksRight } from './connection.ts';
import { inParts } from './row-changes.ts';
import type { TableChanges } from './row-changes.ts';
import type { Replica, ReplicaTarget } from './replica.ts';
import { columnNames, hasLargeRows, quote, quoteAll } from './shared-tables.ts';
import type { SharedColumn, SharedTable } from './shared-tables.ts';
import type {
  ChangedKeys,
  Connection,
  DatabaseAddress,
  Row,
  Value,
} from '../database/shared-contract.ts';

/** The last change of the shared database, and the schema of its tables. */
export interface SharedHead extends ReplicaTarget {
  schema: number;
}

/** The channel of the notifications that writers send at each change. */
export const channel = 'platen_changes';

/**
 * Used share of the server's notification queue above which a change sends no notification. Every commit would fail
 * with a full queue. A listening session of any database of the server that leaves a transaction open fills the queue.
 * Nodes also look for changes without notifications.
 */
const queueUsageMax = 0.5;

/** Entries that the log keeps. A node that is further behind copies all tables. */
const logEntriesMax = 100_000;
/** How often the log is trimmed, in changes. */
const trimEvery = 100;

/** Rows of one statement or one part. Rows with documents or files have up to 32 MiB each. */
const rowsAtOnce = 200;
const largeRowsAtOnce = 4;

export function partLengthOf(table: SharedTable): number {
  return hasLargeRows(table) ? largeRowsAtOnce : rowsAtOnce;
}

/** The last column is false while a backup is restored: dumps create primary keys after all rows of a table. */
const headColumns = `cluster, position, entry, sequences, schema,
  EXISTS (SELECT 1 FROM pg_index WHERE indrelid = 'platen_cluster'::regclass AND indisprimary)::text`;

/** The head of a database that is set up. Throws a `StoreError` `AWAY` while a backup is restored. */
export async function readHead(connection: Connection, limitMs?: number): Promise<SharedHead> {
  const sql = `SELECT ${headColumns} FROM platen_cluster`;
  return toHead(await connection.query(sql, undefined, limitMs));
}

/**
 * Begins a change: locks the head until the end of the transaction, so that only one node writes at a time. Returns the
 * head before the change. Throws as `readHead` does.
 */
export async function lockHead(connection: Connection): Promise<SharedHead> {
  return toHead(await connection.query(`SELECT ${headColumns} FROM platen_cluster FOR UPDATE`));
}

function toHead(rows: Value[][]): SharedHead {
  const [cluster, position, entry, sequences, schema, isWhole] = rows[0] ?? [];
  if (isWhole !== 'true') throw isRestored('platen_cluster');
  return {
    cluster: String(cluster),
    position: Number(position),
    entry: String(entry),
    sequences: String(sequences),
    schema: Number(schema),
  };
}

/**
 * Throws a `StoreError` `AWAY` while a backup is restored and rows are missing. A parallel restore may create the
 * primary key of the head before it loads larger tables, so this checks the primary keys of all tables.
 */
export async function requireWhole(
  connection: Connection,
  tables: readonly SharedTable[],
): Promise<void> {
  const names = tables.map(({ name }) => name);
  const [row] = await connection.query(
    `SELECT relname::text FROM pg_class c WHERE relkind = 'r' AND pg_table_is_visible(oid)
       AND (relname LIKE 'platen\\_%' OR relname = ANY (string_to_array($1, ',')))
       AND NOT EXISTS (SELECT 1 FROM pg_index WHERE indrelid = c.oid AND indisprimary) LIMIT 1`,
    [names.join(',')],
  );
  if (row !== undefined) throw isRestored(String(row[0]));
}

/**
 * Throws a `SharedDatabaseError` if the user may not change a table. Without this check, a node that may only read
 * starts, and each of its changes fails.
 */
export async function requireRights(
  connection: Connection,
  tables: readonly SharedTable[],
  address: DatabaseAddress,
): Promise<void> {
  const names = tables.map(({ name }) => name);
  const [row] = await connection.query(
    `SELECT kind, relname::text FROM pg_class c, unnest(ARRAY['INSERT', 'UPDATE', 'DELETE']) kind
     WHERE relkind = 'r' AND pg_table_is_visible(c.oid)
       AND (relname LIKE 'platen\\_%' OR relname = ANY (string_to_array($1, ',')))
       AND NOT has_table_privilege(c.oid, kind) ORDER BY relname, kind LIMIT 1`,
    [names.join(',')],
  );
  if (row !== undefined) throw lacksRight(address, `no ${String(row[0])} on ${String(row[1])}`);
}

function isRestored(table: string): StoreError {
  return new StoreError(
    'AWAY',
    `The shared database is being restored from a backup, and nothing was changed (the table ${table} has no primary key yet).`,
  );
}

/** Stores the new head and its log entry, and notifies the other nodes at the commit. */
export async function moveHead(
  connection: Connection,
  { position, entry, sequences }: ReplicaTarget,
  logText: string,
): Promise<void> {
  await connection.query(
    `WITH log AS (INSERT INTO platen_changes VALUES ($1, $2, $4)),
       head AS (UPDATE platen_cluster SET position = $1, entry = $2, sequences = $3)
     SELECT CASE WHEN pg_notification_queue_usage() < ${queueUsageMax} THEN pg_notify('${channel}', '')::text END`,
    [position, entry, sequences, logText],
  );
  if (position % trimEvery === 0) {
    await connection.query('DELETE FROM platen_changes WHERE position <= $1', [
      position - logEntriesMax,
    ]);
  }
}

/** Entries of the log from `position` on, in order; the first is that of `position` if the log still has it. */
export async function readLog(
  connection: Connection,
  position: number,
): Promise<{ entry: string; text: string }[]> {
  const rows = await connection.query(
    'SELECT entry, changes FROM platen_changes WHERE position >= $1 ORDER BY position',
    [position],
  );
  return rows.map(([entry, text]) => ({ entry: String(entry), text: String(text) }));
}

/** Deletes, inserts or updates changed rows. */
export async function saveChanges(
  connection: Connection,
  changes: readonly TableChanges[],
): Promise<void> {
  for (const change of changes) {
    const { table, deleted } = change;
    const { whole, apart } = splitApart(change);
    for (const keys of inParts(deleted, rowsAtOnce)) {
      await connection.query(
        `DELETE FROM ${quote(table.name)} WHERE ${matchKeys(table, keys.length)}`,
        keys.flat(),
      );
    }
    for (const part of inParts(whole, partLengthOf(table))) {
      await saveRows(connection, table, part);
    }
    for (const part of inParts(apart, rowsAtOnce)) {
      await updateRows(connection, table, part);
    }
  }
}

/** Inserts rows, or replaces all their columns except files. */
export async function saveRows(
  connection: Connection,
  table: SharedTable,
  rows: readonly Row[],
): Promise<void> {
  const columns = columnNames(table);
  // The digest of a row identifies its file, so the stored file is the same.
  const others = columns.filter((name) => !table.key.includes(name) && !isFileColumn(table, name));
  const update = others.map((name) => `${quote(name)} = excluded.${quote(name)}`);
  await connection.query(
    `INSERT INTO ${quote(table.name)} (${quoteAll(columns)})
     VALUES ${placeholders(table.columns, rows.length)}
     ON CONFLICT (${quoteAll(table.key)}) DO ${update.length === 0 ? 'NOTHING' : `UPDATE SET ${update.join(', ')}`}`,
    rows.flat(),
  );
}

/** Updates existing rows without their files. */
async function updateRows(
  connection: Connection,
  table: SharedTable,
  rows: readonly Row[],
): Promise<void> {
  const columns = columnNames(table);
  const changed = columns.filter((name) => !table.key.includes(name) && !isFileColumn(table, name));
  const match = table.key.map((name) => `t.${quote(name)} = n.${quote(name)}`);
  await connection.query(
    `UPDATE ${quote(table.name)} t SET ${changed.map((name) => `${quote(name)} = n.${quote(name)}`).join(', ')}
     FROM (VALUES ${placeholders(table.columns, rows.length)}) AS n (${quoteAll(columns)}) WHERE ${match.join(' AND ')}`,
    rows.flat(),
  );
}

/** Reads the current state of changed rows, within one snapshot. */
export async function readChanges(
  connection: Connection,
  { tables, hasFiles }: Pick<Replica, 'tables' | 'hasFiles'>,
  keys: ChangedKeys,
): Promise<TableChanges[]> {
  const changes: TableChanges[] = [];
  for (const table of tables) {
    const changed = keys.get(table.name) ?? [];
    const rows: Row[] = [];
    for (const part of inParts(changed, partLengthOf(table))) {
      const found = await connection.query(
        `SELECT ${hasFiles ? quoteAll(columnNames(table)) : selectApart(table)} FROM ${quote(table.name)} WHERE ${matchKeys(table, part.length)}`,
        part.flat(),
      );
      rows.push(...found);
    }
    if (changed.length > 0)
      changes.push({ table, deleted: absentKeys(table, changed, rows), rows });
  }
  return changes;
}

/** The changed keys that have no row any more. */
function absentKeys(table: SharedTable, changed: readonly Row[], rows: readonly Row[]): Row[] {
  if (rows.length === changed.length) return [];
  const indexes = table.key.map((name) => table.columns.findIndex((each) => each.name === name));
  const present = new Set(rows.map((row) => JSON.stringify(indexes.map((index) => row[index]))));
  return changed.filter((key) => !present.has(JSON.stringify(key)));
}

/**
 * All rows of a table in parts, within the caller's transaction. Without `hasFiles`, rows hold marks instead of files.
 */
export async function* readTable(
  connection: Connection,
  table: SharedTable,
  hasFiles = true,
): AsyncGenerator<readonly Row[]> {
  await connection.query(
    `DECLARE platen_rows NO SCROLL CURSOR FOR SELECT ${hasFiles ? quoteAll(columnNames(table)) : selectApart(table)} FROM ${quote(table.name)}`,
  );
  for (;;) {
    const rows = await connection.query(`FETCH ${partLengthOf(table)} FROM platen_rows`);
    if (rows.length === 0) break;
    yield rows;
  }
  await connection.query('CLOSE platen_rows');
}

function matchKeys(table: SharedTable, count: number): string {
  const columns = table.key.map((name) => table.columns.find((each) => each.name === name));
  const known = columns.filter((column) => column !== undefined);
  return `(${quoteAll(table.key)}) IN (${placeholders(known, count)})`;
}

/** `($1::text, $2::bigint), …` for `count` rows. */
function placeholders(columns: readonly SharedColumn[], count: number): string {
  let number = 0;
  const row = (): string => {
    const values = columns.map(({ type }) => {
      number += 1;
      return `$${number}::${type}`;
    });
    return `(${values.join(', ')})`;
  };
  return Array.from({ length: count }, row).join(', ');
}
