/** Checks the database file: whether renders can read it, and whether it is damaged. */
import { type ChildProcess, execFile } from 'node:child_process';
import { programPath } from '#paths.ts';
import { type Database, openAsItIs } from './database.ts';
import { StoreError, storeErrors } from './store-error.ts';
import { parseStoredDocument } from '../template-document.ts';

/** Milliseconds for which a result is reused: clients may request readiness at any rate. */
const readEveryMs = 1000;

/** Milliseconds from the start to the first check of the whole file, because a start needs the CPU. */
const firstCheckMs = 5000;
/** Minimum pause between two checks, ms. */
const checkPauseMsMin = 60_000;
/** Minimum pause as a multiple of the last check's duration: 0.5 % of a core and of the disk for any file size. */
const checkPauseRatio = 200;

const checkFile = programPath('check');

export interface DatabaseHealth {
  /**
   * Whether a render can read its data. Reads the next published template from the file, with its version and
   * organization, and checks its content id. Reads at most once a second; in between, the last result applies.
   */
  canRead(): boolean;
  /** Whether damage was found. It stays true for this process, and every write fails with `READONLY`. */
  readonly isDamaged: boolean;
  /** Records an error of a store: `CORRUPT` is damage. */
  note(error: unknown): void;
  /** Stops the checks. */
  close(): void;
}

interface SampleRow {
  id: number;
  uid: string;
  version: number;
  cid: string;
  document_json: string;
}

/**
 * Checks the whole file from time to time, because unread pages may be damaged. Each check is a separate process: a
 * thread in native code cannot be stopped. `onDamage` is called once.
 */
export function createDatabaseHealth(
  db: Database,
  onDamage: (error: StoreError) => void,
): DatabaseHealth {
  let isDamaged = false;
  const note: DatabaseHealth['note'] = (error) => {
    if (isDamaged || !(error instanceof StoreError) || error.code !== 'CORRUPT') return;
    isDamaged = true;
    // A damaged page may lead to the page of a write.
    db.pragma('query_only = ON');
    onDamage(error);
  };
  const reader = createReader(db.name);
  const checks = createChecks(db.name, note);
  let readAtMs = -Infinity;
  let wasRead = false;
  return {
    canRead() {
      if (isDamaged) return false;
      if (performance.now() - readAtMs < readEveryMs) return wasRead;
      readAtMs = performance.now();
      try {
        reader.readNext();
        wasRead = true;
      } catch (error) {
        note(error);
        wasRead = false;
      }
      return wasRead;
    },
    get isDamaged() {
      return isDamaged;
    },
    note,
    close() {
      checks.close();
      reader.close();
    },
  };
}

/**
 * Reads published templates in turn through a separate connection, because the stores' connection answers from memory.
 */
function createReader(path: string): { readNext(): void; close(): void } {
  const db = openAsItIs(path);
  const select = db.prepare<[number], SampleRow>(
    `SELECT t.id, t.uid, v.version, v.cid, v.document_json
     FROM templates t
     JOIN organizations o ON o.uid = t.organization_uid
     JOIN template_versions v ON v.template_id = t.id AND v.version = t.published_version
     WHERE t.id > ? AND t.archived_at IS NULL ORDER BY t.id LIMIT 1`,
  );
  let lastId = 0;
  return {
    readNext() {
      storeErrors('Reading a published template', () => {
        db.pragma('shrink_memory');
        const row = select.get(lastId) ?? select.get(0);
        lastId = row?.id ?? 0;
        if (row === undefined) return;
        parseStoredDocument(row.uid, `version ${row.version}`, row.cid, row.document_json);
      });
    },
    close: () => db.close(),
  };
}

/** Checks the file 5 s after the start, and after each pause. */
function createChecks(path: string, onProblem: (error: StoreError) => void): { close(): void } {
  let child: ChildProcess | undefined;
  let isClosed = false;
  let timer: NodeJS.Timeout;
  const checkIn = (pauseMs: number): void => {
    timer = setTimeout(check, pauseMs).unref();
  };
  const check = (): void => {
    const startedMs = performance.now();
    child = execFile(process.execPath, [checkFile, path], (error, problem) => {
      if (isClosed) return;
      // A check that fails for lack of memory or a lock says nothing about the file.
      if (error === null && problem !== '') {
        const message = `The database file ${path} is damaged (${problem}). Stop the service, keep a copy of the file, and restore the newest backup.`;
        onProblem(new StoreError('CORRUPT', message));
        return;
      }
      const pauseMs = (performance.now() - startedMs) * checkPauseRatio;
      checkIn(Math.max(checkPauseMsMin, pauseMs));
    });
    child.unref();
  };
  checkIn(firstCheckMs);
  return {
    close() {
      isClosed = true;
      clearTimeout(timer);
      child?.kill('SIGKILL');
    },
  };
}
