/** Stores the writes of one node in the shared database, in one transaction at a time, each with several writes. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { SerialWork } from '../../foundation/serial-work.ts';
import type { Database } from '../database/database.ts';
import { noteChangeOf } from '../database/change-watch.ts';
import { repeatWhileBusy, StoreError } from '../database/store-error.ts';
import { collectActions } from '../database/write-route.ts';
import { isDatabaseFailure, isDataError } from './connection.ts';
import { lockNewest } from './follow.ts';
import type { Replica, ReplicaTarget } from './replica.ts';
import { RowCapture } from './row-capture.ts';
import type { Captured } from './row-capture.ts';
import { writeLogEntry } from './row-changes.ts';
import { lockHead, moveHead, saveChanges } from './shared-rows.ts';
import type { Connection, WriteBeside } from '../database/shared-contract.ts';

/** Maximum number of writes of a transaction; each blocks the thread for about 1 ms. */
const writesAtOnce = 16;
/** Maximum number of waiting writes; further ones are rejected with `BUSY`. */
const waitingMax = 1000;
/** Maximum number of waiting optional writes. */
const notesMax = 32;
/** Time in ms after a failed connection in which writes are rejected without another attempt. */
const refuseMs = 500;
/** Time in ms for which the writer tries to find the outcome of a commit whose connection was lost. */
const outcomeMsMax = 5000;
const outcomeEveryMs = 250;

export interface SharedWriterOptions {
  db: Database;
  replica: Replica;
  /** Serializes the work of all code that changes the replica. */
  replicaWork: SerialWork;
  connect: () => Promise<Connection>;
  /** Converts an error of the database to the error of a write. */
  toError: (error: unknown) => Error;
  /** Called when the replica has a change. */
  onStored: () => void;
}

/** A write that waits for its transaction, and then for its commit. */
interface Waiting {
  beside: WriteBeside | undefined;
  run: () => void;
  /** Called after the commit. */
  resolve: () => void;
  reject: (error: unknown) => void;
  error?: { cause: unknown };
}

/** Each process has one. */
export class SharedWriter {
  readonly #options: SharedWriterOptions;
  readonly #capture: RowCapture;
  readonly #waiting: Waiting[] = [];
  #notes = 0;
  #connection: Connection | undefined;
  #failedAtMs = -Infinity;
  #working: Promise<void> | undefined;
  #isClosed = false;

  constructor(options: SharedWriterOptions) {
    this.#options = options;
    this.#capture = new RowCapture(options.db, options.replica.tables);
  }

