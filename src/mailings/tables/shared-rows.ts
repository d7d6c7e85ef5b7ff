/** Stores rows of data tables in the shared database, each change in one transaction, and in the files of this node. */
import { setTimeout as pause } from 'node:timers/promises';
import { keyForms } from '#language/normal-form.ts';
import type { Log } from '../../foundation/log.ts';
import {
  addFile,
  deleteRowOf,
  findRows,
  partCharacters,
  readRowsOf,
  saveRows,
} from '../store/tables/table-rows.ts';
import type { RowChange } from '../store/tables/change-rows.ts';
import { absentRows } from '../store/tables/node-tables.ts';
import type { RowFigures } from '../store/tables/row-file.ts';
import { sizeOfRow } from '../store/tables/row-file.ts';
import type { RowFile } from '../store/tables/row-files.ts';
import { fromHex, readRowText, toHex } from '../store/tables/row-text.ts';
import type { TableFile, TableStore } from '../store/tables/table-store.ts';
import type { TableResults } from './jobs.ts';
import { RowFollower } from './row-follower.ts';
import type { TableThread } from './table-thread.ts';
import { idleCopyTimeout, idleTransactionTimeout } from '../../store/database/shared-port.ts';
import type { Connection, SharedDatabase } from '../../store/database/shared-port.ts';

/** Maximum time in ms for which an answer to a change waits until lookups read the change. */
const drawnMsMax = 5000;
const drawnEveryMs = 20;

/** Stores a write of the database, as `whenFree` does. */
export type Store = <Result>(write: () => Result) => Promise<Result>;

/** Changed rows, and the figures of the table after the change. */
interface RowEdit {
  file: TableFile;
  /** Number of the file in PostgreSQL. */
  number: number;
  figures: RowFigures;
  /** Text of new and changed rows. */
  text: string;
  /** Key of a deleted row, in hex. */
  deletedKey: string | undefined;
}

/** Computes a change from the newest rows; undefined if there is nothing to change. */
type Edit = (
  file: TableFile,
  number: number,
  connection: Connection,
) => Promise<Pick<RowEdit, 'figures' | 'text' | 'deletedKey'> | undefined>;

/** Each process of a node has one. All methods reject with a `StoreError` or an `AppError`. */
export class SharedRows {
  readonly follower: RowFollower;
  readonly #shared: SharedDatabase;
  readonly #tables: TableStore;
  readonly #changes: TableThread;

  constructor(shared: SharedDatabase, tables: TableStore, changes: TableThread, log?: Log) {
    this.#shared = shared;
    this.#tables = tables;
    this.#changes = changes;
    this.follower = new RowFollower({ shared, tables, changes, log });
  }

