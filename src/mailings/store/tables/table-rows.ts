/**
 * Stores the rows of data tables in PostgreSQL. No node holds all rows in memory, and lookups do not query PostgreSQL.
 */
import type { RowChanges } from './copied-rows.ts';
import type { Connection } from '../../../store/database/shared-port.ts';

/** Characters of the rows of one statement, which takes about 12 ms. */
export const partCharacters = 256 * 1024;
/** Limits of the rows of one read: some MiB for a table with long rows. */
const partRowsMax = 2000;
const partRowsMin = 50;

/** Maximum size of changed rows that are read together. Above it, a node copies the table. */
const changedBytesMax = 16 * 1024 * 1024;

/** Rows that one statement deletes. */
const deletedAtOnce = 10_000;

/** Time for which keys of deleted rows are kept; a key may be an email address. After it, a node copies the table. */
const deletionsAge = '10 minutes';

/** The row file of a table in one snapshot. */
export interface RowsHead {
  /** Number of the file in PostgreSQL. */
  file: number;
  revision: number;
  rows: number;
  bytes: number;
  /** Bytes of the cells that have changed since the requested revision. */
  changedBytes: number;
}

const asText = `encode(key, 'hex') || E'\\t' || cells`;

/** Adds an empty file, within the transaction of its upload. Returns the file's number in PostgreSQL. */
export async function addFile(connection: Connection, fileId: string): Promise<number> {
  const rows = await connection.query(
    'INSERT INTO platen_table_files (file_id) VALUES ($1) RETURNING number',
    [fileId],
  );
  return Number(rows[0]?.[0]);
}

/** With revision 0, adds rows to a new file. With another revision, adds or changes rows. */
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

/** Deletes a row, and records its key for other nodes. */
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

/** The head of a file, with the size of changes since `revision`; undefined if no record names the file. */
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

/** Reads the existing rows of `keys`, which are in hex. */
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
  /** Undefined if the changed rows are too large to be read together. */
  changes: RowChanges | undefined;
}

/** Reads the changes since `revision` from one snapshot; undefined if no record names the file. */
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

/** All rows of a file in parts, in the order of keys. The caller's transaction must have one snapshot. */
export async function* readAllRows(
  connection: Connection,
  { file, rows, bytes }: Pick<RowsHead, 'file' | 'rows' | 'bytes'>,
): AsyncGenerator<string> {
  await readInOrder(connection);
  const rowBytes = Math.max(1, bytes / Math.max(1, rows));
  const count = Math.min(partRowsMax, Math.max(partRowsMin, Math.ceil(partCharacters / rowBytes)));
  for (let after = ''; ;) {
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
 * Makes the connection read rows by the index of their keys. Without table statistics, for example after an upload, the
 * server would read and sort the whole file for each part.
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

/** Deletes rows of files that no record names, and keys of deleted rows that are older than `deletionsAge`. */
export async function removeUnnamedRows(connection: Connection): Promise<void> {
  await readInOrder(connection);
  const unnamed = await connection.query(
    `SELECT number FROM platen_table_files f
     WHERE NOT EXISTS (SELECT 1 FROM data_tables t WHERE t.file_id = f.file_id)`,
  );
  for (const [file = 0] of unnamed) {
    let after: string | undefined = '';
    while (after !== undefined) after = await deleteSome(connection, Number(file), after);
    await connection.query('DELETE FROM platen_table_deletions WHERE file = $1::bigint', [file]);
    // Keeps the file while rows are left, because another node is deleting them.
    await connection.query(
      `DELETE FROM platen_table_files f WHERE number = $1::bigint
         AND NOT EXISTS (SELECT 1 FROM platen_table_rows r WHERE r.file = f.number)`,
      [file],
    );
  }
  await connection.query(
    `DELETE FROM platen_table_deletions WHERE deleted_at < now() - interval '${deletionsAge}'`,
  );
}

/** Deletes some rows after the key `after`, in hex. Returns the last key in hex; undefined at the end. */
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
