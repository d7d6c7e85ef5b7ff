/** The entrance of the command line: backups of data tables, and the move of mailings between SQLite and PostgreSQL. */
import { join } from 'node:path';
import type { Database } from '../store/database/database.ts';
import type { MovedPart } from '../store/database/shared-port.ts';
import { moveCampaignFiles } from './campaigns/shared/move-files.ts';
import { equalKeysProblem, findEqualKeys, listTableFiles } from './store/tables/equal-keys.ts';
import { MovedRows } from './store/tables/move-rows.ts';

export { backupTables } from './store/tables/backup-tables.ts';

/** The problems of data tables with keys that are equal in NFC, in words. Reads all keys of all tables. */
export function equalKeysProblems(db: Database, dataDirectory: string): string[] {
  return listTableFiles(db, join(dataDirectory, 'tables')).flatMap((file) => {
    const found = findEqualKeys(file.path);
    return found === undefined ? [] : [equalKeysProblem(file, found)];
  });
}

/** Rows of data tables and files of campaigns. `onMissing` gets the name of each file that the shared database lacks. */
export function moveMailings(
  db: Database,
  dataDirectory: string,
  onMissing: (name: string) => void,
): { rows: MovedPart; files: MovedPart } {
  return {
    rows: new MovedRows(db, join(dataDirectory, 'tables')),
    files: moveCampaignFiles(db, dataDirectory, onMissing),
  };
}
