/** Writes the organizations' fonts to files for render hosts. The size of the folder is limited. */
import { hash } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { StoreError, storeErrors } from '../database/store-error.ts';

/** Maximum bytes of all files: eight times the limit of one document. */
export const fontFilesBytesMax = 512 * 1024 * 1024;
/** Maximum number of files, because each write lists all of them. */
const filesMax = 4000;

/** Age in ms after which a temporary file belongs to a killed process. */
const draftMsMax = 60 * 60 * 1000;

const namePattern = /^([0-9a-f]{64})\.ttf$/;

/** One file of the folder. */
interface LaidOut {
  name: string;
  sizeBytes: number;
  /** Time of the write or of the last load by a render host, ms since the epoch. */
  usedMs: number;
}

/**
 * Reads the font with this digest from the database; undefined if no organization has it. Returns a promise if a shared
 * database has the bytes.
 */
export type ReadFont = (digest: string) => Buffer | undefined | Promise<Buffer>;

export class FontFiles {
  /** Total size of the files after the last change by this process. */
  bytes = 0;
  /** Files that were written again because a render host found them missing or damaged. */
  restored = 0;
  readonly #directory: string;
  readonly #read: ReadFont;
  readonly #bytesMax: number;

  /** The directory is created at the first use, with mode 0700. */
  constructor(directory: string, read: ReadFont, bytesMax = fontFilesBytesMax) {
    this.#directory = directory;
    this.#read = read;
    this.#bytesMax = bytesMax;
  }

  pathOf(digest: string): string {
    return join(this.#directory, `${digest}.ttf`);
  }

  /** Whether the file is missing and fits within the limit. */
  lacks(digest: string, sizeBytes: number): boolean {
    const found = statSync(this.pathOf(digest), { throwIfNoEntry: false });
    return found?.size !== sizeBytes && this.bytes + sizeBytes <= this.#bytesMax;
  }

  /**
   * Returns the path of a font's file and writes a missing file. From a shared database, the file is written later or
   * by `restore`. Render hosts check its content. Throws a `StoreError`.
   */
  layOut(digest: string, sizeBytes: number): string {
    const path = this.pathOf(digest);
    return storeErrors(`Writing the font ${path}`, () => {
      const isThere = statSync(path, { throwIfNoEntry: false })?.size === sizeBytes;
      if (isThere) return path;
      const bytes = this.#read(digest);
      if (bytes === undefined) {
        throw new StoreError('BUSY', `Font ${digest} has just been deleted.`);
      }
      // `restore` repeats a failed write.
      if (bytes instanceof Promise) void this.bring(digest).catch(() => undefined);
      else this.write(digest, bytes);
      return path;
    });
  }

  /**
   * Writes missing or damaged files again. False if a font is no longer in the database. Rejects with a
   * `StoreError`.
   */
  async restore(digests: readonly string[]): Promise<boolean> {
    for (const digest of digests) {
      if (this.#isSound(digest)) continue;
      this.restored += 1;
      if (!(await this.bring(digest))) return false;
    }
    return true;
  }

  /** Writes a file. False if the font is no longer in the database. Rejects with a `StoreError`. */
  async bring(digest: string): Promise<boolean> {
    const bytes = await this.#read(digest);
    if (bytes === undefined) return false;
    storeErrors(`Writing fonts in ${this.#directory}`, () => this.write(digest, bytes));
    return true;
  }

  /** Removes a font's file. Processes that have loaded it continue to use it. Never throws. */
  remove(digest: string): void {
    this.#remove(`${digest}.ttf`);
    this.bytes = this.#totalBytes();
  }

  /** Removes files of killed processes and of deleted fonts. Never throws. */
  sweep(digests: ReadonlySet<string>): void {
    for (const { name, usedMs } of this.#list()) {
      const digest = namePattern.exec(name)?.[1];
      const isDraft = digest === undefined && Date.now() - usedMs < draftMsMax;
      if (!isDraft && !digests.has(digest ?? '')) this.#remove(name);
    }
    this.#evict();
  }

  #isSound(digest: string): boolean {
    try {
      const path = this.pathOf(digest);
      const isSound = hash('sha256', readFileSync(path)) === digest;
      const now = new Date();
      if (isSound) utimesSync(path, now, now);
      return isSound;
    } catch {
      return false;
    }
  }

  /** Writes to a temporary name, syncs, then renames: a power cut leaves the whole file or nothing. */
  write(digest: string, bytes: Uint8Array): void {
    if (hash('sha256', bytes) !== digest) {
      throw new StoreError(
        'CORRUPT',
        `Font ${digest} is damaged in the database: restore the newest backup.`,
      );
    }
    mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
    const path = this.pathOf(digest);
    const draft = `${path}-${process.pid}`;
    try {
      writeFileSync(draft, bytes, { mode: 0o600, flush: true });
      renameSync(draft, path);
      syncDirectory(this.#directory);
    } catch (error) {
      rmSync(draft, { force: true });
      throw error;
    }
    this.#evict();
  }

  /** Evicts the least recently loaded files. `restore` writes them again for a job that needs them. */
  #evict(): void {
    const files = this.#list().toSorted((a, b) => b.usedMs - a.usedMs);
    let kept = 0;
    let keptBytes = 0;
    for (const { name, sizeBytes } of files) {
      const fits = kept < filesMax && keptBytes + sizeBytes <= this.#bytesMax;
      // Another process may be writing a temporary file; a later start removes leftovers.
      if (fits || !namePattern.test(name)) {
        kept += 1;
        keptBytes += sizeBytes;
      } else {
        this.#remove(name);
      }
    }
    this.bytes = keptBytes;
  }

  #totalBytes(): number {
    return this.#list().reduce((bytes, { sizeBytes }) => bytes + sizeBytes, 0);
  }

  #list(): LaidOut[] {
    try {
      return readdirSync(this.#directory).flatMap((name) => {
        const facts = statSync(join(this.#directory, name), { throwIfNoEntry: false });
        return facts === undefined ? [] : [{ name, sizeBytes: facts.size, usedMs: facts.mtimeMs }];
      });
    } catch {
      // The folder is missing or cannot be read.
      return [];
    }
  }

  #remove(name: string): void {
    try {
      rmSync(join(this.#directory, name), { force: true });
    } catch {
      // The file stays, and its size counts.
    }
  }
}

function syncDirectory(directory: string): void {
  const handle = openSync(directory, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
