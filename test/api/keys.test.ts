import t from 'tap';
import { startOrganizationApi } from '../fixtures/organization-api.ts';
import { sharePool } from '../fixtures/render-pool.ts';
import { openStores, publishSample, sampleDocument } from '../store/store-fixture.ts';

const pool = await sharePool();

interface Key {
  id: number;
  key: string;
  scopes: string[];
}

t.test('a key is made, listed, rotated and revoked', async (t) => {
  const { call } = await startOrganizationApi(t, pool);
  const made = await call('POST', '/v1/keys', { body: { name: 'shop', scopes: ['read'] } });
  t.equal(made.status, 201, made.text);
  t.match(made.body, {
    id: Number,
    name: 'shop',
    key: /^pk_live_[0-9A-Za-z]{32}$/,
    scopes: ['read'],
    last_used_at: null,
    revoked_at: null,
  });
  const { id, key } = made.body as Key;
  t.equal((await call('GET', '/v1/validate-organization', { key })).status, 200);
  const list = await call('GET', '/v1/keys', { key });
  t.match(list.body, { keys: [{ id, name: 'shop', last_used_at: /Z$/ }, { name: 'a' }] });
  t.notOk(list.text.includes(key), 'it is shown once');

  const rotated = await call('POST', `/v1/keys/${id}/rotate`);
  t.match(rotated, { status: 201, body: { name: 'shop', scopes: ['read'] } });
  t.equal((await call('GET', '/v1/keys', { key })).status, 401, 'the old one ends at once');
  const next = rotated.body as Key;
  t.equal((await call('GET', '/v1/keys', { key: next.key })).status, 200);
  t.equal((await call('POST', `/v1/keys/${id}/rotate`)).status, 404, 'it is revoked');

  t.equal((await call('DELETE', `/v1/keys/${next.id}`)).status, 204);
  t.equal((await call('GET', '/v1/keys', { key: next.key })).status, 401);
  t.equal((await call('DELETE', `/v1/keys/${next.id}`)).status, 404);
  for (const wrong of ['0', '-1', 'x', '1e3', '01', '9'.repeat(30), '%31']) {
    t.equal((await call('DELETE', `/v1/keys/${wrong}`)).status, 404, wrong);
  }
});

t.test('a key that another process revokes is refused with its next use', async (t) => {
  const { call, key, service } = await startOrganizationApi(t, pool);
  const other = openStores(t, service.stores.path);
  publishSample(service.stores, 'closed', { linkAuth: 'key' });
  const draw = () => service.get('closed', { headers: { 'X-API-Key': key } });
  t.equal((await call('GET', '/v1/keys')).status, 200);
  t.equal((await draw()).status, 200);
  const id = other.organizations.listKeys('org_a')[0]?.id ?? 0;
  t.equal(other.organizations.revokeKey('org_a', id), true);
  t.equal((await call('GET', '/v1/keys')).status, 401);
  t.equal((await draw()).status, 401, 'also for links');
});

t.test('a key never makes a stronger one', async (t) => {
  const { call, service } = await startOrganizationApi(t, pool);
  const { organizations } = service.stores;
  const writer = organizations.createKey('org_a', { name: 'w', scopes: ['write'] });
  const full = await call('POST', '/v1/keys', { body: { name: 'x', scopes: ['read', 'write'] } });
  t.equal(full.status, 201);
  for (const scopes of [['read'], ['read', 'write']]) {
    const answer = await call('POST', '/v1/keys', { key: writer, body: { name: 'x', scopes } });
    t.match(answer, { status: 403, body: { error: /lacks the scope "read"/ } });
  }
  const rotated = await call('POST', `/v1/keys/${(full.body as Key).id}/rotate`, { key: writer });
  t.equal(rotated.status, 403, 'nor by rotating a stronger one');
  const body = { name: 'x', scopes: ['write'] };
  const same = await call('POST', '/v1/keys', { key: writer, body });
  t.match(same, { status: 201, body: { scopes: ['write'] } });
});

