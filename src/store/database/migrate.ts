/** Migrates a database to the newest schema with numbered SQL files, all in one transaction. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCodeOf } from '../../foundation/errors.ts';
import { StoreError } from './store-error.ts';

/** One step from schema `version - 1` to schema `version`. */
export interface Migration {
  version: number;
  /** File name, such as `001-initial.sql`. */
  name: string;
  sql: string;
}

/** The part of a database connection that migrations need. */
export interface MigratableDatabase {
  name: string;
  exec(sql: string): unknown;
  pragma(source: string, options?: { simple: boolean }): unknown;
  transaction(work: () => void): { immediate(): void };
}

/** Application id of Platen, "Pltn" in ASCII (https://sqlite.org/pragma.html#pragma_application_id). */
export const applicationId = 0x50_6c_74_6e;

const fileNamePattern = /^(\d{3})-[a-z0-9-]+\.sql$/;

/** Reads the `NNN-name.sql` files of a directory. They must be numbered 001, 002, … without a gap. */
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
 * Applies missing migrations in one BEGIN IMMEDIATE transaction: the second of two concurrent starts
 * waits and finds nothing to do. Foreign keys must be off, so that a migration can rebuild a table;
 * they are checked before the commit. Returns whether the database had an earlier schema.
 *
 * Throws a `StoreError` `SCHEMA` and changes nothing if the database belongs to a newer Platen or
 * another program, or if a migration fails.
 */
export function migrateDatabase(db: MigratableDatabase, migrations: readonly Migration[]): boolean {
  if (isCurrent(db, migrations.length)) return false;
  let version = 0;
  db.transaction(() => {
    version = checkedVersion(db, migrations.length);
    for (const migration of migrations.slice(version)) apply(db, migration);
    db.pragma(`application_id = ${applicationId}`);
    db.pragma(`user_version = ${migrations.length}`);
  }).immediate();
  return version > 0 && version < migrations.length;
}

/** Avoids the write lock at later starts. */
function isCurrent(db: MigratableDatabase, newest: number): boolean {
  return readNumber(db, 'application_id') === applicationId && schemaVersion(db) === newest;
}

/** Whether the database has no tables. */
export function isBlank(db: MigratableDatabase): boolean {
  return schemaVersion(db) === 0 && countRows(db, 'table_list') <= internalTables;
}

/** The schema's number, 0 for an empty file. Called under the write lock, so that the reads are consistent. */
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

/** `sqlite_schema` and `sqlite_temp_schema` are in every table list. */
const internalTables = 2;

function apply(db: MigratableDatabase, migration: Migration): void {
  try {
    db.exec(migration.sql);
  } catch (error) {
    // Failures other than an SQL error (a full disk, a lock) get the message of `storeErrors`.
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
