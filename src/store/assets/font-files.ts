/** The organizations' fonts as files for the threads that render: a bounded copy of what the database holds. */
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

/** Bytes of all files: eight times what one document may draw with. */
export const fontFilesBytesMax = 512 * 1024 * 1024;
/** Files: each write looks at all of them. */
const filesMax = 4000;

/** Milliseconds after which a file without its final name belongs to a process that was killed. */
const draftMsMax = 60 * 60 * 1000;

const namePattern = /^([0-9a-f]{64})\.ttf$/;

/** One file of the folder. */
interface LaidOut {
  name: string;
  sizeBytes: number;
  /** When it was written or last loaded by a thread; ms since the epoch. */
  usedMs: number;
}

/** Bytes of the font with this digest, from the database; undefined when no organization has it any more. */
export type ReadFont = (digest: string) => Buffer | undefined;

export class FontFiles {
  /** Bytes in the folder after the last change by this process. */
  bytes = 0;
  /** Files that were written again because a thread found them missing or damaged. */
  restored = 0;
  readonly #directory: string;
  readonly #read: ReadFont;
  readonly #bytesMax: number;

  /** The directory, for its owner alone, is made when it is first needed. */
  constructor(directory: string, read: ReadFont, bytesMax = fontFilesBytesMax) {
    this.#directory = directory;
    this.#read = read;
    this.#bytesMax = bytesMax;
  }

  pathOf(digest: string): string {
    return join(this.#directory, `${digest}.ttf`);
  }

  /** The path of a font's file, which is written unless it is there. Threads check its content. Throws a `StoreError`. */
  layOut(digest: string, sizeBytes: number): string {
    const path = this.pathOf(digest);
    return storeErrors(`Writing the font ${path}`, () => {
      const isThere = statSync(path, { throwIfNoEntry: false })?.size === sizeBytes;
      if (!isThere && !this.#write(digest)) {
        throw new StoreError('BUSY', `Font ${digest} has just been deleted.`);
      }
      return path;
    });
  }

  /**
   * Writes the files anew that are missing or damaged. False when a font is no longer in the database. Throws a
   * `StoreError`.
   */
  restore(digests: readonly string[]): boolean {
    return storeErrors(`Writing fonts in ${this.#directory}`, () =>
      digests.every((digest) => {
        if (this.#isSound(digest)) return true;
        this.restored += 1;
        return this.#write(digest);
      }),
    );
  }

  /** Removes a font's file. Threads that have loaded it go on with it. Never throws. */
  remove(digest: string): void {
    this.#remove(`${digest}.ttf`);
    this.bytes = this.#totalBytes();
  }

  /** Removes what belongs to no font, as a process leaves it that was killed. Never throws. */
  sweep(digests: ReadonlySet<string>): void {
    for (const { name, usedMs } of this.#list()) {
      const digest = namePattern.exec(name)?.[1];
      const isDraft = digest === undefined && Date.now() - usedMs < draftMsMax;
      if (!isDraft && !digests.has(digest ?? '')) this.#remove(name);
    }
    this.#makeRoom();
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

  /** Under another name first, and on the disk before it gets its own: a power cut leaves all of it or nothing. */
  #write(digest: string): boolean {
    const bytes = this.#read(digest);
    if (bytes === undefined) return false;
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
    this.#makeRoom();
    return true;
  }

  /** Removes the files that were loaded longest ago. A job that still names one has it written anew. */
  #makeRoom(): void {
    const files = this.#list().toSorted((a, b) => b.usedMs - a.usedMs);
    let kept = 0;
    let keptBytes = 0;
    for (const { name, sizeBytes } of files) {
      const fits = kept < filesMax && keptBytes + sizeBytes <= this.#bytesMax;
      // Another process may be writing a draft; a later start removes one that is left.
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
      // There is no folder yet, or no right to read it.
      return [];
    }
  }

  #remove(name: string): void {
    try {
      rmSync(join(this.#directory, name), { force: true });
    } catch {
      // It stays, and is counted.
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
