import t from 'tap';
import { linkOptionNames } from '#language/schema/access.ts';
import { startOrganizationApi } from '../fixtures/organization-api.ts';
import { sharePool } from '../fixtures/render-pool.ts';
import { sampleDocument } from '../store/store-fixture.ts';

const pool = await sharePool();
const path = '/v1/templates/card';
const open = { linkAuth: 'open', linkOptions: [...linkOptionNames], atZero: 'stay' };
const signed = { linkAuth: 'signed', linkOptions: ['scale'], atZero: { template: 'over' } };

t.test('an embed token and a roll back open no link', async (t) => {
  const { call, service } = await startOrganizationApi(t, pool);
  const { organizations } = service.stores;
  const statusOf = async (link: string): Promise<number> => (await service.get(link)).status;
  await call('POST', '/v1/templates?uid=card', { body: sampleDocument({ linkAuth: 'open' }) });
  await call('POST', `${path}/publish`);
  t.same([await statusOf('card'), await statusOf('card?_version=1')], [200, 200]);
  t.match(await call('PUT', `${path}/access`, { body: { ...open, linkAuth: 'signed' } }), {
    status: 200,
    body: { linkAuth: 'signed' },
  });
  t.same([await statusOf('card'), await statusOf('card?_version=1')], [401, 401], 'at once');

  const id = organizations.listKeys('org_a')[0]?.id ?? 0;
  const claims = { key: id, template: 'card', publish: true, origin: 'https://app.example.com' };
  const key = organizations.createEmbedToken(claims, 60)?.token ?? '';
  const warning = {
    code: 'ACCESS_IGNORED',
    path: 'linkAuth',
    detail:
      /^linkAuth is "open" .* linkAuth is "signed"\. Change it with PUT \/v1\/templates\/card\/access/,
  };
  const body = sampleDocument({ linkAuth: 'open', width: 300 });
  const saved = await call('PUT', path, { key, body });
  t.match(saved, { status: 200, body: { warnings: [warning] } });
  const published = await call('POST', `${path}/publish`, { key });
  t.match(published, { status: 200, body: { version: 2, warnings: [warning] } });
  t.equal(await statusOf('card'), 401);
  const again = await call('POST', `${path}/publish`, { body: { version: 1 } });
  t.match(again, { status: 200, body: { version: 3, warnings: [warning] } });
  t.equal(await statusOf('card'), 401);
  for (const method of ['GET', 'PUT']) {
    const refused = await call(method, `${path}/access`, {
      key,
      ...(method === 'PUT' && { body: open }),
    });
    t.match(refused, { status: 403, body: { error: /An embed token cannot do this/ } });
  }
});

t.test('a document that agrees, or says nothing, has no warning', async (t) => {
  const { call } = await startOrganizationApi(t, pool);
  const clock = { until: '2030-01-01', atZero: { template: 'over' } };
  const first = sampleDocument({ linkAuth: 'signed', linkOptions: ['scale'], clock });
  const made = await call('POST', '/v1/templates?uid=card', { body: first });
  t.same(Object.keys(made.body as object), ['uid', 'cid', 'version']);
  t.same((await call('GET', `${path}/access`)).body, signed);
  t.match((await call('GET', path)).body, { access: signed });
  for (const body of [first, sampleDocument()]) {
    t.notOk('warnings' in ((await call('PUT', path, { body })).body as object));
  }
  const body = sampleDocument({
    linkAuth: 'key',
    linkOptions: ['size', 'scale'],
    clock: { ...clock, atZero: 'stay' },
  });
  const paths = ['linkAuth', 'linkOptions', 'clock.atZero'].map((each) => ({ path: each }));
  t.match((await call('PUT', path, { body })).body, { warnings: paths });
  t.same((await call('GET', `${path}/access`)).body, signed);
  t.same((await call('GET', `${path}/document`)).body, body, 'it is stored as it was sent');
  // All options of before `frames` were all that there were.
  const older = sampleDocument({ linkOptions: ['format', 'scale', 'quality', 'lang', 'size'] });
  await call('POST', '/v1/templates?uid=older', { body: older });
  t.same((await call('GET', '/v1/templates/older/access')).body, open);
  for (const { linkOptions } of [open, older]) {
    await call('PUT', '/v1/templates/older/access', { body: { ...open, linkOptions } });
    const saved = await call('PUT', '/v1/templates/older', { body: older });
    t.notOk('warnings' in (saved.body as object), 'it says all of both');
  }
});

t.test('a template whose links choose no format publishes an animation', async (t) => {
  const { call } = await startOrganizationApi(t, pool);
  const frames = ['Ann', 'Bob'].map((name) => ({ values: { name }, seconds: 1 }));
  const body = sampleDocument({ animation: { type: 'values', frames }, linkOptions: [] });
  await call('POST', '/v1/templates?uid=card', { body });
  const published = await call('POST', `${path}/publish`);
  t.equal(published.status, 200, published.text);
});

t.test('the scope "access" changes the access, "write" has it, and others do not', async (t) => {
  const { call, service } = await startOrganizationApi(t, pool);
  const { organizations } = service.stores;
  await call('POST', '/v1/templates?uid=card', { body: sampleDocument() });
  const statuses = async (scopes: ('read' | 'render' | 'write' | 'access')[]): Promise<unknown> => {
    const key = organizations.createKey('org_a', { name: 'x', scopes });
    const body = sampleDocument();
    const asked = [
      call('GET', `${path}/access`, { key }),
      call('PUT', `${path}/access`, { key, body: signed }),
      call('POST', `${path}/signing-keys`, { key }),
      call('PUT', path, { key, body }),
    ];
    return (await Promise.all(asked)).map(({ status }) => status);
  };
  t.same(await statuses(['read', 'render']), [403, 403, 403, 403]);
  t.same(await statuses(['access']), [200, 200, 201, 403]);
  t.same(await statuses(['write']), [200, 200, 201, 200]);
});

t.test('a change of the access is whole, valid, and never of another organization', async (t) => {
  const { call, otherKey } = await startOrganizationApi(t, pool);
  await call('POST', '/v1/templates?uid=card', { body: sampleDocument() });
  const put = (body: unknown, ifMatch = '*', key?: string): ReturnType<typeof call> =>
    call('PUT', `${path}/access`, { body, ifMatch, ...(key === undefined ? {} : { key }) });
  for (const [body, where] of [
    [{ linkAuth: 'open', atZero: 'stay' }, 'linkOptions'],
    [{ ...open, linkAuth: 'closed' }, 'linkAuth'],
    [{ ...open, linkOptions: ['width'] }, 'linkOptions[0]'],
    [{ ...open, atZero: { template: '../x' } }, 'atZero'],
    [{ ...open, public: true }, 'public'],
  ] as const) {
    const { status, text } = await put(body);
    t.equal(status, 400, text);
    t.ok(text.includes(where), text);
  }
  const tag = (await call('GET', `${path}/access`)).headers.get('etag') ?? '';
  t.equal((await put(open, tag, otherKey)).status, 404);
  const changed = await put({ ...signed, linkOptions: ['scale', 'scale'] }, tag);
  t.same([changed.status, changed.body], [200, signed]);
  t.equal((await put(open, tag)).status, 412, 'somebody else was first');
  t.equal((await put(open, changed.headers.get('etag') ?? '')).status, 200);
});