  /**
   * Copies the rows of a new file to PostgreSQL in the order of keys, in one transaction. Then runs `work`, which
   * stores the table's record with `store` in the same transaction. Other nodes see all of it or nothing.
   */
  upload<Result>(
    { fileId, path }: Pick<RowFile, 'fileId' | 'path'>,
    thread: TableThread,
    work: (store: Store) => Promise<Result>,
  ): Promise<Result> {
    const read = (after: string): Promise<TableResults['readPart']> =>
      thread.run({ kind: 'readPart', path, after, charactersMax: partCharacters });
    return this.#shared.use(async (connection) => {
      await connection.begin();
      await setTimeoutOf(connection, idleCopyTimeout);
      const file = await addFile(connection, fileId);
      for (let part = await read(''); part !== undefined;) {
        // The thread reads while the server writes.
        const [next] = await Promise.all([
          read(part.lastKey),
          saveRows(connection, file, part.text, 0),
        ]);
        part = next;
      }
      const prepare = (): Promise<void> => setTimeoutOf(connection, idleTransactionTimeout);
      return work((write) => this.#shared.write(write, { connection, prepare }));
    });
  }

  /** Changes and adds rows, all or none. Undefined if there is no such table. */
  upsert(
    organizationUid: string,
    name: string,
    toChanges: (file: TableFile) => readonly RowChange[],
  ): Promise<RowFigures | undefined> {
    return this.#change(organizationUid, name, async (file, number, connection) => {
      const changes = toChanges(file);
      const keys = new Set(changes.flatMap(({ key }) => keyForms(key).map(toHex)));
      const text = await readRowsOf(connection, number, [...keys]);
      const { rows, bytes } = file;
      const columns = file.columns.length;
      const figures = { rows, bytes };
      const merged = await this.#changes.run({ kind: 'merge', text, columns, changes, figures });
      return { ...merged, deletedKey: undefined };
    });
  }

  /** Deletes a row. Undefined if there is no such table or row. */
  deleteRow(organizationUid: string, name: string, key: string): Promise<RowFigures | undefined> {
    return this.#change(organizationUid, name, async ({ rows, bytes }, number, connection) => {
      const hex = toHex(key);
      const [row] = readRowText(await readRowsOf(connection, number, [hex]));
      if (row === undefined) return undefined;
      const figures = { rows: rows - 1, bytes: bytes - sizeOfRow(...row) };
      return { figures, text: '', deletedKey: hex };
    });
  }

  /**
   * Waits until lookups of this node read the present rows of a table. Rejects with `ABSENT` if they read older rows
   * for more than 5 s. Resolves at once if this node has no rows of the table yet, because renders then show no old
   * ones.
   */
  async drawn(organizationUid: string, name: string): Promise<void> {
    const { node } = this.#tables;
    const asked = node.find(organizationUid, name);
    if (asked === undefined) return;
    const givenUpAtMs = performance.now() + drawnMsMax;
    for (;;) {
      const table = node.find(organizationUid, name);
      // A later upload has replaced the changed rows.
      if (table?.fileId !== asked.fileId || table.readFileId === undefined) return;
      if (table.readFileId === asked.fileId && this.follower.isCurrent(asked)) return;
      if (performance.now() > givenUpAtMs) throw absentRows(name);
      await pause(drawnEveryMs);
    }
  }

  async #change(
    organizationUid: string,
    name: string,
    change: Edit,
  ): Promise<RowFigures | undefined> {
    const state: { edit?: RowEdit } = {};
    const prepare = async (connection: Connection): Promise<void> => {
      const file = this.#tables.findFile(organizationUid, name);
      const found = file && (await findRows(connection, file.fileId, file.revision));
      if (file === undefined || found === undefined) return;
      const changed = await change(file, found.file, connection);
      if (changed === undefined) return;
      state.edit = { file, number: found.file, ...changed };
      this.follower.leave(file.fileId);
    };
    const write = (): void => {
      const { edit } = state;
      if (edit !== undefined) this.#tables.noteRows(edit.file.fileId, edit.figures);
    };
    const store = async (connection: Connection): Promise<void> => {
      if (state.edit !== undefined) await saveEdit(connection, state.edit);
    };
    try {
      await this.#shared.write(write, { prepare, store });
      if (state.edit !== undefined) {
        const { fileId, readFileId } = this.#tables.node.find(organizationUid, name) ?? {};
        await this.#apply(state.edit, readFileId === fileId ? undefined : readFileId);
      }
      return state.edit?.figures;
    } finally {
      if (state.edit !== undefined) this.follower.take(state.edit.file.fileId);
    }
  }

  /**
   * Applies a stored change to the files of this node. After a failure, the follower repeats it. `before` is the file
   * that lookups read while the newer file is copied: a deleted row is deleted there too.
   */
  async #apply({ file, figures, text, deletedKey }: RowEdit, before?: string): Promise<void> {
    const { fileId, path, revision: from } = file;
    const to = { revision: from + 1, copy: this.#shared.copyName };
    const changes = { text, deletedKeys: deletedKey === undefined ? [] : [deletedKey] };
    try {
      if (before !== undefined && deletedKey !== undefined) {
        const { path: readPath } = this.#tables.fileNamed(before);
        await this.#changes.run({ kind: 'deleteRow', path: readPath, key: fromHex(deletedKey) });
      }
      const job = { kind: 'apply', path, from, to, changes, figures } as const;
      const { position } = await this.#changes.run(job);
      this.follower.note(fileId, position);
    } catch {
      this.follower.note(fileId, undefined);
    }
  }
}

async function setTimeoutOf(connection: Connection, timeout: string): Promise<void> {
  await connection.query(`SET LOCAL idle_in_transaction_session_timeout = '${timeout}'`);
}

async function saveEdit(
  connection: Connection,
  { file, number, text, deletedKey }: RowEdit,
): Promise<void> {
  const revision = file.revision + 1;
  if (text !== '') await saveRows(connection, number, text, revision);
  if (deletedKey !== undefined) await deleteRowOf(connection, number, deletedKey, revision);
}
