/** Runs writes of the stores on a node's SQLite database, reads the changed rows, and rolls the writes back. */
import type { Database } from '../database/database.ts';
import { StoreError, storeErrors } from '../database/store-error.ts';
import { columnNames, quote, quoteAll } from './shared-tables.ts';
import type { SharedTable } from './shared-tables.ts';
import type { TableChanges } from './row-changes.ts';
import type { Row, Value } from '../database/shared-contract.ts';

/** Name of a temporary table that has a row only while a write is captured. */
const openTable = 'captured_write';

interface Capture {
  table: SharedTable;
  hasKeys: { get(): unknown };
  deleted: { all(): Row[] };
  rows: { all(): Row[] };
}

export interface Captured {
  changes: TableChanges[];
  /** JSON of the highest id that each table ever used: ids of deleted rows are not used again. */
  sequences: string;
}

/** Captures the writes of one connection. The triggers are temporary, so the database file does not contain them. */
export class RowCapture {
  readonly #db: Database;
  readonly #captures: readonly Capture[];
  readonly #open: { run(): unknown };
  readonly #sequences: { all(): unknown[] };

  constructor(db: Database, tables: readonly SharedTable[]) {
    this.#db = db;
    db.pragma('temp_store = MEMORY');
    db.exec(`CREATE TEMP TABLE ${openTable} (isOpen INTEGER)`);
    this.#open = db.prepare(`INSERT INTO temp.${openTable} VALUES (1)`);
    this.#captures = tables.map((table) => capture(db, table));
    this.#sequences = db.prepare('SELECT name, seq FROM sqlite_sequence ORDER BY name').raw();
  }

  /** Runs `work`, one or more writes, in a transaction that is rolled back. Throws its error, or a `StoreError`. */
  run(work: () => void): Captured {
    return storeErrors('Preparing a change', () => {
      this.#db.exec('BEGIN IMMEDIATE');
      try {
        this.#open.run();
        work();
        if (!this.#db.inTransaction) throw endedTransaction();
        return { changes: this.#read(), sequences: JSON.stringify(this.#sequences.all()) };
      } finally {
        // SQLite has rolled back by itself after some failures of the disk.
        if (this.#db.inTransaction) this.#db.exec('ROLLBACK');
      }
    });
  }

  #read(): TableChanges[] {
    const changes: TableChanges[] = [];
    for (const { table, hasKeys, deleted, rows } of this.#captures) {
      if (hasKeys.get() === undefined) continue;
      changes.push({ table, deleted: deleted.all(), rows: rows.all() });
    }
    return changes;
  }
}

/** SQLite rolls a transaction back by itself after some disk failures, and the captured rows are lost. */
function endedTransaction(): StoreError {
  return new StoreError('IO', 'The disk failed during a change, and nothing was changed.');
}

/**
 * Creates the table of changed keys and its triggers. A write outside of a capture fails: no other node would get it.
 */
function capture(db: Database, table: SharedTable): Capture {
  const { name, key } = table;
  const changed = quote(`changed_${name}`);
  const of = (row: 'OLD' | 'NEW'): string =>
    `INSERT INTO ${changed} VALUES (${key.map((column) => `${row}.${quote(column)}`).join(', ')}) ON CONFLICT DO NOTHING;`;
  const guard = `SELECT RAISE(ABORT, 'a shared table was written outside of a shared write')
    WHERE NOT EXISTS (SELECT 1 FROM ${openTable});`;
  db.exec(
    `CREATE TEMP TABLE ${changed} (${quoteAll(key)}, PRIMARY KEY (${quoteAll(key)}));
     CREATE TEMP TRIGGER ${quote(`${name}_comes`)} AFTER INSERT ON main.${quote(name)}
       BEGIN ${guard} ${of('NEW')} END;
     CREATE TEMP TRIGGER ${quote(`${name}_changes`)} AFTER UPDATE ON main.${quote(name)}
       BEGIN ${guard} ${of('OLD')} ${of('NEW')} END;
     CREATE TEMP TRIGGER ${quote(`${name}_goes`)} AFTER DELETE ON main.${quote(name)}
       BEGIN ${guard} ${of('OLD')} END;`,
  );
  const match = key.map((column) => `m.${quote(column)} = c.${quote(column)}`).join(' AND ');
  const columns = columnNames(table).map((column) => `m.${quote(column)}`);
  const keyColumns = key.map((column) => `c.${quote(column)}`);
  const from = `FROM temp.${changed} c`;
  return {
    table,
    hasKeys: db.prepare(`SELECT 1 ${from} LIMIT 1`),
    deleted: db
      .prepare<[], Value[]>(
        `SELECT ${keyColumns.join(', ')} ${from} WHERE NOT EXISTS (SELECT 1 FROM main.${quote(name)} m WHERE ${match})`,
      )
      .raw(),
    rows: db
      .prepare<[], Value[]>(
        `SELECT ${columns.join(', ')} ${from} JOIN main.${quote(name)} m ON ${match}`,
      )
      .raw(),
  };
}
