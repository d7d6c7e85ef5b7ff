/** Copies whole tables from the shared database into the files of a node, one at a time. */
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { errorCodeOf } from '../../foundation/errors.ts';
import { StoreError, whenFree } from '../../store/database/store-error.ts';
import { findRows, readAllRows } from '../store/tables/table-rows.ts';
import type { RowsHead } from '../store/tables/table-rows.ts';
import { deleteRowFile } from '../store/tables/row-file.ts';
import type { RowFigures } from '../store/tables/row-file.ts';
import type { RowPosition } from '../store/tables/copied-rows.ts';
import type { TableStore } from '../store/tables/table-store.ts';
import { TableThread } from './table-thread.ts';
import { idleCopyTimeout } from '../../store/database/shared-port.ts';
import type { Connection, SharedDatabase } from '../../store/database/shared-port.ts';

/** Owner only: rows are personal data. */
const fileMode = 0o600;

export interface TableCopiesParts {
  shared: SharedDatabase;
  tables: TableStore;
  /** Called when a file has been copied. */
  onCopied: (fileId: string, position: RowPosition) => void;
  /** Called when a copy has failed and has left the queue. */
  onError: (error: unknown) => void;
}

/** Each process has one. */
export class TableCopies {
  readonly #parts: TableCopiesParts;
  readonly #waiting = new Set<string>();
  #connection: Connection | undefined;
  #thread: TableThread | undefined;
  #working: Promise<void> | undefined;
  #isClosed = false;

  constructor(parts: TableCopiesParts) {
    this.#parts = parts;
  }

  add(fileId: string): void {
    if (this.#isClosed) return;
    this.#waiting.add(fileId);
    this.#working ??= this.#work();
  }

  /** Cancels copies of these files, also a running one. */
  giveUp(fileIds: readonly string[]): void {
    const [running] = this.#waiting;
    for (const fileId of fileIds) this.#waiting.delete(fileId);
    // The running copy then rejects and deletes its files.
    if (running !== undefined && fileIds.includes(running)) void this.#interrupt();
  }

  /** Resolves when no copy waits or runs. */
  async settled(): Promise<void> {
    await this.#working;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#waiting.clear();
    await this.#interrupt();
    await this.#working;
  }

  async #interrupt(): Promise<void> {
    await Promise.all([this.#thread?.close(), this.#connection?.close()]);
  }

  async #work(): Promise<void> {
    for (;;) {
      const [fileId] = this.#waiting;
      if (fileId === undefined) break;
      try {
        const position = await this.#copy(fileId);
        const isWanted = this.#waiting.delete(fileId);
        if (isWanted && position !== undefined) this.#parts.onCopied(fileId, position);
      } catch (error) {
        if (!this.#waiting.delete(fileId)) continue;
        // An error of one table does not stop the other copies.
        if (!isOfItsOwn(error)) this.#waiting.clear();
        this.#parts.onError(error);
      }
    }
    this.#working = undefined;
  }

  /** Copies a table. Undefined if no record names the file by now. */
  async #copy(fileId: string): Promise<RowPosition | undefined> {
    const { shared, tables } = this.#parts;
    const { path } = tables.fileNamed(fileId);
    const { path: draftPath, uploadPath: textPath } = tables.newFile();
    // Read before the rows: if all tables are copied again meanwhile, this file keeps the old name and is copied again.
    const copy = shared.copyName;
    const thread = new TableThread();
    this.#thread = thread;
    try {
      const head = await shared.use((connection) => {
        this.#connection = connection;
        return writeRows(connection, fileId, textPath);
      });
      // The copy was canceled.
      if (head === undefined || !this.#waiting.has(fileId)) return undefined;
      const position = { revision: head.revision, copy };
      const figures = await thread.run({ kind: 'fill', path, draftPath, textPath, position });
      if (figures !== undefined) await this.#correct(fileId, head, figures);
      return position;
    } finally {
      this.#connection = undefined;
      await thread.close();
      await Promise.all([rm(textPath, { force: true }), deleteRowFile(draftPath)]);
      // The table may be deleted or replaced by now.
      tables.node.discard(fileId);
    }
  }

  /** Corrects figures of a record that differ from its rows. Otherwise each later change would copy the whole table. */
  async #correct(fileId: string, head: RowsHead, figures: RowFigures): Promise<void> {
    if (head.rows === figures.rows && head.bytes === figures.bytes) return;
    const { node } = this.#parts.tables;
    // The next copy tries again.
    await whenFree(() => node.correct(fileId, head.revision, figures)).catch(() => undefined);
  }
}

/** Whether the error concerns one table, and not the connection to the shared database or the space on the disk. */
function isOfItsOwn(error: unknown): boolean {
  const code = error instanceof StoreError ? error.code : errorCodeOf(error);
  return code !== 'AWAY' && code !== 'FULL' && code !== 'ENOSPC';
}

/** Writes all rows to a file as text, from one snapshot. Undefined if no record names the file. */
async function writeRows(
  connection: Connection,
  fileId: string,
  path: string,
): Promise<RowsHead | undefined> {
  await connection.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  await connection.query(`SET LOCAL idle_in_transaction_session_timeout = '${idleCopyTimeout}'`);
  const head = await findRows(connection, fileId, 0);
  if (head === undefined) return undefined;
  const lines = Readable.from(withNewlines(readAllRows(connection, head)));
  await pipeline(lines, createWriteStream(path, { mode: fileMode, flags: 'wx' }));
  return head;
}

async function* withNewlines(parts: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const part of parts) yield `${part}\n`;
}
