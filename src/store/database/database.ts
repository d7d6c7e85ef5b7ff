/** Opens the SQLite database with its settings and its schema, and runs transactions. */
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, basename, join } from 'node:path';
import { packagePath } from '#paths.ts';
import BetterSqlite3 from 'better-sqlite3';
import { isBlank, loadMigrations, migrateDatabase } from './migrate.ts';
import type { Migration } from './migrate.ts';
import { errorCodeOf } from '../../foundation/errors.ts';
import { StoreError, storeErrors } from './store-error.ts';
import { writeRoute } from './write-route.ts';
import { randomInt } from 'node:crypto';

/** One connection. Its opener closes it, after the stores that use it. */
export type Database = BetterSqlite3.Database;

/** Wait at the start in ms: another process may be migrating a large database. */
const startTimeoutMs = 30_000;
/** Wait of a command for a lock in ms; writers of Platen hold it for milliseconds. */
const lockWaitMsDefault = 2000;
const walRetryMs = 5;
/** Size of the write-ahead log on disk after a checkpoint; one large upload may exceed it. */
const journalBytesMax = 64 * 1024 * 1024;

export interface DatabaseOptions {
  /**
   * How long each write blocks the thread while another process holds the lock. Default: 2 s. The service sets 0
   * and repeats its writes with `whenFree`.
   */
  lockWaitMs?: number;
  /** Whether to create a new database in a folder that has lost its database. Default: false. */
  mayReplaceLost?: boolean;
}

const migrationsDirectory = packagePath('data/migrations/');

/** Owner only: documents, digests of API keys, and signing keys. */
const fileMode = 0o600;

/**
 * Opens the database file and migrates it to the newest schema. Creates a missing file, and its directory with mode
 * 0700. Waits up to 30 s while another process migrates. Files that others may read get mode 0600.
 *
 * Throws a `StoreError`: `SCHEMA` for a newer or a foreign database, else the codes of the disk. `IO` also means that
 * the folder had a database that is missing or empty.
 */
export function openDatabase(
  path: string,
  { lockWaitMs = lockWaitMsDefault, mayReplaceLost = false }: DatabaseOptions = {},
): Database {
  return storeErrors(`Opening the database ${path}`, () => {
    const mustExist = !mayReplaceLost && hadDatabase(path);
    if (mustExist && sizeOf(path) === 0) throw lostDatabase(path);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    makePrivate(path);
    const db = new BetterSqlite3(path, { timeout: startTimeoutMs });
    try {
      enterWal(db);
      // The whole content of a new database may have been in a write-ahead log that is missing.
      // The lock waits for another process that is creating the tables.
      if (mustExist && db.transaction(() => isBlank(db)).immediate()) throw lostDatabase(path);
      // In WAL mode, only FULL keeps every commit after a power cut.
      db.pragma('synchronous = FULL');
      db.pragma('trusted_schema = OFF');
      db.pragma(`journal_size_limit = ${journalBytesMax}`);
      // SQLite overwrites deleted data: short links contain personal data.
      db.pragma('secure_delete = ON');
      db.pragma('foreign_keys = OFF');
      if (migrateDatabase(db, packagedMigrations())) upgraded.add(db);
      db.pragma('foreign_keys = ON');
      db.pragma(`busy_timeout = ${lockWaitMs}`);
      markDatabase(path);
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  });
}

/**
 * Creates the file before SQLite, whose file would be readable for all; its log and shared memory get the same mode.
 * An existing file is never opened here: closing it would release the locks of this process's other connections.
 */
function makePrivate(path: string): void {
  if (!existsSync(path)) closeSync(openSync(path, 'a', fileMode));
  for (const file of [path, `${path}-wal`, `${path}-shm`]) {
    const facts = statSync(file, { throwIfNoEntry: false });
    if (facts === undefined || (facts.mode & 0o077) === 0) continue;
    try {
      chmodSync(file, fileMode);
    } catch {
      // The file of another user: `platen doctor` reports it.
    }
  }
}

const upgraded = new WeakSet<Database>();

/** Whether this connection migrated a database of an earlier version. */
export function wasUpgraded(db: Database): boolean {
  return upgraded.has(db);
}

/** All migrations of this version. Throws a `StoreError`. */
export function packagedMigrations(): Migration[] {
  return loadMigrations(migrationsDirectory);
}

/** Creates a temporary, empty database with the schema of these migrations. The caller deletes its files. */
export function createScratchDatabase(path: string, migrations: readonly Migration[]): Database {
  closeSync(openSync(path, 'wx', fileMode));
  const db = new BetterSqlite3(path);
  db.pragma('foreign_keys = OFF');
  db.pragma('synchronous = OFF');
  migrateDatabase(db, migrations);
  return db;
}

/** Whether the database accepts no writes because it is damaged; optional writes are then skipped. */
export function isReadOnlyDatabase(db: Database): boolean {
  return db.pragma('query_only', { simple: true }) === 1;
}

/**
 * Opens an existing database without migrations. Throws the errors of SQLite. The connection is not `readonly`: such a
 * connection, if it is the last one, leaves its write-ahead log behind.
 */
export function openAsItIs(path: string): Database {
  const db = new BetterSqlite3(path, { fileMustExist: true, timeout: startTimeoutMs });
  db.pragma('trusted_schema = OFF');
  return db;
}

/** If several processes set a new file to WAL at once, one may get SQLITE_BUSY without any wait (1 of 240 starts). */
function enterWal(db: Database): void {
  const givenUpAtMs = performance.now() + startTimeoutMs;
  for (;;) {
    try {
      const mode = db.pragma('journal_mode = WAL', { simple: true });
      if (mode === 'wal') return;
      throw new StoreError(
        'IO',
        `${db.name} cannot use a write-ahead log (its journal mode stays "${String(mode)}"): put the data directory on a local disk, not on a network file system.`,
      );
    } catch (error) {
      const isBusy = errorCodeOf(error)?.startsWith('SQLITE_BUSY') === true;
      if (!isBusy || performance.now() > givenUpAtMs) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, walRetryMs);
    }
  }
}

