/** The entrance of the command line: backups of data tables, and the move of mailings between SQLite and PostgreSQL. */
import { join } from 'node:path';
import type { Database } from '../store/database/database.ts';
import type { MovedPart } from '../store/database/shared-port.ts';
import { moveCampaignFiles } from './campaigns/shared/move-files.ts';
import { MovedRows } from './store/tables/move-rows.ts';

export { backupTables } from './store/tables/backup-tables.ts';

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