  /** Runs `write` on the newest state and stores its changes. Rejects with its error, or with a `StoreError`. */
  write<Result>(write: () => Result, beside?: WriteBeside): Promise<Result> {
    if (this.#isClosed || this.#waiting.length >= waitingMax) {
      const message = 'Too many changes wait for the shared database: try again.';
      return Promise.reject(new StoreError('BUSY', message));
    }
    return new Promise<Result>((resolve, reject) => {
      let result: { value: Result } | undefined;
      let actions: (() => void)[] = [];
      this.#waiting.push({
        beside,
        run() {
          actions = collectActions(() => (result = { value: write() }));
        },
        resolve() {
          for (const action of actions) action();
          if (result !== undefined) resolve(result.value);
        },
        reject,
      });
      this.#working ??= this.#work();
    });
  }

  /** Stores an optional write. False if too many wait. */
  note(write: () => void): boolean {
    if (this.#isClosed || this.#notes >= notesMax) return false;
    this.#notes += 1;
    void this.#storeNote(write);
    return true;
  }

  async #storeNote(write: () => void): Promise<void> {
    try {
      await this.write(write);
    } catch {
      // A note may get lost.
    }
    this.#notes -= 1;
  }

  /** Stores the waiting writes and rejects new ones. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#working;
    await this.#connection?.close();
  }

  async #work(): Promise<void> {
    // Writes of the same turn of the event loop share a transaction.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const writes = this.#waiting.splice(0, this.#countTogether());
      await this.#store(writes);
    }
    this.#working = undefined;
  }

  /** Number of waiting writes for the next transaction. */
  #countTogether(): number {
    const alone = this.#waiting.findIndex(({ beside }) => beside !== undefined);
    if (alone === 0) return 1;
    return Math.min(writesAtOnce, alone === -1 ? this.#waiting.length : alone);
  }

  async #store(writes: readonly Waiting[]): Promise<void> {
    const begun = writes[0]?.beside?.connection;
    try {
      // While all tables are copied, the write waits here and holds no lock of the head.
      await this.#options.replicaWork.run(() => this.#storeNext(begun, writes));
    } catch (error) {
      // Closing also ends the transaction.
      await Promise.all([begun?.close(), this.#connection?.close()]);
      this.#connection = undefined;
      if (isDataError(error) && writes.length > 1) return this.#storeEach(writes);
      this.#settle(writes, this.#options.toError(error));
      return;
    }
    this.#settle(writes, undefined);
  }

  /** Stores writes one by one after the database rejected a value, so that only the write with that value fails. */
  async #storeEach(writes: readonly Waiting[]): Promise<void> {
    for (const write of writes) {
      await this.#store([write]);
    }
  }

  async #connected(): Promise<Connection> {
    if (this.#connection?.isLost === false) return this.#connection;
    if (performance.now() - this.#failedAtMs < refuseMs) {
      throw new StoreError('AWAY', 'The shared database cannot be reached.');
    }
    try {
      this.#connection = await this.#options.connect();
      return this.#connection;
    } catch (error) {
      this.#failedAtMs = performance.now();
      throw error;
    }
  }

  /** Stores writes in one transaction. With `begun`, the caller has begun it. */
  async #storeNext(begun: Connection | undefined, writes: readonly Waiting[]): Promise<void> {
    const { replica, onStored } = this.#options;
    const newest = await lockNewest(replica, () => this.#connected(), begun);
    const { connection, head: before } = newest;
    const [first] = writes;
    const beside = first?.beside;
    if (first !== undefined && !(await prepare(first, connection))) return;
    const { changes, sequences } = await repeatWhileBusy(() => this.#run(writes));
    if (changes.length === 0) {
      await connection.query('ROLLBACK');
      return;
    }
    const target = { ...before, position: before.position + 1, entry: randomUUID(), sequences };
    await saveChanges(connection, changes);
    await beside?.store?.(connection);
    await moveHead(connection, target, writeLogEntry(changes));
    await this.#commit(connection, target);
    try {
      await repeatWhileBusy(() => replica.apply(before, target, changes));
    } catch {
      // The commit has succeeded. The replica catches up when the disk allows it.
    }
    onStored();
  }

  /** Runs writes in nested transactions, so that a write that throws changes nothing and does not affect the others. */
  #run(writes: readonly Waiting[]): Captured {
    const { db } = this.#options;
    try {
      return this.#capture.run(() => {
        for (const write of writes) {
          delete write.error;
          try {
            db.transaction(write.run)();
          } catch (cause) {
            if (isLocked(cause)) throw cause;
            write.error = { cause };
          }
        }
      });
    } finally {
      // Values that were read during the capture are rolled back.
      noteChangeOf(db);
    }
  }

  async #commit(connection: Connection, target: ReplicaTarget): Promise<void> {
    try {
      await connection.query('COMMIT');
    } catch (error) {
      if (!connection.isLost) throw error;
      if (!(await this.#isStored(target))) throw error;
    }
  }

  /** Whether the database has the change, after the connection was lost at the commit. */
  async #isStored({ position, entry }: ReplicaTarget): Promise<boolean> {
    const givenUpAtMs = performance.now() + outcomeMsMax;
    for (;;) {
      let connection: Connection | undefined;
      try {
        connection = await this.#options.connect();
        await connection.begin();
        // Waits until the server has ended the lost transaction.
        await lockHead(connection);
        const rows = await connection.query(
          'SELECT entry FROM platen_changes WHERE position = $1',
          [position],
        );
        // This commit waits for the standbys, which then also have the earlier commit.
        await connection.query('UPDATE platen_cluster SET position = position');
        await connection.query('COMMIT');
        return rows[0]?.[0] === entry;
      } catch (error) {
        if (performance.now() > givenUpAtMs) throw unknownOutcome(error);
        await pause(outcomeEveryMs);
      } finally {
        await connection?.close();
      }
    }
  }

  #settle(writes: readonly Waiting[], failure: Error | undefined): void {
    for (const write of writes) {
      if (write.error !== undefined) write.reject(write.error.cause);
      else if (failure !== undefined) write.reject(failure);
      else write.resolve();
    }
  }
}

/** Whether another process locks the node's database. A `BUSY` error of one write has no cause. */
function isLocked(error: unknown): boolean {
  return error instanceof StoreError && error.code === 'BUSY' && error.cause !== undefined;
}

/** False if the preparation fails; then records its error in the write and rolls the transaction back. */
async function prepare(write: Waiting, connection: Connection): Promise<boolean> {
  try {
    await write.beside?.prepare?.(connection);
    return true;
  } catch (cause) {
    if (isDatabaseFailure(cause, connection)) throw cause;
    write.error = { cause };
    await connection.query('ROLLBACK');
    return false;
  }
}

function unknownOutcome(cause: unknown): StoreError {
  return new StoreError(
    'AWAY',
    'The shared database was lost during a commit, and it is not known whether it has the change.',
    cause,
  );
}
