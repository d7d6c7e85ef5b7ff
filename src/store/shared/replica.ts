/** A node's SQLite database as a copy of the shared database: its position in the changes, and how they come in. */
import { openAsItIs } from '../database/database.ts';
import type { Database } from '../database/database.ts';
import { repeatWhileBusy, storeErrors } from '../database/store-error.ts';
import { forgetReferences } from '../document-references.ts';
import { toApart } from './apart-files.ts';
import type { Value } from './connection.ts';
import { columnNames, quote, quoteAll, replicaTable } from './shared-tables.ts';
import type { SharedTable } from './shared-tables.ts';
import { keysOf } from './row-changes.ts';
import type { ChangedKeys, Row, TableChanges } from './row-changes.ts';

/** Up to where a replica has the changes of which database. */
export interface ReplicaState {
  /** Names the shared database. */
  cluster: string;
  /** Number of the last change. */
  position: number;
  /** Names that change: another one of this number is of another history, such as after a restored backup. */
  entry: string;
}

/** What a replica takes over with new rows. */
export interface ReplicaTarget extends ReplicaState {
  /** The highest ids that were ever given, as JSON. */
  sequences: string;
}

interface TableStatements {
  remove: { run(...key: Row): unknown };
  save: { run(...row: Row): unknown };
}

/**
 * A connection of its own, whose commits the caches of the stores detect like those of another process. Foreign keys
 * are off: the writer has checked them, and rows come in the order of tables.
 */
export class Replica {
  readonly tables: readonly SharedTable[];
  /** Whether its rows have the files of assets and fonts. Those of a node have not. */
  readonly hasFiles: boolean;
  readonly #db: Database;
  readonly #statements = new Map<string, TableStatements>();
  /** Keys of rows that changed since the last `takeChanges`; undefined if they are not all known. */
  #changes: Map<string, Row[]> | undefined = new Map();
  /** Up to where `#changes` has them. */
  #knownTo: number | undefined;

  constructor(path: string, tables: readonly SharedTable[], { hasFiles = false } = {}) {
    this.#db = openAsItIs(path);
    this.tables = tables;
    this.hasFiles = hasFiles;
    this.#db.pragma('foreign_keys = OFF');
    this.#db.pragma('busy_timeout = 0');
    // As in `openDatabase`: what is deleted on a node is overwritten, too.
    this.#db.pragma('secure_delete = ON');
    // What a power cut takes comes again, with its position.
    this.#db.pragma('synchronous = NORMAL');
    this.#knownTo = this.state()?.position;
  }

  /** Undefined if the database is no replica. Throws a `StoreError`. */
  state(): ReplicaState | undefined {
    return storeErrors('Reading the state of the replica', () => readReplicaState(this.#db));
  }

  /** Names this copy of all tables: each has a name of its own. Empty for a database that is no replica. */
  copyName(): string {
    if (this.state() === undefined) return '';
    const row = this.#db.prepare(`SELECT * FROM ${replicaTable}`).get() as { copy?: string };
    // A replica of an older version has no name.
    return row.copy ?? '';
  }

  /**
   * Keys of the rows that changed since the last call, by table; undefined if everything was copied, or if another process of the
   * node was first.
   */
  takeChanges(): ChangedKeys | undefined {
    const position = this.state()?.position;
    const changes = this.#knownTo === position ? this.#changes : undefined;
    this.#changes = new Map();
    this.#knownTo = position;
    return changes;
  }

  /**
   * Applies `changes` on top of `from`, in one transaction. False if the replica is at another position by now: another
   * process of this node was first. Throws a `StoreError`.
   */
  apply(from: ReplicaState, target: ReplicaTarget, changes: readonly TableChanges[]): boolean {
    const isApplied = this.#transaction(() => {
      const state = readReplicaState(this.#db);
      if (state?.position !== from.position || state.entry !== from.entry) return false;
      for (const { table, deleted } of changes) {
        const { remove } = this.#statementsOf(table);
        for (const key of deleted) remove.run(...key);
      }
      for (const { table, rows } of changes) {
        const { save } = this.#statementsOf(table);
        for (const row of rows) save.run(...(this.hasFiles ? row : toApart(table, row)));
      }
      this.#arriveAt(target);
      return true;
    });
    if (isApplied) this.#note(from, target, changes);
    return isApplied;
  }

  #note(from: ReplicaState, target: ReplicaTarget, changes: readonly TableChanges[]): void {
    if (this.#knownTo !== from.position) this.#changes = undefined;
    this.#knownTo = target.position;
    for (const [name, keys] of keysOf(changes)) {
      const known = this.#changes?.get(name);
      if (known === undefined) this.#changes?.set(name, keys);
      else known.push(...keys);
    }
  }

  /**
   * Replaces the rows of all shared tables by those of `read`, in one transaction, which stays open while rows come.
   * Triggers are absent meanwhile: sums come with the rows. Rejects with a `StoreError`, or what `read` rejects with.
   */
  async replaceAll(
    target: ReplicaTarget,
    read: (table: SharedTable) => AsyncIterable<readonly Row[]>,
  ): Promise<void> {
    const db = this.#db;
    await repeatWhileBusy(() =>
      storeErrors('Changing the replica', () => db.exec('BEGIN IMMEDIATE')),
    );
    try {
      const triggers = db
        .prepare<[], { name: string; sql: string }>(
          "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'",
        )
        .all();
      for (const { name } of triggers) db.exec(`DROP TRIGGER ${quote(name)}`);
      for (const table of this.tables) {
        db.exec(`DELETE FROM ${quote(table.name)}`);
        const { save } = this.#statementsOf(table);
        // oxlint-disable-next-line no-await-in-loop -- one table after the other
        for await (const rows of read(table)) {
          storeErrors('Copying the shared database', () => {
            for (const row of rows) save.run(...row);
          });
        }
      }
      for (const { sql } of triggers) db.exec(sql);
      forgetReferences(db);
      this.#makeTable();
      this.#arriveAt(target);
      storeErrors('Copying the shared database', () => db.exec('COMMIT'));
      this.#changes = undefined;
      this.#knownTo = target.position;
    } finally {
      if (db.inTransaction) db.exec('ROLLBACK');
    }
  }

  /** All rows of a table in parts, for the first filling of the shared database. */
  *read(table: SharedTable, partLength: number): Generator<readonly Row[]> {
    const select = this.#db
      .prepare<[], Row>(`SELECT ${quoteAll(columnNames(table))} FROM ${quote(table.name)}`)
      .raw();
    let part: Row[] = [];
    for (const row of select.iterate()) {
      part.push(row);
      if (part.length < partLength) continue;
      yield part;
      part = [];
    }
    if (part.length > 0) yield part;
  }

  /** The highest ids that were ever given, as JSON. */
  sequences(): string {
    return JSON.stringify(this.#db.prepare('SELECT name, seq FROM sqlite_sequence').raw().all());
  }

  /** Makes the database a replica, whose rows the shared database has. Throws a `StoreError`. */
  begin(target: ReplicaTarget): void {
    this.#transaction(() => {
      this.#makeTable();
      this.#arriveAt(target);
    });
  }