t.test('the last key that may write stays, and may be rotated', async (t) => {
  const { call, service } = await startOrganizationApi(t, pool);
  const { organizations } = service.stores;
  const id = organizations.listKeys('org_a')[0]?.id ?? 0;
  organizations.createKey('org_a', { name: 'reader', scopes: ['read'] });
  const refused = await call('DELETE', `/v1/keys/${id}`);
  t.match(refused, { status: 409, body: { error: /last key that may write/ } });
  const rotated = (await call('POST', `/v1/keys/${id}/rotate`)).body as Key;
  t.same(rotated.scopes, ['read', 'render', 'write', 'access']);
  const { key } = rotated;
  const second = (
    await call('POST', '/v1/keys', { key, body: { name: 'second', scopes: ['write'] } })
  ).body as Key;
  t.equal((await call('DELETE', `/v1/keys/${rotated.id}`, { key })).status, 204, 'its own too');
  t.equal((await call('DELETE', `/v1/keys/${second.id}`, { key: second.key })).status, 409);
});

t.test('an organization has 100 valid keys at most, and bad bodies make none', async (t) => {
  const { call, service } = await startOrganizationApi(t, pool);
  const { organizations, db } = service.stores;
  const cases: [body: unknown, path: string][] = [
    [{}, '(document)'],
    [{ name: 'x' }, '(document)'],
    [{ name: '', scopes: ['read'] }, 'name'],
    [{ name: 'x'.repeat(201), scopes: ['read'] }, 'name'],
    [{ name: 'x', scopes: [] }, 'scopes'],
    [{ name: 'x', scopes: ['admin'] }, 'scopes[0]'],
    [{ name: 'x', scopes: 'read' }, 'scopes'],
    [{ name: 'x', scopes: ['read'], key: 'mine' }, 'key'],
  ];
  for (const [body, path] of cases) {
    const answer = await call('POST', '/v1/keys', { body });
    t.match(answer, { status: 400, body: { details: [{ path }] } }, JSON.stringify(body));
  }
  t.equal(organizations.listKeys('org_a').length, 1);
  db.transaction(() => {
    for (let count = 1; count < 100; count += 1) organizations.createKey('org_a', { name: 'k' });
  })();
  const body = { name: 'x', scopes: ['read'] };
  const refused = await call('POST', '/v1/keys', { body });
  t.match(refused, { status: 409, body: { error: /100 valid API keys/ } });
});

t.test('scopes decide: reading needs read, links render, changing write or access', async (t) => {
  const { call, routes, service } = await startOrganizationApi(t, pool);
  const { organizations } = service.stores;
  const reader = organizations.createKey('org_a', { name: 'r', scopes: ['read'] });
  const writer = organizations.createKey('org_a', { name: 'w', scopes: ['write'] });
  const renderer = organizations.createKey('org_a', { name: 'd', scopes: ['render'] });
  publishSample(service.stores, 'card');
  publishSample(service.stores, 'closed', { linkAuth: 'key' });
  const [keyId, id] = [organizations.listKeys('org_a')[0]?.id ?? 0, 1];
  /** Changing a template's image on paper only: a preview draws, and changes nothing. */
  const readsByPost = new Set(['/v1/preview']);
  for (const route of routes) {
    if (route.path === '/v1/validate-organization') continue;
    const idOf = route.path.startsWith('/v1/keys') ? keyId : id;
    const path = route.path.replace(':uid', 'none').replace(':id', String(idOf + 1000));
    for (const method of ['get', 'post', 'put', 'patch', 'delete'] as const) {
      if (route[method] === undefined) continue;
      const isAccess = route.path.endsWith('/access');
      const reads = (method === 'get' && !isAccess) || readsByPost.has(route.path);
      const renders = /^\/v1\/(?:short-links|campaigns)/.test(route.path);
      const right = renders ? renderer : reads ? reader : writer;
      const wrong = right === writer ? reader : writer;
      const name = `${method.toUpperCase()} ${route.path}`;
      const options = method.startsWith('p') ? { body: '?' } : {};
      const refused = await call(method.toUpperCase(), path, { key: wrong, ...options });
      t.equal(refused.status, 403, name);
      t.match(refused.body, { error: /lacks the scope/ }, name);
      const allowed = await call(method.toUpperCase(), path, { key: right, ...options });
      t.notOk([401, 403].includes(allowed.status), `${name} ${allowed.status}`);
    }
  }
  const draw = (key: string) => service.get('closed', { headers: { 'X-API-Key': key } });
  t.equal((await draw(reader)).status, 200, 'a closed link is drawn for a reader');
  t.equal((await draw(renderer)).status, 200);
  t.equal((await draw(writer)).status, 401);
  t.equal((await call('GET', '/v1/validate-organization', { key: writer })).status, 200);
  const body = sampleDocument({ width: 300 });
  const saved = await call('PUT', '/v1/templates/card', { key: writer, body });
  t.equal(saved.status, 200);
});
