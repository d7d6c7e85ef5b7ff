/** Stores the rows of one data table in a separate SQLite file, which threads write and the main thread reads. */
import { closeSync, fsyncSync, openSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Database } from '../../../store/database/database.ts';
import { openAsItIs } from '../../../store/database/database.ts';
import { checkSpace } from '../../../store/database/storage-quota.ts';
import type { StorageSpace } from '../../../store/database/storage-quota.ts';
import { StoreError, storeErrors } from '../../../store/database/store-error.ts';

/** Figures of the rows of a table. */
export interface RowFigures {
  rows: number;
  /** Bytes of keys and cells, plus `rowBytes` for each row. */
  bytes: number;
}

/** Writes the rows of a new table, until `finish` or `discard`. */
export interface RowFileWriter {
  /** Adds a row. `number` names it in messages; `cellsJson` is the array of all its cells. */
  insert(number: number, key: string, cellsJson: string): void;
  /** Syncs all rows to the disk. Throws a `StoreError` `INVALID` if two rows have the same key. */
  finish(): RowFigures;
  /** Deletes the file. */
  discard(): Promise<void>;
}

/**
 * As `storeErrors`, but turns `CORRUPT` into `IO`: a damaged row file does not mean that the main database is damaged.
 */
export function rowErrors<Result>(doing: string, work: () => Result): Result {
  try {
    return storeErrors(doing, work);
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'CORRUPT') throw error;
    const message = `${doing} failed: the file of its rows is damaged. Upload the table again.`;
    throw new StoreError('IO', message, error);
  }
}

/** Whether the error is that of `rowErrors` for a damaged file. */
export function isDamage(error: unknown): boolean {
  const cause = error instanceof StoreError ? error.cause : undefined;
  return cause instanceof StoreError && cause.code === 'CORRUPT';
}

/** Owner only: rows are personal data. */
const fileMode = 0o600;

/** Estimated size of a row beside its key and its cells, bytes. */
export const rowBytes = 32;

/** Page cache of a connection that writes a whole table, KiB. */
const cacheKib = 16 * 1024;

const schema = `
  CREATE TABLE rows (number INTEGER PRIMARY KEY, key TEXT NOT NULL, cells TEXT NOT NULL) STRICT;
  CREATE TABLE figures (rows INTEGER NOT NULL, bytes INTEGER NOT NULL) STRICT;`;

/**
 * Creates the file of a new table. No reader opens it before `finish`, so it has no journal. Throws a `StoreError`, and
 * a `QuotaError` as soon as the rows have more bytes than `space`. Without `space`, rows are not limited.
 */
export function createRowFile(path: string, space?: StorageSpace): RowFileWriter {
  return rowErrors('Creating a data table', () => {
    closeSync(openSync(path, 'wx', fileMode));
    const db = openAsItIs(path);
    // An index created after all rows is three times as fast as one that grows in the order of the upload.
    db.pragma('journal_mode = OFF');
    db.pragma('synchronous = OFF');
    db.pragma(`cache_size = ${-cacheKib}`);
    db.exec(schema);
    const insert = db.prepare<[number, string, string]>(
      'INSERT INTO rows (number, key, cells) VALUES (?, ?, ?)',
    );
    const figures: RowFigures = { rows: 0, bytes: 0 };
    db.exec('BEGIN');
    return {
      insert(number, key, json) {
        rowErrors('Storing a data table', () => insert.run(number, key, json));
        figures.rows += 1;
        figures.bytes += sizeOfRow(key, json);
        if (space !== undefined) checkSpace(figures.bytes, space);
      },
      finish: () =>
        rowErrors('Storing a data table', () => {
          db.prepare('INSERT INTO figures (rows, bytes) VALUES (?, ?)').run(
            figures.rows,
            figures.bytes,
          );
          createIndex(db);
          db.exec('COMMIT');
          db.close();
          makeReadable(path);
          return figures;
        }),
      discard() {
        db.close();
        return deleteRowFile(path);
      },
    };
  });
}

