/** Compares a replica with the shared database by the number of rows and a digest of each table. */
import { createHash } from 'node:crypto';
import type { Replica } from './replica.ts';
import { partLengthOf, readTable } from './shared-rows.ts';
import { SharedDatabaseError } from '../database/shared-port.ts';
import type { Connection, Row } from '../database/shared-port.ts';

export interface TableDigest {
  name: string;
  rows: number;
  /** The SHA-256 digests of all rows, combined by XOR, so that the order of rows does not matter. */
  digest: string;
}

const digestBytes = 32;

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

/** Counts rows and combines their digests, independently of their order. */
export class RowDigest {
  rows = 0;
  readonly #sum = Buffer.alloc(digestBytes);

  add(rows: readonly Row[]): void {
    for (const row of rows) {
      const text = JSON.stringify(row);
      this.#combine(createHash('sha256').update(text).digest());
      this.rows += 1;
    }
  }

  #combine(digest: Buffer): void {
    for (const [index, byte] of digest.entries()) this.#sum[index] = (this.#sum[index] ?? 0) ^ byte;
  }

  /** Adds the rows of another digest. */
  merge(other: RowDigest): void {
    this.rows += other.rows;
    this.#combine(other.#sum);
  }

  get digest(): string {
    return this.#sum.toString('hex');
  }
}
