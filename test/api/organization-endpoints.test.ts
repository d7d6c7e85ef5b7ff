import t from 'tap';
import type { Test } from 'tap';
import { routesOf } from '../../src/api/endpoint.ts';
import { getTemplate, listTemplates } from '../../src/api/templates/templates.ts';
import { createLog } from '../../src/foundation/log.ts';
import { Quarantine } from '../../src/scheduling/quarantine.ts';
import { variableImage } from '../../src/api/variable-image.ts';
import { validateOrganization } from '../../src/api/keys.ts';
import { serveRoutes } from '../fixtures/api-server.ts';
import { createStores, publishSample, saveSample } from '../templates/store-fixture.ts';
import type { Stores } from '../templates/store-fixture.ts';

const publicUrl = 'https://images.example.com/images';

interface Api {
  stores: Stores;
  get: (path: string, key?: string, method?: string) => Promise<Response>;
  key: string;
  otherKey: string;
}

/** Starts the organization endpoints with two organizations and a key of each. */
async function startApi(t: Test): Promise<Api> {
  const stores = createStores(t);
  const { organizations } = stores;
  organizations.createOrganization('B', 'org_b');
  const quarantine = new Quarantine(createLog(() => undefined));
  const parts = { ...stores, pool: { quarantine }, publicUrl: () => publicUrl };
  const base = await serveRoutes(
    t,
    routesOf([validateOrganization, listTemplates, getTemplate, variableImage], parts),
  );
  return {
    stores,
    key: organizations.createKey('org_a', { name: 'a' }),
    otherKey: organizations.createKey('org_b', { name: 'b' }),
    get: (path, key, method = 'GET') =>
      fetch(`${base}${path}`, { method, headers: key === undefined ? {} : { 'X-API-Key': key } }),
  };
}

t.test('a valid key answers its organization, and no other value does', async (t) => {
  const { get, key } = await startApi(t);
  const valid = await get('/v1/validate-organization', key);
  t.equal(valid.status, 200);
  t.same(await valid.json(), { valid: true, organization: { uid: 'org_a', name: 'A' } });
  t.equal(valid.headers.get('cache-control'), 'no-store');
  t.equal(valid.headers.get('x-content-type-options'), 'nosniff');
  t.match(valid.headers.get('x-request-id'), /^req_/);
  for (const wrong of [undefined, '', `${key}x`, key.slice(1), 'x'.repeat(5000)]) {
    const answer = await get('/v1/validate-organization', wrong);
    t.equal(answer.status, 401);
    t.same(await answer.json(), { valid: false, error: 'Invalid API key' });
  }
});

t.test('no endpoint of an organization answers without a valid key', async (t) => {
  const { get, stores } = await startApi(t);
  publishSample(stores, 'hello');
  for (const path of ['/v1/templates', '/v1/templates/hello', '/v1/templates?limit=x']) {
    for (const key of [undefined, 'wrong']) {
      const answer = await get(path, key);
      t.equal(answer.status, 401, path);
      t.same(await answer.json(), { error: 'Invalid API key' });
      t.equal(answer.headers.get('content-type'), 'application/json');
    }
  }
});

t.test('templates are listed newest first, in pages, with the total of all', async (t) => {
  const { get, stores, key, otherKey } = await startApi(t);
  for (let index = 0; index < 25; index += 1)
    saveSample(stores, `t${index}`, { name: `T${index}` });
  saveSample(stores, 'foreign', {}, 'org_b');
  const uidsOf = async (query: string): Promise<string[]> => {
    const page = (await (await get(`/v1/templates${query}`, key)).json()) as {
      templates: { uid: string }[];
      total: number;
    };
    t.equal(page.total, 25);
    return page.templates.map(({ uid }) => uid);
  };
  const newest = Array.from({ length: 25 }, (_, index) => `t${24 - index}`);
  t.same(await uidsOf(''), newest.slice(0, 20));
  t.same(await uidsOf('?limit=3'), newest.slice(0, 3));
  t.same(await uidsOf('?limit=10&offset=20'), newest.slice(20));
  t.same(await uidsOf('?offset=0&limit=999999999999999999999999'), newest);
  const page = (await (await get('/v1/templates?limit=1', key)).json()) as { templates: unknown[] };
  t.match(page.templates[0], {
    uid: 't24',
    name: 'T24',
    type: 'image',
    created_at: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
    updated_at: /Z$/,
  });
  t.same(Object.keys(page.templates[0] as object), [
    'uid',
    'name',
    'type',
    'created_at',
    'updated_at',
    'version',
    'state',
    'folder',
    'tags',
  ]);
  const foreign = (await (await get('/v1/templates', otherKey)).json()) as { total: number };
  t.equal(foreign.total, 1, 'an organization sees its own alone');
});

t.test(
  'a page without templates is 404, a limit or offset that is no whole number 400',
  async (t) => {
    const { get, stores, key, otherKey } = await startApi(t);
    saveSample(stores, 'hello');
    for (const [query, who] of [
      ['', otherKey],
      ['?offset=1', key],
      ['?offset=99999999999999999999', key],
    ] as const) {
      const answer = await get(`/v1/templates${query}`, who);
      t.equal(answer.status, 404);
      t.same(await answer.json(), { error: 'No templates found' });
    }
    for (const query of [
      'limit=0',
      'limit=-1',
      'limit=1.5',
      'limit=x',
      'limit=1e3',
      'offset=-1',
      'offset=x',
      'limit=+-1',
      'limit=1+1',
    ]) {
      const answer = await get(`/v1/templates?${query}`, key);
      t.equal(answer.status, 400, query);
      t.match(await answer.json(), { error: /^Invalid (limit|offset): expected a whole number/ });
    }
  },
);