  /** Makes the database one by itself. Throws a `StoreError`. */
  end(): void {
    this.#transaction(() => this.#db.exec(`DROP TABLE ${replicaTable}; DELETE FROM node_tables`));
  }

  close(): void {
    this.#db.close();
  }

  #transaction<Result>(work: () => Result): Result {
    return storeErrors('Changing the replica', () => this.#db.transaction(work).immediate());
  }

  #makeTable(): void {
    this.#db.exec(
      `DROP TABLE IF EXISTS ${replicaTable};
       CREATE TABLE ${replicaTable} (
         id INTEGER PRIMARY KEY CHECK (id = 1), cluster TEXT NOT NULL, position INTEGER NOT NULL, entry TEXT NOT NULL,
         copy TEXT NOT NULL DEFAULT (lower(hex(randomblob(10))))
       ) STRICT`,
    );
  }

  #arriveAt({ cluster, position, entry, sequences }: ReplicaTarget): void {
    for (const [name, value] of JSON.parse(sequences) as [string, number][]) {
      this.#db.prepare('DELETE FROM sqlite_sequence WHERE name = ?').run(name);
      this.#db.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)').run(name, value);
    }
    this.#db
      .prepare(
        `INSERT INTO ${replicaTable} (id, cluster, position, entry) VALUES (1, ?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET
           cluster = excluded.cluster, position = excluded.position, entry = excluded.entry`,
      )
      .run(cluster, position, entry);
  }

  #statementsOf(table: SharedTable): TableStatements {
    const known = this.#statements.get(table.name);
    if (known !== undefined) return known;
    const { name, key } = table;
    const columns = columnNames(table);
    const others = columns.filter((column) => !key.includes(column));
    const update = others.map((column) => `${quote(column)} = excluded.${quote(column)}`);
    const statements: TableStatements = {
      remove: this.#db.prepare<Value[]>(
        `DELETE FROM ${quote(name)} WHERE ${key.map((column) => `${quote(column)} = ?`).join(' AND ')}`,
      ),
      save: this.#db.prepare<Value[]>(
        `INSERT INTO ${quote(name)} (${quoteAll(columns)}) VALUES (${columns.map(() => '?').join(', ')})
         ON CONFLICT (${quoteAll(key)}) DO ${update.length === 0 ? 'NOTHING' : `UPDATE SET ${update.join(', ')}`}`,
      ),
    };
    this.#statements.set(name, statements);
    return statements;
  }
}

/** The position of a database that is a replica; undefined for any other. Throws the errors of SQLite. */
export function readReplicaState(db: Database): ReplicaState | undefined {
  const isReplica = db
    .prepare<[string], number>("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?")
    .get(replicaTable);
  if (isReplica === undefined) return undefined;
  return db.prepare<[], ReplicaState>(`SELECT cluster, position, entry FROM ${replicaTable}`).get();
}
