/** Brings a replica up to date with the shared database. */
import { repeatWhileBusy, StoreError } from '../database/store-error.ts';
import type { Connection } from './connection.ts';
import type { Replica } from './replica.ts';
import { readLogEntries } from './row-changes.ts';
import type { ChangedKeys } from './row-changes.ts';
import {
  lockHead,
  readChanges,
  readHead,
  readLog,
  readTable,
  requireWhole,
} from './shared-rows.ts';
import type { SharedHead } from './shared-rows.ts';

/** What a node applies at a time. */
interface Limits {
  changes: number;
  keys: number;
}

/** Beyond these, all tables are copied: the rows of changes are in memory together. */
const limits: Limits = { changes: Infinity, keys: 20_000 };
/** While the head is locked, which keeps the writers of all nodes waiting. */
const lockedLimits: Limits = { changes: 1000, keys: 2000 };
/** How often a writer lets go of the head to follow. */
const lockAttemptsMax = 3;

/** Brings the replica to the newest change, from one snapshot. */
export async function follow(connection: Connection, replica: Replica): Promise<void> {
  const state = replica.state();
  const { position, entry } = await readHead(connection);
  if (position === state?.position && entry === state.entry) return;
  await connection.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const head = await readHead(connection);
  // Another process of this node may have moved it beyond this snapshot: the next look compares again.
  const isMoved = replica.state()?.position !== state?.position;
  if (!isMoved) await followTo(connection, replica, head);
  await connection.query('COMMIT');
}

/**
 * Locks the head and brings the replica to it, for a write in a transaction of `connection`. Without a connection, begins one of
 * `connected`. A replica that is far behind follows without the lock. Rejects with a `StoreError` `BUSY` if it stays behind.
 */
export async function lockNewest(
  replica: Replica,
  connected: () => Promise<Connection>,
  connection?: Connection,
): Promise<{ connection: Connection; head: SharedHead }> {
  for (let attempt = 0; attempt < lockAttemptsMax; attempt += 1) {
    // oxlint-disable no-await-in-loop -- one attempt after the other
    const locking = connection ?? (await connected());
    await (connection === undefined ? locking.begin() : locking.query('SAVEPOINT platen_head'));
    const head = await lockHead(locking);
    if (await tryFollowTo(locking, replica, head, lockedLimits)) {
      return { connection: locking, head };
    }
    // Either one ends the lock.
    await locking.query(connection === undefined ? 'ROLLBACK' : 'ROLLBACK TO platen_head');
    await follow(connection === undefined ? locking : await connected(), replica);
    // oxlint-enable no-await-in-loop
  }
  throw new StoreError('BUSY', 'This node is too far behind the shared database: try again.');
}

/** Brings the replica to `head`, within a transaction that sees exactly the changes up to it. */
async function followTo(connection: Connection, replica: Replica, head: SharedHead): Promise<void> {
  if (await tryFollowTo(connection, replica, head, limits)) return;
  await requireWhole(connection, replica.tables);
  await replica.replaceAll(head, (table) => readTable(connection, table, replica.hasFiles));
}

/** False if more than `allowed` is missing, or all; the replica is unchanged then. */
async function tryFollowTo(
  connection: Connection,
  replica: Replica,
  head: SharedHead,
  allowed: Limits,
): Promise<boolean> {
  const state = replica.state();
  if (state?.position === head.position && state.entry === head.entry) return true;
  if (state === undefined || head.position - state.position > allowed.changes) return false;
  const log = await readLog(connection, state.position);
  // The log still has the replica's position, unless it was trimmed or has another history.
  if (log[0]?.entry !== state.entry) return false;
  const keys = readLogEntries(log.slice(1).map(({ text }) => text));
  if (keys === undefined || isTooMuch(keys, allowed)) return false;
  const changes = await readChanges(connection, replica, keys);
  // Another process of this node may do so too.
  const isApplied = await repeatWhileBusy(() => replica.apply(state, head, changes));
  return isApplied || tryFollowTo(connection, replica, head, allowed);
}

function isTooMuch(keys: ChangedKeys, allowed: Limits): boolean {
  const count = [...keys.values()].reduce((sum, each) => sum + each.length, 0);
  return count > allowed.keys;
}
