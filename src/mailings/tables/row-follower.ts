/** Keeps the row files of a node up to date with the shared database. */
import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { errorText } from '#wire/error-text.ts';
import type { Log } from '../../foundation/log.ts';
import { repeatWhileBusy, StoreError } from '../../store/database/store-error.ts';
import { readChangesSince, removeUnnamedRows } from '../store/tables/table-rows.ts';
import type { ReadChanges } from '../store/tables/table-rows.ts';
import type { RowPosition } from '../store/tables/copied-rows.ts';
import type { NodeTable } from '../store/tables/node-tables.ts';
import type { TableStore } from '../store/tables/table-store.ts';
import { KnownFiles } from './known-files.ts';
import { TableCopies } from './table-copies.ts';
import type { TableThread } from './table-thread.ts';
import type { Connection, SharedDatabase } from '../../store/database/shared-port.ts';

/** Pause between two attempts in ms. It doubles after each failure, up to the maximum. */
const retryMsMin = 250;
const retryMsMax = 2000;
/** Interval between two deletions of rows and files that no record names, ms. */
const sweepEveryMs = 10 * 60 * 1000;

export interface RowFollowerParts {
  shared: SharedDatabase;
  tables: TableStore;
  /** The thread that changes single rows. */
  changes: TableThread;
  log: Log | undefined;
}

/** Each process has one. */
export class RowFollower {
  readonly #parts: RowFollowerParts;
  readonly #copies: TableCopies;
  readonly #known = new KnownFiles();
  /** Positions of known files; undefined for a missing file. */
  readonly #positions = new Map<string, RowPosition | undefined>();
  /** Files that this process is changing, and brings up to date itself. */
  readonly #left = new Set<string>();
  readonly #closing = new AbortController();
  #connection: Connection | undefined;
  #following: Promise<void> | undefined;
  /** Ids of tables that the next pass checks. Checking thousands takes 10 ms. */
  #due: Set<number> | 'all' = new Set();
  #copyName = '';
  /** Files of tables whose newest rows this node lacks. */
  readonly #late = new Set<string>();
  #retryMs = retryMsMin;
  #hasProblem = false;
  #sweepTimer: NodeJS.Timeout | undefined;

