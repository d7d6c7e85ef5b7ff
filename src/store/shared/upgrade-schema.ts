/** Upgrades the shared database to the schema of this version with the SQL migrations of SQLite. */
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { createScratchDatabase } from '../database/database.ts';
import type { Database } from '../database/database.ts';
import { migrateDatabase } from '../database/migrate.ts';
import type { Migration } from '../database/migrate.ts';
import { compareTables } from './compare-tables.ts';
import { Replica } from './replica.ts';
import { everythingChanged } from './row-changes.ts';
import { fillTables, createTables } from './shared-schema.ts';
import { lockHead, moveHead, readTable } from './shared-rows.ts';
import { listSharedTables } from './shared-tables.ts';
import type { Connection } from '../database/shared-contract.ts';

/**
 * Copies all rows into a scratch database of the old schema beside `path`, applies the missing migrations there, and
 * stores the result. One transaction does all of this, and the writers of all nodes wait for it. Nodes of the old
 * version continue: they read and write the columns that they know.
 */
export async function upgradeSchema(
  connection: Connection,
  path: string,
  migrations: readonly Migration[],
): Promise<void> {
  await connection.begin();
  await connection.query('SET LOCAL idle_in_transaction_session_timeout = 0');
  const head = await lockHead(connection);
  if (head.schema >= migrations.length) {
    await connection.query('ROLLBACK');
    return;
  }
  const scratchPath = `${path}.upgrade-${randomUUID()}`;
  const db = createScratchDatabase(scratchPath, migrations.slice(0, head.schema));
  try {
    await withReplica(db, (old) => old.replaceAll(head, (table) => readTable(connection, table)));
    migrateDatabase(db, migrations);
    await withReplica(db, async (replica) => {
      await createTables(connection, replica);
      await fillTables(connection, replica);
      await compareTables(connection, replica);
      const target = {
        ...head,
        position: head.position + 1,
        entry: randomUUID(),
        sequences: replica.sequences(),
      };
      await connection.query('UPDATE platen_cluster SET schema = $1', [migrations.length]);
      await moveHead(connection, target, everythingChanged);
      await connection.query('COMMIT');
    });
  } finally {
    db.close();
    for (const ending of ['', '-wal', '-shm', '-journal']) {
      rmSync(`${scratchPath}${ending}`, { force: true });
    }
  }
}

async function withReplica(db: Database, work: (replica: Replica) => Promise<void>): Promise<void> {
  const replica = new Replica(db.name, listSharedTables(db), { hasFiles: true });
  try {
    await work(replica);
  } finally {
    replica.close();
  }
}
