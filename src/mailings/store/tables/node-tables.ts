/**
 * Tracks which row files a node of a shared database reads. Lookups read the previous file until the newest is whole.
 */
import type { Database } from '../../../store/database/database.ts';
import { writeTransaction } from '../../../store/database/database.ts';
import { StoreError, storeErrors } from '../../../store/database/store-error.ts';
import { readRowPosition } from './copied-rows.ts';
import type { RowFigures } from './row-file.ts';
import type { RowFiles } from './row-files.ts';

/** The record of a table, and the file that this node reads for it. */
export interface NodeTable {
  id: number;
  organizationUid: string;
  name: string;
  fileId: string;
  /** Number of changes of single rows since the upload. */
  revision: number;
  /** Undefined before the node has a first file. */
  readFileId: string | undefined;
}

/** Every method throws a `StoreError`. */
export interface NodeTables {
  /** Called when a lookup finds a missing file, or deletes a damaged one. */
  onLost: ((fileId: string) => void) | undefined;
  /** All tables of all organizations, smallest first. */
  list(): NodeTable[];
  find(organizationUid: string, name: string): NodeTable | undefined;
  findById(id: number): NodeTable | undefined;
  /**
   * Makes lookups read the file of the table's record, which must be whole, and deletes the previous file. Does nothing
   * if the record names another file by now.
   */
  adopt(table: Pick<NodeTable, 'organizationUid' | 'name' | 'fileId'>): void;
  /** Throws `ABSENT` while this node lacks the newest rows of any table of the organization. */
  requireNewest(organizationUid: string): void;
  /** Deletes the files of tables that were deleted. */
  release(): void;
  /** Deletes a file that no record names and no lookup reads. */
  discard(fileId: string): void;
  /** Stores the figures of a revision, unless the record has another revision by now. */
  correct(fileId: string, revision: number, figures: RowFigures): void;
}

interface NodeTableRow {
  id: number;
  organization_uid: string;
  name: string;
  file_id: string;
  revision: number;
  read_file_id: string | null;
}

export function absentRows(table: string): StoreError {
  return new StoreError(
    'ABSENT',
    `This node does not have the rows of the data table ${table} yet.`,
  );
}

function toNodeTable(row: NodeTableRow): NodeTable {
  return {
    id: row.id,
    organizationUid: row.organization_uid,
    name: row.name,
    fileId: row.file_id,
    revision: row.revision,
    readFileId: row.read_file_id ?? undefined,
  };
}

export function createNodeTables(db: Database, files: RowFiles): NodeTables {
  const select = `SELECT t.id, t.organization_uid, t.name, t.file_id, t.revision, n.file_id AS read_file_id
    FROM data_tables t LEFT JOIN node_tables n
      ON n.organization_uid = t.organization_uid AND n.name = t.name`;
  const list = db.prepare<[], NodeTableRow>(`${select} ORDER BY t.size_bytes`);
  const listOf = db.prepare<[string], NodeTableRow>(`${select} WHERE t.organization_uid = ?`);
  const find = db.prepare<[string, string], NodeTableRow>(
    `${select} WHERE t.organization_uid = ? AND t.name = ?`,
  );
  const findById = db.prepare<[number], NodeTableRow>(`${select} WHERE t.id = ?`);
  const findRead = db
    .prepare<[string, string], string>(
      'SELECT file_id FROM node_tables WHERE organization_uid = ? AND name = ?',
    )
    .pluck();
  const adopt = db.prepare<[string, string, string]>(
    `INSERT INTO node_tables (organization_uid, name, file_id, columns_json)
     SELECT organization_uid, name, file_id, columns_json FROM data_tables
     WHERE organization_uid = ? AND name = ? AND file_id = ?
     ON CONFLICT (organization_uid, name)
       DO UPDATE SET file_id = excluded.file_id, columns_json = excluded.columns_json`,
  );
  return {
    onLost: undefined,
    list: () => storeErrors('Reading the data tables', () => list.all().map(toNodeTable)),
    find(organizationUid, name) {
      const row = storeErrors('Reading a data table', () => find.get(organizationUid, name));
      return row && toNodeTable(row);
    },
    findById(id) {
      const row = storeErrors('Reading a data table', () => findById.get(id));
      return row && toNodeTable(row);
    },
    adopt({ organizationUid, name, fileId }) {
      const before = writeTransaction(db, `Reading the new rows of the data table ${name}`, () => {
        const old = findRead.get(organizationUid, name);
        const { changes } = adopt.run(organizationUid, name, fileId);
        return changes === 0 ? undefined : old;
      });
      if (before !== undefined && before !== fileId) files.remove(before);
    },
    requireNewest(organizationUid) {
      const rows = storeErrors('Reading the data tables', () => listOf.all(organizationUid));
      for (const { name, file_id: fileId, read_file_id: readFileId, revision } of rows) {
        const position = readRowPosition(files.named(fileId).path);
        const isNewest = readFileId === fileId && (position?.revision ?? -1) >= revision;
        if (!isNewest) throw absentRows(name);
      }
    },
    ...createCare(db, files),
  };
}

function createCare(
  db: Database,
  files: RowFiles,
): Pick<NodeTables, 'release' | 'discard' | 'correct'> {
  const isDeleted = `NOT EXISTS (
    SELECT 1 FROM data_tables t WHERE t.organization_uid = n.organization_uid AND t.name = n.name)`;
  const hasDeleted = db.prepare(`SELECT 1 FROM node_tables n WHERE ${isDeleted} LIMIT 1`);
  const release = db
    .prepare<[], string>(`DELETE FROM node_tables AS n WHERE ${isDeleted} RETURNING file_id`)
    .pluck();
  const correct = db.prepare<[number, number, string, number]>(
    'UPDATE data_tables SET row_count = ?, size_bytes = ? WHERE file_id = ? AND revision = ?',
  );
  const isNamed = db.prepare<[string, string]>(
    `SELECT 1 FROM data_tables WHERE file_id = ?
     UNION ALL SELECT 1 FROM node_tables WHERE file_id = ? LIMIT 1`,
  );
  return {
    release() {
      const doing = 'Deleting rows of deleted data tables';
      // A transaction would wait for other writers.
      if (storeErrors(doing, () => hasDeleted.get()) === undefined) return;
      const gone = writeTransaction(db, doing, () => release.all());
      for (const fileId of gone) files.remove(fileId);
    },
    discard(fileId) {
      const named = storeErrors('Reading the data tables', () => isNamed.get(fileId, fileId));
      if (named === undefined) files.remove(fileId);
    },
    correct: (fileId, revision, { rows, bytes }) =>
      writeTransaction(db, 'Correcting the figures of a data table', () => {
        correct.run(rows, bytes, fileId, revision);
      }),
  };
}
