/** Data tables at the boundary of HTTP: uploads, changes of rows, limits and names. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import t from 'tap';
import { eventually } from '../../e2e/service.ts';
import { startOrganizationApi } from '../../fixtures/organization-api.ts';
import { sharePool } from '../../fixtures/render-pool.ts';

const pool = await sharePool();
const long = 'x'.repeat(8001);
const members = 'id,name,points\n8f2c,Amanda,1250\n91aa,José,80\n';

t.test('an upload makes a table, and the next one replaces all its rows', async (t) => {
  const { call, service } = await startOrganizationApi(t, pool);
  const { tables, path } = service.stores;
  const created = await call('PUT', '/v1/tables/members?key=id', { body: members });
  t.equal(created.status, 201);
  t.match(created.body, {
    name: 'members',
    key: 'id',
    columns: ['id', 'name', 'points'],
    rows: 2,
    updated_at: '2030-01-01T00:00:00.000Z',
  });
  t.equal(tables.findRow('org_a', 'members', '8f2c')?.('name'), 'Amanda');
  t.equal(tables.findRow('org_a', 'members', '8f2c')?.('none'), undefined);
  t.equal(tables.findRow('org_a', 'members', '8F2C'), undefined, 'a key is exact');
  t.equal(tables.findRow('org_b', 'members', '8f2c'), undefined, 'no other organization has it');

  const lines = '{"id":"8f2c","points":7}\n';
  const replaced = await call('PUT', '/v1/tables/members', { body: lines });
  t.match(replaced, { status: 200, body: { key: 'id', columns: ['id', 'points'], rows: 1 } });
  t.equal(tables.findRow('org_a', 'members', '91aa'), undefined);
  t.equal(tables.findRow('org_a', 'members', '8f2c')?.('points'), '7');
  t.match(await call('GET', '/v1/tables'), { body: { tables: [{ name: 'members', rows: 1 }] } });
  const files = readdirSync(join(dirname(path), 'tables'));
  t.equal(files.filter((name) => name.endsWith('.db')).length, 1);
});

t.test('a table comes of every kind of list, and of the named sheet of a workbook', async (t) => {
  const { call } = await startOrganizationApi(t, pool);
  const put = (query: string, body: string | Buffer) =>
    call('PUT', `/v1/tables/towns?${query}`, { body });
  const workbook = readFileSync(join(import.meta.dirname, '../lists/fixtures/members.ods'));
  const refused = await put('key=Ort', workbook);
  t.match(refused, {
    status: 400,
    body: { error: /several sheets with rows.*"Mitglieder 2026", "Orte"/ },
  });
  t.match(await put('key=Ort&sheet=Orte', workbook), {
    status: 201,
    body: { columns: ['Ort', 'Land'], rows: 1 },
  });
  t.match(await put('', '[{"Ort":"Ulm"},{"Ort":"Bonn"}]'), { status: 200, body: { rows: 2 } });
  const card = 'BEGIN:VCARD\nFN:Anna\nEMAIL:a@example.com\nEND:VCARD\n';
  t.match(await put('key=Email', card), {
    status: 200,
    body: { columns: ['Email', 'Name'], rows: 1 },
  });
});

t.test('a list without rows makes an empty table, and empties none', async (t) => {
  const { call, service } = await startOrganizationApi(t, pool);
  const made = await call('PUT', '/v1/tables/members?key=id', { body: 'id,name\n' });
  t.match(made, { status: 201, body: { rows: 0 } });
  await call('PUT', '/v1/tables/members', { body: members });
  const refused = await call('PUT', '/v1/tables/members', { body: 'id,name,points\n' });
  t.match(refused, { status: 400, body: { error: /no rows below .* "members" has 2/ } });
  t.equal(service.stores.tables.findRow('org_a', 'members', '8f2c')?.('name'), 'Amanda');
});

t.test('rows are changed, added and deleted one by one', async (t) => {
  const { call, service } = await startOrganizationApi(t, pool);
  const { tables } = service.stores;
  await call('PUT', '/v1/tables/members?key=id', { body: members });
  const change = (rows: unknown) => call('PATCH', '/v1/tables/members', { body: { rows } });
  const changed = await change([
    { id: '8f2c', points: 1300 },
    { id: 'new', name: 'Zoë' },
    { id: 'new', points: 1 },
  ]);
  t.match(changed, { status: 200, body: { rows: 3 } });
  const cell = (key: string, column: string) => tables.findRow('org_a', 'members', key)?.(column);
  t.same([cell('8f2c', 'name'), cell('8f2c', 'points')], ['Amanda', '1300']);
  t.same([cell('new', 'name'), cell('new', 'points')], ['Zoë', '1']);
  await change([{ id: 'new', name: null }]);
  t.equal(cell('new', 'name'), '');

  for (const [rows, message] of [
    [[{ id: '8f2c', points: 1 }, { points: 2 }], /rows\[1\] expected a key/],
    [[{ id: '8f2c', constructor: 1 }], /rows\[0\] has "constructor", which is no column/],
    [[{ id: '8f2c', points: long }], /has 8001 characters in "points", the limit is 8000/],
    [[], /rows/],
  ] as const) {
    t.match(await change(rows), { status: 400, body: { error: message } });
  }
  t.equal(cell('8f2c', 'points'), '1300', 'nothing of a refused change is stored');

  const remove = (key: string) => call('DELETE', `/v1/tables/members/rows/${key}`);
  t.equal((await remove('new')).status, 204);
  t.equal((await remove('new')).status, 404);
  t.equal(cell('new', 'points'), undefined);
  t.match((await call('GET', '/v1/tables/members')).body, { rows: 2 });
  const odd = encodeURIComponent('a/b é%');
  await change([{ id: 'a/b é%', points: 5 }]);
  t.equal((await remove(odd)).status, 204);
});

t.test('a deleted table is gone with its files', async (t) => {
  const { call, service } = await startOrganizationApi(t, pool);
  const { tables, path, db } = service.stores;
  const stored = db.prepare("SELECT stored_bytes FROM organizations WHERE uid = 'org_a'").pluck();
  const before = stored.get();
  await call('PUT', '/v1/tables/members?key=id', { body: members });
  tables.findRow('org_a', 'members', '8f2c');
  const { bytes } = (await call('GET', '/v1/tables/members')).body as { bytes: number };
  t.equal(stored.get(), Number(before) + bytes, 'a table counts as stored bytes');
  t.equal((await call('DELETE', '/v1/tables/members')).status, 204);
  t.equal((await call('DELETE', '/v1/tables/members')).status, 404);
  t.equal((await call('GET', '/v1/tables/members')).status, 404);
  t.equal(tables.findRow('org_a', 'members', '8f2c'), undefined);
  // The answer does not wait for the file system.
  const folder = join(dirname(path), 'tables');
  t.ok(await eventually(() => readdirSync(folder).length === 0), readdirSync(folder).join(' '));
  t.equal(stored.get(), before);
});

t.test('a list with a fault is refused with lines and causes, and the old rows stay', async (t) => {
  const { call, service } = await startOrganizationApi(t, pool);
  await call('PUT', '/v1/tables/members?key=id', { body: members });
  const longKey = 'k'.repeat(257);
  const wide = ['x', 'y', 'z'].map((x) => x.repeat(8000));
  const columns = Array.from({ length: 100 }, (_, index) => `c${index}`);
  for (const [body, message] of [
    ['id,name\na,1\n,2\n \t,3\n', /line 3 \(row 2\) has no key in the column "id", and 1 more/],
    ['id,name\na,1\nb,2\na,3\na,4\n', /has one key more than once, the first in rows 1 and 3/],
    ['id,name\na,"1\n', /line 2/],
    ['id,name\na\n', /line 2/],
    ['name\nx\n', /key names the column "id", which the table does not have; it has "name"/],
    [`id,name\n${longKey},1\n`, /has a key of 257 characters, the limit is 256/],
    [`id,name\na,${long}\n`, /has 8001 characters in the column "name", the limit is 8000/],
    [`id,a,b,c\nx,${wide.join(',')}\n`, /more than 16384 bytes/],
    [`id,${columns.join(',')}\n`, /has 101 columns, the limit is 100/],
    ['', /empty/],
  ] as const) {
    const answer = await call('PUT', '/v1/tables/members?key=id', { body });
    t.match(answer, { status: 400, body: { error: message } }, String(message));
    t.notMatch(answer.text, /kkkk|xxxx/, 'no message repeats a cell');
  }
  t.equal(service.stores.tables.findRow('org_a', 'members', '8f2c')?.('name'), 'Amanda');
  const files = readdirSync(join(dirname(service.stores.path), 'tables'));
  t.equal(files.filter((name) => !/-(wal|shm)$/.test(name)).length, 1, 'no file stays');
  const keyless = await call('PUT', '/v1/tables/other', { body: members });
  t.match(keyless, { status: 400, body: { error: /parameter "key" is missing/ } });
});

t.test('names of tables and keys of rows reach nothing else', async (t) => {
  const { call, service } = await startOrganizationApi(t, pool);
  const { path, tables } = service.stores;
  for (const name of ['..%2Fx', 'A', 'a.b', '-a', "a'--", 'x'.repeat(65), '%00', 'a%20b']) {
    const answer = await call('PUT', `/v1/tables/${name}?key=id`, { body: members });
    t.match(answer, { status: 404, body: { error: /a name has 1 to 64 of a-z/ } }, name);
  }
  t.notOk(existsSync(join(dirname(path), 'tables')));
  const hostile = `${JSON.stringify({ id: "' OR 1=1 --", 'x" TEXT); DROP TABLE rows;--': 1 })}\n`;
  t.equal((await call('PUT', '/v1/tables/hostile?key=id', { body: hostile })).status, 201);
  t.equal(tables.findRow('org_a', 'hostile', "' OR 1=1 --")?.('id'), "' OR 1=1 --");
  t.equal(tables.findRow('org_a', 'hostile', "'")?.('id'), undefined);
});

t.test('organizations have tables of the same name, each its own', async (t) => {
  const { call, otherKey, service } = await startOrganizationApi(t, pool);
  await call('PUT', '/v1/tables/members?key=id', { body: members });
  t.same((await call('GET', '/v1/tables', { key: otherKey })).body, { tables: [] });
  await call('PUT', '/v1/tables/members?key=id', { key: otherKey, body: 'id,name\n8f2c,Other\n' });
  t.equal(service.stores.tables.findRow('org_a', 'members', '8f2c')?.('name'), 'Amanda');
});

t.test('keys are stored composed, and two that are then equal are refused', async (t) => {
  const { call, service } = await startOrganizationApi(t, pool);
  const { tables } = service.stores;
  const [composed, decomposed] = ['José 김', 'José 김'.normalize('NFD')];
  await call('PUT', '/v1/tables/members?key=id', { body: `id,points\n${decomposed},1\n` });
  const points = (key: string) => tables.findRow('org_a', 'members', key)?.('points');
  t.equal(points(composed), '1');
  const change = { body: { rows: [{ id: decomposed, points: 2 }] } };
  t.match(await call('PATCH', '/v1/tables/members', change), { status: 200, body: { rows: 1 } });
  t.equal(points(composed), '2');
  const body = `id,points\n${decomposed},1\n${composed},2\n`;
  const error = /first in rows 1 and 2: give each row a key of its own. Two Unicode forms .* equal/;
  t.match(await call('PUT', '/v1/tables/members', { body }), { status: 400, body: { error } });
  const row = `/v1/tables/members/rows/${encodeURIComponent(decomposed)}`;
  t.match(await call('DELETE', row), { status: 204 });
  t.equal(points(composed), undefined);
});

t.test('columns are the same in each normal form', async (t) => {
  const { call, service } = await startOrganizationApi(t, pool);
  const [composed, decomposed] = ['prénom', 'prénom'.normalize('NFD')];
  const key = encodeURIComponent('clé'.normalize('NFD'));
  const body = `clé,${decomposed}\n1,Ana\n`;
  const made = await call('PUT', `/v1/tables/members?key=${key}`, { body });
  t.match(made, { status: 201, body: { key: 'clé', columns: ['clé', composed] } });
  const cell = () => service.stores.tables.findRow('org_a', 'members', '1')?.(composed);
  t.equal(cell(), 'Ana');
  for (const column of [composed, decomposed]) {
    const rows = [{ ['clé'.normalize('NFD')]: '1', [column]: column }];
    t.match(await call('PATCH', '/v1/tables/members', { body: { rows } }), { status: 200 });
    t.equal(cell(), column);
  }
});
