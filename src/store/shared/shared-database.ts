/** Connects a node to a shared database: it follows the changes of all nodes and stores the node's writes. */
import { setTimeout as pause } from 'node:timers/promises';
import { SerialWork } from '../../foundation/serial-work.ts';
import { packagedMigrations } from '../database/database.ts';
import type { Database } from '../database/database.ts';
import type { Migration } from '../database/migrate.ts';
import { noteChangeOf } from '../database/change-watch.ts';
import { StoreError } from '../database/store-error.ts';
import { routeWrites } from '../database/write-route.ts';
import {
  connect,
  requireSession,
  toCallerError,
  toRunningError,
  toSharedError,
} from './connection.ts';
import { FileSource } from './file-source.ts';
import { follow, lookLimitAfter } from './follow.ts';
import { Replica } from './replica.ts';
import { checkSchema, findHead, setUp } from './shared-schema.ts';
import { channel, readHead, requireRights, requireWhole } from './shared-rows.ts';
import { listSharedTables } from './shared-tables.ts';
import { SharedWriter } from './shared-writer.ts';
import { upgradeSchema } from './upgrade-schema.ts';
import { SharedDatabaseError } from '../database/shared-contract.ts';
import type {
  ChangedKeys,
  Connection,
  DatabaseAddress,
  SharedDatabase,
  SharedState,
  WriteBeside,
} from '../database/shared-contract.ts';

/** Maximum interval between two reads of the head, in ms. A notification may get lost with its connection. */
const lookEveryMs = 250;
/** Pause between two attempts to connect, in ms. It doubles after each attempt, up to the maximum. */
const connectEveryMs = 250;
const connectEveryMsMax = 2000;

export interface SharedDatabaseOptions {
  address: DatabaseAddress;
  /** The node's database, through whose connection the stores write. */
  db: Database;
  /** The migrations of `db`; default: all of this version. */
  migrations?: readonly Migration[];
  /** Receives a sentence when the database is lost, and undefined when it is back. */
  onState: (problem: string | undefined) => void;
}

