import { join } from 'node:path';
import t from 'tap';
import { fillDataDirectory, testOrganization, textLayer, textVariable } from './published.ts';
import { demoKey, startService } from './service.ts';

interface Page {
  templates: Record<string, string>[];
  total: number;
}

const crowd = { uid: 'org_crowd', key: 'key-of-the-crowd', templates: 105 };
const empty = { uid: 'org_empty', key: 'key-of-nobody' };

const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), (shelf) => {
  const { organizations, publish, saveDraft, db } = shelf;
  for (const { uid, key } of [crowd, empty]) {
    organizations.createOrganization(`Owner of ${uid}`, uid);
    organizations.createKey(uid, { name: 'test', key });
  }
  db.transaction(() => {
    for (let index = 0; index < crowd.templates; index += 1) {
      publish(`crowd-${index}`, { name: `Number ${index}` }, crowd.uid);
    }
  })();
  publish('card', {
    name: 'Größe & <Co>',
    width: 640,
    height: 360,
    variables: [
      textVariable('title', 'Hello', { maxLength: 40 }),
      { name: 'photo', type: 'image', value: '' },
      { name: 'accent', type: 'color', value: '#ff0000' },
      { name: 'price', type: 'number', value: '12.5' },
      { name: 'is new', type: 'boolean', value: 'true' },
      textVariable('__proto__', 'odd'),
    ],
    layers: [textLayer('{{title}} {{__proto__}}')],
  });
  publish('card-twice', { variables: [textVariable('old', '1')] });
  publish('card-twice', { variables: [textVariable('new', '2')] });
  saveDraft('card-twice', { variables: [textVariable('newest', '3')] });
  saveDraft('draft', { name: 'Draft' });
  organizations.createKey(testOrganization.uid, { name: 'gone', key: 'revoked-key' });
  const gone = organizations.listKeys(testOrganization.uid).find(({ name }) => name === 'gone');
  organizations.revokeKey(testOrganization.uid, gone?.id ?? 0);
});
const service = await startService(t, { dataDirectory });

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const withKey = (key: string) => ({ headers: { 'X-API-Key': key } });

async function list(query: string, key = crowd.key): Promise<Page> {
  const answer = await service.get(`/v1/templates${query}`, withKey(key));
  t.equal(answer.status, 200, answer.text.slice(0, 200));
  t.match(answer.headers['content-type'], /^application\/json\b/);
  return answer.json() as Page;
}

t.test('a key is validated with the organization that it belongs to', async (t) => {
  for (const [key, organization] of [
    [testOrganization.key, { uid: testOrganization.uid, name: testOrganization.name }],
    [empty.key, { uid: empty.uid, name: `Owner of ${empty.uid}` }],
  ] as const) {
    const answer = await service.get('/v1/validate-organization', withKey(key));
    t.equal(answer.status, 200);
    t.match(answer.headers['content-type'], /^application\/json\b/);
    t.same(answer.json(), { valid: true, organization });
  }
  const demo = await service.get('/v1/validate-organization', withKey(demoKey));
  t.match(demo.json(), { valid: true, organization: { uid: /./, name: 'demo' } });
});

t.test('without a valid key every organization endpoint is 401 in its own shape', async (t) => {
  const wrong: Record<string, string>[] = [
    {},
    { 'X-API-Key': '' },
    { 'X-API-Key': 'wrong' },
    { 'X-API-Key': 'revoked-key' },
    { 'X-API-Key': `${demoKey}x` },
    { 'X-API-Key': demoKey.toUpperCase() },
    { 'X-API-Key': 'x'.repeat(5000) },
    { 'X-API-Key': "' OR 1=1 --" },
    { Authorization: `Bearer ${demoKey}x` },
  ];
  for (const headers of wrong) {
    const validation = await service.get('/v1/validate-organization', { headers });
    t.equal(validation.status, 401);
    t.same(validation.json(), { valid: false, error: 'Invalid API key' });
    const paths = [
      '/v1/templates',
      '/v1/templates?limit=0',
      `/v1/templates?X-API-Key=${demoKey}`,
      '/v1/templates/card',
      '/v1/templates/nobody',
    ];
    // After 30 wrong keys within a minute the answer would be another one.
    const isCounted = (headers['X-API-Key'] ?? 'wrong') !== 'wrong';
    for (const path of isCounted ? paths.slice(0, 1) : paths) {
      const answer = await service.get(path, { headers });
      t.equal(answer.status, 401, path);
      t.match(answer.headers['content-type'], /^application\/json\b/);
      t.same(answer.json(), { error: 'Invalid API key' });
    }
  }
});

t.test(
  'a list has 20 templates from the first unless asked otherwise, and the total',
  async (t) => {
    const page = await list('');
    t.equal(page.templates.length, 20);
    t.equal(page.total, crowd.templates);
    for (const template of page.templates) {
      t.match(template, {
        uid: /^crowd-\d+$/,
        name: /^Number \d+$/,
        type: 'image',
        created_at: timestamp,
        updated_at: timestamp,
      });
    }
    t.same(await list('?limit=20&offset=0'), page);
    t.same(await list('?offset=0'), page);
    t.same(await list('?unknown=1&limit=20'), page);
  },
);

