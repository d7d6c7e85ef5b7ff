/**
 * Measures data tables of a million rows: the upload, look-ups on the main thread (warm, with a cold page cache, while an
 * upload and changes run), and how long the main thread stands still meanwhile. `node bench/stages/table-look-ups.ts [rows]`.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { createOrganizationStore } from '../../src/store/organizations/organization-store.ts';
import { openDatabase } from '../../src/store/database/database.ts';
import { createTableStore } from '../../src/mailings/store/tables/table-store.ts';
import type { TableStore } from '../../src/mailings/store/tables/table-store.ts';
import { TableWriter } from '../../src/mailings/tables/table-writer.ts';

const rows = Number(process.argv[2] ?? 1_000_000);
const lookUps = 20_000;
const coldLookUps = 1000;

// Not in /tmp, which may be memory.
const directory = mkdtempSync(join(import.meta.dirname, '../../node_modules/.cache/tables-'));

/** Keys as email services have them: random to the eye. */
function keyOf(row: number): string {
  return createHash('md5').update(String(row)).digest('hex').slice(0, 16);
}

async function writeList(path: string, generation: number): Promise<void> {
  const file = createWriteStream(path);
  file.write('id,name,email,points,tier\n');
  for (let row = 0; row < rows; row += 1) {
    const text = `${keyOf(row)},Amanda Smith ${row},amanda.${row}@example.com,${row * 7 + generation},gold\n`;
    if (!file.write(text)) await once(file, 'drain');
  }
  file.end();
  await finished(file);
}

function printTimes(name: string, times: number[]): void {
  times.sort((a, b) => a - b);
  const at = (part: number): string =>
    ((times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0) * 1000).toFixed(1);
  console.log(
    `${name}: ${times.length} times, µs: median ${at(0.5)}, p90 ${at(0.9)}, p99 ${at(0.99)}, p99.9 ${at(0.999)}, longest ${at(1)}`,
  );
}

function lookUp(tables: TableStore, row: number): number {
  const key = keyOf(row);
  const startedMs = performance.now();
  const points = tables.findRow('org_a', 'members', key)?.('points');
  const ms = performance.now() - startedMs;
  if (points === undefined) throw new Error(`Row ${row} is missing.`);
  return ms;
}

const randomRow = (): number => Math.floor(Math.random() * rows);

/** Look-ups in bursts until `isOver`, and the times between two turns of the event loop that only wait. */
async function lookUpWhile(
  tables: TableStore,
  isOver: () => boolean,
): Promise<[number[], number[]]> {
  const times: number[] = [];
  const stalls: number[] = [];
  while (!isOver()) {
    for (let count = 0; count < 20; count += 1) times.push(lookUp(tables, randomRow()));
    const startedMs = performance.now();
    await nextTurn();
    stalls.push(performance.now() - startedMs);
    await sleep(1);
  }
  return [times, stalls];
}

const db = openDatabase(join(directory, 'platen.db'));
createOrganizationStore(db).createOrganization('A', 'org_a');
const files = join(directory, 'tables');
let tables = createTableStore(db, files);
let writer = new TableWriter(tables);
const list = join(directory, 'list.csv');

async function upload(): Promise<void> {
  const saveBody = async (path: string): Promise<number> => {
    await copyFile(list, path);
    return statSync(path).size;
  };
  await writer.replace('org_a', 'members', { key: 'id', contentType: 'text/csv', saveBody });
}

try {
  await writeList(list, 0);
  const listMegabytes = (statSync(list).size / 1e6).toFixed(0);
  let startedMs = performance.now();
  await upload();
  console.log(
    `upload of ${rows} rows, ${listMegabytes} MB: ${(performance.now() - startedMs).toFixed(0)} ms`,
  );

  const file = tables.findFile('org_a', 'members')?.path ?? '';
  console.log(`file of rows: ${(statSync(file).size / 1e6).toFixed(0)} MB`);
  const warm = Array.from({ length: lookUps }, () => lookUp(tables, randomRow()));
  printTimes('look-up, warm', warm);
  printTimes(
    'look-up of an unknown key',
    Array.from({ length: lookUps }, (_, index) => {
      const begunMs = performance.now();
      tables.findRow('org_a', 'members', `none${index}`);
      return performance.now() - begunMs;
    }),
  );

  tables.close();
  tables = createTableStore(db, files);
  const dropped = spawnSync('dd', [`if=${file}`, 'iflag=nocache', 'count=0'], { encoding: 'utf8' });
  if (dropped.status !== 0) throw new Error(dropped.stderr);
  printTimes(
    'look-up after a start, nothing of the file in memory',
    Array.from({ length: coldLookUps }, () => lookUp(tables, randomRow())),
  );
  await sleep(500);
  printTimes(
    'look-up half a second later',
    Array.from({ length: lookUps }, () => lookUp(tables, randomRow())),
  );
  writer = new TableWriter(tables);

  let isOver = false;
  startedMs = performance.now();
  const uploading = upload().finally(() => (isOver = true));
  const [during, stalls] = await lookUpWhile(tables, () => isOver);
  await uploading;
  console.log(`upload while look-ups run: ${(performance.now() - startedMs).toFixed(0)} ms`);
  printTimes('look-up while an upload runs', during);
  printTimes('turn of the main thread while an upload runs', stalls);

  const changes: number[] = [];
  let changesLeft = 200;
  const changing = (async () => {
    for (; changesLeft > 0; changesLeft -= 1) {
      const begunMs = performance.now();
      await writer.upsert(
        'org_a',
        'members',
        () => [{ key: keyOf(randomRow()), cells: new Map([[3, String(changesLeft)]]) }],
        100,
      );
      changes.push(performance.now() - begunMs);
    }
  })();
  const [amid, turns] = await lookUpWhile(tables, () => changesLeft === 0);
  await changing;
  printTimes('change of a row', changes);
  printTimes('look-up while rows change', amid);
  printTimes('turn of the main thread while rows change', turns);
  console.log(`memory of the process: ${(process.memoryUsage().rss / 1e6).toFixed(0)} MB`);
} finally {
  await writer.close();
  tables.close();
  db.close();
  rmSync(directory, { recursive: true });
}
