/**
 * The port of the shared PostgreSQL database: all that other folders may import of it. `openShared` and `loadPostgres`
 * load PostgreSQL's client, which a service without PLATEN_DATABASE_URL never needs.
 */
import type { Database } from './database.ts';
import { readReplicaState } from '../shared/replica-state.ts';
import { parseDatabaseUrl, SharedDatabaseError } from './shared-contract.ts';
import type { SharedDatabase } from './shared-contract.ts';

export * from './shared-contract.ts';
export { readReplicaState } from '../shared/replica-state.ts';
export { RowDigest } from '../shared/row-digest.ts';

/**
 * Makes `db` a replica of the database that `url` names; returns undefined without a URL. `onState` receives a sentence
 * when the shared database is lost, and undefined when it is back. Rejects with a `SharedDatabaseError`, or a
 * `StoreError` of the disk.
 */
export async function openShared(
  db: Database,
  url: string | undefined,
  onState: (problem: string | undefined) => void = () => undefined,
): Promise<SharedDatabase | undefined> {
  const address = url === undefined ? undefined : parseDatabaseUrl(url);
  if (address === undefined) {
    requireNoReplica(db);
    return undefined;
  }
  const { openSharedDatabase } = await import('../shared/shared-database.ts');
  return openSharedDatabase({ address, db, onState });
}

/** Prevents writes to a replica alone: the next change of another node would overwrite them. */
function requireNoReplica(db: Database): void {
  if (readReplicaState(db) === undefined) return;
  throw new SharedDatabaseError(
    `${db.name} is a copy of a shared database: set PLATEN_DATABASE_URL, or PLATEN_DATA_DIR to another folder.`,
  );
}

/** Single connections beside `SharedDatabase`, and the move of all data. */
export function loadPostgres(): Promise<Postgres> {
  return import('../shared/postgres.ts');
}

export type Postgres = typeof import('../shared/postgres.ts');
