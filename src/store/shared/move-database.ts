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
  /** Called before the rows move to PostgreSQL: names the files in them, which means nothing to SQLite. */
  prepare(): void;
  /** Stores the files, when all rows are there and equal. */
  save(connection: Connection): Promise<void>;
  /** Writes the files of the rows, which are in SQLite then. Those that PostgreSQL lacks are passed over. */
  load(connection: Connection): Promise<void>;
}

/**
 * Fills an empty PostgreSQL database with the rows of `db`, which becomes a copy of it, and with those of data tables, whose
 * files are in `tablesDirectory`. Rejects with a `SharedDatabaseError` or a `StoreError`; both databases are then as they
 * were.
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
      // Nodes that have written since have moved the head.
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
    // Everything is compared before the commit: a failure leaves PostgreSQL empty.
    await setUp(connection, replica, schemaOf(db), async (tables) => {
      await rows.toPostgres(connection);
      digests.push(...tables, await rows.compare(connection));
      await files?.save(connection);
      digests.push(await digestFiles(connection));
    });
    return digests;
  });
}

/** The digests of a move that was killed after its commit; undefined if the database has other rows than `db`. */
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

/** Copies everything from PostgreSQL into `db`, which is then a database by itself. Rejects as `moveToPostgres` does. */
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

/** In one snapshot: copies all rows, fills the files of rows, and compares. */
async function copy(
  connection: Connection,
  replica: Replica,
  tableRows: MovedRows,
): Promise<TableDigest[]> {
  await connection.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  await requireWhole(connection, replica.tables);
  // The copy of a node lacks files of assets.
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
    // The rows of a large file are read within a transaction, which nobody else waits for.
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
