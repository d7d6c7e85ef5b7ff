/**
 * Databases for the stores of tests: SQLite alone, or a node's copy of a PostgreSQL database, where each write of the same
 * synchronous claims goes before the copy has it. `TEST_DATABASE` is the port of a server.
 */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import type { Test } from 'tap';
import { noteChangeOf } from '../../src/store/database/change-watch.ts';
import { openDatabase } from '../../src/store/database/database.ts';
import type { Database } from '../../src/store/database/database.ts';
import { StoreError } from '../../src/store/database/store-error.ts';
import { Replica } from '../../src/store/shared/replica.ts';
import { RowCapture } from '../../src/store/shared/row-capture.ts';
import { listSharedTables } from '../../src/store/shared/shared-tables.ts';
import type { Answer, Question, Stored } from '../fixtures/store-database-thread.ts';

/** Names the shared databases of this process by the file of their copy. */
const shared = new Set<string>();

/** Opens the database of a test; a file that is a copy already is opened as another process of its node does. */
export function openStoreDatabase(t: Test, path: string): Database {
  if (process.env['TEST_DATABASE'] === undefined) return openDatabase(path);
  if (!shared.has(path)) {
    mkdirSync(dirname(path), { recursive: true });
    // A backup that a test has restored is a database by itself.
    if (ask({ kind: 'open', path }) === 'exists') return openDatabase(path);
    shared.add(path);
    t.teardown(() => {
      shared.delete(path);
      try {
        ask({ kind: 'finish', path });
      } catch (error) {
        // Tap says no more than that a teardown has failed.
        process.stderr.write(`${String(error)}\n`);
        throw error;
      }
    });
  }
  const db = openDatabase(path);
  routeToPostgres(db, path);
  return db;
}

type Work = (...args: unknown[]) => unknown;

/** Those that may write. */
function methodsOf(statement: object): Record<'run' | 'get' | 'all', Work> {
  const { run, get, all } = statement as Record<'run' | 'get' | 'all', Work>;
  return { run, get, all };
}

/** Sends each write of a connection through PostgreSQL, as `SharedWriter` does; the thread waits. */
function routeToPostgres(db: Database, path: string): void {
  const tables = listSharedTables(db);
  const replica = new Replica(path, tables, { hasFiles: true });
  const capture = new RowCapture(db, tables);
  const countChanges = db.prepare<[], number>('SELECT total_changes()').pluck();

  function write<Result>(work: () => Result): Result {
    if (db.inTransaction) return work();
    let outcome: { value: Result } | { cause: unknown } | undefined;
    const before = countChanges.get() ?? 0;
    const { changes, sequences } = capture.run(() => {
      try {
        outcome = { value: transaction(work)() as Result };
      } catch (cause) {
        outcome = { cause };
      }
    });
    noteChangeOf(db);
    if (changes.length > 0) {
      const plain = changes.map((change) => ({ ...change, table: change.table.name }));
      const { head, target } = ask({ kind: 'store', path, changes: plain, sequences }) as Stored;
      replica.apply(head, target, changes);
      noteChangeOf(db);
    }
    if (outcome === undefined || 'cause' in outcome) throw outcome?.cause;
    // What a node has for itself is stored here. One change is the capture's.
    const isLocal = changes.length === 0 && (countChanges.get() ?? 0) > before + 1;
    if (isLocal) return transaction(work)() as Result;
    return outcome.value;
  }

  // Of every connection: this one gets others in their place.
  const methods = Object.getPrototypeOf(db) as Database;
  const transaction = (work: Work): Work => methods.transaction.call(db, work);
  const exec = (sql: string): unknown => methods.exec.call(db, sql);
  const withWrites = (sql: string): unknown => {
    const statement = methods.prepare.call(db, sql);
    if (statement.readonly) return statement;
    for (const [name, method] of Object.entries(methodsOf(statement))) {
      const written: Work = (...values) => write(() => Reflect.apply(method, statement, values));
      Object.assign(statement, { [name]: written });
    }
    return statement;
  };
  const transactions = (work: Work): Work => {
    const run: Work = (...args) =>
      db.inTransaction ? transaction(() => work(...args))() : write(() => work(...args));
    return Object.assign(run, { deferred: run, immediate: run, exclusive: run });
  };
  Object.assign(db, {
    prepare: withWrites,
    transaction: transactions,
    exec: (sql: string) => (isWrite.test(sql) ? write(() => exec(sql)) : exec(sql)),
    close() {
      replica.close();
      return methods.close.call(db);
    },
  });
}

/** Other statements begin and end transactions, or change the file of a node alone. */
const isWrite = /^\s*(INSERT|UPDATE|DELETE|REPLACE|WITH)\b/i;

let thread: { port: MessagePort; signal: Int32Array } | undefined;

/** Asks the thread that talks with PostgreSQL, and waits. */
function ask(question: Question): unknown {
  const { port, signal } = (thread ??= startThread());
  Atomics.store(signal, 0, 0);
  port.postMessage(question);
  if (Atomics.wait(signal, 0, 0, 100_000) === 'timed-out') throw new Error('No answer in 100 s.');
  const answer = receiveMessageOnPort(port)?.message as Answer;
  if (answer.problem === undefined) return answer.result;
  const { code, message } = answer.problem;
  throw code === undefined ? new Error(message) : new StoreError(code, message);
}

function startThread(): { port: MessagePort; signal: Int32Array } {
  const { port1, port2 } = new MessageChannel();
  const signal = new Int32Array(new SharedArrayBuffer(4));
  const path = new URL('../fixtures/store-database-thread.ts', import.meta.url);
  const worker = new Worker(path, { workerData: { port: port2, signal }, transferList: [port2] });
  worker.unref();
  return { port: port1, signal };
}
