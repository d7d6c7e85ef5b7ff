/** A node among those that do the runs of campaigns: it says that it lives, sees who has ended, and keeps their files. */
import { randomInt } from 'node:crypto';
import { connect, isDatabaseFailure, toRunningError } from './connection.ts';
import type { Connection } from './connection.ts';
import type { DatabaseAddress } from './database-url.ts';

/** The class of the locks of nodes; it says "Pltc". */
const lockClass = 0x50_6c_74_63;

/** A node without its lock has ended after so long: it may have lost its connection, and be back soon. */
const endedAfterMs = 5000;

/** The server ends the connection of a machine that is gone within 25 s. */
const keepAlive = `SELECT set_config('tcp_keepalives_idle', '10', false), set_config('tcp_keepalives_interval', '5', false),
  set_config('tcp_keepalives_count', '3', false)`;

/**
 * Holds an advisory lock of PostgreSQL under its number while it is connected, which the server releases when the node ends.
 * One for each thread of campaigns; its owner closes it.
 */
export class CampaignNode {
  /** Names it in the runs that it does. */
  readonly number = randomInt(1, 2 ** 31);
  readonly #address: DatabaseAddress;
  #connection: Promise<Connection> | undefined;
  #hasLock = false;
  /** When each node was first seen without its lock, by the clock of this process. */
  readonly #missingSinceMs = new Map<number, number>();

  constructor(address: DatabaseAddress) {
    this.#address = address;
  }

  /** Gives `work` the connection, which is made again after a loss. Rejects with a `StoreError` of the database, or as `work` does. */
  async use<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> {
    let connection: Connection | undefined;
    try {
      connection = await (this.#connection ??= this.#connect());
      return await work(connection);
    } catch (error) {
      throw isDatabaseFailure(error, connection) ? toRunningError(error, this.#address) : error;
    }
  }

  /** Takes the lock: to be called before a run is taken. */
  async hold(): Promise<void> {
    await this.use((connection) => this.#hold(connection));
  }

  /** To be called again and again while runs are open: takes the lock, and looks which of `owners` have theirs. */
  async look(owners: ReadonlySet<number>): Promise<void> {
    try {
      const living = await this.use((connection) => this.#findLiving(connection));
      const nowMs = performance.now();
      for (const owner of this.#missingSinceMs.keys()) {
        if (living.has(owner) || !owners.has(owner)) this.#missingSinceMs.delete(owner);
      }
      for (const owner of owners) {
        const isMissing = !living.has(owner) && !this.#missingSinceMs.has(owner);
        if (isMissing) this.#missingSinceMs.set(owner, nowMs);
      }
    } catch (error) {
      // Nobody can be seen: their locks come back with the database.
      this.#missingSinceMs.clear();
      throw error;
    }
  }

  /** Whether this node may do a run of `owner`: its own, one of nobody, and one of a node that has ended. */
  mayTake(owner: number | null): boolean {
    if (owner === null || owner === this.number) return true;
    const sinceMs = this.#missingSinceMs.get(owner);
    return sinceMs !== undefined && performance.now() - sinceMs >= endedAfterMs;
  }

  async close(): Promise<void> {
    const connection = await this.#connection?.catch(() => undefined);
    await connection?.close();
  }

  async #connect(): Promise<Connection> {
    try {
      const connection = await connect(this.#address);
      connection.onLost(() => {
        this.#connection = undefined;
        this.#hasLock = false;
      });
      await connection.query(keepAlive);
      return connection;
    } catch (error) {
      this.#connection = undefined;
      throw error;
    }
  }

  async #hold(connection: Connection): Promise<void> {
    if (this.#hasLock) return;
    // A lost connection that the server has not given up yet may hold it still.
    const [row] = await connection.query('SELECT pg_try_advisory_lock($1, $2)::text', [
      lockClass,
      this.number,
    ]);
    this.#hasLock = row?.[0] === 'true';
  }

  async #findLiving(connection: Connection): Promise<ReadonlySet<number>> {
    await this.#hold(connection);
    const rows = await connection.query(
      `SELECT objid::bigint FROM pg_locks WHERE locktype = 'advisory' AND classid = ${lockClass} AND objsubid = 2
         AND granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );
    return new Set(rows.map(([number]) => Number(number)));
  }
}
