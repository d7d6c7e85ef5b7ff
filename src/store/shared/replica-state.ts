/** Tells from a SQLite database whether it is a node's copy of a shared database. */
import type { Database } from '../database/database.ts';

/** The table of a replica's state. No migration creates it, because only nodes have it. */
export const replicaTable = 'platen_replica';

/** The shared database that a replica copies, and the last change that the replica has. */
export interface ReplicaState {
  /** Names the shared database. */
  cluster: string;
  /** Number of the last change. */
  position: number;
  /** Random id of that change. It differs in another history, for example after a restored backup. */
  entry: string;
}

/** The state of a replica; undefined for any other database. Throws the errors of SQLite. */
export function readReplicaState(db: Database): ReplicaState | undefined {
  const isReplica = db
    .prepare<[string], number>("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?")
    .get(replicaTable);
  if (isReplica === undefined) return undefined;
  return db.prepare<[], ReplicaState>(`SELECT cluster, position, entry FROM ${replicaTable}`).get();
}
