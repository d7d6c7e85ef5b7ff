/**
 * Coordinates campaign runs between nodes: a node holds a lock while it lives, and takes over the runs of ended nodes.
 */
import { randomInt } from 'node:crypto';
import type { Connection, DatabaseAddress, Postgres } from '../../../store/database/shared-port.ts';

/** Class of the advisory locks of nodes, "Pltc" in ASCII. */
const lockClass = 0x50_6c_74_63;

/** Time without a lock after which a node counts as ended. A node may lose its connection and return earlier. */
const endedAfterMs = 5000;

/** With these settings the server closes the connection of an unreachable machine within 25 s. */
const keepAlive = `SELECT set_config('tcp_keepalives_idle', '10', false), set_config('tcp_keepalives_interval', '5', false),
  set_config('tcp_keepalives_count', '3', false)`;

/**
 * Holds an advisory lock of PostgreSQL under the node's number while it is connected. The server releases the lock when
 * the connection ends. Each campaign thread has one node object and closes it.
 */
export class CampaignNode {
  /** Random number that marks the runs of this node. */
  readonly number = randomInt(1, 2 ** 31);
  readonly #address: DatabaseAddress;
  readonly #postgres: Pick<Postgres, 'connect' | 'toCallerError'>;
  #connection: Promise<Connection> | undefined;
  #hasLock = false;
  /** When each node was first seen without its lock, by the clock of this process. */
  readonly #missingSinceMs = new Map<number, number>();

  constructor(address: DatabaseAddress, postgres: Pick<Postgres, 'connect' | 'toCallerError'>) {
    this.#address = address;
    this.#postgres = postgres;
  }

  /** Runs `work` with the connection, and reconnects after a loss. Rejects with a `StoreError`, or as `work` does. */
  async use<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> {
    let connection: Connection | undefined;
    try {
      connection = await (this.#connection ??= this.#connect());
      return await work(connection);
    } catch (error) {
      throw this.#postgres.toCallerError(error, connection, this.#address);
    }
  }

  /** Acquires the lock. Call it before the node takes a run. */
  async hold(): Promise<void> {
    await this.use((connection) => this.#hold(connection));
  }

  /** Acquires the lock if needed, and notes which `owners` hold none. Call it repeatedly while runs are open. */
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
      // Without the database no lock is visible. Nodes acquire their locks again when it is back.
      this.#missingSinceMs.clear();
      throw error;
    }
  }

  /** Whether this node may take a run of `owner`: of this node, of no node, or of an ended node. */
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
      const connection = await this.#postgres.connect(this.#address);
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
    // The server may not have closed a lost connection yet, which then still holds the lock.
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
