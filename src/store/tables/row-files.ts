/** The files of the rows of all tables in their folder, and those that are open for look-ups. */
import { createReadStream, existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { createRandomId } from '../database/database.ts';
import { storeErrors } from '../database/store-error.ts';
import { deleteRowFile, deleteRowFileSync, openRowReader } from './row-file.ts';
import type { RowReader } from './row-file.ts';

/** Files that are open for look-ups, 3 descriptors and up to 2 MiB of pages each. */
export const readersMax = 100;

/** An unknown file that was written since then may be that of an upload in another process. */
const uploadMsMax = 60 * 60 * 1000;

/** Bytes of a file that are read at once, into the memory of the system. */
const preloadBytes = 1024 * 1024;

/** Between two looks at the disk for a file that is open, ms: another process or thread may have made it again. */
const checkEveryMs = 1000;

const fileIdCharacters = 20;

/** The id and the path of a file of rows, and the path of the upload that it is made from. */
export interface RowFile {
  fileId: string;
  path: string;
  uploadPath: string;
}

/** The rows of one file, with the positions of its columns. */
export interface OpenTable {
  rows: RowReader;
  columns: ReadonlyMap<string, number>;
}

interface CachedTable extends OpenTable {
  /** Of the file; undefined if it was deleted at once. */
  inode: number | undefined;
  checkedMs: number;
}

/** One for each connection. */
export class RowFiles {
  readonly #directory: string;
  readonly #isCopy: () => boolean;
  readonly #readers = new LRUCache<string, CachedTable>({
    max: readersMax,
    dispose: ({ rows }) => rows.close(),
  });

  /** `isCopy` tells whether the rows are those of a shared database: a file may be deleted and made again then. */
  constructor(directory: string, isCopy: () => boolean = () => false) {
    this.#directory = directory;
    this.#isCopy = isCopy;
  }

  named(fileId: string): RowFile {
    const path = join(this.#directory, fileId);
    return { fileId, path: `${path}.db`, uploadPath: `${path}.upload` };
  }

  create(): RowFile {
    storeErrors('Creating the folder of data tables', () =>
      mkdirSync(this.#directory, { recursive: true, mode: 0o700 }),
    );
    return this.named(createRandomId('', fileIdCharacters));
  }

  /** Undefined for a file that is not there. */
  open(fileId: string, columnsJson: string): OpenTable | undefined {
    const known = this.#known(fileId);
    if (known !== undefined) return known;
    const { path } = this.named(fileId);
    const rows = openRowReader(path);
    if (rows === undefined) return undefined;
    // From the disk a look-up takes a quarter of a millisecond, from the memory of the system a hundredth.
    createReadStream(path, { highWaterMark: preloadBytes })
      .on('error', () => undefined)
      .resume();
    const names = JSON.parse(columnsJson) as string[];
    const columns = new Map(names.map((name, index) => [name, index]));
    const table = { rows, columns, inode: inodeOf(path), checkedMs: performance.now() };
    this.#readers.set(fileId, table);
    return table;
  }

  /** A file that is open; undefined if it is not the one on the disk any more. */
  #known(fileId: string): CachedTable | undefined {
    const known = this.#readers.get(fileId);
    if (known === undefined || performance.now() - known.checkedMs < checkEveryMs) return known;
    known.checkedMs = performance.now();
    if (!this.#isCopy() || inodeOf(this.named(fileId).path) === known.inode) return known;
    this.#readers.delete(fileId);
    return undefined;
  }

  /** Deletes a file that a look-up has found damaged, unless it was made again meanwhile. */
  removeDamaged(fileId: string): void {
    const { path } = this.named(fileId);
    const known = this.#readers.get(fileId);
    const isThere = known === undefined || known.inode === inodeOf(path);
    this.#readers.delete(fileId);
    if (isThere) deleteRowFileSync(path);
  }

  /**
   * After the commit: other processes that have the file open continue to read it. It is closed first, because who ends
   * the last use of a large file waits for the file system.
   */
  remove(fileId: string): void {
    this.#readers.delete(fileId);
    // `sweep` tries again.
    deleteRowFile(this.named(fileId).path).catch(() => undefined);
  }

  /** Deletes files of no table, and uploads, that nobody has written for a while. */
  sweep(known: ReadonlySet<string>): void {
    if (!existsSync(this.#directory)) return;
    for (const name of readdirSync(this.#directory)) {
      const [, fileId = '', ending] = /^([0-9A-Za-z]+)\.(db|upload)/.exec(name) ?? [];
      const path = join(this.#directory, name);
      const writtenMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
      const isUnused = ending === 'upload' || (ending === 'db' && !known.has(fileId));
      if (isUnused && Date.now() - writtenMs > uploadMsMax) rmSync(path, { force: true });
    }
  }

  close(): void {
    this.#readers.clear();
  }
}

function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}
