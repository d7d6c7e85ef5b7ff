/** Writes data tables: threads write row files, and this thread stores in the database which file a table has. */
import { rm } from 'node:fs/promises';
import { composed, keyForms } from '#language/normal-form.ts';
import { AppError } from '../../foundation/errors.ts';
import { FairTurns } from '../../foundation/fair-turns.ts';
import type { Log } from '../../foundation/log.ts';
import { OrganizationSlots, uploadSlots } from '../../foundation/organization-slots.ts';
import { repeatWhileBusy, StoreError, whenFree } from '../../store/database/store-error.ts';
import type { RowChange } from '../store/tables/change-rows.ts';
import type { RowFigures } from '../store/tables/row-file.ts';
import { deleteRowFile } from '../store/tables/row-file.ts';
import type { TableContent, TableFile, TableStore } from '../store/tables/table-store.ts';
import type { TableJob } from './jobs.ts';
import { SharedRows } from './shared-rows.ts';
import type { Store } from './shared-rows.ts';
import { tableLimits } from './table-limits.ts';
import { TableThread } from './table-thread.ts';
import type { SharedDatabase } from '../../store/database/shared-port.ts';

/** An upload of a list. */
export interface TableUpload {
  /** The key column. Undefined: the key column of the table, which must exist then. */
  key: string | undefined;
  contentType: string;
  /** The sheet of a workbook. Undefined: its only one with rows. */
  sheet?: string | undefined;
  saveBody(path: string): Promise<unknown>;
}

/** Maximum number of attempts to change rows while other processes replace their table. */
const attemptsMax = 3;

/** Changes that run at a time with a shared database: while one commits, another one is written to this node's file. */
const sharedChangesMax = 4;

