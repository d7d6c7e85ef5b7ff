/** Stores the data tables of organizations: lists them, looks up rows, and replaces tables. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '../../../store/database/database.ts';
import { writeTransaction } from '../../../store/database/database.ts';
import {
  createStorageQuota,
  type StorageQuota,
  type StorageSpace,
} from '../../../store/database/storage-quota.ts';
import { StoreError, storeErrors } from '../../../store/database/store-error.ts';
import { afterStored, writeRoute } from '../../../store/database/write-route.ts';
import { readReplicaState } from '../../../store/database/shared-port.ts';
import { absentRows, createNodeTables } from './node-tables.ts';
import type { NodeTables } from './node-tables.ts';
import type { TableLookup } from '../../../render/table-values.ts';
import { isDamage } from './row-file.ts';
import type { RowFigures } from './row-file.ts';
import { readersMax, RowFiles } from './row-files.ts';
import type { RowFile } from './row-files.ts';
import { prepareStatements } from './table-statements.ts';
import type { Statements, TableRecord } from './table-statements.ts';

/** A data table, as the API shows it. */
export interface TableFacts {
  name: string;
  /** The column whose cells are the keys. */
  key: string;
  columns: readonly string[];
  rows: number;
  /** Stored bytes. */
  bytes: number;
  updated_at: string;
}

/** The complete rows of a table in their file. */
export interface TableContent extends RowFigures {
  fileId: string;
  key: string;
  columns: readonly string[];
}

/** The row file of a table, and the data needed to change rows. */
export interface TableFile extends RowFigures {
  fileId: string;
  path: string;
  key: string;
  columns: readonly string[];
  /** Number of changes of single rows since the upload. */
  revision: number;
}

/** Every method throws a `StoreError`. */
export interface TableStore extends TableLookup {
  /** The tables of an organization, at most `tablesMax`, sorted by name. */
  listTables(organizationUid: string): TableFacts[];
  findTable(organizationUid: string, name: string): TableFacts | undefined;
  findFile(organizationUid: string, name: string): TableFile | undefined;
  /** Names a new file, which does not exist yet. */
  newFile(): RowFile;
  fileNamed(fileId: string): RowFile;
  /** Throws a `QuotaError` if the organization has no space for these bytes. */
  checkSpace(organizationUid: string, bytes: number): void;
  /** The space for new rows of a table, which replace the present ones. */
  space(organizationUid: string, name: string): StorageSpace;
  /** Throws `CONFLICT` for a new name if the organization has `tablesMax` tables. */
  checkCount(organizationUid: string, name: string): void;
  /**
   * Creates a table or replaces its rows; all later lookups find the new rows. Returns whether the table is new. Throws
   * as `checkCount` does, and a `QuotaError`.
   */
  replaceTable(organizationUid: string, name: string, content: TableContent): boolean;
  /**
   * Stores the figures and the next revision of a file whose rows have changed. False if the table has another file by
   * now, whose rows must be changed instead.
   */
  noteRows(fileId: string, figures: RowFigures): boolean;
  /** Deletes a table with its rows; false if there is none. */
  deleteTable(organizationUid: string, name: string): boolean;
  /** The row files of this node of a shared database. */
  node: NodeTables;
  /** Deletes files that belong to no table, such as those of a killed process. */
  sweepFiles(): void;
  /**
   * Opens the most recently changed tables, one in each turn of the event loop, so that the first lookup after a start
   * is fast. Never rejects: a lookup reports a table that cannot be opened.
   */
  openLatest(): Promise<void>;
  close(): void;
}

/** Maximum stored bytes of the tables that a start opens, because the system reads their files. */
const openedBytesMax = 512 * 1024 * 1024;

/** Maximum number of tables of one organization. */
export const tablesMax = 100;

const doing = 'Reading a data table';

/**
 * Creates the store of a connection. `directory` contains the row files. `nowMs` is the wall clock, ms since the epoch.
 */
export function createTableStore(
  db: Database,
  directory: string,
  storageBytesMax?: number,
  nowMs: () => number = Date.now,
): TableStore {
  const statements = prepareStatements(db);
  const isCopy = (): boolean => readReplicaState(db) !== undefined;
  const files = new RowFiles(directory, isCopy);
  const node = createNodeTables(db, files);
  const quota = createStorageQuota(db, storageBytesMax);
  return {
    findRow: createFindRow(statements, files, isCopy, node),
    node,
    ...createReads(statements, files, quota),
    ...createWrites(db, statements, files, quota, nowMs),
    newFile: () => files.create(),
    fileNamed: (fileId) => files.named(fileId),
    sweepFiles: () =>
      storeErrors('Deleting abandoned uploads of data tables', () =>
        files.sweep(new Set(statements.listFiles.all())),
      ),
    openLatest: () => openLatest(statements, files),
    close: () => files.close(),
  };
}