  constructor(parts: RowFollowerParts) {
    this.#parts = parts;
    this.#copies = new TableCopies({
      ...parts,
      onCopied: (fileId, position) => {
        this.note(fileId, position);
        this.#wakeFor(fileId);
      },
      onError: (error) => this.#retryLater(error),
    });
  }

  /** Number of tables whose newest rows this node does not have. */
  get behind(): number {
    return this.#late.size;
  }

  /** Starts to follow. Resolves when the node has the rows of the shared database, or cannot get them now. */
  async start(): Promise<void> {
    this.#parts.shared.onMove((changes) => {
      if (changes === undefined) return this.wake();
      for (const [id] of changes.get('data_tables') ?? []) this.#look(Number(id));
    });
    this.#parts.tables.node.onLost = (fileId) => this.#lose(fileId);
    this.#sweepTimer = setInterval(() => this.#sweepAll(), sweepEveryMs).unref();
    this.wake();
    await this.#following;
    await this.#copies.settled();
    this.#sweepAll();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    clearInterval(this.#sweepTimer);
    await this.#copies.close();
    await this.#connection?.close();
    await this.#following;
  }

  /** Checks all tables in the next pass. */
  wake(): void {
    this.#due = 'all';
    this.#following ??= this.#follow();
  }

  /** Excludes a file from passes while this process changes it, until `take`. */
  leave(fileId: string): void {
    this.#left.add(fileId);
  }

  take(fileId: string): void {
    this.#left.delete(fileId);
    this.#wakeFor(fileId);
  }

  /** Records the position of a file; undefined if it is unknown. */
  note(fileId: string, position: RowPosition | undefined): void {
    if (position === undefined) this.#positions.delete(fileId);
    else this.#positions.set(fileId, position);
  }

  /** Whether the file of a table has the rows of the table's revision. */
  isCurrent({ fileId, revision }: NodeTable): boolean {
    const position = this.#positions.get(fileId);
    return position !== undefined && position.revision >= revision && this.#isOfCopy(position);
  }

  /** Deletes rows in PostgreSQL that no record names. */
  sweep(): void {
    // The next sweep tries again.
    this.#parts.shared.use(removeUnnamedRows).catch(() => undefined);
  }

  /** Starts a new copy of a lost file. */
  #lose(fileId: string): void {
    if (this.#positions.get(fileId) === undefined) return;
    this.note(fileId, undefined);
    this.#wakeFor(fileId);
  }

  #wakeFor(fileId: string): void {
    const id = this.#known.tableOf(fileId);
    if (id === undefined) this.wake();
    else this.#look(id);
  }

  /** Checks this table in the next pass. */
  #look(id: number): void {
    if (this.#due !== 'all') this.#due.add(id);
    this.#following ??= this.#follow();
  }

  #sweepAll(): void {
    this.sweep();
    try {
      this.#parts.tables.sweepFiles();
    } catch {
      // The next sweep tries again.
    }
  }

  async #follow(): Promise<void> {
    // Tables that change in the same turn of the event loop share a pass.
    await Promise.resolve();
    while ((this.#due === 'all' || this.#due.size > 0) && !this.#closing.signal.aborted) {
      const ids = this.#due === 'all' ? undefined : [...this.#due];
      this.#due = new Set();
      try {
        await this.#pass(ids);
        this.#retryMs = retryMsMin;
        this.#hasProblem = false;
      } catch (error) {
        this.#retryLater(error);
      }
    }
    this.#following = undefined;
  }

  #retryLater(error: unknown): void {
    const { shared, log } = this.#parts;
    if (this.#closing.signal.aborted) return;
    const isLasting = shared.state.isConnected && this.#retryMs === retryMsMax;
    if (isLasting && !this.#hasProblem) {
      this.#hasProblem = true;
      log?.warn('data tables not followed', { detail: errorText(error) });
    }
    void this.#wakeIn(this.#retryMs);
    this.#retryMs = Math.min(this.#retryMs * 2, retryMsMax);
  }

  async #wakeIn(waitMs: number): Promise<void> {
    await pause(waitMs, undefined, this.#closing).catch(() => undefined);
    if (!this.#closing.signal.aborted) this.wake();
  }

  /** Brings each of these tables up to date or starts its copy; without ids, all tables. */
  async #pass(ids: readonly number[] | undefined): Promise<void> {
    const { shared, tables: store } = this.#parts;
    this.#copyName = shared.copyName;
    const { node } = store;
    const tables = ids === undefined ? node.list() : ids.flatMap((id) => node.findById(id) ?? []);
    await this.#learn(tables, ids);
    if (tables.length !== ids?.length) await repeatWhileBusy(() => node.release());
    for (const table of tables) this.#weigh(table);
    let failure: { error: unknown } | undefined;
    for (const table of tables) {
      if (this.#left.has(table.fileId)) continue;
      try {
        if (!this.isCurrent(table)) await this.#bring(table.fileId);
        this.#weigh(table);
        if (table.readFileId !== table.fileId && this.isCurrent(table)) await this.#adopt(table);
      } catch (error) {
        // A failure of one table does not stop the others.
        failure ??= { error };
        if (isAway(error)) break;
      }
    }
    if (failure !== undefined) throw failure.error;
  }

  #weigh(table: NodeTable): void {
    if (this.isCurrent(table)) this.#late.delete(table.fileId);
    else this.#late.add(table.fileId);
  }

  async #adopt(table: NodeTable): Promise<void> {
    const { tables } = this.#parts;
    if (existsSync(tables.fileNamed(table.fileId).path)) {
      await repeatWhileBusy(() => tables.node.adopt(table));
    } else this.#copies.add(table.fileId);
  }

  /** Reads the positions of new files, and deletes files that no table names. */
  async #learn(found: readonly NodeTable[], asked: readonly number[] | undefined): Promise<void> {
    const { tables, changes } = this.#parts;
    const gone = this.#known.note(found, asked);
    for (const fileId of gone) {
      this.#positions.delete(fileId);
      this.#late.delete(fileId);
      tables.node.discard(fileId);
    }
    this.#copies.giveUp(gone);
    const unknown = found.flatMap(({ fileId }) => (this.#positions.has(fileId) ? [] : fileId));
    if (unknown.length === 0) return;
    const paths = unknown.map((fileId) => tables.fileNamed(fileId).path);
    const positions = await changes.run({ kind: 'positions', paths });
    for (const [index, fileId] of unknown.entries()) {
      this.#positions.set(fileId, positions[index]);
    }
  }

  /** Whether changes apply to the file: a file without changes is equal in each copy of the shared database. */
  #isOfCopy({ revision, copy }: RowPosition): boolean {
    return revision === 0 || copy === this.#copyName;
  }

  /** Reads and applies changes since the file's position. Starts a copy if they are too large or unknown. */
  async #bring(fileId: string): Promise<void> {
    const { changes, tables } = this.#parts;
    const position = this.#positions.get(fileId);
    if (position === undefined || !this.#isOfCopy(position)) {
      this.#copies.add(fileId);
      return;
    }
    const from = position.revision;
    const read = await this.#readChanges(fileId, from);
    // The table has another file by now.
    if (read === undefined) return;
    const { revision, rows, bytes } = read.head;
    if (read.changes === undefined) {
      this.#copies.add(fileId);
      return;
    }
    const applied = await changes.run({
      kind: 'apply',
      path: tables.fileNamed(fileId).path,
      from,
      to: { revision, copy: this.#copyName },
      changes: read.changes,
      figures: { rows, bytes },
    });
    this.note(fileId, applied.position);
    // Keys of rows that were deleted long ago are no longer stored.
    if (applied.outcome === 'incomplete') this.#copies.add(fileId);
    // Another process of this node was first, or the file is lost.
    if (applied.outcome === 'moved') this.wake();
  }

  async #readChanges(fileId: string, from: number): Promise<ReadChanges | undefined> {
    if (this.#connection?.isLost !== false) this.#connection = await this.#parts.shared.connect();
    const connection = this.#connection;
    try {
      return await readChangesSince(connection, fileId, from);
    } catch (error) {
      // Closing also ends the transaction.
      await connection.close();
      throw error;
    }
  }
}

function isAway(error: unknown): boolean {
  return error instanceof StoreError && error.code === 'AWAY';
}
