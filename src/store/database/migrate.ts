/** Brings a database to the newest schema: numbered SQL files, each applied once, all or nothing. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCodeOf } from '../../foundation/errors.ts';
import { StoreError } from './store-error.ts';

/** One step from schema `version - 1` to schema `version`. */
export interface Migration {
  version: number;
  /** The file's name, `001-initial.sql`. */
  name: string;
  sql: string;
}

/** The part of a database connection that migrating needs. */
export interface MigratableDatabase {
  name: string;
  exec(sql: string): unknown;
  pragma(source: string, options?: { simple: boolean }): unknown;
  transaction(work: () => void): { immediate(): void };
}

/** Marks the file as ours, "Pltn" in ASCII (https://sqlite.org/pragma.html#pragma_application_id). */
export const applicationId = 0x50_6c_74_6e;

const fileNamePattern = /^(\d{3})-[a-z0-9-]+\.sql$/;

/** Reads the `NNN-name.sql` files of a directory. They must count 001, 002, … without a gap. */
export function loadMigrations(directory: string): Migration[] {
  const names = readdirSync(directory).filter((name) => name.endsWith('.sql'));
  return names.toSorted().map((name, index) => {
    const version = Number(fileNamePattern.exec(name)?.[1]);
    if (version !== index + 1) {
      const expected = String(index + 1).padStart(3, '0');
      throw new StoreError(
        'SCHEMA',
        `Migration ${join(directory, name)} has an unexpected name, expected ${expected}-<name>.sql: number the files without gaps.`,
      );
    }
    return { version, name, sql: readFileSync(join(directory, name), 'utf8') };
  });
}

/**
 * Applies the migrations that the database has not had yet, in one BEGIN IMMEDIATE transaction:
 * of two processes that start at once the second waits and finds nothing left to do. Foreign keys
 * must be off, so that a migration can rebuild a table; they are checked before the commit.
 *
 * Throws a `StoreError` `SCHEMA`, with the database unchanged, when it belongs to a newer Platen or
 * another program, or when a migration fails.
 */
export function migrateDatabase(db: MigratableDatabase, migrations: readonly Migration[]): void {
  if (isCurrent(db, migrations.length)) return;
  db.transaction(() => {
    const version = checkedVersion(db, migrations.length);
    for (const migration of migrations.slice(version)) apply(db, migration);
    db.pragma(`application_id = ${applicationId}`);
    db.pragma(`user_version = ${migrations.length}`);
  }).immediate();
}

/** Spares every later start the write lock. */
function isCurrent(db: MigratableDatabase, newest: number): boolean {
  return readNumber(db, 'application_id') === applicationId && schemaVersion(db) === newest;
}

/** Whether nothing was ever stored in it. */
export function isBlank(db: MigratableDatabase): boolean {
  return schemaVersion(db) === 0 && countRows(db, 'table_list') <= ownTablesOfSqlite;
}

/** The schema's number, 0 of an empty file; called under the write lock, so that all answers fit each other. */
function checkedVersion(db: MigratableDatabase, newest: number): number {
  const version = schemaVersion(db);
  if (!isBlank(db) && readNumber(db, 'application_id') !== applicationId) {
    throw new StoreError(
      'SCHEMA',
      `${db.name} is a database of another program, expected one of Platen or none: choose another data directory.`,
    );
  }
  if (version > newest) {
    throw new StoreError(
      'SCHEMA',
      `${db.name} has schema ${version}, but this version of Platen knows schemas up to ${newest}: start the newer version again, or restore a backup made before the upgrade.`,
    );
  }
  return version;
}

/** `sqlite_schema` and `sqlite_temp_schema` stand in every table list. */
const ownTablesOfSqlite = 2;

function apply(db: MigratableDatabase, migration: Migration): void {
  try {
    db.exec(migration.sql);
  } catch (error) {
    // Everything but a mistake in the SQL (a full disk, a lock) has its own sentence.
    const isMistake = /^SQLITE_(ERROR|CONSTRAINT)/.test(errorCodeOf(error) ?? '');
    if (!isMistake || !(error instanceof Error)) throw error;
    throw new StoreError(
      'SCHEMA',
      `Migration ${migration.name} failed: ${error.message}. The database is as it was before; start the version that was running, and report this.`,
      error,
    );
  }
  if (countRows(db, 'foreign_key_check') > 0) {
    throw new StoreError(
      'SCHEMA',
      `Migration ${migration.name} leaves rows that refer to nothing. The database is as it was before; start the version that was running, and report this.`,
    );
  }
}

function schemaVersion(db: MigratableDatabase): number {
  return readNumber(db, 'user_version');
}

function readNumber(db: MigratableDatabase, pragma: string): number {
  const value = db.pragma(pragma, { simple: true });
  if (typeof value === 'number') return value;
  throw new TypeError(`PRAGMA ${pragma} answered ${String(value)}, expected a number.`);
}

function countRows(db: MigratableDatabase, pragma: string): number {
  const rows = db.pragma(pragma);
  return Array.isArray(rows) ? rows.length : 0;
}
