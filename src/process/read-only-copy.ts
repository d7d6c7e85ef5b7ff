/** A copy of the database of a read-only file system: SQLite reads a write-ahead log only beside files that it may write. */
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorCodeOf } from '../foundation/errors.ts';

/** The parts that belong together; the third is made anew from them. */
const parts = ['platen.db', 'platen.db-wal'];

/** Copies that are tried when another process, which may write, changes the files meanwhile. */
const attemptsMax = 5;

/** Names of the copies of this machine or container; behind it the process that made one. */
const namePrefix = `platen-read-only-${processNamespace()}-`;

/** One folder below the temporary one; whoever made it removes it. */
export class ReadOnlyCopy {
  readonly directory: string;

  /**
   * Copies the database of `source`; it takes as much room as the database has. Throws an error with one sentence for the
   * operator when there is none, or no room.
   */
  constructor(source: string) {
    if (!existsSync(join(source, 'platen.db'))) {
      throw new Error(
        `The data directory ${source} has no database yet, and none can be made: its file system is read-only. Mount it writable, or set PLATEN_DATA_DIR to another folder.`,
      );
    }
    removeOrphans();
    this.directory = mkdtempSync(join(tmpdir(), `${namePrefix}${process.pid}-`));
    try {
      copyUnchanged(source, this.directory);
    } catch (error) {
      this.remove();
      throw new Error(
        `The file system of the data directory ${source} is read-only, and its database cannot be copied to ${tmpdir()} to be read there: ${error instanceof Error ? error.message : String(error)}. Mount it writable, or set TMPDIR to a folder with room for the database.`,
        { cause: error },
      );
    }
  }

  /** Never throws. */
  remove(): void {
    removeFolder(this.directory);
  }
}

/** The file system may be read-only here and written by way of another mount: a torn copy would be another database. */
function copyUnchanged(source: string, target: string): void {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const before = stateOf(source);
    for (const name of parts) copyPart(join(source, name), join(target, name));
    if (stateOf(source) === before) return;
  }
  throw new Error('another process writes it all the time');
}

function copyPart(from: string, to: string): void {
  rmSync(to, { force: true });
  if (!existsSync(from)) return;
  copyFileSync(from, to);
  chmodSync(to, 0o600);
}

function stateOf(directory: string): string {
  return parts
    .map((name) => {
      const facts = statSync(join(directory, name), { bigint: true, throwIfNoEntry: false });
      return `${facts?.size} ${facts?.mtimeNs}`;
    })
    .join();
}

/** Copies of processes that were killed. */
function removeOrphans(): void {
  for (const name of readdirSync(tmpdir())) {
    if (!name.startsWith(namePrefix)) continue;
    const pid = Number.parseInt(name.slice(namePrefix.length), 10);
    if (pid > 0 && !isRunning(pid)) removeFolder(join(tmpdir(), name));
  }
}

/** Containers that share a temporary folder do not see one another's processes (pid_namespaces(7)). */
function processNamespace(): string {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '0';
  } catch {
    return '0';
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCodeOf(error) !== 'ESRCH';
  }
}

function removeFolder(directory: string): void {
  try {
    rmSync(directory, { recursive: true, force: true });
  } catch {
    // Of another user, or busy: it stays.
  }
}
