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

/** Bytes of one answer: a network of 1 Mbit a second brings them within the time of an answer. */
const partBytes = 256 * 1024;
/** A file that was not begun after so long is refused: the link that asked for it has been answered, ms. */
const waitMsMax = 10_000;

interface Waiting {
  address: FileAddress;
  askedMs: number;
  resolve: (bytes: Buffer) => void;
  reject: (error: unknown) => void;
}

/**
 * One for each thread. One connection reads all files that wait, and ends with the last one. Organizations take turns, file by
 * file: thousands of files of one delay that of another by a single one.
 */
export class FileSource {
  readonly #use: (work: (connection: Connection) => Promise<void>) => Promise<void>;
  readonly #nowMs: () => number;
  /** Oldest first, by organization; the first organization is next. */
  readonly #waiting = new Map<string, Waiting[]>();
  readonly #reading = new Map<string, Promise<Buffer>>();
  #isWorking = false;

  /** `use` gives a connection, and rejects with a `StoreError` if there is none. */
  constructor(
    use: (work: (connection: Connection) => Promise<void>) => Promise<void>,
    nowMs: () => number = () => performance.now(),
  ) {
    this.#use = use;
    this.#nowMs = nowMs;
  }

  /** Rejects with a `StoreError`: `AWAY`, also after too long a wait, or `ABSENT` if the row is gone or its file is damaged. */
  read(address: FileAddress): Promise<Buffer> {
    const { organizationUid, fileDigest } = address;
    // Another organization waits in its own turn.
    const key = `${organizationUid}:${fileDigest}`;
    const known = this.#reading.get(key);
    if (known !== undefined) return known;
    const reading = new Promise<Buffer>((resolve, reject) => {
      const files = this.#waiting.get(organizationUid) ?? [];
      files.push({ address, askedMs: this.#nowMs(), resolve, reject });
      this.#waiting.set(organizationUid, files);
    }).finally(() => this.#reading.delete(key));
    // All who wait may have left.
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
          // oxlint-disable-next-line no-await-in-loop -- one connection answers one query after the other
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

  /** Takes the file whose turn it is; its organization comes last afterwards. Refuses those that wait for too long. */
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

/** Waits for a file that no link needs yet: one that is gone or damaged leaves the others alone, and a late one rejects. */
export async function unlessAbsent(bringing: Promise<unknown>): Promise<void> {
  try {
    await bringing;
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'ABSENT') throw error;
  }
}

/** The file is there: others were before it. */
function lateFile(digest: string): StoreError {
  return new StoreError(
    'AWAY',
    `The file ${digest} did not come from the shared database in time: ask again in a moment.`,
  );
}

export function absentFile(digest: string): StoreError {
  return new StoreError('ABSENT', `This node does not have the file ${digest} yet.`);
}