/** Each process has one. The caller of `openSharedDatabase` closes it before the database. */
export class PostgresDatabase implements SharedDatabase {
  /** Files of assets and fonts, which the node's database lacks. */
  readonly files = new FileSource((work) => {
    // Without this check, each file would wait for a connection while the database is away.
    if (this.#problem === undefined) return this.use(work);
    return Promise.reject(new StoreError('AWAY', this.#problem));
  });
  readonly #options: SharedDatabaseOptions;
  readonly #migrations: readonly Migration[];
  readonly #replica: Replica;
  readonly #replicaWork = new SerialWork();
  readonly #writer: SharedWriter;
  readonly #closing = new AbortController();
  #following: Promise<void> = Promise.resolve();
  #isConnected = false;
  #problem: string | undefined;
  #position: number;
  #wake: () => void = () => undefined;
  /** Whether a notification arrived during a read of the head. The read may have missed its change. */
  #isNotified = false;
  readonly #moveListeners: ((changes: ChangedKeys | undefined) => void)[] = [];

  /** Use `openSharedDatabase`. */
  constructor(options: SharedDatabaseOptions) {
    const { db, address } = options;
    this.#options = options;
    this.#migrations = options.migrations ?? packagedMigrations();
    const tables = listSharedTables(db);
    this.#replica = new Replica(db.name, tables);
    this.#position = this.#replica.state()?.position ?? 0;
    this.#writer = new SharedWriter({
      db,
      replica: this.#replica,
      replicaWork: this.#replicaWork,
      connect: () => this.connect(),
      toError: (error) => toRunningError(error, address),
      onStored: () => this.#noteMove(),
    });
  }

  get state(): SharedState {
    return { isConnected: this.#isConnected, position: this.#position };
  }

  /**
   * Brings the replica up to date and starts to follow. The shared database may be unreachable if a replica is on disk.
   * Rejects with a `SharedDatabaseError`, or a `StoreError` of the disk.
   */
  async start(): Promise<void> {
    const isReplica = this.#replica.state() !== undefined;
    let connection: Connection | undefined;
    try {
      connection = await this.connect();
      await requireSession(connection, this.#options.address);
      checkSchema(await readHead(connection), this.#migrations.length);
      await requireRights(connection, this.#replica.tables, this.#options.address);
      await this.#follow(connection);
    } catch (error) {
      const problem = toSharedError(error, this.#options.address);
      if (!(problem instanceof StoreError) || problem.code !== 'AWAY') throw problem;
      if (!isReplica) {
        throw new SharedDatabaseError(
          `${problem.message} This node has no copy of it yet: start again when it can be reached.`,
        );
      }
      this.#report(problem.message);
    } finally {
      await connection?.close();
    }
    this.#following = this.#followUntilClosed();
    const { db } = this.#options;
    routeWrites({
      db,
      write: (write) => this.#writer.write(write),
      note: (write) => this.#isConnected && this.#writer.note(write),
    });
  }

  /** Id of the node's copy of all tables. It changes when the node copies all tables again. */
  get copyName(): string {
    return this.#replica.copyName();
  }

  /**
   * Calls `listener` after each change of the replica, with the keys of changed rows, or undefined if they are not all
   * known.
   */
  onMove(listener: (changes: ChangedKeys | undefined) => void): void {
    this.#moveListeners.push(listener);
  }

  /** As `whenFree`, with the statements of `beside` in the same transaction of PostgreSQL. */
  write<Result>(write: () => Result, beside: WriteBeside): Promise<Result> {
    return this.#writer.write(write, beside);
  }

  /**
   * Runs `work` with a separate connection, which closes afterwards. Rejects with a `StoreError`, or with the error of
   * `work`.
   */
  async use<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> {
    let connection: Connection | undefined;
    try {
      connection = await this.connect();
      return await work(connection);
    } catch (error) {
      throw toCallerError(error, connection, this.#options.address);
    } finally {
      await connection?.close();
    }
  }

  /** Stores the waiting writes and closes the connections. */
  async close(): Promise<void> {
    await this.#writer.close();
    routeWrites(undefined);
    this.#closing.abort();
    this.#wake();
    await this.#following;
    this.#replica.close();
  }

  /**
   * Connects to the shared database of this replica. Creates the tables of an empty database and upgrades an older
   * schema. A newer schema comes from an upgraded node: this node reads and writes the columns that it knows.
   */
  async connect(): Promise<Connection> {
    const { db } = this.#options;
    const connection = await connect(this.#options.address);
    try {
      const found = await findHead(connection);
      if (found !== undefined) await requireWhole(connection, this.#replica.tables);
      this.#checkReplica(found?.cluster);
      const { length: schema } = this.#migrations;
      const head = found ?? (await setUp(connection, this.#replica, schema));
      if (head.schema < schema) await upgradeSchema(connection, db.name, this.#migrations);
      return connection;
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  /** Throws if the replica belongs to another shared database, or if `db` has data that no other node has. */
  #checkReplica(cluster: string | undefined): void {
    const state = this.#replica.state();
    const { db } = this.#options;
    if (state !== undefined && state.cluster !== cluster) {
      throw new SharedDatabaseError(
        `${db.name} is a copy of another shared database: correct PLATEN_DATABASE_URL, or set PLATEN_DATA_DIR to an empty folder.`,
      );
    }
    if (state === undefined && hasOrganizations(db)) {
      throw new SharedDatabaseError(
        `${db.name} has data of its own: set PLATEN_DATA_DIR to an empty folder.`,
      );
    }
  }

  async #follow(connection: Connection, limitMs?: number): Promise<void> {
    await this.#replicaWork.run(() => follow(connection, this.#replica, limitMs));
    // Another process of this node may have moved the replica.
    if (this.#replica.state()?.position !== this.#position) this.#noteMove();
  }

  #noteMove(): void {
    this.#position = this.#replica.state()?.position ?? 0;
    noteChangeOf(this.#options.db);
    const changes = this.#replica.takeChanges();
    for (const listener of this.#moveListeners) listener(changes);
  }

  async #followUntilClosed(): Promise<void> {
    let [waitMs, lookMs] = [connectEveryMs, 0];
    while (!this.#closing.signal.aborted) {
      let connection: Connection | undefined;
      try {
        connection = await this.connect();
        connection.onNotification(() => {
          this.#isNotified = true;
          this.#wake();
        });
        connection.onLost(() => this.#wake());
        await connection.query(`LISTEN ${channel}`);
        waitMs = connectEveryMs;
        while (!this.#closing.signal.aborted) {
          this.#isNotified = false;
          const lookedAtMs = performance.now();
          const looked = this.#follow(connection, lookLimitAfter(lookMs));
          await looked.finally(() => (lookMs = performance.now() - lookedAtMs));
          this.#report(undefined);
          if (!this.#isNotified) await this.#nextLook();
        }
      } catch (error) {
        this.#report(toSharedError(error, this.#options.address).message);
      } finally {
        await connection?.close();
      }
      await pause(waitMs, undefined, this.#closing).catch(() => undefined);
      waitMs = Math.min(waitMs * 2, connectEveryMsMax);
    }
  }

  /** Resolves at a notification, at a lost connection, at `close`, or after `lookEveryMs`. */
  #nextLook(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, lookEveryMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #report(problem: string | undefined): void {
    this.#isConnected = problem === undefined;
    const isNew = (problem === undefined) !== (this.#problem === undefined);
    this.#problem = problem;
    if (isNew) this.#options.onState(problem);
  }
}

function hasOrganizations(db: Database): boolean {
  return db.prepare('SELECT 1 FROM organizations LIMIT 1').get() !== undefined;
}

/** Opens the shared database for a process. Rejects with a `SharedDatabaseError`, or a `StoreError` of the disk. */
export async function openSharedDatabase(options: SharedDatabaseOptions): Promise<SharedDatabase> {
  const shared = new PostgresDatabase(options);
  try {
    await shared.start();
    return shared;
  } catch (error) {
    await shared.close();
    throw error;
  }
}