async function openLatest({ latest }: Statements, files: RowFiles): Promise<void> {
  let bytes = 0;
  try {
    for (const table of latest.all(readersMax)) {
      bytes += table.size_bytes;
      if (bytes > openedBytesMax) return;
      await nextTurn();
      files.open(table.organization_uid, table.file_id, table.columns_json);
      await files.preload(table.file_id);
    }
  } catch {
    // A lookup reports the failure.
  }
}

function createReads(
  statements: Statements,
  files: RowFiles,
  quota: StorageQuota,
): Pick<
  TableStore,
  'listTables' | 'findTable' | 'findFile' | 'checkSpace' | 'space' | 'checkCount'
> {
  const find = (organizationUid: string, name: string): TableRecord | undefined =>
    storeErrors(doing, () => statements.find.get(organizationUid, name));
  return {
    listTables: (organizationUid) =>
      storeErrors(doing, () => statements.list.all(organizationUid).map(toFacts)),
    findTable(organizationUid, name) {
      const record = find(organizationUid, name);
      return record && toFacts(record);
    },
    findFile(organizationUid, name) {
      const record = find(organizationUid, name);
      if (record === undefined) return undefined;
      return { ...toFacts(record), ...files.named(record.file_id), revision: record.revision };
    },
    checkSpace: (organizationUid, bytes) =>
      storeErrors(doing, () => quota.check(organizationUid, bytes)),
    space: (organizationUid, name) =>
      storeErrors(doing, () =>
        quota.space(organizationUid, find(organizationUid, name)?.size_bytes),
      ),
    checkCount: (organizationUid, name) =>
      storeErrors(doing, () => checkCount(statements, organizationUid, name)),
  };
}

function checkCount(
  { find, count }: Statements,
  organizationUid: string,
  name: string,
): TableRecord | undefined {
  const found = find.get(organizationUid, name);
  if (found !== undefined || (count.get(organizationUid) ?? 0) < tablesMax) return found;
  throw new StoreError(
    'CONFLICT',
    `The organization has ${tablesMax} tables, the limit: delete one that no template uses.`,
  );
}

function createWrites(
  db: Database,
  statements: Statements,
  files: RowFiles,
  quota: StorageQuota,
  nowMs: () => number,
): Pick<TableStore, 'replaceTable' | 'noteRows' | 'deleteTable'> {
  return {
    replaceTable(organizationUid, name, { fileId, key, columns, rows, bytes }) {
      const old = writeTransaction(db, `Storing the data table ${name}`, () => {
        const found = checkCount(statements, organizationUid, name);
        quota.check(organizationUid, bytes - (found?.size_bytes ?? 0));
        const facts = [fileId, key, JSON.stringify(columns), rows, bytes, nowMs()] as const;
        if (found === undefined) statements.insert.run(organizationUid, name, ...facts);
        else statements.replace.run(...facts, found.id);
        // Lookups of a single service then read the new file. A node reads the old file until it has the new one.
        statements.forget.run(organizationUid, name);
        return found;
      });
      if (old !== undefined && writeRoute() === undefined) files.remove(old.file_id);
      return old === undefined;
    },
    noteRows: (fileId, { rows, bytes }) =>
      writeTransaction(
        db,
        'Storing rows of a data table',
        () => statements.note.run(rows, bytes, nowMs(), fileId).changes === 1,
      ),
    deleteTable(organizationUid, name) {
      const old = writeTransaction(db, `Deleting the data table ${name}`, () => {
        const found = statements.find.get(organizationUid, name);
        if (found !== undefined) statements.remove.run(found.id);
        return found;
      });
      if (old !== undefined) afterStored(() => files.remove(old.file_id));
      return old !== undefined;
    },
  };
}

function createFindRow(
  { findFile }: Statements,
  files: RowFiles,
  isCopy: () => boolean,
  node: NodeTables,
): TableStore['findRow'] {
  return (organizationUid, table, key) =>
    storeErrors(doing, () => {
      let fileId = '';
      for (let attempt = 0; attempt < 2; attempt += 1) {
        // One SELECT reads the current file, so that a replaced table is not read again, whichever process replaced it.
        const file = findFile.get(organizationUid, table);
        if (file === undefined) return undefined;
        fileId = file.file_id;
        try {
          const open = files.open(organizationUid, fileId, file.columns_json);
          // The file was replaced after the SELECT, or is lost.
          if (open === undefined) continue;
          const cells = open.rows.find(key);
          return cells && ((column) => cells[open.columns.get(column) ?? -1]);
        } catch (error) {
          if (!isDamage(error) || !isCopy()) throw error;
          // The rows can be copied again from the shared database.
          files.removeDamaged(fileId);
        }
      }
      if (!isCopy()) return undefined;
      node.onLost?.(fileId);
      throw absentRows(table);
    });
}

function toFacts(record: TableRecord): TableFacts {
  return {
    name: record.name,
    key: record.key_column,
    columns: JSON.parse(record.columns_json) as string[],
    rows: record.row_count,
    bytes: record.size_bytes,
    updated_at: new Date(record.updated_at).toISOString(),
  };
}
