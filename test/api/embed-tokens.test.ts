import t from 'tap';
import { takesBody } from '../../src/api/declaration.ts';
import { endpointsWithKey, startOrganizationApi } from '../fixtures/organization-api.ts';
import type { OrganizationApi } from '../fixtures/organization-api.ts';
import { sharePool } from '../fixtures/render-pool.ts';
import { publishSample, sampleDocument } from '../store/store-fixture.ts';

const pool = await sharePool();

const origin = 'https://app.example.com';
const path = '/v1/embed-tokens';

interface Made {
  token: string;
  url: string;
  expires_at: string;
}

async function makeToken({ call }: OrganizationApi, body: object = {}): Promise<Made> {
  const answer = await call('POST', path, { body: { template: 'mine', origin, ...body } });
  t.equal(answer.status, 201, answer.text);
  return answer.body as Made;
}

/** What a token may use; every other endpoint refuses it. */
const open = new Set(
  [
    'getTemplate updateTemplate getTemplateDocument listTemplateVersions preview getBrand',
    'uploadAsset listAssets getAsset studioFont',
    'listFonts uploadFont listFontLibrary getLibraryFont addLibraryFont',
  ].flatMap((names) => names.split(' ')),
);
const openToPublish = new Set([...open, 'publishTemplate', 'releaseTemplate']);

t.test('an embed token opens what its template needs, and nothing else', async (t) => {
  const api = await startOrganizationApi(t, pool);
  const { stores } = api.service;
  publishSample(stores, 'mine');
  publishSample(stores, 'other');
  const { token } = await makeToken(api);
  const { token: publisher } = await makeToken(api, { publish: true });
  for (const { id, method, path: template } of endpointsWithKey) {
    const at = (uid: string): string =>
      template
        .replace('{uid}', uid)
        .replace('{id}', '1')
        .replaceAll(/\{\w+\}/g, 'a');
    const ask = async (key: string, uid: string): Promise<number> => {
      const body = takesBody({ method }) ? {} : undefined;
      return (await api.call(method.toUpperCase(), at(uid), { key, body })).status;
    };
    if (id === 'validateOrganization') {
      t.equal(await ask(token, 'mine'), 401, 'it is no key of an organization');
      continue;
    }
    for (const [key, names] of [
      [token, open],
      [publisher, openToPublish],
    ] as const) {
      const status = await ask(key, 'mine');
      t.not(status, 401, `${id} knows the token`);
      t.equal(status !== 403, names.has(id), `${id} answers ${status}`);
    }
    if (template.includes('{uid}')) t.equal(await ask(publisher, 'other'), 403, `${id} of another`);
  }
  for (const key of [token, publisher]) {
    const foreign = await api.call('POST', '/v1/preview', { key, body: { uid: 'other' } });
    t.equal(foreign.status, 403, 'nor is another template drawn');
    const drawn = await api.call('POST', '/v1/preview', { key, body: { uid: 'mine' } });
    t.equal(drawn.status, 200, drawn.text);
  }
});

t.test('a token ends at its time, with its key, and with any change of its text', async (t) => {
  const api = await startOrganizationApi(t, pool);
  const { call, service } = api;
  const { organizations } = service.stores;
  publishSample(service.stores, 'mine');
  const statusOf = async (key: string): Promise<number> =>
    (await call('GET', '/v1/templates/mine', { key })).status;

  const { token, url, expires_at } = await makeToken(api, { expires_in: 60 });
  t.equal(url, `https://images.example.com/studio/embed#${token}`);
  t.equal(expires_at, '2030-01-01T00:01:00.000Z');
  t.equal(await statusOf(token), 200);
  const claims = { template: 'mine', publish: false, origin };
  const [newest] = organizations.listKeys('org_a');
  const key = newest?.id ?? 0;
  const expired = organizations.createEmbedToken({ ...claims, key }, 0)?.token ?? '';
  t.equal(await statusOf(expired), 401, 'it has expired');
  const [signed = '', signature = ''] = token.split('.');
  const [, otherSigned = ''] =
    /^(.*)\./.exec((await makeToken(api, { publish: true })).token) ?? [];
  t.equal(await statusOf(`${otherSigned}.${signature}`), 401, 'other claims');
  t.equal(await statusOf(`${signed}.${signature.slice(0, -1)}~`), 401, 'no token at all');
  t.equal(await statusOf(`${signed}.${'A'.repeat(43)}`), 401, 'another signature');
  t.equal(await statusOf(`embed_${'A'.repeat(900)}.${'A'.repeat(43)}`), 401);

  const { key: second, id } = organizations.issueKey('org_a', { name: 'second' });
  const answer = await call('POST', path, { key: second, body: { template: 'mine', origin } });
  const { token: itsToken } = answer.body as Made;
  t.equal(await statusOf(itsToken), 200);
  organizations.revokeKey('org_a', id);
  t.equal(await statusOf(itsToken), 401, 'its key has ended');
  t.equal(organizations.createEmbedToken({ ...claims, key: id }, 60), undefined);
});

t.test('a token cannot exceed its key, and needs an origin of the setting', async (t) => {
  const { call, service } = await startOrganizationApi(t, pool);
  const { organizations } = service.stores;
  publishSample(service.stores, 'mine');
  const body = { template: 'mine', origin };
  for (const scopes of [['read', 'render'] as const, ['write'] as const]) {
    const key = organizations.createKey('org_a', { name: 'limited', scopes });
    t.equal((await call('POST', path, { key, body })).status, 403, scopes.join(' '));
  }
  for (const wrong of [
    { origin: 'https://evil.example.com' },
    { expires_in: 59 },
    { expires_in: 86_401 },
    { template: '..' },
    { more: 1 },
  ]) {
    const answer = await call('POST', path, { body: { ...body, ...wrong } });
    t.equal(answer.status, 400, JSON.stringify(wrong));
  }
  const foreign = { ...body, template: 'nobodys' };
  t.equal((await call('POST', path, { body: foreign })).status, 404);
});

t.test('a token reads no cell of a data table that its template does not read', async (t) => {
  const api = await startOrganizationApi(t, pool);
  const cell = (column: string) =>
    sampleDocument({
      variables: [
        { name: 'id', type: 'text', value: 'a' },
        { name: 'cell', type: 'text', value: '', from: `members.{{id}}.${column}` },
      ],
    });
  const made = await api.call('POST', '/v1/templates?uid=mine', { body: cell('points') });
  t.equal(made.status, 201, made.text);
  const { token: key } = await makeToken(api);
  for (const [column, status] of [
    ['points', 200],
    ['salary', 403],
  ] as const) {
    const body = cell(column);
    const drawn = await api.call('POST', '/v1/preview', { key, body: { template: body } });
    t.equal(drawn.status, status, drawn.text.slice(0, 200));
    const saved = await api.call('PUT', '/v1/templates/mine', { key, body });
    t.equal(saved.status, status, saved.text);
  }
});
