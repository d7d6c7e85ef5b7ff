/**
 * Measures a data table of two nodes in one process: an upload, a copy, changes of rows, and look-ups meanwhile. The database
 * is empty. `PLATEN_DATABASE_URL=postgres://… node bench/stages/shared-tables.ts [rows]`.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../../src/store/database/database.ts';
import { createOrganizationStore } from '../../src/store/organizations/organization-store.ts';
import { openSharedDatabase } from '../../src/store/shared/shared-database.ts';
import { createTableStore } from '../../src/mailings/store/tables/table-store.ts';
import type { TableStore } from '../../src/mailings/store/tables/table-store.ts';
import { TableWriter } from '../../src/mailings/tables/table-writer.ts';
import { parseDatabaseUrl } from '../../src/store/database/shared-port.ts';
import type { DatabaseAddress, SharedDatabase } from '../../src/store/database/shared-port.ts';

const rows = Number(process.argv[2] ?? 1_000_000);
const lookUps = 20_000;
const changesCount = 200;

const address = readAddress();

// Not in /tmp, which may be memory.
const directory = mkdtempSync(join(import.meta.dirname, '../../node_modules/.cache/tables-'));
const list = join(directory, 'list.csv');

interface Node {
  shared: SharedDatabase;
  tables: TableStore;
  writer: TableWriter;
  close(): Promise<void>;
}

function readAddress(): DatabaseAddress {
  const found = parseDatabaseUrl(process.env['PLATEN_DATABASE_URL'] ?? '');
  if (found === undefined) throw new Error('PLATEN_DATABASE_URL names no database.');
  return found;
}

async function startNode(name: string): Promise<Node> {
  const folder = join(directory, name);
  mkdirSync(folder);
  const db = openDatabase(join(folder, 'platen.db'), { lockWaitMs: 0 });
  const shared = await openSharedDatabase({ address, db, onState: () => undefined });
  const tables = createTableStore(db, join(folder, 'tables'));
  const writer = new TableWriter(tables, shared);
  if (name === 'a') {
    await shared.write(() => createOrganizationStore(db).createOrganization('A', 'org_a'), {});
  }
  await writer.start();
  const close = async (): Promise<void> => {
    await writer.close();
    await shared.close();
    tables.close();
    db.close();
  };
  return { shared, tables, writer, close };
}

/** Random to the eye, and computed. */
function keyOf(row: number): string {
  return ((BigInt(row) * 0x9e3779b97f4a7c15n) & 0xffffffffffffffffn).toString(16).padStart(16, '0');
}

function pointsOn({ tables }: Node, row: number): string | undefined {
  try {
    return tables.findRow('org_a', 'members', keyOf(row))?.('points');
  } catch {
    return undefined;
  }
}

function writeList(generation: number): void {
  const lines = Array.from(
    { length: rows },
    (_, row) =>
      `${keyOf(row)},Amanda Smith ${row},amanda.${row}@example.com,${row * 7 + generation},gold\n`,
  );
  writeFileSync(list, `id,name,email,points,tier\n${lines.join('')}`);
}

async function upload({ writer }: Node): Promise<void> {
  const saveBody = (path: string): Promise<void> => copyFile(list, path);
  await writer.replace('org_a', 'members', { key: 'id', contentType: 'text/csv', saveBody });
}

function printTimes(name: string, times: number[]): void {
  times.sort((a, b) => a - b);
  const at = (part: number): string =>
    ((times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0) * 1000).toFixed(0);
  console.log(
    `${name}: ${times.length} times, µs: median ${at(0.5)}, p99 ${at(0.99)}, longest ${at(1)}`,
  );
}

/** Look-ups on a node until `isOver`, and the turns of the event loop of both. */
async function watch(node: Node, isOver: () => boolean): Promise<[number[], number[]]> {
  const times: number[] = [];
  const turns: number[] = [];
  while (!isOver()) {
    for (let count = 0; count < 20; count += 1) {
      const row = Math.floor(Math.random() * rows);
      const begunMs = performance.now();
      pointsOn(node, row);
      times.push(performance.now() - begunMs);
    }
    const begunMs = performance.now();
    await nextTurn();
    turns.push(performance.now() - begunMs);
    await sleep(1);
  }
  return [times, turns];
}

async function measure(title: string, work: () => Promise<void>): Promise<void> {
  const begunMs = performance.now();
  await work();
  console.log(`${title}: ${(performance.now() - begunMs).toFixed(0)} ms`);
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await sleep(1);
}

const a = await startNode('a');
const b = await startNode('b');
try {
  writeList(0);
  await measure(`upload of ${rows} rows`, () => upload(a));
  await measure('until the other node has them', () => until(() => pointsOn(b, 1) === '7'));
  writeList(1);
  let isOver = false;
  const uploading = upload(a)
    .then(() => until(() => pointsOn(b, 1) === '8'))
    .finally(() => (isOver = true));
  const [during, turns] = await watch(b, () => isOver);
  await uploading;
  printTimes('look-up during the next upload and its copy', during);
  printTimes('turn of the main thread of both nodes', turns);

  const changes: number[] = [];
  const arrivals: number[] = [];
  for (let count = 0; count < changesCount; count += 1) {
    const row = Math.floor(Math.random() * rows);
    const change = { key: keyOf(row), cells: new Map([[3, `c${count}`]]) };
    const begunMs = performance.now();
    await a.writer.upsert('org_a', 'members', () => [change], 100);
    const storedMs = performance.now();
    await until(() => pointsOn(b, row) === `c${count}`);
    changes.push(storedMs - begunMs);
    arrivals.push(performance.now() - storedMs);
  }
  printTimes('change of a row', changes);
  printTimes('until the other node has it', arrivals);
  const quiet = Array.from({ length: lookUps }, () => {
    const row = Math.floor(Math.random() * rows);
    const begunMs = performance.now();
    pointsOn(b, row);
    return performance.now() - begunMs;
  });
  printTimes('look-up', quiet);
  await measure('a joining node', async () => (await startNode('c')).close());
} finally {
  await a.close();
  await b.close();
  rmSync(directory, { recursive: true });
}
