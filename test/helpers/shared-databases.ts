/** Shared databases for the services of other tests: `TEST_DATABASE` is the port of a PostgreSQL server. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { MovedRows } from '../../src/mailings/store/tables/move-rows.ts';
import { moveCampaignFiles } from '../../src/mailings/campaigns/shared/move-files.ts';
import { openDatabase } from '../../src/store/database/database.ts';
import { moveToPostgres } from '../../src/store/shared/move-database.ts';
import { parseDatabaseUrl, readReplicaState } from '../../src/store/database/shared-port.ts';

/** The environment of a service on this folder, whose rows move to its shared database; empty without `TEST_DATABASE`. */
export async function sharedDatabaseFor(dataDirectory: string): Promise<Record<string, string>> {
  const port = process.env['TEST_DATABASE'];
  if (port === undefined) return {};
  const name = `test_${createHash('sha256').update(dataDirectory).digest('hex').slice(0, 16)}`;
  const psql = ['-h', '127.0.0.1', '-p', port, '-U', 'postgres', '-c'];
  const url = `postgres://postgres@127.0.0.1:${port}/${name}`;
  const path = join(dataDirectory, 'platen.db');
  const db = existsSync(path) ? openDatabase(path) : undefined;
  // A test that starts its service again keeps what it has.
  if (db === undefined || readReplicaState(db) === undefined) {
    spawnSync('psql', [...psql, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`]);
    spawnSync('psql', [...psql, `CREATE DATABASE ${name}`]);
    const address = parseDatabaseUrl(url);
    if (db !== undefined && address !== undefined) {
      const tables = join(dataDirectory, 'tables');
      await moveToPostgres(db, address, {
        rows: new MovedRows(db, tables),
        files: moveCampaignFiles(db, dataDirectory),
      });
    }
  }
  db?.close();
  return { PLATEN_DATABASE_URL: url };
}