t.test(
  'a page has the limit and offset that were applied, and empty ones count as absent',
  async (t) => {
    const { get, stores, key } = await startApi(t);
    for (let index = 0; index < 3; index += 1) saveSample(stores, `t${index}`);
    const rangeOf = async (query: string): Promise<unknown> => {
      const answer = await get(`/v1/templates?${query}`, key);
      const { limit, offset, templates } = (await answer.json()) as Record<string, unknown[]>;
      return { limit, offset, count: templates?.length };
    };
    const first = { limit: 20, offset: 0, count: 3 };
    for (const query of ['', 'limit=', 'offset=', 'limit=&offset=', 'limit=+&offset=%20%09']) {
      t.same(await rangeOf(query), first, query);
    }
    t.same(await rangeOf('published=&archived='), first);
    t.same(await rangeOf('limit=200&offset=1'), { limit: 100, offset: 1, count: 2 });
    t.same(await rangeOf('limit=+2+'), { limit: 2, offset: 0, count: 2 });
  },
);

t.test('a draft that was never published is marked, and can be left out of the list', async (t) => {
  const { get, stores, key } = await startApi(t);
  publishSample(stores, 'live');
  saveSample(stores, 'draft');
  const listed = async (query: string): Promise<unknown> => {
    const answer = await get(`/v1/templates${query}`, key);
    const { templates, total } = (await answer.json()) as {
      templates: { uid: string; version: number | null }[];
      total: number;
    };
    t.equal(total, templates.length, 'the total counts what the filter lets through');
    return templates.map(({ uid, version }) => [uid, version]);
  };
  t.same(await listed(''), [
    ['draft', null],
    ['live', 1],
  ]);
  t.same(await listed('?published=true'), [['live', 1]]);
  t.same(await listed('?published=false'), [['draft', null]]);
  const wrong = await get('/v1/templates?published=yes', key);
  t.equal(wrong.status, 400);
  t.same(await wrong.json(), { error: 'Invalid published: expected true or false' });
  const none = await get('/v1/templates?published=true&archived=true', key);
  t.equal(none.status, 404);
});

t.test('the details of a template answer only its organization', async (t) => {
  const { get, stores, key, otherKey } = await startApi(t);
  publishSample(stores, 'hello');
  const answer = await get('/v1/templates/hello', key);
  t.equal(answer.status, 200);
  const details = (await answer.json()) as object;
  t.match(details, {
    cid: /^[0-9a-f]{32}$/,
    uid: 'hello',
    name: 'Hello',
    type: 'image',
    width: 400,
    height: 200,
    version: 1,
    published_variables: [{ id: String, name: 'name', type: 'text', value: 'World' }],
  });
  for (const [path, who] of [
    ['/v1/templates/nobody', key],
    ['/v1/templates/hello', otherKey],
    ['/v1/templates/hel%20lo', key],
    [`/v1/templates/${'x'.repeat(65)}`, key],
  ] as const) {
    const missing = await get(path, who);
    t.equal(missing.status, 404, path);
    t.same(await missing.json(), { error: 'Template not found' });
  }
});

t.test('an image variable has an address that opens without a key', async (t) => {
  const { get, stores, key } = await startApi(t);
  const header = { format: 'png', widthPx: 1, heightPx: 1, orientation: 1 } as const;
  const [photo, replaced, other] = ['photo', 'replaced', 'other'].map((text) =>
    stores.assets.saveAsset('org_a', Buffer.from(text), header),
  );
  const urls = async (): Promise<Record<string, string | null | undefined>> => {
    const details = (await (await get('/v1/templates/card', key)).json()) as {
      published_variables: { name: string; value: string; preview_url?: string | null }[];
    };
    return Object.fromEntries(
      details.published_variables.map(({ name, preview_url }) => [name, preview_url]),
    );
  };
  const publish = (stored = ''): unknown =>
    publishSample(stores, 'card', {
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
  t.equal(name, undefined);
  t.equal(remote, 'https://example.com/a.png');
  t.equal(none, null);
  t.match(stored, new RegExp(`^${publicUrl}/v1/templates/card/images/[0-9a-f]{64}$`));

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
  t.equal((await get(path, undefined, 'HEAD')).headers.get('content-length'), '5');

  const elsewhere = path.replace(/[0-9a-f]{64}/, (other ?? '').slice('asset:'.length));
  for (const closed of [
    pathOf(old),
    elsewhere,
    path.replace('card', 'nobody'),
    path.slice(0, -1),
    path.toUpperCase(),
    `${path}x`,
  ]) {
    const refused = await get(closed);
    t.equal(refused.status, 404, closed);
  }
  stores.templates.archive('org_a', 'card');
  t.equal((await get(path)).status, 404, 'an archived template shows nothing');
});

t.test('HEAD is answered as GET, other methods with 405 in the organization’s shape', async (t) => {
  const { get, stores, key } = await startApi(t);
  publishSample(stores, 'hello');
  for (const path of ['/v1/templates', '/v1/templates/hello', '/v1/validate-organization']) {
    const head = await get(path, key, 'HEAD');
    t.equal(head.status, 200, path);
    t.equal(
      head.headers.get('content-length'),
      String((await (await get(path, key)).text()).length),
    );
    const refused = await get(path, key, 'PATCH');
    t.equal(refused.status, 405);
    t.match(await refused.json(), { error: String });
  }
});
