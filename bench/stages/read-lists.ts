/**
 * Reads lists of a million rows, each in a process of its own: rows a second of CPU time and of the clock, and the growth
 * of resident memory.
 * `node bench/stages/read-lists.ts [files]`; an XLSX comes from `soffice --headless --convert-to xlsx list.csv`.
 */
import { execFileSync } from 'node:child_process';
import { closeSync, createReadStream, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parse } from 'csv-parse';
import { openList } from '../../src/mailings/lists/open-list.ts';

const rowCount = 1_000_000;
const columns = ['id', 'first_name', 'last_name', 'email', 'city', 'points'];

function cellsOf(row: number): string[] {
  const id = String(row);
  return [id, `Anna${row % 977}`, `Müller, ${row % 331}`, `anna${id}@example.com`, 'Köln', id];
}

function csvRow(cells: readonly string[]): string {
  return `${cells.map((cell) => (cell.includes(',') ? `"${cell}"` : cell)).join(',')}\r\n`;
}

function jsonRow(cells: readonly string[]): string {
  return `${JSON.stringify(Object.fromEntries(columns.map((name, index) => [name, cells[index]])))}\n`;
}

function writeList(
  path: string,
  format: (cells: readonly string[]) => string,
  encoding: BufferEncoding,
): void {
  const file = openSync(path, 'w');
  let text = path.endsWith('.csv') ? csvRow(columns) : '';
  for (let row = 1; row <= rowCount; row += 1) {
    text += format(cellsOf(row));
    if (text.length < 1_000_000 && row < rowCount) continue;
    writeSync(file, text, null, encoding);
    text = '';
  }
  closeSync(file);
}

/** Prints one line for a list that this process reads. */
async function measure(path: string, read: (path: string) => AsyncIterable<number>): Promise<void> {
  const residentBytes = process.memoryUsage.rss();
  let peakBytes = residentBytes;
  const started = performance.now();
  const cpuStarted = process.cpuUsage();
  let rows = 0;
  for await (const count of read(path)) {
    rows += count;
    peakBytes = Math.max(peakBytes, process.memoryUsage.rss());
  }
  const seconds = (performance.now() - started) / 1000;
  const cpu = process.cpuUsage(cpuStarted);
  const perSecond = (time: number): string => Math.round(rows / time).toLocaleString('en-US');
  const growth = Math.round((peakBytes - residentBytes) / 1024 / 1024);
  console.log(
    `${basename(path).padEnd(24)} ${rows.toLocaleString('en-US')} rows, ${perSecond((cpu.user + cpu.system) / 1e6)} rows/s of CPU time, ${perSecond(seconds)} rows/s, ${growth} MiB more memory`,
  );
}

async function* readWithPlaten(path: string): AsyncGenerator<number> {
  const list = await openList(path);
  for await (const { rows, problems } of list.batches()) yield rows.length + problems.length;
}

/** For comparison: rows alone, without the encoding, checks and batches. */
async function* readWithCsvParse(path: string): AsyncGenerator<number> {
  const records = createReadStream(path).pipe(parse({ info: true }));
  let count = 0;
  for await (const _ of records as AsyncIterable<unknown>) {
    count += 1;
    if (count < 500) continue;
    yield count;
    count = 0;
  }
  yield count;
}

const [first, ...rest] = process.argv.slice(2);
if (first === '--read') {
  await measure(rest[0] ?? '', readWithPlaten);
} else if (first === '--csv-parse') {
  await measure(rest[0] ?? '', readWithCsvParse);
} else {
  const run = (...given: string[]): void => {
    execFileSync(process.execPath, [import.meta.filename, ...given], { stdio: 'inherit' });
  };
  const folder = mkdtempSync(join(tmpdir(), 'platen-bench-'));
  const utf8 = join(folder, 'utf-8.csv');
  const ansi = join(folder, 'windows-1252.csv');
  const json = join(folder, 'lines.jsonl');
  writeList(utf8, csvRow, 'utf8');
  writeList(ansi, csvRow, 'latin1');
  writeList(json, jsonRow, 'utf8');
  for (const path of [utf8, ansi, json]) run('--read', path);
  for (const path of process.argv.slice(2)) run('--read', path);
  console.log('csv-parse 7.0.3:');
  run('--csv-parse', utf8);
  rmSync(folder, { recursive: true });
}
