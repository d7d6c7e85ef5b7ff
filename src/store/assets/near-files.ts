/** Copies files of assets and fonts to a node before links need them, while the disk has space. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '../database/database.ts';
import { storeErrors } from '../database/store-error.ts';
import { unlessAbsent } from './node-files.ts';
import type { FontStore } from './font-store.ts';
import type { NodeFiles } from './node-files.ts';
import type { ChangedKeys, FileAddress, SharedDatabase } from '../database/shared-port.ts';

/** Wait after a failure, ms. */
const retryMs = 5000;
const dayMs = 24 * 60 * 60 * 1000;
/** Rows processed in one turn of the event loop. */
const rowsAtOnce = 100;

export interface NearFilesParts {
  db: Database;
  shared: Pick<SharedDatabase, 'onMove' | 'state'>;
  files: NodeFiles;
  fonts: Pick<FontStore, 'bringFiles'>;
}

interface FileRow {
  organization_uid: string;
  digest: string;
  drawing_digest: string | null;
  size_bytes: number;
}

type Due = 'all' | Map<string, readonly [organizationUid: string, digest: string]>;

/** Each process has one. */
export class NearFiles {
  readonly #parts: NearFilesParts;
  readonly #all: { all(): unknown[] };
  readonly #one: { get(organizationUid: string, digest: string): unknown };
  /** Rows for the next pass: all, or those with these keys. */
  #due: Due = new Map();
  #working: Promise<void> | undefined;
  #isClosed = false;
  #retryTimer: NodeJS.Timeout | undefined;
  #sweepTimer: NodeJS.Timeout | undefined;

  constructor(parts: NearFilesParts) {
    this.#parts = parts;
    const select = `SELECT a.organization_uid, a.digest, a.drawing_digest, a.size_bytes FROM assets a`;
    this.#all = parts.db.prepare(
      `${select} LEFT JOIN asset_use u ON u.organization_uid = a.organization_uid AND u.digest = a.digest
       WHERE octet_length(a.bytes) = 1 ORDER BY max(coalesce(u.used_on, ''), a.saved_at) DESC`,
    );
    this.#one = parts.db.prepare(
      `${select} WHERE octet_length(a.bytes) = 1 AND a.organization_uid = ? AND a.digest = ?`,
    );
  }

  /** Starts to copy files, the most recently used first. */
  start(): void {
    this.#parts.shared.onMove((changes) => this.#look(changes));
    this.#sweepTimer = setInterval(() => this.#look(undefined), dayMs).unref();
    this.#look(undefined);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#sweepTimer);
    clearTimeout(this.#retryTimer);
    await this.#working;
  }

  #look(changes: ChangedKeys | undefined): void {
    if (changes === undefined) this.#due = 'all';
    for (const name of ['assets', 'fonts']) {
      for (const [organizationUid, digest] of changes?.get(name) ?? []) {
        if (this.#due === 'all') break;
        const key = [String(organizationUid), String(digest)] as const;
        this.#due.set(key.join(), key);
      }
    }
    if (this.#due === 'all' || this.#due.size > 0) this.#working ??= this.#work();
  }

  /** Never rejects. */
  async #work(): Promise<void> {
    try {
      while (!this.#isClosed && (this.#due === 'all' || this.#due.size > 0)) {
        const due = this.#due;
        this.#due = new Map();
        await this.#bring(due);
      }
    } catch {
      // The shared database is unreachable or busy, or the disk is full. A link that needs a file fetches it itself.
      this.#retryLater();
    }
    this.#working = undefined;
  }

  #retryLater(): void {
    const { shared } = this.#parts;
    clearTimeout(this.#retryTimer);
    this.#retryTimer = setTimeout(() => {
      if (shared.state.isConnected) this.#look(undefined);
      else this.#retryLater();
    }, retryMs).unref();
  }

  async #bring(due: Due): Promise<void> {
    const { files, fonts } = this.#parts;
    const rows = storeErrors('Reading the assets', () =>
      due === 'all'
        ? this.#all.all()
        : [...due.values()].flatMap((key) => this.#one.get(...key) ?? []),
    ) as FileRow[];
    if (due === 'all') await this.#sweep(rows);
    await fonts.bringFiles(due === 'all' ? undefined : [...due.values()]);
    for (const [index, row] of rows.entries()) {
      if (this.#isClosed || !files.disk.hasSpaceFor(row.size_bytes)) return;
      if (index % rowsAtOnce === 0) await nextTurn();
      const lacking = addressesOf(row).filter(({ fileDigest }) => !files.disk.has(fileDigest));
      await unlessAbsent(files.bring(lacking));
    }
  }

  /** Deletes files that no asset has any more. */
  async #sweep(rows: readonly FileRow[]): Promise<void> {
    const digests = rows.flatMap((row) => addressesOf(row).map(({ fileDigest }) => fileDigest));
    await this.#parts.files.disk.sweep(new Set(digests));
  }
}

export function startNearFiles(parts: NearFilesParts): NearFiles {
  const near = new NearFiles(parts);
  near.start();
  return near;
}

function addressesOf(row: FileRow): FileAddress[] {
  const { organization_uid: organizationUid, digest, drawing_digest: drawing } = row;
  const address = { table: 'assets', organizationUid, digest } as const;
  const addresses: FileAddress[] = [{ ...address, column: 'bytes', fileDigest: digest }];
  if (drawing !== null) addresses.push({ ...address, column: 'drawing', fileDigest: drawing });
  return addresses;
}
