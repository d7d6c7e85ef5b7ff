/** Moves the rows of data tables between the row files of a service and PostgreSQL, and compares them. */
import { appendFileSync, existsSync, rmSync } from 'node:fs';
import type { Database } from '../../../store/database/database.ts';
import { writeTransaction } from '../../../store/database/database.ts';
import { StoreError } from '../../../store/database/store-error.ts';
import { fillRows, readRowPart } from './copied-rows.ts';
import { readRowFigures } from './row-file.ts';
import { RowFiles } from './row-files.ts';
import { readRowText } from './row-text.ts';
import { addFile, saveRows, findRows, partCharacters, readAllRows } from './table-rows.ts';
import { RowDigest, SharedDatabaseError } from '../../../store/database/shared-port.ts';
import type { Connection, MovedPart, TableDigest } from '../../../store/database/shared-port.ts';

interface TableRow {
  organization_uid: string;
  name: string;
  file_id: string;
}

/** The rows of all data tables of `db`, whose files are in `directory`. */
export class MovedRows implements MovedPart {
  readonly #db: Database;
  readonly #files: RowFiles;

  constructor(db: Database, directory: string) {
    this.#db = db;
    this.#files = new RowFiles(directory);
  }

  /**
   * Corrects the figures of each table record from its file. A service killed during a change may have stored only the
   * rows.
   */
  prepare(): void {
    const correct = this.#db.prepare<[number, number, string]>(
      'UPDATE data_tables SET row_count = ?, size_bytes = ? WHERE file_id = ?',
    );
    writeTransaction(this.#db, 'Correcting the figures of data tables', () => {
      for (const table of this.#tables()) {
        const { rows, bytes } = readRowFigures(this.#pathOf(table));
        correct.run(rows, bytes, table.file_id);
      }
    });
  }

  /** Adds the rows of all tables to PostgreSQL, within the caller's transaction. */
  async save(connection: Connection): Promise<void> {
    for (const table of this.#tables()) {
      const path = this.#pathOf(table);
      const file = await addFile(connection, table.file_id);
      for (const text of readParts(path)) await saveRows(connection, file, text, 0);
    }
  }

  /**
   * Writes the rows of PostgreSQL into a file for each table, within one snapshot. Keeps a file that already has them.
   */
  async load(connection: Connection): Promise<void> {
    for (const table of this.#tables()) {
      await this.#toFile(connection, table);
    }
  }

  async #toFile(connection: Connection, table: TableRow): Promise<void> {
    const { path } = this.#files.named(table.file_id);
    if (existsSync(path)) {
      const there = await digestOf(connection, table.file_id);
      if (digestOfFile(path, table.file_id).digest === there.digest) return;
      for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
    }
    const head = await findRows(connection, table.file_id, 0);
    if (head === undefined) throw lostRows(table);
    const { path: draftPath, uploadPath: textPath } = this.#files.create();
    try {
      appendFileSync(textPath, '', { mode: 0o600 });
      for await (const text of readAllRows(connection, head)) appendFileSync(textPath, `${text}\n`);
      fillRows(path, draftPath, textPath, { revision: head.revision, copy: '' });
    } finally {
      rmSync(textPath, { force: true });
    }
  }

  /** Throws a `SharedDatabaseError` that names the first table whose rows differ. */
  async compare(connection: Connection): Promise<TableDigest> {
    const all = new RowDigest();
    for (const table of this.#tables()) {
      const here = digestOfFile(this.#pathOf(table), table.file_id);
      all.merge(here);
      const there = await digestOf(connection, table.file_id);
      if (here.rows === there.rows && here.digest === there.digest) continue;
      throw new SharedDatabaseError(
        `The data table ${table.name} of ${table.organization_uid} has ${here.rows} rows in its file (digest ${here.digest}) and ${there.rows} in PostgreSQL (digest ${there.digest}); expected equal rows. Nothing was changed: run it again, with every service stopped.`,
      );
    }
    return { name: 'platen_table_rows', rows: all.rows, digest: all.digest };
  }

  #tables(): TableRow[] {
    return this.#db
      .prepare<[], TableRow>(
        'SELECT organization_uid, name, file_id FROM data_tables ORDER BY organization_uid, name',
      )
      .all();
  }

  #pathOf(table: TableRow): string {
    const { path } = this.#files.named(table.file_id);
    if (!existsSync(path)) throw lostRows(table);
    return path;
  }
}

function lostRows({ organization_uid: organizationUid, name }: TableRow): StoreError {
  return new StoreError(
    'CONFLICT',
    `The rows of the data table ${name} of ${organizationUid} are lost: upload the table again, or delete it.`,
  );
}

function* readParts(path: string): Generator<string> {
  for (let part = readRowPart(path, '', partCharacters); part !== undefined;) {
    yield part.text;
    part = readRowPart(path, part.lastKey, partCharacters);
  }
}

function digestOfFile(path: string, fileId: string): RowDigest {
  const digest = new RowDigest();
  for (const text of readParts(path)) digest.add(rowsOf(fileId, text));
  return digest;
}

async function digestOf(connection: Connection, fileId: string): Promise<RowDigest> {
  const digest = new RowDigest();
  const head = await findRows(connection, fileId, 0);
  if (head === undefined) return digest;
  for await (const text of readAllRows(connection, head)) digest.add(rowsOf(fileId, text));
  return digest;
}

function rowsOf(fileId: string, text: string): string[][] {
  return [...readRowText(text)].map((row) => [fileId, ...row]);
}
