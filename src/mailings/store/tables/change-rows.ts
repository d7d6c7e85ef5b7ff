/** Changes single rows of a data table. Each function runs one transaction, which is on the disk when it returns. */
import { composed, keyForms } from '#language/normal-form.ts';
import type { Database } from '../../../store/database/database.ts';
import { openAsItIs, writeTransaction } from '../../../store/database/database.ts';
import { StoreError } from '../../../store/database/store-error.ts';
import { rowErrors, sizeOfRow } from './row-file.ts';
import type { RowFigures } from './row-file.ts';
import { readRowText, writeRowText } from './row-text.ts';

/** A row to change or add: its key, and cells by the index of their column. */
export interface RowChange {
  key: string;
  cells: ReadonlyMap<number, string>;
}

/** Limits of a table that a change must keep. */
export interface RowLimits {
  rowsMax: number;
  rowBytesMax: number;
}

/** Access to the rows that a change edits, with cells as JSON. */
interface ChangeableRows {
  find(key: string): string | undefined;
  save(key: string, cellsJson: string): unknown;
}

/**
 * Changes cells of existing rows, and adds missing rows with empty other cells. `columns` is the number of columns.
 * Throws a `StoreError` `INVALID` and changes nothing if a limit is exceeded.
 */
export function upsertRows(
  path: string,
  columns: number,
  changes: readonly RowChange[],
  limits: RowLimits,
): RowFigures {
  return changeRows(path, (db, figures) => {
    const find = db.prepare<[string], string>('SELECT cells FROM rows WHERE key = ?').pluck();
    const save = prepareSave(db);
    const rows = { find: (key: string) => find.get(key), save: save.run.bind(save) };
    applyChanges(rows, columns, changes, figures, limits);
  });
}

/**
 * As `upsertRows` for rows as text. `text` has the existing rows of the changed keys. Returns the changed rows and the
 * figures.
 */
export function mergeRows(
  text: string,
  columns: number,
  changes: readonly RowChange[],
  { rows, bytes }: RowFigures,
  limits: RowLimits,
): { text: string; figures: RowFigures } {
  const found = new Map(readRowText(text));
  const saved = new Map<string, string>();
  const figures = { rows, bytes };
  const changeable: ChangeableRows = {
    find: (key) => saved.get(key) ?? found.get(key),
    save: (key, json) => saved.set(key, json),
  };
  applyChanges(changeable, columns, changes, figures, limits);
  return { text: [...saved].map(([key, json]) => writeRowText(key, json)).join('\n'), figures };
}

function applyChanges(
  rows: ChangeableRows,
  columns: number,
  changes: readonly RowChange[],
  figures: RowFigures,
  { rowsMax, rowBytesMax }: RowLimits,
): void {
  for (const [index, { key: given, cells }] of changes.entries()) {
    // A row of an earlier version keeps the key of its file, which may not be composed.
    const key = keyForms(given).find((form) => rows.find(form) !== undefined) ?? composed(given);
    const old = rows.find(key);
    const row =
      old === undefined ? Array.from({ length: columns }, () => '') : (JSON.parse(old) as string[]);
    for (const [column, text] of cells) row[column] = text;
    const json = JSON.stringify(row);
    if (sizeOfRow(key, json) > rowBytesMax) {
      throw new StoreError('INVALID', `rows[${index}] has more than ${rowBytesMax} bytes.`);
    }
    rows.save(key, json);
    figures.bytes += sizeOfRow(key, json) - (old === undefined ? 0 : sizeOfRow(key, old));
    if (old === undefined) figures.rows += 1;
  }
  if (figures.rows > rowsMax) {
    throw new StoreError('INVALID', `The table would have more than ${rowsMax} rows.`);
  }
}

/** Deletes a row and returns the new figures; undefined if there is no such row. */
export function deleteRow(path: string, key: string): RowFigures | undefined {
  let isDeleted = false;
  const figures = changeRows(path, (db, changed) => {
    isDeleted = removeRow(db, key, changed);
  });
  return isDeleted ? figures : undefined;
}

/** Deletes a row within `changeRows` and updates `figures`; false if there is no such row. */
export function removeRow(db: Database, key: string, figures: RowFigures): boolean {
  const json = db
    .prepare<[string], string>('DELETE FROM rows WHERE key = ? RETURNING cells')
    .pluck()
    .get(key);
  if (json === undefined) return false;
  figures.rows -= 1;
  figures.bytes -= sizeOfRow(key, json);
  return true;
}

// oxlint-disable-next-line typescript/explicit-module-boundary-types -- the type is that of the statement
export function prepareSave(db: Database) {
  return db.prepare<[string, string]>(
    'INSERT INTO rows (key, cells) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET cells = excluded.cells',
  );
}

/** Runs `change`, which updates the figures, in one transaction. */
export function changeRows(
  path: string,
  change: (db: Database, figures: RowFigures) => void,
): RowFigures {
  const db = rowErrors('Opening a data table', () => openAsItIs(path));
  try {
    return rowErrors('Changing a data table', () => {
      db.pragma('synchronous = FULL');
      // SQLite overwrites deleted data: rows are personal data.
      db.pragma('secure_delete = ON');
      const figures = writeTransaction(db, 'Changing a data table', () => {
        const changed = db
          .prepare<[], RowFigures>('SELECT rows, bytes FROM figures')
          .get() as RowFigures;
        change(db, changed);
        db.prepare('UPDATE figures SET rows = ?, bytes = ?').run(changed.rows, changed.bytes);
        return changed;
      });
      // Empties the write-ahead log into the file, so that replaced rows do not stay on the disk.
      db.pragma('wal_checkpoint(TRUNCATE)');
      return figures;
    });
  } finally {
    db.close();
  }
}
