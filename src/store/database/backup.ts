/** Copies the database to one file while the service reads and writes it. */
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

/** What is in a backup, to be shown. */
export interface Backup {
  bytes: number;
  schemaVersion: number;
  organizations: number;
  /** Archived ones too. */
  templates: number;
  assets: number;
}

/** Where a SQLite file has its application id, 4 bytes (https://sqlite.org/fileformat2.html#the_database_header). */
const applicationIdOffset = 68;

/** Owner only: a backup holds the digests of keys, and whatever people have put into templates. */
const backupMode = 0o600;

/**
 * Copies the database at `databasePath` to `targetPath`: everything that was committed when the copying began, and
 * nothing later. Blocks the calling thread, so it is for a process of its own; the service goes on writing meanwhile.
 *
 * The copy is written under another name in the same folder, checked (`integrity_check`, `foreign_key_check`), brought
 * to disk and renamed: at `targetPath` stands a whole backup or what was there before. An older backup is replaced,
 * another file is not. SQLite's `VACUUM INTO` and not its backup interface: that begins anew whenever another process
 * writes, so beside a busy service it might never end.
 *
 * Throws a `StoreError`: `CONFLICT` when the target must not be written, else the disk's codes.
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
 * Reads a whole backup, or any database that nobody writes, and says what is in it. Throws a `StoreError`: `CORRUPT`
 * when it is damaged.
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

/** A slip of the hand must cost neither the database nor somebody's other file. */
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

/** A database of ours, or an empty file, which was made to be filled. */
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

/** Into an empty file that is made beforehand, because SQLite's own would be readable for all. */
function copyDatabase(databasePath: string, draftPath: string): void {
  closeSync(openSync(draftPath, 'wx', backupMode));
  const db = openAsItIs(databasePath);
  try {
    db.prepare('VACUUM INTO ?').run(draftPath);
  } finally {
    db.close();
  }
}

function syncPath(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
