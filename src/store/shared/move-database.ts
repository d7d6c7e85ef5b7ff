/** Moves the data of one service from SQLite to PostgreSQL and back. */
import type { Database } from '../database/database.ts';
import { compareTables } from './compare-tables.ts';
import { connect, toSharedError } from './connection.ts';
import { Replica } from './replica.ts';
import { readHead, readTable, requireWhole } from './shared-rows.ts';
import { checkSchema, findHead, firstPosition, setUp } from './shared-schema.ts';
import { listSharedTables } from './shared-tables.ts';
import { SharedDatabaseError } from '../database/shared-contract.ts';
import type {
  Connection,
  DatabaseAddress,
  MovedPart,
  TableDigest,
} from '../database/shared-contract.ts';

export interface MovedData {
  /** Rows of data tables, which move in the snapshot of the tables. */
  rows: MovedPart;
  /** Files of campaigns. On the way back they are loaded after the snapshot, because they may be large. */
  files?: MovedPart;
}

/**
 * Fills an empty PostgreSQL database with the rows of `db`, which becomes a replica of it, and with `data`. Rejects with
 * a `SharedDatabaseError` or a `StoreError`; both databases are unchanged then.
 */
export function moveToPostgres(
  db: Database,
  address: DatabaseAddress,
  data: MovedData,
): Promise<TableDigest[]> {
  const parts = partsOf(data);
  return withBoth(db, address, async (connection, replica) => {
    if (replica.state() !== undefined) {
      throw new SharedDatabaseError(`${db.name} is a copy of a shared database already.`);
    }
    const head = await findHead(connection);
    if (head !== undefined) {
      // A head at another position means that nodes have written since.
      const mayBeMoved = head.position === firstPosition && head.schema === schemaOf(db);
      const moved = mayBeMoved ? await compareMoved(connection, replica, parts) : undefined;
      if (moved === undefined) {
        throw new SharedDatabaseError(
          `The database ${address.database} has data already: name an empty one in PLATEN_DATABASE_URL.`,
        );
      }
      replica.begin(head);
      return moved;
    }
    for (const part of parts) part.prepare();
    const digests: TableDigest[] = [];
    // All rows are compared before the commit, so that a failure leaves PostgreSQL empty.
    await setUp(connection, replica, schemaOf(db), async (tables) => {
      digests.push(...tables);
      for (const part of parts) {
        await part.save(connection);
        digests.push(await part.compare(connection));
      }
    });
    return digests;
  });
}

/**
 * The digests if PostgreSQL holds the same rows as `db`, from a move that was killed after its commit. Undefined if the
 * rows differ.
 */
async function compareMoved(
  connection: Connection,
  replica: Replica,
  parts: readonly MovedPart[],
): Promise<TableDigest[] | undefined> {
  await connection.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  try {
    const digests = await compareTables(connection, replica);
    return [...digests, ...(await compareParts(connection, parts))];
  } catch (error) {
    if (error instanceof SharedDatabaseError) return undefined;
    throw error;
  } finally {
    await connection.query('ROLLBACK');
  }
}

/**
 * Copies everything from PostgreSQL into `db`, which then is an independent database. Rejects as `moveToPostgres` does,
 * but `db` may then be a replica of the shared database.
 */
export function moveToSqlite(
  db: Database,
  address: DatabaseAddress,
  { rows, files }: MovedData,
): Promise<TableDigest[]> {
  return withBoth(db, address, async (connection, replica) => {
    const head = await findHead(connection);
    if (head === undefined) {
      throw new SharedDatabaseError(`The database ${address.database} has no data of Platen.`);
    }
    checkSchema(head, schemaOf(db));
    const isEmpty = db.prepare('SELECT 1 FROM organizations LIMIT 1').get() === undefined;
    const isCopy = replica.state()?.cluster === head.cluster;
    if (!isEmpty && !isCopy) {
      throw new SharedDatabaseError(
        `${db.name} has other data: set PLATEN_DATA_DIR to an empty folder, or to that of a node.`,
      );
    }
    const digests = await copy(connection, replica, rows);
    if (files !== undefined) {
      await files.load(connection);
      digests.push(await files.compare(connection));
    }
    replica.end();
    return digests;
  });
}

/** Copies all rows, fills the files of data tables and compares both, in one snapshot. */
async function copy(
  connection: Connection,
  replica: Replica,
  rows: MovedPart,
): Promise<TableDigest[]> {
  await connection.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  await requireWhole(connection, replica.tables);
  // Replaces even the rows of a node's replica, because they lack the files of assets.
  await replica.replaceAll(await readHead(connection), (table) => readTable(connection, table));
  await rows.load(connection);
  const digests = await compareTables(connection, replica);
  digests.push(await rows.compare(connection));
  await connection.query('COMMIT');
  return digests;
}

function partsOf({ rows, files }: MovedData): MovedPart[] {
  return files === undefined ? [rows] : [rows, files];
}

async function compareParts(
  connection: Connection,
  parts: readonly MovedPart[],
): Promise<TableDigest[]> {
  const digests: TableDigest[] = [];
  for (const part of parts) digests.push(await part.compare(connection));
  return digests;
}

async function withBoth<Result>(
  db: Database,
  address: DatabaseAddress,
  work: (connection: Connection, replica: Replica) => Promise<Result>,
): Promise<Result> {
  const connection = await connect(address);
  const replica = new Replica(db.name, listSharedTables(db), { hasFiles: true });
  try {
    // The transaction may idle for long while rows of a large file are read. No other client waits for it.
    await connection.query('SET idle_in_transaction_session_timeout = 0');
    return await work(connection, replica);
  } catch (error) {
    throw toSharedError(error, address);
  } finally {
    replica.close();
    await connection.close();
  }
}

function schemaOf(db: Database): number {
  return Number(db.pragma('user_version', { simple: true }));
}
