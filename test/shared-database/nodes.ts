/** Nodes of a shared database in the process of a test. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Test } from 'tap';
import { openDatabase, packagedMigrations } from '../../src/store/database/database.ts';
import type { Database } from '../../src/store/database/database.ts';
import { migrateDatabase } from '../../src/store/database/migrate.ts';
import { routeWrites, writeRoute } from '../../src/store/database/write-route.ts';
import type { WriteRoute } from '../../src/store/database/write-route.ts';
import { createOrganizationStore } from '../../src/store/organizations/organization-store.ts';
import type { OrganizationStore } from '../../src/store/organizations/organization-store.ts';
import { quoteAll, columnNames, listSharedTables } from '../../src/store/shared/shared-tables.ts';
import { openSharedDatabase } from '../../src/store/shared/shared-database.ts';
import { eventually } from '../e2e/service.ts';
import type { Postgres } from '../helpers/postgres.ts';
import { parseDatabaseUrl } from '../../src/store/database/shared-port.ts';
import type { SharedDatabase } from '../../src/store/database/shared-port.ts';

export interface Node {
  db: Database;
  shared: SharedDatabase;
  write: WriteRoute['write'];
  /** Makes it the node of `whenFree` and of notes. */
  use(): void;
  organizations: OrganizationStore;
  close(): Promise<void>;
}

/** Starts a node whose files are in `folder`, of a version with `newer` migrations; it ends with the test. */
export async function startNode(
  t: Test,
  url: string,
  folder: string,
  newer: readonly string[] = [],
): Promise<Node> {
  const address = parseDatabaseUrl(url);
  if (address === undefined) throw new Error(`${url} is no address.`);
  const db = openDatabase(join(folder, 'platen.db'), { lockWaitMs: 0 });
  const migrations = [...packagedMigrations()];
  for (const sql of newer) migrations.push({ version: migrations.length + 1, name: 'newer', sql });
  db.pragma('foreign_keys = OFF');
  migrateDatabase(db, migrations);
  db.pragma('foreign_keys = ON');
  const shared = await openSharedDatabase({ address, db, migrations, onState: () => undefined });
  const route = writeRoute();
  if (route === undefined) throw new Error('The node has no route of writes.');
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= shared.close().then(() => void db.close()));
  t.teardown(close);
  const write: Node['write'] = (work) => route.write(work);
  const use = (): void => routeWrites(route);
  return { db, shared, write, use, organizations: createOrganizationStore(db), close };
}

/** Resolves when each node has the last change of the shared database. */
export async function settled(
  t: Test,
  postgres: Postgres,
  nodes: readonly Node[],
  database = 'platen',
): Promise<void> {
  const position = (): number =>
    Number(postgres.sql(database, 'SELECT position FROM platen_cluster'));
  t.ok(
    await eventually(() => nodes.every(({ shared }) => shared.state.position === position())),
    'every node has the last change',
  );
}

/** A digest of all shared rows of a node. */
export function digestOf(db: Database): string {
  const digest = createHash('sha256');
  for (const table of listSharedTables(db)) {
    const columns = columnNames(table).map((name) => `quote(${quoteAll([name])})`);
    const rows = db
      .prepare(`SELECT ${columns.join(" || ',' || ")} AS row FROM "${table.name}" ORDER BY row`)
      .pluck()
      .all();
    digest.update(`${table.name}\n${rows.join('\n')}\n`);
  }
  return digest.digest('hex');
}
