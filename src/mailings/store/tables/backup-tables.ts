/** Copies the rows of data tables beside a backup of the database, while the service changes them. */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { copyDatabase, syncPath } from '../../../store/database/backup.ts';
import { openAsItIs } from '../../../store/database/database.ts';
import { StoreError, storeErrors } from '../../../store/database/store-error.ts';

/** Files of rows, as `RowFiles` names them. */
const rowFilePattern = /^[0-9A-Za-z]{20}\.db$/;

/**
 * Copies the row files that the backup at `backupPath` names from `tablesPath` into `folder`. A restore moves the
 * folder to `tables/`. Deletes row files in `folder` that the backup does not name. Writes each file under a temporary
 * name and renames it. Returns the number of copied files. Throws a `StoreError`, `CONFLICT` if a table was replaced
 * meanwhile.
 */
export function backupTables(
  databasePath: string,
  tablesPath: string,
  backupPath: string,
  folder: string,
): number {
  return storeErrors(`The backup of the data tables to ${folder}`, () => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const names = rowFiles(backupPath);
    let copied = 0;
    for (const name of names) {
      const path = join(tablesPath, name);
      if (existsSync(path)) {
        copyRows(path, join(folder, name));
        copied += 1;
      } else if (!rowFiles(databasePath).has(name)) {
        const message =
          'A data table was replaced while its rows were copied: make the backup again.';
        throw new StoreError('CONFLICT', message);
      }
    }
    for (const name of readdirSync(folder)) {
      if (rowFilePattern.test(name) && !names.has(name)) rmSync(join(folder, name));
    }
    syncPath(folder);
    return copied;
  });
}

function rowFiles(databasePath: string): Set<string> {
  const db = openAsItIs(databasePath);
  try {
    const ids = db.prepare<[], string>('SELECT file_id FROM data_tables').pluck().all();
    return new Set(ids.map((id) => `${id}.db`));
  } finally {
    db.close();
  }
}

/** Copies the rows in one snapshot, because they may change meanwhile. */
function copyRows(path: string, target: string): void {
  const draft = `${target}.${process.pid}.part`;
  try {
    copyDatabase(path, draft);
    syncPath(draft);
    renameSync(draft, target);
  } finally {
    rmSync(draft, { force: true });
  }
}
