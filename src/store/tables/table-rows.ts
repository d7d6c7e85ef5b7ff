/** The rows of data tables in PostgreSQL: no node holds all of them in memory, and none reads them for a look-up. */
import type { RowChanges } from './copied-rows.ts';
import type { Connection } from '../shared/connection.ts';

/** Statements that create their tables where they are missing. */
export const rowTables: readonly string[] = [
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
];

/** Characters of one statement, which takes some 12 ms. */
export const partCharacters = 256 * 1024;
/** Rows of one part that is read: some MiB of a table with long rows. */
const partRowsMax = 2000;
const partRowsMin = 50;

/** Changed rows of more bytes are not read together: the table is copied. */
const changedBytesMax = 16 * 1024 * 1024;

/** Rows that are deleted at once. */
const deletedAtOnce = 10_000;

/** How long keys of deleted rows are kept, because a key may be an address. A node that was away for longer copies the table. */
const deletionsAge = '10 minutes';

/** The rows of a table in one snapshot. */
export interface RowsHead {
  /** What PostgreSQL calls the file. */
  file: number;
  revision: number;
  rows: number;
  bytes: number;
  /** Bytes of the rows that have changed since the asked revision. */
  changedBytes: number;
}

const asText = `encode(key, 'hex') || E'\\t' || cells`;

/** Begins a new file, within the transaction of its upload. Returns what PostgreSQL calls it. */
export async function addFile(connection: Connection, fileId: string): Promise<number> {
  const rows = await connection.query(
    'INSERT INTO platen_table_files (file_id) VALUES ($1) RETURNING number',
    [fileId],
  );
  return Number(rows[0]?.[0]);
}

/** Adds rows to a new file, which has revision 0; changes and adds rows of any other. */
export async function saveRows(
  connection: Connection,
  file: number,
  text: string,
  revision: number,
): Promise<void> {
  const update =
    'ON CONFLICT (file, key) DO UPDATE SET cells = excluded.cells, revision = excluded.revision';
  await connection.query(
    `INSERT INTO platen_table_rows (file, key, cells, revision)
     SELECT $1::bigint, decode(split_part(line, E'\\t', 1), 'hex'), split_part(line, E'\\t', 2), $3::bigint
     FROM string_to_table($2::text, E'\\n') AS line ${revision === 0 ? '' : update}`,
    [file, text, revision],
  );
}

/** Deletes a row, and notes its key for the nodes. */
export async function deleteRowOf(
  connection: Connection,
  file: number,
  key: string,
  revision: number,
): Promise<void> {
  await connection.query(
    `WITH gone AS (DELETE FROM platen_table_rows WHERE file = $1::bigint AND key = decode($2, 'hex'))
     INSERT INTO platen_table_deletions (file, key, revision) VALUES ($1::bigint, decode($2, 'hex'), $3::bigint)
     ON CONFLICT (file, key) DO UPDATE SET revision = excluded.revision, deleted_at = excluded.deleted_at`,
    [file, key, revision],
  );
}

