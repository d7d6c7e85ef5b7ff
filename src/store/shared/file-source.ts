/** Reads single files of assets and fonts from the shared database. */
import { createHash } from 'node:crypto';
import { StoreError } from '../database/store-error.ts';
import { absentFile } from '../database/shared-contract.ts';
import type { Connection, FileAddress, FileReader } from '../database/shared-contract.ts';

/** Size of one read in bytes: a network of 1 Mbit/s transfers it within the time limit of a query. */
const partBytes = 256 * 1024;
/** Maximum wait in ms before the read of a file begins: the link that needs the file has been answered by then. */
const waitMsMax = 10_000;

interface Waiting {
  address: FileAddress;
  askedMs: number;
  resolve: (bytes: Buffer) => void;
  reject: (error: unknown) => void;
}

/**
 * Reads the waiting files of a thread, all through one connection, which closes after the last file. Organizations take
 * turns file by file, so that many files of one organization delay another's file by one read.
 */
export class FileSource implements FileReader {
  readonly #use: (work: (connection: Connection) => Promise<void>) => Promise<void>;
  readonly #nowMs: () => number;
  /** Waiting files by organization, oldest first. The first organization is next. */
  readonly #waiting = new Map<string, Waiting[]>();
  readonly #reading = new Map<string, Promise<Buffer>>();
  #isWorking = false;

  /** `use` provides a connection. It rejects with a `StoreError` if there is none. */
  constructor(
    use: (work: (connection: Connection) => Promise<void>) => Promise<void>,
    nowMs: () => number = () => performance.now(),
  ) {
    this.#use = use;
    this.#nowMs = nowMs;
  }

  /**
   * Reads a file. Rejects with a `StoreError`: `AWAY`, also after too long a wait, or `ABSENT` for a missing or damaged
   * file.
   */
  read(address: FileAddress): Promise<Buffer> {
    const { organizationUid, fileDigest } = address;
    // Organizations do not share a read, because each waits for its turn.
    const key = `${organizationUid}:${fileDigest}`;
    const known = this.#reading.get(key);
    if (known !== undefined) return known;
    const reading = new Promise<Buffer>((resolve, reject) => {
      const files = this.#waiting.get(organizationUid) ?? [];
      files.push({ address, askedMs: this.#nowMs(), resolve, reject });
      this.#waiting.set(organizationUid, files);
    }).finally(() => this.#reading.delete(key));
    // All callers may have given up.
    reading.catch(() => undefined);
    this.#reading.set(key, reading);
    if (!this.#isWorking) void this.#work();
    return reading;
  }

  /** Never rejects. */
  async #work(): Promise<void> {
    this.#isWorking = true;
    let current: Waiting | undefined;
    try {
      await this.#use(async (connection) => {
        while ((current = this.#next()) !== undefined) {
          await settle(current, connection);
        }
      });
    } catch (error) {
      const left = [...this.#waiting.values()].flat();
      this.#waiting.clear();
      for (const { reject } of current === undefined ? left : [current, ...left]) reject(error);
    }
    this.#isWorking = false;
    if (this.#waiting.size > 0) void this.#work();
  }

  /** Takes the next file and moves its organization to the end. Rejects files that have waited for too long. */
  #next(): Waiting | undefined {
    for (const [organizationUid, files] of this.#waiting) {
      this.#waiting.delete(organizationUid);
      const isInTime = ({ askedMs }: Waiting): boolean => this.#nowMs() - askedMs <= waitMsMax;
      const firstInTime = files.findIndex(isInTime);
      const late = files.splice(0, firstInTime === -1 ? files.length : firstInTime);
      for (const { address, reject } of late) reject(lateFile(address.fileDigest));
      const next = files.shift();
      if (files.length > 0) this.#waiting.set(organizationUid, files);
      if (next !== undefined) return next;
    }
    return undefined;
  }
}

/** Rejects with errors of the connection. An error of this file rejects only its promise. */
async function settle(
  { address, resolve, reject }: Waiting,
  connection: Connection,
): Promise<void> {
  try {
    resolve(await readFile(address, connection));
  } catch (error) {
    if (!(error instanceof StoreError) || error.code === 'AWAY') throw error;
    reject(error);
  }
}

async function readFile(address: FileAddress, connection: Connection): Promise<Buffer> {
  const { table, organizationUid, digest, column, fileDigest } = address;
  const parts: Buffer[] = [];
  for (let start = 1; ; start += partBytes) {
    const [row] = await connection.query(
      `SELECT substring(${column} FROM $3::integer FOR ${partBytes}) FROM ${table}
       WHERE organization_uid = $1 AND digest = $2`,
      [organizationUid, digest, start],
    );
    const part = row?.[0];
    if (!Buffer.isBuffer(part)) throw absentFile(fileDigest);
    parts.push(part);
    if (part.byteLength < partBytes) break;
  }
  const bytes = Buffer.concat(parts);
  if (createHash('sha256').update(bytes).digest('hex') === fileDigest) return bytes;
  throw new StoreError(
    'ABSENT',
    `The file ${fileDigest} is damaged in the shared database: restore its newest backup.`,
  );
}

/** The error of a file that waited too long for other files. */
function lateFile(digest: string): StoreError {
  return new StoreError(
    'AWAY',
    `The file ${digest} did not come from the shared database in time: ask again in a moment.`,
  );
}