/** Each process has one. All methods reject with a `StoreError` or an `AppError`. */
export class TableWriter {
  readonly #tables: TableStore;
  /** Undefined without a shared database. */
  readonly #shared: SharedRows | undefined;
  /** The thread for changes of rows. Each upload has a separate thread. */
  readonly #changes = new TableThread();
  readonly #uploads = new Set<TableThread>();
  readonly #slots = uploadSlots('tables', tableLimits.uploadsMax);
  readonly #importTurns = new FairTurns(tableLimits.importsMax);
  readonly #changeSlots = new OrganizationSlots({
    what: 'rows of tables are being changed',
    organizationMax: tableLimits.organizationChangesMax,
    countMax: tableLimits.allChangesMax,
    reason: 'changes',
  });
  readonly #changeTurns: FairTurns;
  /** The last waiting or running change of each table. */
  readonly #turns = new Map<string, Promise<unknown>>();

  constructor(tables: TableStore, shared?: SharedDatabase, log?: Log) {
    this.#tables = tables;
    this.#changeTurns = new FairTurns(shared === undefined ? 1 : sharedChangesMax);
    this.#shared = shared && new SharedRows(shared, tables, this.#changes, log);
  }

  /** Resolves when a node has the rows of all tables, or cannot get them now. */
  async start(): Promise<void> {
    await this.#shared?.follower.start();
  }

  /** Number of tables whose newest rows this node does not have. */
  get behind(): number {
    return this.#shared?.follower.behind ?? 0;
  }

  /**
   * Creates or replaces a table as a whole or not at all. Resolves to whether it is new. Starts to read the body at
   * once. Rejects with `OVERLOADED` while too many uploads are in progress.
   */
  replace(organizationUid: string, name: string, upload: TableUpload): Promise<boolean> {
    return this.#slots.use(organizationUid, () => this.#replace(organizationUid, name, upload));
  }

  async #replace(organizationUid: string, name: string, upload: TableUpload): Promise<boolean> {
    const tables = this.#tables;
    tables.checkCount(organizationUid, name);
    const keyColumn = upload.key ?? tables.findFile(organizationUid, name)?.key;
    if (keyColumn === undefined) throw noKeyColumn();
    // As the names of the columns of the list.
    const key = composed(keyColumn);
    const { fileId, path, uploadPath } = tables.newFile();
    const thread = new TableThread();
    this.#uploads.add(thread);
    try {
      await upload.saveBody(uploadPath);
      const { contentType, sheet } = upload;
      return await this.#importTurns.run(organizationUid, async () => {
        const space = tables.space(organizationUid, name);
        const job = { kind: 'import', uploadPath, path, key, contentType, sheet, space } as const;
        const content = { fileId, key, ...(await thread.run(job)) };
        return this.#store(organizationUid, name, content, thread);
      });
    } catch (error) {
      // The table may have the file although the connection was lost at the commit.
      if (tables.findFile(organizationUid, name)?.fileId !== fileId) await deleteRowFile(path);
      throw error;
    } finally {
      this.#uploads.delete(thread);
      await Promise.all([thread.close(), rm(uploadPath, { force: true })]);
    }
  }

  /** Stores the new file as that of the table. */
  async #store(
    organizationUid: string,
    name: string,
    content: TableContent,
    thread: TableThread,
  ): Promise<boolean> {
    const tables = this.#tables;
    const storeWith = (store: Store): Promise<boolean> =>
      this.#inTurn(organizationUid, name, () =>
        store(() => {
          const { rows = 0 } = tables.findTable(organizationUid, name) ?? {};
          // A failed export contains only a header.
          if (content.rows === 0 && rows > 0) throw noRows(name, rows);
          return tables.replaceTable(organizationUid, name, content);
        }),
      );
    if (this.#shared === undefined) return storeWith(whenFree);
    const { bytes = 0 } = tables.findTable(organizationUid, name) ?? {};
    tables.checkSpace(organizationUid, content.bytes - bytes);
    const { fileId } = content;
    const isNew = await this.#shared.upload(tables.fileNamed(fileId), thread, storeWith);
    // The table is stored. After a failure here, the follower adopts the file.
    await repeatWhileBusy(() => tables.node.adopt({ organizationUid, name, fileId })).catch(
      () => undefined,
    );
    this.#shared.follower.sweep();
    return isNew;
  }

  /**
   * Changes and adds rows of a table, all or none. `toChanges` reads the changes for the table's columns. Undefined if
   * there is no such table.
   */
  upsert(
    organizationUid: string,
    name: string,
    toChanges: (file: TableFile) => readonly RowChange[],
    bytes: number,
  ): Promise<RowFigures | undefined> {
    const check = (file: TableFile): readonly RowChange[] => {
      this.#tables.checkSpace(organizationUid, bytes);
      return toChanges(file);
    };
    const shared = this.#shared;
    if (shared !== undefined) {
      return this.#changeShared(organizationUid, name, shared, () =>
        shared.upsert(organizationUid, name, check),
      );
    }
    return this.#changeRows(organizationUid, name, (file) => {
      const changes = check(file);
      const { path, columns } = file;
      return this.#change(organizationUid, {
        kind: 'upsert',
        path,
        columns: columns.length,
        changes,
      });
    });
  }

  /** Deletes a row, in the first form of its key that the table has. Undefined if there is no such table or row. */
  async deleteRow(
    organizationUid: string,
    name: string,
    key: string,
  ): Promise<RowFigures | undefined> {
    for (const form of keyForms(key)) {
      const figures = await this.#deleteRow(organizationUid, name, form);
      if (figures !== undefined) return figures;
    }
    return undefined;
  }

  #deleteRow(organizationUid: string, name: string, key: string): Promise<RowFigures | undefined> {
    const shared = this.#shared;
    if (shared !== undefined) {
      return this.#changeShared(organizationUid, name, shared, () =>
        shared.deleteRow(organizationUid, name, key),
      );
    }
    return this.#changeRows(organizationUid, name, ({ path }) =>
      this.#change(organizationUid, { kind: 'deleteRow', path, key }),
    );
  }

  /** Deletes a table; false if it does not exist. */
  async deleteTable(organizationUid: string, name: string): Promise<boolean> {
    const isDeleted = await this.#inTurn(organizationUid, name, () =>
      whenFree(() => this.#tables.deleteTable(organizationUid, name)),
    );
    this.#shared?.follower.sweep();
    return isDeleted;
  }

  async close(): Promise<void> {
    await this.#shared?.follower.close();
    await Promise.all([this.#changes, ...this.#uploads].map((thread) => thread.close()));
  }

  /** Resolves when renders of this node show the change. The next changes do not wait for that. */
  #changeShared(
    organizationUid: string,
    name: string,
    shared: SharedRows,
    change: () => Promise<RowFigures | undefined>,
  ): Promise<RowFigures | undefined> {
    return this.#changeSlots.use(organizationUid, async () => {
      const figures = await this.#inTurn(organizationUid, name, () =>
        this.#changeTurns.run(organizationUid, change),
      );
      if (figures !== undefined) await shared.drawn(organizationUid, name);
      return figures;
    });
  }

  #changeRows(
    organizationUid: string,
    name: string,
    change: (file: TableFile) => Promise<RowFigures | undefined>,
  ): Promise<RowFigures | undefined> {
    const work = async (): Promise<RowFigures | undefined> => {
      for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
        const file = this.#tables.findFile(organizationUid, name);
        if (file === undefined) return undefined;
        const figures = await change(file);
        if (figures === undefined) return undefined;
        // Another process has replaced the table meanwhile, so the change is repeated on the new rows.
        if (await whenFree(() => this.#tables.noteRows(file.fileId, figures))) return figures;
      }
      throw new StoreError('BUSY', `The data table ${name} is replaced again and again.`);
    };
    return this.#changeSlots.use(organizationUid, () => this.#inTurn(organizationUid, name, work));
  }

  /** Runs a job on the thread of changes, in which organizations take turns. */
  #change(
    organizationUid: string,
    job: Extract<TableJob, { kind: 'upsert' | 'deleteRow' }>,
  ): Promise<RowFigures | undefined> {
    return this.#changeTurns.run(organizationUid, () => this.#changes.run(job));
  }

  /** Runs the changes of a table one after the other, so that no change applies to rows that are being replaced. */
  async #inTurn<Result>(
    organizationUid: string,
    name: string,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const id = `${organizationUid}/${name}`;
    const turn = (this.#turns.get(id) ?? Promise.resolve()).then(work);
    const settled = turn.catch(() => undefined);
    this.#turns.set(id, settled);
    try {
      return await turn;
    } finally {
      if (this.#turns.get(id) === settled) this.#turns.delete(id);
    }
  }
}

function noRows(name: string, rows: number): AppError {
  return new AppError(
    'BAD_REQUEST',
    `The list has no rows below the names of its columns, and the table "${name}" has ${rows.toLocaleString('en-US')}: nothing was changed. Delete the table first if it must be empty.`,
    { reason: 'table' },
  );
}

function noKeyColumn(): AppError {
  return new AppError(
    'BAD_REQUEST',
    'The parameter "key" is missing: expected the name of the column that has the keys, such as ?key=id.',
    { reason: 'table' },
  );
}
