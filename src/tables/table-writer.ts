/** Writes data tables: threads write the files of rows, and this thread notes in the database which file is a table's. */
import { rm } from 'node:fs/promises';
import { AppError } from '../foundation/errors.ts';
import { FairTurns } from '../foundation/fair-turns.ts';
import { OrganizationSlots, uploadSlots } from '../foundation/organization-slots.ts';
import { refuseOnNode, StoreError, whenFree } from '../store/database/store-error.ts';
import type { RowChange, RowFigures } from '../store/tables/row-file.ts';
import { deleteRowFile } from '../store/tables/row-file.ts';
import type { TableFile, TableStore } from '../store/tables/table-store.ts';
import type { TableJob } from './jobs.ts';
import { tableLimits } from './table-limits.ts';
import { TableThread } from './table-thread.ts';

/** An upload: writes the list to a new file. */
export interface TableUpload {
  /** The key column; absent: that of the table, which must exist then. */
  key: string | undefined;
  contentType: string;
  saveBody(path: string): Promise<unknown>;
}

/** Attempts at a change of rows whose file another process replaces meanwhile. */
const attemptsMax = 3;

/** One for each process. All methods reject with a `StoreError` or an `AppError`. */
export class TableWriter {
  readonly #tables: TableStore;
  /** For changes of rows; each upload has a thread of its own. */
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
  readonly #changeTurns = new FairTurns(1);
  /** The last change of each table that waits or runs. */
  readonly #turns = new Map<string, Promise<unknown>>();

  constructor(tables: TableStore) {
    this.#tables = tables;
  }

  /**
   * Creates or replaces a table, as a whole or not at all; resolves to whether it is new. Reading the body begins at once.
   * Rejects with OVERLOADED while too many uploads are in progress.
   */
  replace(organizationUid: string, name: string, upload: TableUpload): Promise<boolean> {
    return this.#slots.use(organizationUid, () => this.#replace(organizationUid, name, upload));
  }

  async #replace(organizationUid: string, name: string, upload: TableUpload): Promise<boolean> {
    refuseOnNode('data tables');
    const tables = this.#tables;
    tables.checkCount(organizationUid, name);
    const key = upload.key ?? tables.findFile(organizationUid, name)?.key;
    if (key === undefined) throw noKeyColumn();
    const { fileId, path, uploadPath } = tables.newFile();
    const thread = new TableThread();
    this.#uploads.add(thread);
    try {
      await upload.saveBody(uploadPath);
      const { contentType } = upload;
      const job = { kind: 'import', uploadPath, path, key, contentType } as const;
      const imported = await this.#importTurns.run(organizationUid, () => thread.run(job));
      return await this.#inTurn(organizationUid, name, () => {
        const { rows = 0 } = tables.findTable(organizationUid, name) ?? {};
        // An export that failed has a header alone.
        if (imported.rows === 0 && rows > 0) throw noRows(name, rows);
        return whenFree(() =>
          tables.replaceTable(organizationUid, name, { fileId, key, ...imported }),
        );
      });
    } catch (error) {
      await deleteRowFile(path);
      throw error;
    } finally {
      this.#uploads.delete(thread);
      await Promise.all([thread.close(), rm(uploadPath, { force: true })]);
    }
  }

  /** Changes and adds rows of a table, all or none. `toChanges` reads them for its columns. Undefined without the table. */
  upsert(
    organizationUid: string,
    name: string,
    toChanges: (file: TableFile) => readonly RowChange[],
    bytes: number,
  ): Promise<RowFigures | undefined> {
    return this.#changeRows(organizationUid, name, (file) => {
      this.#tables.checkSpace(organizationUid, bytes);
      const changes = toChanges(file);
      const { path, columns } = file;
      return this.#change(organizationUid, {
        kind: 'upsert',
        path,
        columns: columns.length,
        changes,
      });
    });
  }

  /** Deletes a row; undefined without the table or the row. */
  deleteRow(organizationUid: string, name: string, key: string): Promise<RowFigures | undefined> {
    return this.#changeRows(organizationUid, name, ({ path }) =>
      this.#change(organizationUid, { kind: 'deleteRow', path, key }),
    );
  }

  /** Deletes a table; false if there is none. */
  deleteTable(organizationUid: string, name: string): Promise<boolean> {
    return this.#inTurn(organizationUid, name, () =>
      whenFree(() => this.#tables.deleteTable(organizationUid, name)),
    );
  }

  async close(): Promise<void> {
    await Promise.all([this.#changes, ...this.#uploads].map((thread) => thread.close()));
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
        // oxlint-disable-next-line no-await-in-loop -- one attempt after the other
        const figures = await change(file);
        if (figures === undefined) return undefined;
        // Another process has replaced the table meanwhile: its new rows must have the change.
        // oxlint-disable-next-line no-await-in-loop -- one attempt after the other
        if (await whenFree(() => this.#tables.noteRows(file.fileId, figures))) return figures;
      }
      throw new StoreError('BUSY', `The data table ${name} is replaced again and again.`);
    };
    return this.#changeSlots.use(organizationUid, () => this.#inTurn(organizationUid, name, work));
  }

  /** Organizations take turns in the thread of changes. */
  #change(
    organizationUid: string,
    job: Extract<TableJob, { kind: 'upsert' | 'deleteRow' }>,
  ): Promise<RowFigures | undefined> {
    return this.#changeTurns.run(organizationUid, () => this.#changes.run(job));
  }

  /** A change never goes to rows that are being replaced. */
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