/** Sets the file to WAL, so that it can be read while it is written, and syncs it. */
function makeReadable(path: string): void {
  const db = openAsItIs(path);
  db.pragma('journal_mode = WAL');
  db.close();
  for (const each of [path, dirname(path)]) {
    const file = openSync(each, 'r');
    try {
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  }
}

function createIndex(db: Database): void {
  try {
    db.exec('CREATE UNIQUE INDEX rows_by_key ON rows (key)');
  } catch (error) {
    const problem = duplicateProblem(db);
    if (problem === undefined) throw error;
    throw new StoreError('INVALID', problem);
  }
}

/** Describes the first repeated key by its rows, because the key itself may be an email address. */
function duplicateProblem(db: Database): string | undefined {
  const repeated = db
    .prepare<[], { number: number; key: string; times: number }>(
      'SELECT min(number) AS number, key, count(*) AS times FROM rows GROUP BY key HAVING times > 1 ORDER BY number',
    )
    .all();
  const [first] = repeated;
  if (first === undefined) return undefined;
  const second = db
    .prepare<[string, number], number>('SELECT min(number) FROM rows WHERE key = ? AND number > ?')
    .pluck()
    .get(first.key, first.number);
  const keys = repeated.length === 1 ? 'one key' : `${repeated.length} keys`;
  const forms = /[^ -~]/.test(first.key)
    ? ' Two Unicode forms of a letter, such as é, are equal.'
    : '';
  return `The table has ${keys} more than once, the first in rows ${first.number} and ${second}: give each row a key of its own.${forms}`;
}

/** Stored bytes of a row. */
export function sizeOfRow(key: string, json: string): number {
  return Buffer.byteLength(key) + Buffer.byteLength(json) + rowBytes;
}

const fileEnds = ['', '-wal', '-shm', '-journal'];

/** Deletes the file of a table, even if it is open, incomplete or missing. */
export async function deleteRowFile(path: string): Promise<void> {
  await Promise.all(fileEnds.map((end) => rm(`${path}${end}`, { force: true })));
}

/** As `deleteRowFile`, synchronously. */
export function deleteRowFileSync(path: string): void {
  for (const end of fileEnds) rmSync(`${path}${end}`, { force: true });
}

// Reading.

/** Reads the figures of a file, which each change of its rows updates. */
export function readRowFigures(path: string): RowFigures {
  return rowErrors('Reading a data table', () => {
    const db = openAsItIs(path);
    try {
      return db.prepare<[], RowFigures>('SELECT rows, bytes FROM figures').get() as RowFigures;
    } finally {
      db.close();
    }
  });
}

const readerWaitMs = 50;

/** Reads rows of one table. */
export interface RowReader {
  /** The cells of a row; undefined for an unknown key. */
  find(key: string): readonly string[] | undefined;
  close(): void;
}

/** Opens the rows of a table; undefined if there is no file. Throws a `StoreError`. */
export function openRowReader(path: string): RowReader | undefined {
  const doing = 'Reading a data table';
  const db = rowErrors(doing, () => {
    try {
      return openAsItIs(path);
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'SQLITE_CANTOPEN')
        return undefined;
      throw error;
    }
  });
  if (db === undefined) return undefined;
  try {
    // In WAL mode readers do not wait for writers. They wait some microseconds while the last connection of another
    // thread closes.
    db.pragma(`busy_timeout = ${readerWaitMs}`);
    db.pragma('query_only = ON');
    const find = rowErrors(doing, () =>
      db.prepare<[string], string>('SELECT cells FROM rows WHERE key = ?').pluck(),
    );
    return {
      find(key) {
        const json = rowErrors(doing, () => find.get(key));
        return json === undefined ? undefined : (JSON.parse(json) as string[]);
      },
      close: () => db.close(),
    };
  } catch (error) {
    db.close();
    throw error;
  }
}
