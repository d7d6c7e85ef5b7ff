/** Maintains a node's SQLite database as a copy of the shared database, with its position in the log. */
import { openAsItIs } from '../database/database.ts';
import type { Database } from '../database/database.ts';
import { repeatWhileBusy, storeErrors } from '../database/store-error.ts';
import { forgetReferences } from '../document-references.ts';
import { toApart } from './apart-files.ts';
import { readReplicaState, replicaTable } from './replica-state.ts';
import type { ReplicaState } from './replica-state.ts';
import { columnNames, quote, quoteAll } from './shared-tables.ts';
import type { SharedTable } from './shared-tables.ts';
import { keysOf } from './row-changes.ts';
import type { TableChanges } from './row-changes.ts';
import type { ChangedKeys, Row, Value } from '../database/shared-contract.ts';

/** The state that a replica stores together with new rows. */
export interface ReplicaTarget extends ReplicaState {
  /** JSON of table names with the highest id that each table has ever used. */
  sequences: string;
}

interface TableStatements {
  remove: { run(...key: Row): unknown };
  save: { run(...row: Row): unknown };
}

/**
 * Has a separate connection, so that the stores' caches detect its commits like those of another process. Foreign keys
 * are off: the writer has checked them, and rows come in the order of tables.
 */
export class Replica {
  readonly tables: readonly SharedTable[];
  /** Whether rows hold the files of assets and fonts. The rows of a node do not. */
  readonly hasFiles: boolean;
  readonly #db: Database;
  readonly #statements = new Map<string, TableStatements>();
  /** Keys of rows that changed since the last `takeChanges`; undefined if they are not all known. */
  #changes: Map<string, Row[]> | undefined = new Map();
  /** Position up to which `#changes` is complete. */
  #knownTo: number | undefined;

  constructor(path: string, tables: readonly SharedTable[], { hasFiles = false } = {}) {
    this.#db = openAsItIs(path);
    this.tables = tables;
    this.hasFiles = hasFiles;
    this.#db.pragma('foreign_keys = OFF');
    this.#db.pragma('busy_timeout = 0');
    // As in `openDatabase`: SQLite overwrites deleted data.
    this.#db.pragma('secure_delete = ON');
    // A power cut may undo commits; the position goes back with them, so the node fetches them again.
    this.#db.pragma('synchronous = NORMAL');
    this.#knownTo = this.state()?.position;
  }

  /** Undefined if the database is no replica. Throws a `StoreError`. */
  state(): ReplicaState | undefined {
    return storeErrors('Reading the state of the replica', () => readReplicaState(this.#db));
  }

  /** Random id of this copy of all tables. Empty for a database that is not a replica. */
  copyName(): string {
    if (this.state() === undefined) return '';
    const row = this.#db.prepare(`SELECT * FROM ${replicaTable}`).get() as { copy?: string };
    // A replica made by an older version has no id.
    return row.copy ?? '';
  }

  /**
   * Keys of the rows that changed since the last call, by table. Undefined if all tables were copied, or if another
   * process of the node applied some of the changes.
   */
  takeChanges(): ChangedKeys | undefined {
    const position = this.state()?.position;
    const changes = this.#knownTo === position ? this.#changes : undefined;
    this.#changes = new Map();
    this.#knownTo = position;
    return changes;
  }

  /**
   * Applies `changes` to a replica in state `from`, in one transaction. False if another process of this node has moved
   * the replica meanwhile. Throws a `StoreError`.
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
   * Replaces the rows of all shared tables by those of `read`, in one transaction that stays open while rows arrive.
   * Triggers are dropped meanwhile, because the rows already contain the sums. Rejects with a `StoreError`, or with the
   * error of `read`.
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

  /** All rows of a table, in parts of at most `partLength` rows. */
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

  /** JSON of table names with the highest id that each table has ever used. */
  sequences(): string {
    return JSON.stringify(this.#db.prepare('SELECT name, seq FROM sqlite_sequence').raw().all());
  }

  /** Marks the database as a replica of a shared database that has the same rows. Throws a `StoreError`. */
  begin(target: ReplicaTarget): void {
    this.#transaction(() => {
      this.#makeTable();
      this.#arriveAt(target);
    });
  }

  /** Makes the database independent of the shared database. Throws a `StoreError`. */
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
