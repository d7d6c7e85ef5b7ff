/** Reads single files of assets and fonts from the shared database. */
import { createHash } from 'node:crypto';
import { StoreError } from '../database/store-error.ts';
import type { Connection } from '../shared/connection.ts';

/** A file of a row. */
export interface FileAddress {
  table: 'assets' | 'fonts';
  organizationUid: string;
  /** Of the row. */
  digest: string;
  column: 'bytes' | 'drawing';
  /** SHA-256 of the file, in hex. */
  fileDigest: string;
}

/** Bytes of one answer: a slow network brings them within the time of an answer. */
const partBytes = 1024 * 1024;

interface Waiting {
  address: FileAddress;
  resolve: (bytes: Buffer) => void;
  reject: (error: unknown) => void;
}

/** One for each thread. One connection reads all files that wait, and ends with the last one. */
export class FileSource {
  readonly #use: (work: (connection: Connection) => Promise<void>) => Promise<void>;
  readonly #waiting: Waiting[] = [];
  readonly #reading = new Map<string, Promise<Buffer>>();
  #isWorking = false;

  /** `use` gives a connection, and rejects with a `StoreError` if there is none. */
  constructor(use: (work: (connection: Connection) => Promise<void>) => Promise<void>) {
    this.#use = use;
  }

  /** Rejects with a `StoreError`: `AWAY`, or `ABSENT` if the row is gone or its file is damaged. */
  read(address: FileAddress): Promise<Buffer> {
    const known = this.#reading.get(address.fileDigest);
    if (known !== undefined) return known;
    const reading = new Promise<Buffer>((resolve, reject) => {
      this.#waiting.push({ address, resolve, reject });
    }).finally(() => this.#reading.delete(address.fileDigest));
    // All who wait may have left.
    reading.catch(() => undefined);
    this.#reading.set(address.fileDigest, reading);
    if (!this.#isWorking) void this.#work();
    return reading;
  }

  /** Never rejects. */
  async #work(): Promise<void> {
    this.#isWorking = true;
    try {
      await this.#use(async (connection) => {
        for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
          // oxlint-disable-next-line no-await-in-loop -- one connection answers one query after the other
          await settle(next, connection);
          this.#waiting.shift();
        }
      });
    } catch (error) {
      for (const { reject } of this.#waiting.splice(0)) reject(error);
    }
    this.#isWorking = false;
    if (this.#waiting.length > 0) void this.#work();
  }
}

/** Rejects with what is not of this file alone. */
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
    // oxlint-disable-next-line no-await-in-loop -- part after part
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

/** Waits for a file that no link needs yet: one that is gone or damaged leaves the others alone. */
export async function unlessAbsent(bringing: Promise<unknown>): Promise<void> {
  try {
    await bringing;
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'ABSENT') throw error;
  }
}

export function absentFile(digest: string): StoreError {
  return new StoreError('ABSENT', `This node does not have the file ${digest} yet.`);
}
