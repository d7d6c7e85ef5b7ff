import t from 'tap';
import { routesOf } from '../../src/api/endpoint.ts';
import { variableImage } from '../../src/api/variable-image.ts';
import { serveRoutes } from '../fixtures/api-server.ts';
import { startOrganizationApi } from '../fixtures/organization-api.ts';
import { sharePool } from '../fixtures/render-pool.ts';
import { publishSample, saveSample } from '../store/store-fixture.ts';

const pool = await sharePool();
const publicUrl = 'https://images.example.com';

t.test('a valid key answers its organization, and no other value does', async (t) => {
  const { call, key } = await startOrganizationApi(t, pool);
  const valid = await call('GET', '/v1/validate-organization');
  t.equal(valid.status, 200);
  t.same(valid.body, { valid: true, organization: { uid: 'org_a', name: 'A' } });
  t.equal(valid.headers.get('cache-control'), 'no-store');
  t.equal(valid.headers.get('x-content-type-options'), 'nosniff');
  t.match(valid.headers.get('x-request-id'), /^req_/);
  for (const wrong of ['', `${key}x`, key.slice(1), 'x'.repeat(5000)]) {
    const answer = await call('GET', '/v1/validate-organization', { key: wrong });
    t.equal(answer.status, 401);
    t.same(answer.body, { valid: false, error: 'Invalid API key' });
  }
});

t.test('a list is newest first, and an organization’s alone', async (t) => {
  const { call, service, otherKey } = await startOrganizationApi(t, pool);
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
  for (let index = 0; index < 25; index += 1) {
    saveSample(service.stores, `t${index}`, { name: `T${index}` });
  }
  saveSample(service.stores, 'foreign', {}, 'org_b');
  const { body } = await call('GET', '/v1/templates');
  const { templates, total } = body as { templates: { uid: string }[]; total: number };
  t.equal(total, 25);
  t.same(
    templates.map(({ uid }) => uid),
    Array.from({ length: 20 }, (_, index) => `t${24 - index}`),
  );
  t.match(templates[0], { name: 'T24', type: 'image', created_at: time, updated_at: time });
  const names = 'uid name type created_at updated_at version state folder tags';
  t.equal(Object.keys(templates[0] ?? {}).join(' '), names);
  t.match((await call('GET', '/v1/templates', { key: otherKey })).body, {
    templates: [{ uid: 'foreign' }],
    total: 1,
  });
});

t.test('a page without templates is 404, an invalid limit or offset 400', async (t) => {
  const { call, service, key, otherKey } = await startOrganizationApi(t, pool);
  saveSample(service.stores, 'hello');
  for (const [query, who] of [
    ['', otherKey],
    ['?offset=1', key],
    ['?offset=99999999999999999999', key],
  ] as const) {
    const answer = await call('GET', `/v1/templates${query}`, { key: who });
    t.match(answer, { status: 404, body: { error: 'No templates found' } });
  }
  const wrong = 'limit=0 limit=-1 limit=1.5 limit=x limit=1e3 limit=+-1 limit=1+1';
  for (const query of [...wrong.split(' '), 'offset=-1', 'offset=x']) {
    const answer = await call('GET', `/v1/templates?${query}`);
    t.equal(answer.status, 400, query);
    t.match(answer.body, { error: /^Invalid (limit|offset): expected a whole number/ });
  }
});

t.test('a page has the limit and offset that were applied', async (t) => {
  const { call, service } = await startOrganizationApi(t, pool);
  for (let index = 0; index < 3; index += 1) saveSample(service.stores, `t${index}`);
  const rangeOf = async (query: string): Promise<unknown> => {
    const { body } = await call('GET', `/v1/templates?${query}`);
    const { limit, offset, templates } = body as Record<string, unknown[]>;
    return { limit, offset, count: templates?.length };
  };
  const first = { limit: 20, offset: 0, count: 3 };
  const empty = ['', 'limit=', 'offset=', 'limit=&offset=', 'limit=+&offset=%20%09'];
  for (const query of [...empty, 'published=&archived=']) {
    t.same(await rangeOf(query), first, `${query}: an empty one counts as absent`);
  }
  t.same(await rangeOf('limit=200&offset=1'), { limit: 100, offset: 1, count: 2 });
  t.same(await rangeOf(`limit=${'9'.repeat(24)}`), { limit: 100, offset: 0, count: 3 });
  t.same(await rangeOf('limit=+2+'), { limit: 2, offset: 0, count: 2 });
});