/** The rows of a file that a record names, and what has changed since `revision`; undefined for any other. */
export async function findRows(
  connection: Connection,
  fileId: string,
  revision: number,
): Promise<RowsHead | undefined> {
  const rows = await connection.query(
    `SELECT f.number, t.revision, t.row_count, t.size_bytes,
       (SELECT coalesce(sum(octet_length(cells)), 0)::bigint FROM platen_table_rows r
        WHERE r.file = f.number AND r.revision > $2::bigint AND r.revision > 0)
     FROM data_tables t JOIN platen_table_files f ON f.file_id = t.file_id WHERE t.file_id = $1`,
    [fileId, revision],
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  const [file = 0, newest = 0, count = 0, bytes = 0, changedBytes = 0] = row.map(Number);
  return { file, revision: newest, rows: count, bytes, changedBytes };
}

/** Those of the rows of `keys`, in hex, that are there. */
export async function readRowsOf(
  connection: Connection,
  file: number,
  keys: readonly string[],
): Promise<string> {
  return readText(
    connection,
    `SELECT string_agg(${asText}, E'\\n') FROM platen_table_rows
     WHERE file = $1::bigint
       AND key = ANY (ARRAY(SELECT decode(k, 'hex') FROM string_to_table($2::text, ',') AS k))`,
    [file, keys.join(',')],
  );
}

export interface ReadChanges {
  head: RowsHead;
  /** Undefined where they are too many. */
  changes: RowChanges | undefined;
}

/** What has changed since `revision`, from one snapshot; undefined for a file that no record names. */
export async function readChangesSince(
  connection: Connection,
  fileId: string,
  revision: number,
): Promise<ReadChanges | undefined> {
  await connection.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const head = await findRows(connection, fileId, revision);
  const isSmall = head !== undefined && head.changedBytes <= changedBytesMax;
  const changes = isSmall ? await readRowChanges(connection, head.file, revision) : undefined;
  await connection.query('COMMIT');
  return head && { head, changes };
}

async function readRowChanges(
  connection: Connection,
  file: number,
  revision: number,
): Promise<RowChanges> {
  const since = 'file = $1::bigint AND revision > $2::bigint';
  const text = await readText(
    connection,
    `SELECT string_agg(${asText}, E'\\n') FROM platen_table_rows WHERE ${since} AND revision > 0`,
    [file, revision],
  );
  const keys = await readText(
    connection,
    `SELECT string_agg(encode(key, 'hex'), ',') FROM platen_table_deletions WHERE ${since}`,
    [file, revision],
  );
  return { text, deletedKeys: keys === '' ? [] : keys.split(',') };
}

/** All rows of a file in parts, in the order of their keys, within one snapshot of the caller's. */
export async function* readAllRows(
  connection: Connection,
  { file, rows, bytes }: Pick<RowsHead, 'file' | 'rows' | 'bytes'>,
): AsyncGenerator<string> {
  await readInOrder(connection);
  const rowBytes = Math.max(1, bytes / Math.max(1, rows));
  const count = Math.min(partRowsMax, Math.max(partRowsMin, Math.ceil(partCharacters / rowBytes)));
  for (let after = ''; ;) {
    // oxlint-disable-next-line no-await-in-loop -- part after part
    const text = await readText(
      connection,
      `SELECT string_agg(line, E'\\n' ORDER BY key) FROM (
         SELECT key, ${asText} AS line FROM platen_table_rows
         WHERE file = $1::bigint AND key > decode($2, 'hex') ORDER BY key LIMIT $3::bigint) AS part`,
      [file, after, count],
    );
    if (text === '') return;
    yield text;
    const last = text.slice(text.lastIndexOf('\n') + 1);
    after = last.slice(0, last.indexOf('\t'));
  }
}

/**
 * Makes the connection read rows by the index of their keys. Without statistics, as after an upload, the server would
 * read and sort the whole file for each part.
 */
async function readInOrder(connection: Connection): Promise<void> {
  await connection.query(
    `SELECT set_config('enable_seqscan', 'off', false), set_config('enable_bitmapscan', 'off', false)`,
  );
}

async function readText(
  connection: Connection,
  sql: string,
  values: readonly (string | number)[],
): Promise<string> {
  const rows = await connection.query(sql, values);
  return String(rows[0]?.[0] ?? '');
}

/** Deletes the rows of files that no record names, and keys of deleted rows that every node had the time to read. */
export async function removeUnnamedRows(connection: Connection): Promise<void> {
  await readInOrder(connection);
  const unnamed = await connection.query(
    `SELECT number FROM platen_table_files f
     WHERE NOT EXISTS (SELECT 1 FROM data_tables t WHERE t.file_id = f.file_id)`,
  );
  // oxlint-disable no-await-in-loop -- one connection answers one query after the other
  for (const [file = 0] of unnamed) {
    let after: string | undefined = '';
    while (after !== undefined) after = await deleteSome(connection, Number(file), after);
    await connection.query('DELETE FROM platen_table_deletions WHERE file = $1::bigint', [file]);
    // Rows may be left that another node is deleting.
    await connection.query(
      `DELETE FROM platen_table_files f WHERE number = $1::bigint
         AND NOT EXISTS (SELECT 1 FROM platen_table_rows r WHERE r.file = f.number)`,
      [file],
    );
  }
  // oxlint-enable no-await-in-loop
  await connection.query(
    `DELETE FROM platen_table_deletions WHERE deleted_at < now() - interval '${deletionsAge}'`,
  );
}

/** Deletes rows behind a key, in hex; returns the last key, undefined at the end. */
async function deleteSome(
  connection: Connection,
  file: number,
  after: string,
): Promise<string | undefined> {
  const rows = await connection.query(
    `WITH part AS (
       SELECT ctid AS address, key FROM platen_table_rows
       WHERE file = $1::bigint AND key > decode($2, 'hex')
       ORDER BY key LIMIT ${deletedAtOnce} FOR UPDATE SKIP LOCKED),
     gone AS (
       DELETE FROM platen_table_rows WHERE ctid = ANY (ARRAY(SELECT address FROM part)))
     SELECT encode(key, 'hex') FROM part ORDER BY key DESC LIMIT 1`,
    [file, after],
  );
  const key = rows[0]?.[0];
  return key === undefined ? undefined : String(key);
}
