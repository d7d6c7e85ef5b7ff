/** Values of data tables in links: look-ups, caches, conversions, and what stays private. */
import { createHmac } from 'node:crypto';
import t from 'tap';
import type { Variable } from '#language/schema/template.ts';
import { startOrganizationApi } from '../../fixtures/organization-api.ts';
import type { OrganizationApi } from '../../fixtures/organization-api.ts';
import { sharePool } from '../../fixtures/render-pool.ts';
import { sampleDocument } from '../../store/store-fixture.ts';

const pool = await sharePool();

/** Variables that come from `members`, by column, beside the `id` of the link. */
function variables(columns: Record<string, Partial<Variable>>): Variable[] {
  const tables = Object.entries(columns).map(([column, changes]) => ({
    name: column,
    type: 'text',
    value: `no ${column}`,
    from: `members.{{id}}.${column}`,
    ...changes,
  }));
  return [...tables, { name: 'id', type: 'text', value: '' }] as Variable[];
}

/** The values that a link draws; the played worker answers its job. */
async function drawn({ service }: OrganizationApi, link: string): Promise<Record<string, string>> {
  const answer = await service.get(link);
  const { values } = (await answer.json()) as { values: [string, string][] };
  return Object.fromEntries(values);
}

async function upload({ call }: OrganizationApi, list: string): Promise<void> {
  const { status } = await call('PUT', '/v1/tables/members?key=id', { body: list });
  if (status > 201) throw new Error(`The upload answered ${status}.`);
}

t.test('a link with an id draws the row, and an unknown id the defaults', async (t) => {
  const api = await startOrganizationApi(t, pool);
  api.service.publish('card', {
    variables: variables({ name: {}, points: { type: 'number', value: '0' } }),
  });
  t.same(
    await drawn(api, 'card?id=8f2c'),
    { name: 'no name', points: '0', id: '8f2c' },
    'no table yet',
  );
  await upload(api, 'id,name,points\n8f2c,Amanda,1250.50\nempty,,\n');
  t.same(await drawn(api, 'card?id=8f2c'), { name: 'Amanda', points: '1250.50', id: '8f2c' });
  t.same(await drawn(api, 'card?id=%208f2c%20'), {
    name: 'Amanda',
    points: '1250.50',
    id: ' 8f2c ',
  });
  for (const id of ['none', '', '*|ID|*', "' OR 1=1 --", '8F2C', 'x'.repeat(2000)]) {
    const values = await drawn(api, `card?id=${encodeURIComponent(id)}`);
    t.match(values, { name: 'no name', points: '0' }, id.slice(0, 20));
  }
  t.match(await drawn(api, 'card?id=empty'), { name: 'no name', points: '0' }, 'an empty cell');
});

t.test('a changed row is drawn by the next request, whatever was kept before', async (t) => {
  const api = await startOrganizationApi(t, pool);
  const { call, service } = api;
  await upload(api, 'id,points\n8f2c,1\n');
  service.publish('card', { variables: variables({ points: {} }) });
  const first = await service.get('card?id=8f2c');
  const etag = first.headers.get('etag') ?? '';
  t.equal(first.headers.get('cache-control'), 'public, max-age=0, must-revalidate');
  await service.get('card?id=8f2c');
  const again = await service.get('card?id=8f2c', { headers: { 'If-None-Match': etag } });
  t.equal(again.status, 304, 'an unchanged row is not sent again');
  await call('PATCH', '/v1/tables/members', { body: { rows: [{ id: '8f2c', points: 2 }] } });
  const changed = await service.get('card?id=8f2c', { headers: { 'If-None-Match': etag } });
  t.equal(changed.status, 200);
  t.match(await changed.text(), '["points","2"]');
  await upload(api, 'id,points\n8f2c,3\n');
  t.match(await drawn(api, 'card?id=8f2c'), { points: '3' });
  await call('DELETE', '/v1/tables/members/rows/8f2c');
  t.match(await drawn(api, 'card?id=8f2c'), { points: 'no points' });
  await upload(api, 'id,points\n8f2c,4\n');
  t.match(await drawn(api, 'card?id=8f2c'), { points: '4' });
  await call('DELETE', '/v1/tables/members');
  t.match(await drawn(api, 'card?id=8f2c'), { points: 'no points' });
  t.ok(
    service.records.every(({ cacheState }) => cacheState !== 'alias'),
    'no link is remembered',
  );
});

