/** Brings a replica up to date with the shared database. */
import { repeatWhileBusy, StoreError } from '../database/store-error.ts';
import { answerTimeoutMs } from './connection.ts';
import type { Replica } from './replica.ts';
import { readLogEntries } from './row-changes.ts';
import {
  lockHead,
  readChanges,
  readHead,
  readLog,
  readTable,
  requireWhole,
} from './shared-rows.ts';
import type { SharedHead } from './shared-rows.ts';
import type { ChangedKeys, Connection } from '../database/shared-contract.ts';

/** Maximum numbers of log entries and changed rows that a node applies at once. */
interface Limits {
  changes: number;
  keys: number;
}

/** Above these limits the node copies all tables: the changed rows are in memory together. */
const limits: Limits = { changes: Infinity, keys: 20_000 };
/** Limits while the head is locked and the writers of all nodes wait. */
const lockedLimits: Limits = { changes: 1000, keys: 2000 };
/** Maximum number of attempts of a writer to lock the head; it releases the lock after each to follow. */
const lockAttemptsMax = 3;

/** Minimum time limit of a look for changes, in ms: above the time of a look over a bad network. */
const lookLimitMsMin = 2000;

/**
 * Time limit in ms of a look for changes, from the time that the last one took. A connection may break without a word,
 * and then only this limit ends it. After a look at its limit the next one has twice the time: the database is slow.
 */
export function lookLimitAfter(lastMs: number): number {
  return Math.min(Math.max(lookLimitMsMin, 2 * lastMs), answerTimeoutMs);
}

/** Applies all changes up to the newest one, from one snapshot. The look whether there are any takes `limitMs` at most. */
export async function follow(
  connection: Connection,
  replica: Replica,
  limitMs?: number,
): Promise<void> {
  const state = replica.state();
  const { position, entry } = await readHead(connection, limitMs);
  if (position === state?.position && entry === state.entry) return;
  await connection.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const head = await readHead(connection);
  // Another process of this node may have moved the replica beyond this snapshot. The next call compares again.
  const isMoved = replica.state()?.position !== state?.position;
  if (!isMoved) await followTo(connection, replica, head);
  await connection.query('COMMIT');
}

/**
 * Locks the head and brings the replica up to date, for a write in a transaction of `connection`. Without `connection`,
 * begins a transaction on a connection of `connected`. A replica that is far behind follows without the lock. Rejects
 * with a `StoreError` `BUSY` if the replica stays behind.
 */
export async function lockNewest(
  replica: Replica,
  connected: () => Promise<Connection>,
  connection?: Connection,
): Promise<{ connection: Connection; head: SharedHead }> {
  for (let attempt = 0; attempt < lockAttemptsMax; attempt += 1) {
    const locking = connection ?? (await connected());
    await (connection === undefined ? locking.begin() : locking.query('SAVEPOINT platen_head'));
    const head = await lockHead(locking);
    if (await tryFollowTo(locking, replica, head, lockedLimits)) {
      return { connection: locking, head };
    }
    // Both statements release the lock.
    await locking.query(connection === undefined ? 'ROLLBACK' : 'ROLLBACK TO platen_head');
    await follow(connection === undefined ? locking : await connected(), replica);
  }
  throw new StoreError('BUSY', 'This node is too far behind the shared database: try again.');
}

/** Brings the replica to `head`. The transaction must see exactly the changes up to `head`. */
async function followTo(connection: Connection, replica: Replica, head: SharedHead): Promise<void> {
  if (await tryFollowTo(connection, replica, head, limits)) return;
  await requireWhole(connection, replica.tables);
  await replica.replaceAll(head, (table) => readTable(connection, table, replica.hasFiles));
}

/**
 * False, with an unchanged replica, if more changes than `allowed` are missing or the log does not have all of them.
 */
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
  // The entry is missing or different if the log was trimmed or belongs to another history.
  if (log[0]?.entry !== state.entry) return false;
  const keys = readLogEntries(log.slice(1).map(({ text }) => text));
  if (keys === undefined || isTooMuch(keys, allowed)) return false;
  const changes = await readChanges(connection, replica, keys);
  // Another process of this node may apply the same changes at the same time.
  const isApplied = await repeatWhileBusy(() => replica.apply(state, head, changes));
  return isApplied || tryFollowTo(connection, replica, head, allowed);
}

function isTooMuch(keys: ChangedKeys, allowed: Limits): boolean {
  const count = [...keys.values()].reduce((sum, each) => sum + each.length, 0);
  return count > allowed.keys;
}
