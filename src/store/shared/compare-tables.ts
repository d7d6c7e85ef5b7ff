/** Compares a replica with the shared database by the number of rows and a digest of each table. */
import type { Replica } from './replica.ts';
import { RowDigest } from './row-digest.ts';
import { partLengthOf, readTable } from './shared-rows.ts';
import { SharedDatabaseError } from '../database/shared-contract.ts';
import type { Connection, TableDigest } from '../database/shared-contract.ts';

/**
 * Returns the digests of all tables. The transaction of `connection` must see exactly the changes that the replica has.
 * Throws a `SharedDatabaseError` that names the first table that differs.
 */
export async function compareTables(
  connection: Connection,
  replica: Replica,
): Promise<TableDigest[]> {
  const digests: TableDigest[] = [];
  for (const table of replica.tables) {
    const here = new RowDigest();
    for (const rows of replica.read(table, partLengthOf(table))) here.add(rows);
    const there = new RowDigest();
    for await (const rows of readTable(connection, table)) there.add(rows);
    if (here.rows !== there.rows || here.digest !== there.digest) {
      throw new SharedDatabaseError(
        `The table ${table.name} has ${here.rows} rows in SQLite (digest ${here.digest}) and ${there.rows} in PostgreSQL (digest ${there.digest}); expected equal rows: run it again, with every service stopped.`,
      );
    }
    digests.push({ name: table.name, rows: here.rows, digest: here.digest });
  }
  return digests;
}
