/** Data tables where something fails: a sender who leaves, a full quota, uploads at once, and files that are lost or damaged. */
import { readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { dirname, join } from 'node:path';
import t from 'tap';
import { eventually } from '../e2e/service.ts';
import { startOrganizationApi } from '../fixtures/organization-api.ts';
import type { OrganizationApi } from '../fixtures/organization-api.ts';
import { startPool } from '../fixtures/render-pool.ts';
import { FairTurns } from '../../src/foundation/fair-turns.ts';
import { uploadSlots } from '../../src/foundation/organization-slots.ts';
import { createTableStore, tablesMax } from '../../src/mailings/store/tables/table-store.ts';
import { TableWriter } from '../../src/mailings/tables/table-writer.ts';

const pool = await startPool(t);
const members = 'id,name\n8f2c,Amanda\n';

function filesOf({ service }: OrganizationApi): string[] {
  return readdirSync(join(dirname(service.stores.path), 'tables')).filter(
    (name) => !/-(wal|shm)$/.test(name),
  );
}

/** Sends the beginning of an upload, whose end is up to the caller. */
function beginUpload({ base, key }: OrganizationApi, name: string): ReturnType<typeof request> {
  const { hostname, port } = new URL(base);
  const outgoing = request({
    hostname,
    port,
    method: 'PUT',
    path: `/v1/tables/${name}?key=id`,
    headers: { 'X-API-Key': key },
  });
  outgoing.on('error', () => undefined);
  outgoing.write('id,name\n8f2c,');
  return outgoing;
}

t.test('an upload whose sender leaves changes nothing, and the next one is taken', async (t) => {
  const api = await startOrganizationApi(t, pool);
  await api.call('PUT', '/v1/tables/members?key=id', { body: members });
  const upload = beginUpload(api, 'members');
  t.ok(await eventually(() => filesOf(api).length === 2), 'the upload is on its way');
  const refused = await api.call('PUT', '/v1/tables/other?key=id', { body: members });
  t.match(refused, { status: 503, body: { error: /one at a time for an organization/ } });
  t.equal(refused.headers.get('retry-after'), '5');
  upload.destroy();
  t.ok(await eventually(() => filesOf(api).length === 1), 'nothing of it stays');
  t.equal(api.service.stores.tables.findRow('org_a', 'members', '8f2c')?.('name'), 'Amanda');
  const next = await api.call('PUT', '/v1/tables/members?key=id', { body: members });
  t.equal(next.status, 200);
});

t.test('uploads of all organizations together are limited, until one of them ends', async (t) => {
  const slots = uploadSlots('lists', 2);
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const all = ['a', 'b'].map((organization) => slots.use(organization, () => ended));
  const refusal = { code: 'OVERLOADED', retryAfterSeconds: 5, message: /lists .* and 2 in all/ };
  await t.rejects(
    slots.use('c', () => ended),
    refusal,
  );
  resolve();
  await Promise.all(all);
  await t.rejects(
    slots.use('a', () => Promise.reject(new Error('failed'))),
    /failed/,
  );
  t.equal(await slots.use('a', () => Promise.resolve(1)), 1, 'also after one that failed');
});

t.test('a table beyond the quota is 413 and leaves the old one', async (t) => {
  const { service } = await startOrganizationApi(t, pool);
  const { db, path } = service.stores;
  const tables = createTableStore(db, join(dirname(path), 'tables'), 500);
  const writer = new TableWriter(tables);
  t.teardown(async () => {
    await writer.close();
    tables.close();
  });
  const upload = (list: string) =>
    writer.replace('org_a', 'members', {
      key: 'id',
      contentType: '',
      saveBody: async (target) => {
        writeFileSync(target, list);
        return list.length;
      },
    });
  t.equal(await upload(members), true);
  await t.rejects(upload(`${members}b,${'x'.repeat(500)}\n`), { name: 'QuotaError' });
  const change = { key: 'c', cells: new Map([[1, 'x']]) };
  await t.rejects(
    writer.upsert('org_a', 'members', () => [change], 500),
    { name: 'QuotaError' },
  );
  t.equal(tables.findRow('org_a', 'members', '8f2c')?.('name'), 'Amanda');
});

t.test('an organization has a limited number of tables', async (t) => {
  const { call, service } = await startOrganizationApi(t, pool);
  const { tables } = service.stores;
  const empty = { key: 'id', columns: ['id'], rows: 0, bytes: 0 };
  for (let count = 0; count < tablesMax; count += 1) {
    tables.replaceTable('org_a', `t${count}`, { ...empty, fileId: `f${count}` });
  }
  const refused = await call('PUT', '/v1/tables/more?key=id', { body: members });
  t.match(refused, { status: 409, body: { error: /has 100 tables, the limit/ } });
  t.equal((await call('PUT', '/v1/tables/t7?key=id', { body: members })).status, 200);
});

t.test('a lost file gives defaults, a damaged one an error until the next upload', async (t) => {
  const api = await startOrganizationApi(t, pool);
  const { call, service } = api;
  const { tables } = service.stores;
  service.publish('card', {
    variables: [
      { name: 'id', type: 'text', value: '' },
      { name: 'name', type: 'text', value: 'friend', from: 'members.{{id}}.name' },
    ],
  });
  const put = () => call('PUT', '/v1/tables/members?key=id', { body: members });
  const fileOf = () => tables.findFile('org_a', 'members')?.path ?? '';
  await put();
  rmSync(fileOf());
  t.match(await (await service.get('card?id=8f2c')).text(), '["name","friend"]');
  await put();
  writeFileSync(fileOf(), Buffer.alloc(20_000, 'x'));
  t.equal((await service.get('card?id=8f2c')).status, 507);
  const image = await service.get('card?id=8f2c', { headers: { Accept: 'image/*' } });
  t.equal(image.headers.get('x-render-error'), 'STORAGE_UNAVAILABLE');
  t.equal((await put()).status, 200, 'an upload repairs it');
  t.match(await (await service.get('card?id=8f2c')).text(), '["name","Amanda"]');
});

t.test('what a killed upload leaves is swept when it is old', async (t) => {
  const api = await startOrganizationApi(t, pool);
  await api.call('PUT', '/v1/tables/members?key=id', { body: members });
  const { tables, path } = api.service.stores;
  const folder = join(dirname(path), 'tables');
  for (const name of ['abc.db', 'abc.upload']) writeFileSync(join(folder, name), 'x');
  tables.sweepFiles();
  t.equal(filesOf(api).length, 3, 'another process may be writing them');
  for (const name of filesOf(api)) utimesSync(join(folder, name), 0, 0);
  tables.sweepFiles();
  t.equal(filesOf(api).length, 1);
  t.equal(tables.findRow('org_a', 'members', '8f2c')?.('name'), 'Amanda');
});

t.test('a change waits for one of each other organization, not for all', async (t) => {
  const turns = new FairTurns(1);
  const order: string[] = [];
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const first = turns.run('org_a', () => ended);
  const run = (organization: string, name: string): Promise<unknown> =>
    turns.run(organization, async () => order.push(name));
  const others = ['a1', 'a2', 'a3'].map((name) => run('org_a', name));
  others.push(run('org_b', 'b1'), run('org_c', 'c1'));
  const failed = turns.run('org_b', () => Promise.reject(new Error('failed')));
  const refused = t.rejects(failed, /failed/);
  resolve();
  await Promise.all([first, ...others, refused]);
  t.same(order, ['a1', 'b1', 'c1', 'a2', 'a3']);
  t.equal(await turns.run('org_a', () => Promise.resolve(1)), 1, 'also after one that failed');
});
