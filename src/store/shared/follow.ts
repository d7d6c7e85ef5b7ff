/** Brings a replica up to date with the shared database. */
import { repeatWhileBusy } from '../database/store-error.ts';
import type { Connection } from './connection.ts';
import type { Replica } from './replica.ts';
import { readLogEntries } from './row-changes.ts';
import type { ChangedKeys } from './row-changes.ts';
import { readChanges, readHead, readLog, readTable, requireWhole } from './shared-rows.ts';
import type { SharedHead } from './shared-rows.ts';

/** Beyond these, all tables are copied: the rows of changes are in memory together. */
const changedKeysMax = 20_000;
const changedFilesMax = 64;
const fileTables = ['assets', 'fonts'];

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

/** Brings the replica to `head`, within a transaction that sees exactly the changes up to it. */
export async function followTo(
  connection: Connection,
  replica: Replica,
  head: SharedHead,
): Promise<void> {
  const state = replica.state();
  if (state?.position === head.position && state.entry === head.entry) return;
  const log = state === undefined ? [] : await readLog(connection, state.position);
  // The log still has the replica's position, unless it was trimmed or has another history.
  const keys =
    log[0]?.entry === state?.entry && log.length > 0
      ? readLogEntries(log.slice(1).map(({ text }) => text))
      : undefined;
  if (state === undefined || keys === undefined || isTooMuch(keys)) {
    await requireWhole(connection, replica.tables);
    await replica.replaceAll(head, (table) => readTable(connection, table));
    return;
  }
  const changes = await readChanges(connection, replica.tables, keys);
  // Another process of this node may do so too.
  const isApplied = await repeatWhileBusy(() => replica.apply(state, head, changes));
  if (!isApplied) await followTo(connection, replica, head);
}

function isTooMuch(keys: ChangedKeys): boolean {
  const count = [...keys.values()].reduce((sum, each) => sum + each.length, 0);
  const files = fileTables.reduce((sum, name) => sum + (keys.get(name)?.length ?? 0), 0);
  return count > changedKeysMax || files > changedFilesMax;
}
