/** Moves the data of one service from SQLite to PostgreSQL and back. */
import type { Database } from '../database/database.ts';
import { compareTables } from './compare-tables.ts';
import type { TableDigest } from './compare-tables.ts';
import { connect, toSharedError } from './connection.ts';
import { digestFiles } from './campaign-files.ts';
import type { Connection } from './connection.ts';
import type { DatabaseAddress } from './database-url.ts';
import { MovedRows } from '../tables/move-rows.ts';
import { Replica } from './replica.ts';
import { SharedDatabaseError } from './shared-database-error.ts';
import { readHead, readTable, requireWhole } from './shared-rows.ts';
import { checkSchema, findHead, firstPosition, setUp } from './shared-schema.ts';
import { listSharedTables } from './shared-tables.ts';

/** Files beside the database that move with it. */
export interface MovedFiles {
  /** Called before the rows move to PostgreSQL. Writes the names of files into rows, which SQLite ignores. */
  prepare(): void;
  /** Stores the files in PostgreSQL. Called when all rows are stored and compared. */
  save(connection: Connection): Promise<void>;
  /** Writes the files that the rows in SQLite name. Skips files that PostgreSQL lacks. */
  load(connection: Connection): Promise<void>;
}

/**
 * Fills an empty PostgreSQL database with the rows of `db`, which becomes a replica of it, and with the rows of data
 * tables. The files of data tables are in `tablesDirectory`. Rejects with a `SharedDatabaseError` or a `StoreError`;
 * both databases are unchanged then.
 */
export function moveToPostgres(
  db: Database,
  address: DatabaseAddress,
  tablesDirectory: string,
  files?: MovedFiles,
): Promise<TableDigest[]> {
  const rows = new MovedRows(db, tablesDirectory);
  return withBoth(db, address, async (connection, replica) => {
    if (replica.state() !== undefined) {
      throw new SharedDatabaseError(`${db.name} is a copy of a shared database already.`);
    }
    const head = await findHead(connection);
    if (head !== undefined) {
      // A head at another position means that nodes have written since.
      const mayBeMoved = head.position === firstPosition && head.schema === schemaOf(db);
      const moved = mayBeMoved ? await compareMoved(connection, replica, rows) : undefined;
      if (moved === undefined) {
        throw new SharedDatabaseError(
          `The database ${address.database} has data already: name an empty one in PLATEN_DATABASE_URL.`,
        );
      }
      replica.begin(head);
      return moved;
    }
    rows.correctFigures();
    files?.prepare();
    const digests: TableDigest[] = [];
    // All rows are compared before the commit, so that a failure leaves PostgreSQL empty.
    await setUp(connection, replica, schemaOf(db), async (tables) => {
      await rows.toPostgres(connection);
      digests.push(...tables, await rows.compare(connection));
      await files?.save(connection);
      digests.push(await digestFiles(connection));
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
  rows: MovedRows,
): Promise<TableDigest[] | undefined> {
  await connection.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  try {
    const digests = await compareTables(connection, replica);
    digests.push(await rows.compare(connection), await digestFiles(connection));
    return digests;
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
  tablesDirectory: string,
  files?: MovedFiles,
): Promise<TableDigest[]> {
  const rows = new MovedRows(db, tablesDirectory);
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
    await files?.load(connection);
    digests.push(await digestFiles(connection));
    replica.end();
    return digests;
  });
}

/** Copies all rows, fills the files of data tables and compares both, in one snapshot. */
async function copy(
  connection: Connection,
  replica: Replica,
  tableRows: MovedRows,
): Promise<TableDigest[]> {
  await connection.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  await requireWhole(connection, replica.tables);
  // Replaces even the rows of a node's replica, because they lack the files of assets.
  await replica.replaceAll(await readHead(connection), (table) => readTable(connection, table));
  await tableRows.toFiles(connection);
  const digests = await compareTables(connection, replica);
  digests.push(await tableRows.compare(connection));
  await connection.query('COMMIT');
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
