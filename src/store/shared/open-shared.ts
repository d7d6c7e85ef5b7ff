/** Opens the shared database if PLATEN_DATABASE_URL names one. Without it, PostgreSQL's client is not loaded. */
import type { Database } from '../database/database.ts';
import { readReplicaState } from './replica.ts';
import { SharedDatabaseError, parseDatabaseUrl } from '../database/shared-port.ts';
import type { SharedDatabase } from '../database/shared-port.ts';

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
  const { openSharedDatabase } = await import('./shared-database.ts');
  return openSharedDatabase({ address, db, onState });
}

/** Prevents writes to a replica alone: the next change of another node would overwrite them. */
function requireNoReplica(db: Database): void {
  if (readReplicaState(db) === undefined) return;
  throw new SharedDatabaseError(
    `${db.name} is a copy of a shared database: set PLATEN_DATABASE_URL, or PLATEN_DATA_DIR to another folder.`,
  );
}