t.test('a template says how long a row may be old; a pinned version does not', async (t) => {
  const { service } = await startOrganizationApi(t, pool);
  service.publish('card', { variables: variables({ points: {} }), maxAgeSeconds: 60 });
  const cacheControl = async (link: string) =>
    (await service.get(link)).headers.get('cache-control');
  t.equal(await cacheControl('card?id=1'), 'public, max-age=60, must-revalidate');
  service.publish('card', { variables: variables({ points: {} }) });
  t.equal(await cacheControl('card?id=1&_version=2'), 'public, max-age=0, must-revalidate');
});

t.test('a link cannot give a value in place of the table', async (t) => {
  const api = await startOrganizationApi(t, pool);
  await upload(api, 'id,points,items\n8f2c,1,\n');
  const items = { type: 'list', value: [], fields: [{ name: 'title', type: 'text', value: '' }] };
  api.service.publish('card', { variables: variables({ points: {}, items: items as never }) });
  const spoofed = 'points=9999&items=%5B%7B%22title%22%3A%22x%22%7D%5D&items.0.title=x';
  t.match(await drawn(api, `card?id=8f2c&${spoofed}`), { points: '1', items: '' });
  t.match(await drawn(api, `card?id=none&${spoofed}`), { points: 'no points', items: '' });
  const { body } = await api.call('GET', '/v1/templates/card');
  const { published_variables: given } = body as { published_variables: { name: string }[] };
  t.same(
    given.map(({ name }) => name),
    ['id'],
    'a program reads what a link may give',
  );
});

t.test('a cell becomes what its variable is, and a wrong one draws nothing', async (t) => {
  const api = await startOrganizationApi(t, pool);
  const fields = [
    { name: 'title', type: 'text', value: '' },
    { name: 'price', type: 'number', value: '0' },
  ];
  api.service.publish('card', {
    variables: variables({
      text: { maxLength: 5, value: 'none' },
      number: { type: 'number', value: '7', max: 100 },
      color: { type: 'color', value: '#000000' },
      boolean: { type: 'boolean', value: 'false' },
      date: { type: 'date', value: '2026-01-01' },
      list: { type: 'list', value: [], fields } as never,
      empty: { whenEmpty: 'empty' },
    }),
  });
  const list = (row: Record<string, unknown>) => `${JSON.stringify({ id: 'a', ...row })}\n`;
  await upload(
    api,
    list({
      text: 'Amy',
      number: 19.5,
      color: 'FF8800',
      boolean: true,
      date: '2026-11-27',
      list: '[{"title":"Shoes","price":19.90}]',
      empty: '',
    }),
  );
  t.same(await drawn(api, 'card?id=a'), {
    text: 'Amy',
    number: '19.5',
    color: '#ff8800',
    boolean: 'true',
    date: '2026-11-27',
    list: '[["Shoes","19.90"]]',
    empty: '',
    id: 'a',
  });
  await upload(
    api,
    list({
      text: 'Amanda Smith',
      number: '101',
      color: 'red',
      boolean: 'maybe',
      date: 'someday',
      list: '{"title":',
      empty: '*|FNAME|*',
    }),
  );
  t.same(await drawn(api, 'card?id=a'), {
    text: 'Amand',
    number: '',
    color: '',
    boolean: '',
    date: '',
    list: '',
    empty: '',
    id: 'a',
  });
});

t.test('texts of a row beyond the limit of a link are cut', async (t) => {
  const api = await startOrganizationApi(t, pool);
  const columns = ['a', 'b', 'c', 'd', 'e'];
  const row = Object.fromEntries(columns.map((column) => [column, column.repeat(2000)]));
  await upload(api, `${JSON.stringify({ id: '1', ...row })}\n`);
  api.service.publish('card', {
    variables: variables(Object.fromEntries(columns.map((column) => [column, {}]))),
  });
  const values = await drawn(api, 'card?id=1');
  t.equal(Object.values(values).join('').length, 8000);
});

t.test('a signed link with an id stays valid while its row changes', async (t) => {
  const api = await startOrganizationApi(t, pool);
  await upload(api, 'id,points\n8f2c,1\n');
  api.service.publish('card', { variables: variables({ points: {} }), linkAuth: 'signed' });
  const { key } = (await api.call('POST', '/v1/templates/card/signing-keys', { body: {} }))
    .body as { key: string };
  const sign = (query: string) =>
    `card?${query}&_signature=${createHmac('sha256', key).update(`/v1/render/card?${query}`).digest('hex')}`;
  t.match(await drawn(api, sign('id=8f2c')), { points: '1' });
  await upload(api, 'id,points\n8f2c,2\n');
  t.match(await drawn(api, sign('id=8f2c')), { points: '2' });
  t.equal((await api.service.get(sign('id=8f2c').replace('8f2c', '8f2d'))).status, 401);
});

