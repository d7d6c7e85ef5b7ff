/** Data tables of two real services over one real PostgreSQL server. */
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { eventually, startService } from '../e2e/service.ts';
import type { Service } from '../e2e/service.ts';
import { damage } from '../helpers/damage.ts';
import { skipsPostgres, startPostgres } from '../helpers/postgres.ts';
import {
  comesTo,
  draws,
  key,
  patch,
  pixelsOf,
  plain,
  publish,
  put,
  remove,
  stop,
} from './table-calls.ts';

// Of the file, beside that of its test: two nodes and a server of PostgreSQL are slow beside others.
t.setTimeout(300_000);

t.test('nodes share data tables', { skip: skipsPostgres, timeout: 300_000 }, async (t) => {
  const postgres = await startPostgres(t);
  const url = postgres.createDatabase('platen');
  const folder = t.testdir();
  const start = (name: string, mayBeUnready = false): Promise<Service> =>
    startService(t, {
      dataDirectory: join(folder, name),
      environment: { PLATEN_DATABASE_URL: url },
      mayBeUnready,
    });
  const sql = (statement: string): string => postgres.sql('platen', statement).trim();
  const storedRows = (): number => Number(sql('SELECT count(*) FROM platen_table_rows'));
  const rowFiles = (name: string): string[] =>
    readdirSync(join(folder, name, 'tables')).filter((each) => !/-(wal|shm)$/.test(each));
  let a = await start('a');
  let b = await start('b');
  await publish(a, 'plain', {});
  await publish(a, 'card', { from: 'members.{{id}}.name' });
  t.ok(await eventually(async () => (await b.render('card.png?id=0')).status === 200));
  const storedBytes = 'SELECT sum(stored_bytes) FROM organizations';
  const storedBytesBefore = sql(storedBytes);

  await t.test('an upload on one node is drawn by the other', async (t) => {
    const stored = await put(a, 'members', 'id,name\n8f2c,Amanda\n91aa,José\n');
    t.equal(stored.status, 201, stored.text);
    await draws(t, a, '8f2c', 'Amanda', 'at once');
    await comesTo(t, b, '8f2c', 'Amanda');
    await comesTo(t, b, '91aa', 'José');
    await draws(t, b, 'none', 'friend');
    t.match((await b.get('/v1/tables/members', { headers: key })).json(), { rows: 2 });
    t.not(sql(storedBytes), storedBytesBefore, 'rows count as stored bytes');
  });

  await t.test('a changed row is drawn by both, and keeps its other cells', async (t) => {
    for (const [service, name] of [
      [a, 'Ada'],
      [b, 'Bea'],
    ] as const) {
      t.equal((await patch(service, [{ id: '8f2c', name }])).status, 200);
      await draws(t, service, '8f2c', name, 'at once');
      await comesTo(t, service === a ? b : a, '8f2c', name);
    }
    await draws(t, a, '91aa', 'José');
    t.equal(
      (await patch(a, [{ id: 'n\u0000', name: '\u0000' }])).status,
      200,
      'PostgreSQL has no U+0000',
    );
    const refused = await patch(a, [{ id: 'new', name: 'x'.repeat(8001) }]);
    t.equal(refused.status, 400, refused.text);
    t.match((await patch(a, [{ id: 'new', other: 1 }])).json(), { error: /no column/ });
  });

  await t.test('concurrent changes on both nodes are all stored', async (t) => {
    const count = 24;
    const numbers = Array.from({ length: count }, (_, index) => index);
    const answers = await Promise.all(
      numbers.flatMap((number) => [
        patch(a, [
          { id: `a${number}`, name: `Ann ${number}` },
          { id: 'both', name: 'A' },
        ]),
        patch(b, [
          { id: `b${number}`, name: `Ben ${number}` },
          { id: 'both', name: 'B' },
        ]),
      ]),
    );
    t.ok(answers.every(({ status }) => status === 200));
    const last = numbers.length - 1;
    for (const service of [a, b]) {
      await comesTo(t, service, `a${last}`, `Ann ${last}`);
      await comesTo(t, service, `b${last}`, `Ben ${last}`);
      const hasAll = async (): Promise<boolean> => {
        const facts = (await service.get('/v1/tables/members', { headers: key })).json();
        return (facts as { rows: number }).rows === 2 + 2 * count + 2;
      };
      t.ok(await eventually(hasAll), 'whichever change was stored last');
    }
    const winner = sql("SELECT cells FROM platen_table_rows WHERE key = 'both'");
    const [, name = ''] = JSON.parse(winner) as string[];
    for (const service of [a, b]) await comesTo(t, service, 'both', name);
  });

  await t.test('a deleted row is gone from both, and from PostgreSQL', async (t) => {
    t.equal((await remove(b, 'members/rows/91aa')).status, 204);
    await draws(t, b, '91aa', 'friend', 'at once');
    await comesTo(t, a, '91aa', 'friend');
    t.equal(sql("SELECT count(*) FROM platen_table_rows WHERE cells LIKE '%José%'"), '0');
    t.equal((await remove(a, 'members/rows/91aa')).status, 404);
    t.equal((await patch(a, [{ id: '91aa', name: 'again' }])).status, 200);
    await comesTo(t, b, '91aa', 'again');
  });

  await t.test('a table that is replaced is read as before or as after', async (t) => {
    const rows = Array.from({ length: 200_000 }, (_, row) => `k${row},Row ${row}\n`);
    let isOver = false;
    const replaced = put(a, 'members', `id,name\n8f2c,New\n${rows.join('')}`).finally(
      () => (isOver = true),
    );
    const changeMeanwhile = async (): Promise<void> => {
      await replaced;
      const isChanged = async (): Promise<boolean> =>
        (await patch(b, [{ id: 'k1', name: 'Late' }])).status === 200;
      t.ok(await eventually(isChanged), 'a change while the other node copies the table');
      await draws(t, b, 'k1', 'Late', 'when it is answered');
    };
    const changed = changeMeanwhile();
    const [cut, fresh] = await Promise.all(['Bea', 'New'].map((name) => plain(b, name)));
    const isNew = async (): Promise<boolean> => {
      const pixels = await pixelsOf((await b.render('card.png?id=8f2c')).body);
      if (fresh?.equals(pixels) === true) return true;
      t.ok(cut?.equals(pixels), 'the row of before');
      return false;
    };
    t.ok(await eventually(isNew));
    t.equal((await replaced).status, 200);
    await changed;
    t.ok(isOver);
    await draws(t, b, 'k19999', 'Row 19999');
    t.ok(await eventually(() => storedRows() === rows.length + 1), 'the old rows are gone');
    t.ok(await eventually(() => rowFiles('b').length === 1), 'and the old file of the other node');
    t.equal(await b.metric('platen_shared_tables_behind'), 0);
  });

  await t.test('a campaign has the rows that were stored before it', async (t) => {
    t.equal((await patch(a, [{ id: '8f2c', name: 'Listed' }])).status, 200);
    const made = await b.get('/v1/campaigns?template=card&mode=links', {
      method: 'POST',
      headers: { ...key, 'Content-Type': 'text/csv' },
      body: 'id\n8f2c\n',
    });
    t.equal(made.status, 202, made.text);
    const path = `/v1/campaigns/${(made.json() as { id: string }).id}`;
    await b.get(`${path}/events`, { headers: key });
    t.match((await b.get(`${path}/links.csv`, { headers: key })).text, /id=8f2c.*Listed/);
    t.equal((await b.get(path, { method: 'DELETE', headers: key })).status, 204);
    t.equal((await patch(a, [{ id: '8f2c', name: 'New' }])).status, 200);
    await comesTo(t, b, '8f2c', 'New');
  });

  await t.test('with the database away, rows are read and nothing is written', async (t) => {
    postgres.stop();
    for (const service of [a, b]) {
      await draws(t, service, '8f2c', 'New');
      const refused = await Promise.all([
        put(service, 'members', 'id,name\n8f2c,Lost\n'),
        patch(service, [{ id: '8f2c', name: 'Lost' }]),
        remove(service, 'members/rows/8f2c'),
        remove(service, 'members'),
      ]);
      t.strictSame(
        refused.map(({ status }) => status),
        [503, 503, 503, 503],
      );
      t.ok(refused.every(({ headers }) => Number(headers['retry-after']) >= 1));
      await draws(t, service, '8f2c', 'New');
    }
    postgres.start();
    t.ok(
      await eventually(async () => (await patch(b, [{ id: '8f2c', name: 'Back' }])).status === 200),
    );
    await comesTo(t, a, '8f2c', 'Back');
  });

  await t.test('a node that was away catches up, also with deletions of long ago', async (t) => {
    await stop(b);
    t.equal((await remove(a, 'members/rows/k7')).status, 204);
    t.equal((await patch(a, [{ id: 'k8', name: 'Changed' }])).status, 200);
    t.equal((await put(a, 'other', 'id,name\n1,One\n')).status, 201);
    sql('DELETE FROM platen_table_deletions');
    b = await start('b');
    await comesTo(t, b, 'k8', 'Changed');
    await comesTo(t, b, 'k7', 'friend');
    await draws(t, b, 'k9', 'Row 9');
    t.ok(await eventually(() => rowFiles('b').length === 2));
  });

  await t.test('a damaged file of rows is copied again', async (t) => {
    const largest = rowFiles('b')
      .map((name) => join(folder, 'b', 'tables', name))
      .toSorted((one, other) => statSync(other).size - statSync(one).size);
    damage(largest[0] ?? '');
    await comesTo(t, b, 'k12345', 'Row 12345');
    t.equal((await patch(b, [{ id: 'k12345', name: 'Whole' }])).status, 200);
    await comesTo(t, b, 'k12345', 'Whole');
    await comesTo(t, a, 'k12345', 'Whole');
  });

  await t.test('a table that is deleted while a node copies it leaves no file', async (t) => {
    const rows = Array.from({ length: 150_000 }, (_, row) => `k${row},Gone\n`);
    t.equal((await put(a, 'brief', `id,name\n${rows.join('')}`)).status, 201);
    t.ok(await eventually(() => rowFiles('b').length > 2), 'the other node copies it');
    t.equal((await remove(a, 'brief')).status, 204);
    t.ok(await eventually(() => rowFiles('b').length === 2));
  });

  await t.test('a node whose database is restored from a backup has its rows', async (t) => {
    sql(`UPDATE data_tables SET row_count = row_count + 1 WHERE name = 'members';
      UPDATE platen_table_rows SET cells = replace(cells, 'Changed', 'Restored') WHERE key = 'k8';
      UPDATE platen_changes SET entry = 'restored' WHERE position = (SELECT position FROM platen_cluster);
      UPDATE platen_cluster SET entry = 'restored'`);
    for (const service of [a, b]) await comesTo(t, service, 'k8', 'Restored');
    const figures = (): string => sql('SELECT sum(row_count) FROM data_tables');
    t.ok(
      await eventually(() => Number(figures()) === storedRows()),
      'a copy of all rows corrects wrong figures',
    );
  });

  await t.test('a node without rows answers no default', async (t) => {
    await stop(b);
    rmSync(join(folder, 'b', 'tables'), { recursive: true });
    postgres.stop();
    b = await start('b', true);
    const link = await b.render('card.png?id=8f2c');
    t.equal(link.status, 503, link.text);
    t.ok(Number(link.headers['retry-after']) >= 1);
    t.equal((await b.render('plain.png?name=x')).status, 200);
    postgres.start();
    await comesTo(t, b, '8f2c', 'Back');
  });

  await t.test('a node that joins has the rows when it is ready', async (t) => {
    const joining = await start('c');
    await draws(t, joining, 'k9', 'Row 9');
    await stop(joining);
  });

  await t.test('a node that is killed in an upload leaves nothing of it', async (t) => {
    const rows = Array.from({ length: 100_000 }, (_, row) => `k${row},Killed ${row}\n`);
    const before = storedRows();
    const upload = put(a, 'members', `id,name\n${rows.join('')}`).catch(() => undefined);
    const isCopying = "query LIKE 'INSERT INTO platen_table_rows%' AND state <> 'idle'";
    t.ok(
      await eventually(
        () => sql(`SELECT count(*) FROM pg_stat_activity WHERE ${isCopying}`) !== '0',
      ),
    );
    a.process.kill('SIGKILL');
    t.equal(await upload, undefined, 'it was not acknowledged');
    await a.process.ended;
    await draws(t, b, 'k9', 'Row 9');
    a = await start('a');
    await draws(t, a, 'k9', 'Row 9');
    t.equal(storedRows(), before);
    t.equal(sql('SELECT count(*) FROM platen_table_files'), '2');
  });

  await t.test('a deleted table leaves no row on any node', async (t) => {
    t.equal((await remove(a, 'members')).status, 204);
    await draws(t, a, 'k9', 'friend', 'at once');
    await comesTo(t, b, 'k9', 'friend');
    t.equal((await remove(b, 'other')).status, 204);
    t.ok(await eventually(() => storedRows() === 0));
    t.ok(await eventually(() => rowFiles('b').length === 0));
    t.ok(await eventually(() => sql('SELECT count(*) FROM platen_table_files') === '0'));
    t.equal(sql(storedBytes), storedBytesBefore, 'rows count no longer');
  });
});
