/** Stores the writes of one node in the shared database, one transaction after the other, several writes in each. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { SerialWork } from '../../foundation/serial-work.ts';
import type { Database } from '../database/database.ts';
import { noteChangeOf } from '../database/change-watch.ts';
import { repeatWhileBusy, StoreError } from '../database/store-error.ts';
import { collectActions } from '../database/write-route.ts';
import { isDatabaseFailure, isDataError } from './connection.ts';
import type { Connection } from './connection.ts';
import { lockNewest } from './follow.ts';
import type { Replica, ReplicaTarget } from './replica.ts';
import { RowCapture } from './row-capture.ts';
import type { Captured } from './row-capture.ts';
import { writeLogEntry } from './row-changes.ts';
import { lockHead, moveHead, saveChanges } from './shared-rows.ts';

/** Writes of one transaction: each blocks the thread for about a millisecond. */
const writesAtOnce = 16;
/** Writes that wait; further ones are refused. */
const waitingMax = 1000;
/** Of these, writes that may get lost. */
const notesMax = 32;
/** After a failed connection, writes are refused for this long without another attempt, ms. */
const refuseMs = 500;
/** For how long the outcome of a lost commit is asked for, ms. */
const outcomeMsMax = 5000;
const outcomeEveryMs = 250;

export interface SharedWriterOptions {
  db: Database;
  replica: Replica;
  /** Of those who change the replica. */
  replicaWork: SerialWork;
  connect: () => Promise<Connection>;
  /** The error of a write for anything that the database rejected with. */
  toError: (error: unknown) => Error;
  /** Called when the replica has a change. */
  onStored: () => void;
}

/** What a write does in PostgreSQL beside its changes of shared tables. It has a transaction of its own then. */
export interface WriteBeside {
  /** A connection of the caller's, which has begun the transaction. Default: that of the writer. */
  connection?: Connection;
  /** Runs before the write, on the newest state. What it rejects with is the error of the write. */
  prepare?(connection: Connection): Promise<void>;
  /** Runs after the write. */
  store?(connection: Connection): Promise<void>;
}

/** A write that waits for its transaction, and then for its commit. */
interface Waiting {
  beside: WriteBeside | undefined;
  run: () => void;
  /** After the commit. */
  resolve: () => void;
  reject: (error: unknown) => void;
  error?: { cause: unknown };
}

/** One for each process. */
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

  /** Runs `write` on the newest state and stores its changes. Rejects with what it throws, or a `StoreError` `AWAY`. */
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

  /** Stores what waits, and refuses what comes. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#working;
    await this.#connection?.close();
  }

  async #work(): Promise<void> {
    // What the same turn of the event loop asks for is stored together.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const writes = this.#waiting.splice(0, this.#countTogether());
      // oxlint-disable-next-line no-await-in-loop -- one transaction after the other
      await this.#store(writes);
    }
    this.#working = undefined;
  }

  /** How many of those that wait share the next transaction. */
  #countTogether(): number {
    const alone = this.#waiting.findIndex(({ beside }) => beside !== undefined);
    if (alone === 0) return 1;
    return Math.min(writesAtOnce, alone === -1 ? this.#waiting.length : alone);
  }

  async #store(writes: readonly Waiting[]): Promise<void> {
    const begun = writes[0]?.beside?.connection;
    try {
      // A write that waits for a copy of everything does not hold the lock.
      await this.#options.replicaWork.run(() => this.#storeNext(begun, writes));
    } catch (error) {
      // Ends the transaction too.
      await Promise.all([begun?.close(), this.#connection?.close()]);
      this.#connection = undefined;
      if (isDataError(error) && writes.length > 1) return this.#storeEach(writes);
      this.#settle(writes, this.#options.toError(error));
      return;
    }
    this.#settle(writes, undefined);
  }

  /** The value of one write is refused, and the others are not to blame. */
  async #storeEach(writes: readonly Waiting[]): Promise<void> {
    for (const write of writes) {
      // oxlint-disable-next-line no-await-in-loop -- one transaction after the other
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

  /** Stores writes in one transaction, which may have begun. */
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
      // It is stored: the replica follows as soon as its disk lets it.
    }
    onStored();
  }

  /** Runs writes; one that throws changes nothing and leaves the others alone. */
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
      // What was read meanwhile is gone.
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

  /** Whether the database has the change, after a connection that was lost at the commit. */
  async #isStored({ position, entry }: ReplicaTarget): Promise<boolean> {
    const givenUpAtMs = performance.now() + outcomeMsMax;
    for (;;) {
      let connection: Connection | undefined;
      try {
        // oxlint-disable no-await-in-loop -- one attempt after the other
        connection = await this.#options.connect();
        await connection.begin();
        // Waits until the server has ended the lost transaction.
        await lockHead(connection);
        const rows = await connection.query(
          'SELECT entry FROM platen_changes WHERE position = $1',
          [position],
        );
        // This commit waits for the standbys, which then have the lost one too.
        await connection.query('UPDATE platen_cluster SET position = position');
        await connection.query('COMMIT');
        return rows[0]?.[0] === entry;
      } catch (error) {
        if (performance.now() > givenUpAtMs) throw unknownOutcome(error);
        await pause(outcomeEveryMs);
      } finally {
        await connection?.close();
        // oxlint-enable no-await-in-loop
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

/** Whether another process has the lock of the node's database. What is busy for this write alone has no cause. */
function isLocked(error: unknown): boolean {
  return error instanceof StoreError && error.code === 'BUSY' && error.cause !== undefined;
}

/** False if the preparation of the write has failed, whose error it keeps; the transaction is over then. */
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