t.test('an image in place of an error has the row of the link', async (t) => {
  const api = await startOrganizationApi(t, pool);
  await upload(api, 'id,points\n8f2c,1\n');
  api.service.publish('card', {
    variables: [...variables({ points: {} }), { name: 'size', type: 'number', value: '5', max: 9 }],
  });
  const answer = await api.service.get('card?id=8f2c&size=10', { headers: { Accept: 'image/*' } });
  t.equal(answer.headers.get('x-render-error'), 'BAD_REQUEST');
  t.match(await answer.text(), '["points","1"]');
});

t.test('what a table gives stands in no header, error or log', async (t) => {
  const api = await startOrganizationApi(t, pool);
  const secret = 'amanda-secret';
  // The message of a host that cannot be looked up names it elsewhere.
  const photo = { type: 'image', value: '' } as const;
  await upload(api, `id,photo,color\n8f2c,http://${secret}.invalid/x.png?q=${secret},${secret}\n`);
  const layer = { id: 'photo', type: 'image', x: 0, y: 0, width: 9, height: 9, src: '{{photo}}' };
  api.service.publish('card', {
    variables: variables({ photo, color: { type: 'color', value: '#000000' } }),
    layers: [layer as never],
  });
  const answer = await api.service.get('card?id=8f2c');
  const text = await answer.text();
  t.equal(answer.status, 400);
  t.match(text, /image of \\"photo\\", which a data table gives, cannot be used \(dns\)/);
  t.notMatch(`${text}${JSON.stringify([...answer.headers])}`, secret);
  t.notMatch(
    JSON.stringify(api.service.records.map((record) => ({ ...record, exchange: undefined }))),
    secret,
  );
});

t.test('a preview draws the row of its id, and no values for variables of tables', async (t) => {
  const api = await startOrganizationApi(t, pool);
  await upload(api, 'id,points\n8f2c,1\n');
  const template = sampleDocument({ variables: variables({ points: {} }) });
  const { text } = await api.call('POST', '/v1/preview', {
    body: { template, values: { id: '8f2c', points: '9999' } },
  });
  t.match(text, '["points","1"]');
});

t.test('a template names its key by a variable of the link', async (t) => {
  const { call } = await startOrganizationApi(t, pool);
  const list = {
    name: 'list',
    type: 'list',
    value: [],
    fields: [{ name: 'a', type: 'text', value: '' }],
  };
  for (const [source, message] of [
    ['members.{{nobody}}.points', /no variable of that name/],
    ['members.{{points}}.points', /itself as its key/],
    ['members.{{other}}.points', /comes from a table itself/],
    ['members.{{list}}.points', /has the type list/],
    ['members.8f2c.points', /such as members\.\{\{id\}\}\.points/],
    ['Members.{{id}}.points', /such as members\.\{\{id\}\}\.points/],
    ['members.{{id}}', /such as members\.\{\{id\}\}\.points/],
    ['members.{{id}}{{id}}.x', /such as members\.\{\{id\}\}\.points/],
    ['../x.{{id}}.x', /such as members\.\{\{id\}\}\.points/],
  ] as const) {
    const body = sampleDocument({
      variables: [...variables({ points: { from: source }, other: {} }), list as never],
    });
    const answer = await call('POST', '/v1/templates', { body });
    t.match(answer, { status: 400, body: { error: message } }, source);
  }
});

t.test('a template that reads more than 16 tables is refused', async (t) => {
  const api = await startOrganizationApi(t, pool);
  const others = Array.from({ length: 16 }, (_, index): Variable => {
    const from = `other${index}.{{id}}.name`;
    return { name: `v${index}`, type: 'text', value: 'none', from };
  });
  const reading = (count: number): Variable[] => [
    ...others.slice(0, count),
    ...variables({ name: {} }),
  ];
  const save = (count: number) =>
    api.call('POST', '/v1/templates', { body: sampleDocument({ variables: reading(count) }) });
  t.equal((await save(15)).status, 201);
  const refused = await save(16);
  t.equal(refused.status, 400);
  t.match(refused.body, {
    details: [
      { path: 'variables[16].from', message: /reads the table "members" beside 16 others/ },
    ],
  });
});
