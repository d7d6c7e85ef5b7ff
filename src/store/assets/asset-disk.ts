/** Caches files of assets on the disk of a node, by digest. The shared database has all files. */
import { rmSync, readFileSync, statSync, utimesSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { SerialWork } from '../../foundation/serial-work.ts';
import { digestOf } from './asset-row.ts';

/** Share of the limit that remains after an eviction, so that not every write evicts. */
const keptShare = 0.9;
/** Share of the limit after whose writes the folder is listed again: other processes write there too. */
const unseenShare = 0.05;
/** Minimum interval in ms between two records of the use of a file. */
const noteEveryMs = 60 * 60 * 1000;
/** Age in ms after which a draft belongs to a killed process. */
const draftMsMax = 60 * 60 * 1000;

/** Maximum bytes of files that wait to be written; further files are not kept. */
const waitingBytesMax = 64 * 1024 * 1024;

const namePattern = /^[0-9a-f]{64}$/;

interface DiskFile {
  name: string;
  sizeBytes: number;
  usedMs: number;
}

export class AssetDisk {
  readonly directory: string;
  readonly #bytesMax: number;
  readonly #work = new SerialWork();
  #bytes: number;
  /** Bytes written since the folder was last listed. */
  #unseenBytes = 0;
  #waitingBytes = 0;

  /** The first file creates the directory, with mode 0700. */
  constructor(directory: string, bytesMax: number) {
    this.directory = directory;
    this.#bytesMax = bytesMax;
    // The size is unknown, so the first file lists the folder.
    this.#bytes = bytesMax;
  }

  /** Whether a file of this size fits without an eviction. */
  hasSpaceFor(sizeBytes: number): boolean {
    return this.#bytes + sizeBytes <= this.#bytesMax;
  }

  has(digest: string): boolean {
    return statSync(this.#path(digest), { throwIfNoEntry: false }) !== undefined;
  }

  /** Reads the file with this digest; undefined if it is missing. Deletes a damaged file. */
  read(digest: string): Buffer | undefined {
    const path = this.#path(digest);
    try {
      const bytes = readFileSync(path);
      if (digestOf(bytes) === digest) {
        this.#noteUse(path);
        return bytes;
      }
      rmSync(path, { force: true });
    } catch {
      // The file is missing or cannot be read; the shared database has it.
    }
    return undefined;
  }

  /**
   * Writes a file, and evicts the least recently used files if the space is needed. Never rejects: the file can be
   * fetched again.
   */
  async keep(digest: string, bytes: Uint8Array): Promise<void> {
    if (bytes.byteLength > this.#bytesMax * keptShare) return;
    if (this.#waitingBytes > waitingBytesMax) return;
    this.#waitingBytes += bytes.byteLength;
    const path = this.#path(digest);
    const draft = `${path}.${randomUUID()}`;
    try {
      await this.#work.run(async () => {
        const isLongUnseen = this.#unseenBytes >= this.#bytesMax * unseenShare;
        if (isLongUnseen || !this.hasSpaceFor(bytes.byteLength))
          await this.#evict(bytes.byteLength);
        await mkdir(this.directory, { recursive: true, mode: 0o700 });
        // The file is not synced: `read` checks the digest, so that damage by a power cut is found.
        await writeFile(draft, bytes, { mode: 0o600 });
        await rename(draft, path);
        this.#bytes += bytes.byteLength;
        this.#unseenBytes += bytes.byteLength;
      });
    } catch {
      await rm(draft, { force: true }).catch(() => undefined);
    }
    this.#waitingBytes -= bytes.byteLength;
  }

  /** Deletes files that are not in `digests` and old drafts, and sums the other sizes. Never rejects. */
  async sweep(digests: ReadonlySet<string>): Promise<void> {
    await this.#work.run(async () => {
      const files = await this.#list();
      const gone = files.filter(({ name, usedMs }) =>
        namePattern.test(name) ? !digests.has(name) : Date.now() - usedMs > draftMsMax,
      );
      await this.#removeAll(gone);
      this.#bytes = sum(files) - sum(gone);
    });
  }

  async #evict(neededBytes: number): Promise<void> {
    const files = (await this.#list()).toSorted((a, b) => a.usedMs - b.usedMs);
    this.#bytes = sum(files);
    this.#unseenBytes = 0;
    const leftMax = this.#bytesMax * keptShare - neededBytes;
    if (this.hasSpaceFor(neededBytes)) return;
    let left = this.#bytes;
    const evicted: DiskFile[] = [];
    for (const file of files) {
      if (left <= leftMax) break;
      evicted.push(file);
      left -= file.sizeBytes;
    }
    await this.#removeAll(evicted);
    this.#bytes = left;
  }

  #noteUse(path: string): void {
    const now = new Date();
    try {
      const { mtimeMs } = statSync(path);
      if (now.getTime() - mtimeMs > noteEveryMs) utimesSync(path, now, now);
    } catch {
      // The file was evicted meanwhile, or the disk is read-only. The bytes are read already.
    }
  }

  async #list(): Promise<DiskFile[]> {
    const names = await readdir(this.directory).catch(() => []);
    const files: DiskFile[] = [];
    for (const name of names) {
      const facts = await stat(join(this.directory, name)).catch(() => undefined);
      if (facts !== undefined) files.push({ name, sizeBytes: facts.size, usedMs: facts.mtimeMs });
    }
    return files;
  }

  async #removeAll(files: readonly DiskFile[]): Promise<void> {
    for (const { name } of files) {
      await rm(join(this.directory, name), { force: true }).catch(() => undefined);
    }
  }

  #path(digest: string): string {
    return join(this.directory, digest);
  }
}

function sum(files: readonly DiskFile[]): number {
  return files.reduce((bytes, { sizeBytes }) => bytes + sizeBytes, 0);
}
