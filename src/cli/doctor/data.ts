/** Checks of `platen doctor` on the data folder: permissions, free space, and the database. */
import { accessSync, constants, existsSync, readdirSync, statfsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Config } from '../../settings.ts';
import { isReadOnlyFileSystem } from '../../process/data-directory.ts';
import { openAsItIs } from '../../store/database/database.ts';
import type { Database } from '../../store/database/database.ts';
import { readReplicaState } from '../../store/database/shared-port.ts';
import { documentCid } from '../../store/template-document.ts';
import { errorMessage } from '../exit-codes.ts';
import { databasePath } from '../local-database.ts';

const gibibyte = 1024 ** 3;
const mebibyte = 1024 ** 2;

/** Free space for a backup beside the database and for an upgrade. */
const freeGood = gibibyte;
const freeMin = 100 * mebibyte;

/** Maximum number of damaged documents that are named. */
const damagedNamed = 10;

/**
 * Maximum size of the write-ahead log without a warning. A checkpoint cuts the log to 64 MiB, unless a reader stays
 * open.
 */
const walBytesGood = 256 * mebibyte;

const advicePermissions =
  'Run this as the user of the service, and give the folder to that user alone: chown -R <user> <folder>, chmod 700 <folder>.';

/** Whether this user, and no other, can read and write the files of the folder. */
export function checkDataDirectory(config: Config): Check[] {
  const directory = resolve(config.templates.dataDirectory);
  if (!existsSync(directory)) {
    const parent = existingParent(directory);
    const isWritable = canWrite(parent);
    return [
      {
        status: isWritable ? 'ok' : 'problem',
        detail: `${directory} is made by the first start`,
        ...(isWritable ? {} : { advice: `${parent} cannot be written. ${advicePermissions}` }),
      },
    ];
  }
  if (isReadOnlyFileSystem(directory)) {
    return [
      {
        status: 'problem',
        detail: `the file system of ${directory} is read-only: the service cannot start there, and one that runs refuses changes`,
        advice: `Mount it writable, then restart the service. \`findmnt -T ${directory}\` names it; the kernel makes a faulty one read-only, see \`dmesg\`.`,
      },
    ];
  }
  const paths = [directory, ...readdirSync(directory).map((name) => join(directory, name))];
  const locked = paths.filter((path) => !canWrite(path));
  if (locked.length > 0) {
    return [
      {
        status: 'problem',
        detail: `cannot be written: ${locked.join(', ')}`,
        advice: advicePermissions,
      },
    ];
  }
  const facts = statSync(directory);
  const others = paths.filter((path) => statSync(path).uid !== facts.uid);
  if (others.length > 0) {
    return [
      {
        status: 'problem',
        detail: `has another owner than the folder: ${others.join(', ')}`,
        advice: advicePermissions,
      },
    ];
  }
  const isOpen = (facts.mode & 0o007) !== 0;
  return [
    {
      status: isOpen ? 'warning' : 'ok',
      detail: isOpen ? `${directory} can be read by every user of the machine` : directory,
      ...(isOpen ? { advice: `chmod 700 ${directory}` } : {}),
    },
  ];
}

/** Free bytes and free inodes of the file system. */
export function checkDisk(config: Config): Check[] {
  const path = existingParent(resolve(config.templates.dataDirectory));
  const { bavail, bsize, files, ffree } = statfsSync(path);
  const free = bavail * bsize;
  const detail = `${(free / gibibyte).toFixed(1)} GiB free`;
  if (files > 0 && ffree < 1000) {
    const advice = 'Remove small files that nobody needs.';
    return [{ status: 'problem', detail: `${ffree} free inodes`, advice }];
  }
  if (free >= freeGood) return [{ status: 'ok', detail }];
  return [
    {
      status: free < freeMin ? 'problem' : 'warning',
      detail,
      advice: `Free some space on the file system of ${path}: a full disk refuses every change, while links go on.`,
    },
  ];
}

const adviceDamage =
  'Stop the service, keep a copy of the file, and restore the newest backup (docs/operations.md).';
const adviceDamagedCopy =
  'Stop the service, move the file away with those beside it that begin with its name, and start it: it copies everything from the shared database.';

