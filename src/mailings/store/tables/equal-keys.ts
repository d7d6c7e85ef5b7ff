/** Finds keys of data tables that are equal in NFC. Earlier versions stored keys as their files wrote them. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { composed } from '#language/normal-form.ts';
import type { Database } from '../../../store/database/database.ts';
import { openAsItIs } from '../../../store/database/database.ts';
import { rowErrors } from './row-file.ts';

/** The number of keys that several rows have, and the first two of these rows. */
export interface EqualKeys {
  keys: number;
  rows: readonly [first: number, second: number];
}

/** Reads the whole index of keys: some 2 s for a million rows with accents. Throws a `StoreError`. */
export function findEqualKeys(path: string): EqualKeys | undefined {
  return rowErrors('Reading a data table', () => {
    const db = openAsItIs(path);
    try {
      db.function('composed', { deterministic: true }, (key) => composed(String(key)));
      const found = db
        .prepare<[], { first: number; second: number }>(
          `SELECT min(number) AS first, max(number) AS second FROM rows
           WHERE key GLOB '*[^ -~]*' GROUP BY composed(key) HAVING count(*) > 1 ORDER BY first`,
        )
        .all();
      const [pair] = found;
      return pair && { keys: found.length, rows: [pair.first, pair.second] };
    } finally {
      db.close();
    }
  });
}

/** The file of a data table. */
export interface NamedFile {
  organization: string;
  table: string;
  path: string;
}

/** The files of all data tables in `directory`; a node may lack some. */
export function listTableFiles(db: Database, directory: string): NamedFile[] {
  return db
    .prepare<[], { organization: string; name: string; id: string }>(
      `SELECT organization_uid AS organization, name, file_id AS id FROM data_tables
       ORDER BY organization_uid, name`,
    )
    .all()
    .map(({ organization, name, id }) => ({
      organization,
      table: name,
      path: join(directory, `${id}.db`),
    }))
    .filter(({ path }) => existsSync(path));
}

/** The problem in words. A key may be an email address, so its rows are named. */
export function equalKeysProblem(
  { organization, table }: Omit<NamedFile, 'path'>,
  { keys, rows: [first, second] }: EqualKeys,
): string {
  const many = keys === 1 ? 'a key' : `${keys} keys`;
  return `the data table ${table} of ${organization} has ${many} in several Unicode forms, the first in rows ${first} and ${second}: one row of each is drawn. Upload the table with one row for each key`;
}
