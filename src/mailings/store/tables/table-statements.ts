/** SQL statements of data tables. */
import type { Database } from '../../../store/database/database.ts';

/** A row of `data_tables`. */
export interface TableRecord {
  id: number;
  organization_uid: string;
  name: string;
  file_id: string;
  key_column: string;
  columns_json: string;
  row_count: number;
  size_bytes: number;
  updated_at: number;
  revision: number;
}

/** Selects the file that lookups read. */
const readFile = `coalesce(n.file_id, t.file_id) AS file_id,
  coalesce(n.columns_json, t.columns_json) AS columns_json
  FROM data_tables t LEFT JOIN node_tables n
    ON n.organization_uid = t.organization_uid AND n.name = t.name`;

export type Statements = ReturnType<typeof prepareStatements>;

// oxlint-disable-next-line typescript/explicit-module-boundary-types -- the types are those of the statements
export function prepareStatements(db: Database) {
  return {
    find: db.prepare<[string, string], TableRecord>(
      'SELECT * FROM data_tables WHERE organization_uid = ? AND name = ?',
    ),
    findFile: db.prepare<[string, string], Pick<TableRecord, 'file_id' | 'columns_json'>>(
      `SELECT ${readFile} WHERE t.organization_uid = ? AND t.name = ?`,
    ),
    list: db.prepare<[string], TableRecord>(
      'SELECT * FROM data_tables WHERE organization_uid = ? ORDER BY name',
    ),
    latest: db.prepare<
      [number],
      Pick<TableRecord, 'organization_uid' | 'file_id' | 'columns_json' | 'size_bytes'>
    >(`SELECT t.organization_uid, size_bytes, ${readFile} ORDER BY updated_at DESC LIMIT ?`),
    listFiles: db
      .prepare<[], string>('SELECT file_id FROM data_tables UNION SELECT file_id FROM node_tables')
      .pluck(),
    count: db
      .prepare<[string], number>('SELECT count(*) FROM data_tables WHERE organization_uid = ?')
      .pluck(),
    insert: db.prepare<[string, string, string, string, string, number, number, number]>(
      `INSERT INTO data_tables
         (organization_uid, name, file_id, key_column, columns_json, row_count, size_bytes, updated_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    replace: db.prepare<[string, string, string, number, number, number, number]>(
      `UPDATE data_tables
       SET file_id = ?, key_column = ?, columns_json = ?, row_count = ?, size_bytes = ?, updated_at = ?,
         revision = 0
       WHERE id = ?`,
    ),
    note: db.prepare<[number, number, number, string]>(
      `UPDATE data_tables SET row_count = ?, size_bytes = ?, updated_at = ?, revision = revision + 1
       WHERE file_id = ?`,
    ),
    remove: db.prepare<[number]>('DELETE FROM data_tables WHERE id = ?'),
    forget: db.prepare<[string, string]>(
      'DELETE FROM node_tables WHERE organization_uid = ? AND name = ?',
    ),
  };
}