/** Checks the database. Reads the whole file, which takes seconds for gigabytes. */
export function checkDatabase(config: Config): Check[] {
  const path = databasePath(config);
  if (isReadOnlyFileSystem(dirname(path))) {
    const detail = `${path} is not checked: SQLite cannot read it on a read-only file system`;
    return [{ status: 'warning', detail, advice: 'Mount the file system writable.' }];
  }
  try {
    return lookInto(path);
  } catch (error) {
    // The check may fail on a damaged page.
    const detail = `${path} cannot be read: ${errorMessage(error)}`;
    return [{ status: 'problem', detail, advice: adviceDamage }];
  }
}

function lookInto(path: string): Check[] {
  const db = openAsItIs(path);
  const advice = readReplicaState(db) === undefined ? adviceDamage : adviceDamagedCopy;
  try {
    const found = db.prepare<[], string>('PRAGMA integrity_check(3)').pluck().all();
    const strays = db.prepare('PRAGMA foreign_key_check').all().length;
    if (found[0] !== 'ok' || strays > 0) {
      return [
        {
          status: 'problem',
          detail: `${path} is damaged: ${found[0] === 'ok' ? `${strays} rows refer to nothing` : found.join('; ')}`,
          advice,
        },
      ];
    }
    const damaged = findDamagedDocuments(db);
    if (damaged.length > 0) {
      const detail = `${path} has damaged documents: ${damaged.join(', ')}`;
      return [{ status: 'problem', detail, advice }];
    }
    const checks: Check[] = [
      {
        status: 'ok',
        detail: `${path} is whole, ${Math.ceil(statSync(path).size / mebibyte)} MiB`,
      },
    ];
    const wal = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
    if (wal > walBytesGood) {
      checks.push({
        status: 'warning',
        detail: `its write-ahead log has ${Math.round(wal / mebibyte)} MiB`,
        advice:
          'Another program keeps the database open to read: end it, then restart the service.',
      });
    }
    return checks;
  } finally {
    db.close();
  }
}

/** Up to `damagedNamed` stored documents that do not match their content ids, in words. */
function findDamagedDocuments(db: Database): string[] {
  // A first start that was killed leaves a file without tables, and the next start creates them.
  if (db.pragma('user_version', { simple: true }) === 0) return [];
  const documents = db.prepare<[], { uid: string; part: string; cid: string; json: string }>(
    `SELECT uid, 'draft' AS part, draft_cid AS cid, draft_json AS json FROM templates
     UNION ALL
     SELECT t.uid, 'version ' || v.version, v.cid, v.document_json
     FROM template_versions v JOIN templates t ON t.id = v.template_id`,
  );
  const damaged: string[] = [];
  for (const { uid, part, cid, json } of documents.iterate()) {
    if (documentCid(json) === cid) continue;
    damaged.push(`${part} of template ${uid}`);
    if (damaged.length === damagedNamed) break;
  }
  return damaged;
}

/** Names data tables with keys that are equal in NFC. */
export async function checkDataTables(config: Config): Promise<Check[]> {
  const { equalKeysProblems } = await import('../../mailings/commands.ts');
  const db = openAsItIs(databasePath(config));
  try {
    if (db.pragma('user_version', { simple: true }) === 0) return [];
    const problems = equalKeysProblems(db, resolve(config.templates.dataDirectory));
    if (problems.length === 0) return [{ status: 'ok', detail: 'every key is that of one row' }];
    const advice =
      'Letters such as é have two Unicode forms, and macOS writes the longer one. Rows are found by the composed form first.';
    return problems.map((detail) => ({ status: 'warning', detail, advice }));
  } finally {
    db.close();
  }
}

/** Time of the last change of any template, in ms since the epoch; undefined if none can be read. */
export function newestTimestamp(config: Config): number | undefined {
  const path = databasePath(config);
  if (!existsSync(path)) return undefined;
  try {
    const db = openAsItIs(path);
    try {
      const newest = db
        .prepare<[], string | null>('SELECT max(updated_at) FROM templates')
        .pluck()
        .get();
      return typeof newest === 'string' ? Date.parse(newest) : undefined;
    } finally {
      db.close();
    }
  } catch {
    // The check of the database reports the error.
    return undefined;
  }
}

function existingParent(path: string): string {
  return existsSync(path) ? path : existingParent(dirname(path));
}

function canWrite(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** The result of one check. */
export interface Check {
  /** Filled in by the command. */
  name?: string;
  /** A warning may be intended. A problem prevents the start of the service, or will end the service. */
  status: 'ok' | 'warning' | 'problem';
  /** The state that the check found. */
  detail: string;
  /** The action to take; absent if there is none. */
  advice?: string;
}
