/** Copies the database to one file while the service uses it. */
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { openAsItIs } from './database.ts';
import { applicationId } from './migrate.ts';
import { StoreError, storeErrors } from './store-error.ts';

/** Contents of a backup. */
export interface Backup {
  bytes: number;
  schemaVersion: number;
  organizations: number;
  /** Includes archived templates. */
  templates: number;
  assets: number;
}

/** Offset of the application id in a SQLite file, 4 bytes (https://sqlite.org/fileformat2.html#the_database_header). */
const applicationIdOffset = 68;

/** Owner only: a backup contains digests of API keys, all templates, and rows of tables, which are personal data. */
const backupMode = 0o600;

/**
 * Copies the database at `databasePath` to `targetPath`, with everything that was committed at its start. Blocks the
 * calling thread, so call it in a separate process; the service continues to write.
 *
 * The copy is written under a temporary name in the same folder, checked (`integrity_check`, `foreign_key_check`),
 * synced and renamed. `targetPath` is therefore a whole backup or unchanged. It replaces an older backup, but no other
 * file. It uses `VACUUM INTO`: SQLite's backup interface starts again whenever another process writes, and might never
 * end.
 *
 * Throws a `StoreError`: `CONFLICT` if the target must not be written, else the codes of the disk.
 */
export function backupDatabase(databasePath: string, targetPath: string): Backup {
  return storeErrors(`The backup of ${databasePath} to ${targetPath}`, () => {
    if (!existsSync(databasePath)) {
      throw new StoreError(
        'IO',
        `There is no database at ${databasePath}: set PLATEN_DATA_DIR to the data folder of the service.`,
      );
    }
    checkTarget(databasePath, targetPath);
    const draftPath = `${targetPath}.${process.pid}.part`;
    try {
      copyDatabase(databasePath, draftPath);
      const backup = checkBackup(draftPath);
      syncPath(draftPath);
      renameSync(draftPath, targetPath);
      syncPath(dirname(targetPath));
      return backup;
    } finally {
      rmSync(draftPath, { force: true });
    }
  });
}

/**
 * Checks a backup, or any database without a writer, and returns its contents. Throws a `StoreError`: `CORRUPT` if it
 * is damaged.
 */
export function checkBackup(path: string): Backup {
  return storeErrors(`Checking the backup ${path}`, () => {
    const db = openAsItIs(path);
    try {
      const problems = db.prepare<[], string>('PRAGMA integrity_check(1)').pluck().all();
      const strays = db.prepare('PRAGMA foreign_key_check').all().length;
      if (problems[0] !== 'ok' || strays > 0) {
        throw new StoreError(
          'CORRUPT',
          `${path} is damaged (${problems[0] === 'ok' ? `${strays} rows refer to nothing` : problems[0]}): use an older backup, and have the database checked with "platen doctor".`,
        );
      }
      const count = (table: string): number =>
        db.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get() ?? 0;
      return {
        bytes: statSync(path).size,
        schemaVersion: Number(db.pragma('user_version', { simple: true })),
        organizations: count('organizations'),
        templates: count('templates'),
        assets: count('assets'),
      };
    } finally {
      db.close();
    }
  });
}

/** Throws `CONFLICT` if a mistyped target would overwrite the database or a file that is no backup. */
function checkTarget(databasePath: string, targetPath: string): void {
  if (!existsSync(targetPath)) return;
  if (realpathSync(targetPath) === realpathSync(databasePath)) {
    throw new StoreError(
      'CONFLICT',
      `${targetPath} is the database itself: give the backup another name.`,
    );
  }
  if (!statSync(targetPath).isFile() || !isBackup(targetPath)) {
    throw new StoreError(
      'CONFLICT',
      `${targetPath} is there already and is no backup: give another name.`,
    );
  }
}

/** Whether the file is a database of Platen, or empty. */
function isBackup(path: string): boolean {
  const file = openSync(path, 'r');
  try {
    const id = Buffer.alloc(4);
    readSync(file, id, 0, id.length, applicationIdOffset);
    return statSync(path).size === 0 || id.readUInt32BE() === applicationId;
  } finally {
    closeSync(file);
  }
}

/** Copies into an empty file with mode 0600: a file that SQLite creates is readable for all. */
export function copyDatabase(databasePath: string, draftPath: string): void {
  closeSync(openSync(draftPath, 'wx', backupMode));
  const db = openAsItIs(databasePath);
  try {
    db.prepare('VACUUM INTO ?').run(draftPath);
  } finally {
    db.close();
  }
}

/** Syncs a file or a folder to the disk. */
export function syncPath(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
