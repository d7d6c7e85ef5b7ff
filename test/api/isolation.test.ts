import t from 'tap';
import { createWebhookStore } from '../../src/mailings/webhooks/webhook-store.ts';
import type { Route } from '../../src/http/server.ts';
import { startOrganizationApi } from '../fixtures/organization-api.ts';
import type { OrganizationApi } from '../fixtures/organization-api.ts';
import { sharePool } from '../fixtures/render-pool.ts';
import { publishSample, sampleDocument } from '../store/store-fixture.ts';

const pool = await sharePool();

/** Every endpoint of a route, whatever is added later. */
function endpointsOf(routes: readonly Route[]): [method: string, path: string][] {
  const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;
  return routes.flatMap((route) =>
    methods
      .filter((method) => route[method] !== undefined)
      .map((method): [string, string] => [method.toUpperCase(), route.path]),
  );
}

/** Bodies that would be taken from the owner. */
function bodyOf(method: string, path: string): { body?: unknown } {
  if (method === 'PATCH') return { body: { rows: [{ id: 'a', name: 'Stolen' }] } };
  if (method === 'PUT') return { body: sampleDocument({ name: 'Stolen' }) };
  if (method !== 'POST') return {};
  return { body: /\/(duplicate|copy)$/.test(path) ? { uid: 'stolen' } : {} };
}

/** Everything that is stored, but when keys were last used. */
function everything({ service }: OrganizationApi): unknown {
  const { db } = service.stores;
  const tables = db
    .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .pluck()
    .all();
  return tables.map((table) =>
    db
      .prepare<[], Record<string, unknown>>(`SELECT * FROM ${table}`)
      .all()
      .map((row) => ({ ...row, last_used_at: null })),
  );
}

t.test('resources of other organizations answer as unknown ones', async (t) => {
  const api = await startOrganizationApi(t, pool);
  const { call, routes, service, key, otherKey } = api;
  const { stores } = service;
  publishSample(stores, 'theirs', {}, 'org_b');
  const signing = stores.organizations.createSigningKey('org_b', 'theirs');
  const asset = stores.assets.saveAsset('org_b', Buffer.from('PNG'), {
    format: 'png',
    widthPx: 1,
    heightPx: 1,
    orientation: 1,
  });
  const theirWebhook = createWebhookStore(stores.db);
  const { id: webhook } = theirWebhook.createWebhook('org_b', {
    url: 'https://example.com/',
    events: ['campaign.failed'],
  });
  const delivery = theirWebhook.addPing('org_b', webhook) ?? '';
  const foreignKey = stores.organizations.listKeys('org_b')[0]?.id ?? 0;
  const foreign = (path: string): string => {
    const id = path.startsWith('/v1/keys')
      ? String(foreignKey)
      : path.startsWith('/v1/assets')
        ? asset
        : path.startsWith('/v1/webhooks')
          ? webhook
          : String(signing?.id ?? 0);
    return path
      .replace(/:(uid|name)/, 'theirs')
      .replace(':key', 'a')
      .replace(':id', encodeURIComponent(id))
      .replace(':delivery', delivery);
  };
  const nobodys = (path: string): string =>
    path
      .replace(/:(uid|name)/, 'nobodys')
      .replace(':key', 'a')
      .replace(':id', path.startsWith('/v1/assets') ? `asset:${'0'.repeat(64)}` : '987654')
      .replace(':delivery', 'msg_0');
  const list = { key: otherKey, body: 'id,name\na,Theirs\n' };
  t.equal((await call('PUT', '/v1/tables/theirs?key=id', list)).status, 201);
  const before = everything(api);
  const named = endpointsOf(routes)
    .filter(([, path]) => path.includes(':'))
    // It makes a table of the key's own organization: see tables-api.test.ts.
    .filter(([method, path]) => `${method} ${path}` !== 'PUT /v1/tables/:name');
  t.ok(named.length >= 14, `${named.length} endpoints name something`);
  for (const [method, path] of named) {
    const name = `${method} ${path}`;
    const answer = await call(method, foreign(path), { key, ...bodyOf(method, path) });
    const other = await call(method, nobodys(path), { key, ...bodyOf(method, path) });
    t.equal(answer.status, 404, `${name} ${answer.text}`);
    t.same(answer.body, other.body, name);
  }
  t.same(everything(api), before, 'and nothing of it changes');

  t.notMatch((await call('GET', '/v1/keys', { key })).text, '"b"');
  t.match((await call('GET', '/v1/keys', { key: otherKey })).text, '"b"');
});

t.test('no endpoint of an organization answers without a valid key', async (t) => {
  let api = await startOrganizationApi(t, pool);
  const endpoints = endpointsOf(api.routes);
  for (const [index, [method, path]] of endpoints.entries()) {
    // A server stops to look wrong keys up after 30 of them.
    if (index % 20 === 19) api = await startOrganizationApi(t, pool);
    for (const key of ['', `pk_live_${String(index).padStart(32, '0')}`]) {
      const where = path.replace(':uid', 'hello').replace(':id', '1');
      const answer = await api.call(method, where, { key, ...bodyOf(method, path) });
      t.equal(answer.status, 401, `${method} ${path}`);
      t.match(answer.body, { error: 'Invalid API key' }, `${method} ${path}`);
    }
  }
});