t.test('a draft that was never published is marked, and can be left out of the list', async (t) => {
  const { call, service } = await startOrganizationApi(t, pool);
  publishSample(service.stores, 'live');
  saveSample(service.stores, 'draft');
  const live = { uid: 'live', version: 1 };
  const draft = { uid: 'draft', version: null };
  for (const [query, ...templates] of [
    ['', draft, live],
    ['?published=true', live],
    ['?published=false', draft],
  ] as const) {
    const { body } = await call('GET', `/v1/templates${query}`);
    const total = templates.length;
    t.match(body, { templates, total }, 'the total counts what the filter lets through');
  }
  t.match(await call('GET', '/v1/templates?published=yes'), {
    status: 400,
    body: { error: 'Invalid published: expected true or false' },
  });
  t.equal((await call('GET', '/v1/templates?published=true&archived=true')).status, 404);
});

t.test('a template has details, and an unknown uid has none', async (t) => {
  const { call, service } = await startOrganizationApi(t, pool);
  publishSample(service.stores, 'hello');
  const answer = await call('GET', '/v1/templates/hello');
  t.equal(answer.status, 200);
  t.match(answer.body, {
    cid: /^[0-9a-f]{32}$/,
    uid: 'hello',
    name: 'Hello',
    type: 'image',
    width: 400,
    height: 200,
    version: 1,
    published_variables: [{ id: String, name: 'name', type: 'text', value: 'World' }],
  });
  for (const uid of ['nobody', 'hel%20lo', 'x'.repeat(65)]) {
    const missing = await call('GET', `/v1/templates/${uid}`);
    t.match(missing, { status: 404, body: { error: 'Template not found' } }, uid);
  }
});

t.test('an image variable has an address that opens without a key', async (t) => {
  const { call, service } = await startOrganizationApi(t, pool);
  const base = await serveRoutes(t, routesOf([variableImage], service.stores));
  const { assets, templates } = service.stores;
  const header = { format: 'png', widthPx: 1, heightPx: 1, orientation: 1 } as const;
  const [photo, replaced, other] = ['photo', 'replaced', 'other'].map((text) =>
    assets.saveAsset('org_a', Buffer.from(text), header),
  );
  const urls = async (): Promise<Record<string, string | null | undefined>> => {
    const { published_variables } = (await call('GET', '/v1/templates/card')).body as {
      published_variables: { name: string; preview_url?: string | null }[];
    };
    return Object.fromEntries(published_variables.map((each) => [each.name, each.preview_url]));
  };
  const publish = (stored = ''): unknown =>
    publishSample(service.stores, 'card', {
      linkAuth: 'key',
      variables: [
        { name: 'name', type: 'text', value: 'World' },
        { name: 'stored', type: 'image', value: stored },
        { name: 'remote', type: 'image', value: 'https://example.com/a.png' },
        { name: 'none', type: 'image', value: '' },
      ],
    });
  publish(replaced);
  const old = (await urls())['stored'] ?? '';
  publish(photo);
  const { name, stored, remote, none } = await urls();
  t.same([name, remote, none], [undefined, 'https://example.com/a.png', null]);
  t.match(stored, new RegExp(`^${publicUrl}/v1/templates/card/images/[0-9a-f]{64}$`));

  const get = (path: string, method = 'GET') => fetch(base + path, { method });
  const pathOf = (url: string): string => url.slice(publicUrl.length);
  const path = pathOf(stored ?? '');
  const answer = await get(path);
  t.equal(answer.status, 200);
  t.equal(await answer.text(), 'photo');
  const names = ['content-type', 'cache-control', 'x-robots-tag', 'access-control-allow-origin'];
  t.same(
    names.map((each) => answer.headers.get(each)),
    ['image/png', 'public, max-age=300', 'noindex', '*'],
  );
  t.match(answer.headers.get('content-security-policy'), 'sandbox');
  t.equal((await get(path, 'HEAD')).headers.get('content-length'), '5');

  const elsewhere = path.replace(/[0-9a-f]{64}/, (other ?? '').slice('asset:'.length));
  const cuts = [path.replace('card', 'nobody'), path.slice(0, -1), path.toUpperCase(), `${path}x`];
  for (const closed of [pathOf(old), elsewhere, ...cuts]) {
    t.equal((await get(closed)).status, 404, closed);
  }
  templates.archive('org_a', 'card');
  t.equal((await get(path)).status, 404, 'an archived template shows nothing');
});
