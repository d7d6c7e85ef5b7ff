/** Keys of data tables in every Unicode form, over one real PostgreSQL server. */
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { createRowFile } from '../../src/mailings/store/tables/row-file.ts';
import { runPlaten } from '../cli/run-platen.ts';
import { eventually, startService } from '../e2e/service.ts';
import type { Service } from '../e2e/service.ts';
import { skipsPostgres, startPostgres } from '../helpers/postgres.ts';
import { comesTo, draws, patch, publish, put, remove, stop } from './table-calls.ts';

t.setTimeout(300_000);

const [composed, decomposed] = ['김José', '김José'.normalize('NFD')];
const link = encodeURIComponent(composed);

t.test('keys of shared tables', { skip: skipsPostgres, timeout: 300_000 }, async (t) => {
  const postgres = await startPostgres(t);
  const url = postgres.createDatabase('platen');
  const folder = t.testdir();
  const environmentOf = (name: string): Record<string, string> => ({
    PLATEN_DATA_DIR: join(folder, name),
    PLATEN_DATABASE_URL: url,
  });
  const start = (name: string): Promise<Service> =>
    startService(t, { dataDirectory: join(folder, name), environment: environmentOf(name) });
  const keyOf = (name: string): string =>
    postgres
      .sql(
        'platen',
        `SELECT convert_from(key, 'UTF8') FROM platen_table_rows
        WHERE cells LIKE '%"${name}"]'`,
      )
      .trim();
  const first = await startService(t, { dataDirectory: join(folder, 'a') });
  await publish(first, 'plain', {});
  await publish(first, 'card', { from: 'members.{{id}}.name' });
  await put(first, 'members', `id,name\nann,Ann\n${composed},Jo\n`);
  await stop(first);
  const tables = join(folder, 'a', 'tables');
  const [file = ''] = readdirSync(tables).filter((name) => name.endsWith('.db'));
  /** Writes the rows as an earlier version did. */
  const write = (rows: readonly (readonly [key: string, name: string])[]): void => {
    rmSync(tables, { recursive: true });
    mkdirSync(tables);
    const writer = createRowFile(join(tables, file));
    for (const [index, [key, name]] of rows.entries()) {
      writer.insert(index + 1, key, JSON.stringify([key, name]));
    }
    writer.finish();
  };

  await t.test('a move names the rows whose keys are equal', async (t) => {
    write([
      ['ann', 'Ann'],
      [composed, 'Jo'],
      [decomposed, 'Other'],
    ]);
    const unused = postgres.createDatabase('unused');
    const environment = { ...environmentOf('a'), PLATEN_DATABASE_URL: unused };
    const there = ['migrate', '--from', 'sqlite', '--to', 'postgres'];
    const moved = await runPlaten(there, { environment });
    t.equal(moved.code, 0, moved.stdout + moved.stderr);
    t.match(moved.stderr, /data table members of \S+ has a key in several .* rows 2 and 3: /);
    const back = ['migrate', '--from', 'postgres', '--to', 'sqlite'];
    const returned = await runPlaten(back, { environment });
    t.match(returned.stderr, /members of \S+ has a key in several Unicode forms/);
    write([
      ['ann', 'Ann'],
      [decomposed, 'Jo'],
    ]);
    const silent = await runPlaten(there, { environment: environmentOf('a') });
    t.equal(silent.code, 0, silent.stdout + silent.stderr);
    t.notMatch(silent.stderr, /several Unicode forms/);
  });

  const [a, b] = [await start('a'), await start('b')];
  t.ok(await eventually(async () => (await b.render('card.png?id=0')).status === 200));

  await t.test(
    'a row of an earlier version is found, changed and deleted by each form',
    async (t) => {
      t.equal(keyOf('Jo'), decomposed);
      for (const service of [a, b]) await comesTo(t, service, link, 'Jo');
      await draws(t, b, encodeURIComponent(decomposed), 'Jo');
      t.equal((await patch(b, [{ id: composed, name: 'Two' }])).status, 200);
      for (const service of [a, b]) await comesTo(t, service, link, 'Two');
      t.equal(keyOf('Two'), decomposed, 'the row keeps its key');
      t.equal((await remove(a, `members/rows/${link}`)).status, 204);
      for (const service of [a, b]) await comesTo(t, service, link, 'friend');
      t.equal(keyOf('Two'), '');
    },
  );

  await t.test('a new row has the composed key, and each form leads to it', async (t) => {
    t.equal((await patch(a, [{ id: decomposed, name: 'New' }])).status, 200);
    for (const service of [a, b]) await comesTo(t, service, link, 'New');
    await draws(t, b, encodeURIComponent(decomposed), 'New');
    t.equal(keyOf('New'), composed);
    const list = `id,name\n${decomposed},One\n${composed},Two\n`;
    t.match(await put(b, 'members', list), { status: 400, text: /first in rows 1 and 2/ });
    t.equal((await put(b, 'members', `id,name\n${decomposed},Last\n`)).status, 200);
    for (const service of [a, b]) await comesTo(t, service, link, 'Last');
    t.equal(keyOf('Last'), composed);
    const path = `members/rows/${encodeURIComponent(decomposed)}`;
    t.equal((await remove(b, path)).status, 204);
    for (const service of [a, b]) await comesTo(t, service, link, 'friend');
  });
});
