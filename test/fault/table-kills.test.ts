/** A process that is killed while it writes a data table: the table is old or new as a whole, and what was acknowledged is there. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { openAsItIs, openDatabase } from '../../src/store/database/database.ts';
import { createTableStore } from '../../src/store/tables/table-store.ts';
import { extent } from '../helpers/extent.ts';

const kills = Number(process.env['TEST_KILLS'] ?? extent(6, 12));
t.setTimeout(60_000 + 5000 * kills);

const writer = fileURLToPath(new URL('../fixtures/killed-table-writer.ts', import.meta.url));

/** A writer's lines, and how long it wrote after it began its first upload. */
interface KilledWriter {
  lines: string[];
  ms: number;
}

/** Starts a writer and kills it after some milliseconds of its first upload; without them, once that is stored. */
async function runAndKill(
  path: string,
  generation: number,
  afterMs?: number,
): Promise<KilledWriter> {
  const child = spawn(process.execPath, [writer, path, String(generation)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  const stored = Promise.withResolvers<void>();
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    if (text.includes('stored ')) stored.resolve();
  });
  await Promise.race([once(child.stdout, 'data'), closed]);
  const begunMs = performance.now();
  await Promise.race([afterMs === undefined ? stored.promise : sleep(afterMs), closed]);
  const ms = performance.now() - begunMs;
  child.kill('SIGKILL');
  await closed;
  return { lines: text.split('\n').slice(0, -1), ms };
}

/** The last number of a kind of line. */
function lastOf(lines: readonly string[], word: string): number {
  const line = lines.findLast((each) => each.startsWith(`${word} `)) ?? '';
  return Number(line.split(' ')[1] ?? 0);
}

/** Of a change: `3.1` is the second one of generation 3. */
function numberOf(change: string): number {
  return Number(change.split('.')[1] ?? -1);
}

t.test('a kill leaves one whole generation, with its acknowledged changes', async (t) => {
  const path = join(t.testdir(), 'platen.db');
  let stored = 0;
  let begun = 0;
  let change = '';
  let generationMs: number | undefined;
  for (let kill = 0; kill < kills; kill += 1) {
    // The kills meet the upload, the change of files and the changes, however fast the machine is.
    const afterMs = generationMs && generationMs * 2 * ((kill * 0.618) % 1);
    const { lines, ms } = await runAndKill(path, begun + 1, afterMs);
    generationMs ??= ms;
    begun = Math.max(begun, lastOf(lines, 'begun'));
    if (lastOf(lines, 'stored') > 0) {
      stored = lastOf(lines, 'stored');
      change = '';
    }
    const changed = lines.findLast((line) => line.startsWith(`changed ${stored} `));
    if (changed !== undefined) change = `${stored}.${changed.split(' ')[2]}`;

    const db = openDatabase(path);
    const tables = createTableStore(db, join(t.testdirName, 'tables'));
    const file = tables.findFile('org_a', 'members');
    if (file === undefined) t.equal(stored, 0, 'no table before the first acknowledged upload');
    else {
      const rows = openAsItIs(file.path);
      const found = rows.prepare<[], string>('SELECT cells FROM rows').pluck().all();
      t.equal(rows.pragma('integrity_check', { simple: true }), 'ok');
      rows.close();
      const generations = new Set(found.map((cells) => (JSON.parse(cells) as string[])[1]));
      t.equal(found.length, 20_000);
      t.equal(generations.size, 1, 'all rows are of one upload');
      const [generation] = generations;
      t.ok(
        [stored, begun].includes(Number(generation)),
        `generation ${generation} of ${stored} and ${begun}`,
      );
      if (Number(generation) !== stored) [stored, change] = [Number(generation), ''];
      const note = tables.findRow('org_a', 'members', 'k7')?.('note') ?? '';
      // A change that was not acknowledged may be there too.
      t.ok(numberOf(note) >= numberOf(change), `the change ${change} is there: ${note}`);
      change = note;
    }
    tables.close();
    db.close();
  }
  t.ok(stored > 0, 'uploads were stored');
});