/**
 * Runs `work` in one BEGIN IMMEDIATE transaction: all of it is stored or nothing. Inside another
 * transaction it becomes part of that one. Failures become `StoreError`s that name `doing`.
 */
export function writeTransaction<Result>(db: Database, doing: string, work: () => Result): Result {
  return storeErrors(doing, () => db.transaction(work).immediate());
}

/**
 * Runs an optional write, such as the last use of a key. It waits neither for another writer nor
 * for the disk, and never throws. False if nothing was written.
 */
export function writeNote(db: Database, work: () => void): boolean {
  if (db.inTransaction) return false;
  const route = writeRoute();
  if (route?.db === db) return route.note(work);
  const lockWaitMs = Number(db.pragma('busy_timeout', { simple: true }));
  try {
    db.pragma('busy_timeout = 0');
    db.pragma('synchronous = NORMAL');
    work();
    return true;
  } catch {
    return false;
  } finally {
    db.pragma('synchronous = FULL');
    db.pragma(`busy_timeout = ${lockWaitMs}`);
  }
}

// The marker: a file beside the database. Without it, a folder that lost its database would look like a new one.

const markerName = 'platen.marker';

const markerText = `This folder has a Platen database. If the database is missing, the service does not start: restore it.
The service makes this file again.
`;

/**
 * Whether the folder of `path` has had a database: it has the marker or a write-ahead log. Call this before you look
 * for the database: another process may be creating it, and creates the marker last.
 */
function hadDatabase(path: string): boolean {
  return existsSync(join(dirname(path), markerName)) || sizeOf(`${path}-wal`) > 0;
}

/** Bytes of a file; 0 without a file. */
function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** Creates the marker if it is missing. Never throws: after a full disk a later start creates it. */
function markDatabase(path: string): void {
  const marker = join(dirname(path), markerName);
  try {
    if (!existsSync(marker)) writeFileSync(marker, markerText, { mode: 0o600 });
  } catch {
    // The service runs without its marker.
  }
}

/** Creates the error of a folder whose database is missing or empty. */
function lostDatabase(path: string): StoreError {
  return new StoreError(
    'IO',
    `The data directory ${dirname(path)} had a database, but ${basename(path)} is missing or empty: mount the directory or restore a backup (docs/operations.md), or start once with --init to make a new, empty database.`,
  );
}

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Creates `prefix` and `characters` random characters of `0-9A-Za-z`, uniformly distributed (5.95 bits each). */
export function createRandomId(prefix: string, characters: number): string {
  let id = prefix;
  for (let count = 0; count < characters; count += 1) id += base62.charAt(randomInt(62));
  return id;
}