t.test('pages are cut from one order, newest first, and repeat nothing', async (t) => {
  const all = (await list('?limit=100')).templates;
  const rest = (await list('?limit=100&offset=100')).templates;
  t.equal(all.length, 100);
  t.equal(rest.length, 5);
  const whole = [...all, ...rest];
  t.equal(new Set(whole.map(({ uid }) => uid)).size, crowd.templates);
  const created = whole.map((template) => template['created_at'] ?? '');
  t.same(created, created.toSorted().toReversed(), 'newest first');
  t.equal(whole[0]?.['uid'], `crowd-${crowd.templates - 1}`);
  t.equal(whole.at(-1)?.['uid'], 'crowd-0', 'also where the clock did not move on');
  for (const [limit, offset] of [
    [1, 0],
    [1, 104],
    [7, 98],
    [33, 50],
    [99, 3],
  ] as const) {
    const { templates, total } = await list(`?limit=${limit}&offset=${offset}`);
    t.same(templates, whole.slice(offset, offset + limit), `${limit} from ${offset}`);
    t.equal(total, crowd.templates, 'the total is that of all pages');
  }
});

t.test('a limit over 100 counts as 100', async (t) => {
  const hundred = await list('?limit=100');
  for (const limit of ['101', '1000', '99999999999999999999999']) {
    t.same(await list(`?limit=${limit}`), hundred, limit);
  }
});

t.test('a limit or offset that is no whole number is 400', async (t) => {
  for (const query of [
    'limit=0',
    'limit=-1',
    'limit=abc',
    'limit=1.5',
    'limit=1e1',
    'limit=0x10',
    'limit=NaN',
    'limit=20;drop',
    'offset=-1',
    'offset=abc',
    'offset=0.5',
    'offset=1e1',
    'offset=Infinity',
    'limit=5&offset=-5',
  ]) {
    const answer = await service.get(`/v1/templates?${query}`, withKey(crowd.key));
    t.equal(answer.status, 400, query);
    const body = answer.json() as { error: string };
    t.same(Object.keys(body), ['error']);
    t.match(body.error, /limit|offset/, 'the message names it');
  }
});

t.test('nothing to return is 404 with the specification’s words', async (t) => {
  for (const [query, key] of [
    ['', empty.key],
    ['?offset=105', crowd.key],
    ['?limit=1&offset=99999999999999999999', crowd.key],
  ] as const) {
    const answer = await service.get(`/v1/templates${query}`, withKey(key));
    t.equal(answer.status, 404, query);
    t.same(answer.json(), { error: 'No templates found' });
  }
});

t.test('an organization sees its own templates and no others', async (t) => {
  const listed = await list('?limit=100', testOrganization.key);
  t.same(
    listed.templates.map(({ uid }) => uid),
    ['draft', 'card-twice', 'card'],
  );
  t.equal(listed.total, 3);
  const demo = await list('?limit=100', demoKey);
  t.notOk(demo.templates.some(({ uid }) => listed.templates.some((each) => each['uid'] === uid)));
});

t.test('the details of a template say what its published version is made of', async (t) => {
  const answer = await service.get('/v1/templates/card', withKey(testOrganization.key));
  t.equal(answer.status, 200);
  const details = answer.json() as Record<string, unknown> & {
    published_variables: Record<string, string>[];
  };
  const [listed] = (await list('?offset=2', testOrganization.key)).templates;
  t.match(details, { ...listed, name: 'Größe & <Co>', width: 640, height: 360, version: 1 });
  t.match(details['cid'], /^.+$/);
  t.same(
    details.published_variables.map(({ name, type, value }) => [name, type, value]),
    [
      ['title', 'text', 'Hello'],
      ['photo', 'image', ''],
      ['accent', 'color', '#ff0000'],
      ['price', 'number', '12.5'],
      ['is new', 'boolean', 'true'],
      ['__proto__', 'text', 'odd'],
    ],
  );
  const ids = details.published_variables.map(({ id }) => id);
  t.ok(ids.every((id) => typeof id === 'string' && id !== ''));
  t.equal(new Set(ids).size, ids.length, 'every id is one variable’s');
  const again = await service.get('/v1/templates/card', withKey(testOrganization.key));
  t.same(again.json(), details);
});

t.test('details are those of the newest published version, and none for a draft', async (t) => {
  const get = async (uid: string): Promise<Record<string, unknown>> =>
    (await service.get(`/v1/templates/${uid}`, withKey(testOrganization.key))).json() as never;
  t.match(await get('card-twice'), {
    version: 2,
    published_variables: [{ name: 'new', value: '2' }],
  });
  const draft = await get('draft');
  t.same(draft['published_variables'], []);
  t.equal(draft['version'], null);
});

t.test('a template that is not there, or another organization’s, is 404', async (t) => {
  for (const uid of ['nobody', 'crowd-1', 'hello', '__proto__', 'a%20b', 'card.png', "'--"]) {
    const answer = await service.get(`/v1/templates/${uid}`, withKey(testOrganization.key));
    t.equal(answer.status, 404, uid);
    t.same(answer.json(), { error: 'Template not found' });
  }
});

t.test('HEAD has the headers of GET', async (t) => {
  for (const path of ['/v1/templates', '/v1/templates/card', '/v1/validate-organization']) {
    const got = await service.get(path, withKey(testOrganization.key));
    const headed = await service.get(path, {
      ...withKey(testOrganization.key),
      method: 'HEAD',
      agent: false,
    });
    t.equal(headed.status, 200);
    t.equal(headed.body.length, 0);
    t.equal(headed.headers['content-length'], String(got.body.length), path);
    t.equal(headed.headers['content-type'], got.headers['content-type']);
  }
});
