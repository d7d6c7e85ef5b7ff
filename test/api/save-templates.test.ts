import t from 'tap';
import type { Layer } from '#language/schema/layers.ts';
import { startOrganizationApi } from '../fixtures/organization-api.ts';
import { sharePool } from '../fixtures/render-pool.ts';
import { imageLayer, saveSample, sampleDocument } from '../store/store-fixture.ts';

const pool = await sharePool();
const missingAsset = `asset:${'0'.repeat(64)}`;

t.test('a draft is created, read, replaced, archived and restored', async (t) => {
  const { call, service } = await startOrganizationApi(t, pool);
  const document = sampleDocument();
  const created = await call('POST', '/v1/templates?uid=card', { body: document });
  t.equal(created.status, 201, created.text);
  t.match(created.body, { uid: 'card', cid: /^[0-9a-f]{32}$/, version: null });
  const { cid } = created.body as { cid: string };
  t.equal(created.headers.get('etag'), `"${cid}"`);
  t.equal(created.headers.get('location'), '/v1/templates/card');

  const read = await call('GET', '/v1/templates/card/document');
  t.equal(read.headers.get('etag'), `"${cid}"`);
  t.same(read.body, document);

  const wider = { ...document, width: 500 };
  const replaced = await call('PUT', '/v1/templates/card', { body: wider });
  t.equal(replaced.status, 200);
  t.not((replaced.body as { cid: string }).cid, cid);
  t.match((await call('GET', '/v1/templates/card')).body, { width: 500, version: null });

  t.equal((await call('POST', '/v1/templates/card/publish')).status, 200);
  t.equal((await service.get('card')).status, 200);
  const archived = await call('DELETE', '/v1/templates/card');
  t.equal(archived.status, 204);
  t.equal(archived.text, '');
  t.equal((await service.get('card')).status, 404, 'its links end');
  t.equal((await call('GET', '/v1/templates/card')).status, 404);
  t.equal((await call('GET', '/v1/templates')).status, 404);
  t.match((await call('GET', '/v1/templates?archived=true')).body, {
    templates: [{ uid: 'card' }],
    total: 1,
  });
  t.equal((await call('DELETE', '/v1/templates/card')).status, 404, 'it is out of use');
  t.match((await call('POST', '/v1/templates?uid=card', { body: document })).body, {
    error: /archived template: restore it/,
  });

  const restored = await call('POST', '/v1/templates/card/restore');
  t.match(restored, { status: 200, body: { uid: 'card', version: 1 } });
  t.equal((await service.get('card')).status, 200, 'its links are back');
  t.equal((await call('POST', '/v1/templates/card/restore')).status, 200, 'once is enough');
});

t.test('a document is stored by its content: white space has no part in it', async (t) => {
  const { call } = await startOrganizationApi(t, pool);
  const spaced = JSON.stringify(sampleDocument(), null, 4);
  const first = await call('POST', '/v1/templates?uid=a', { body: spaced });
  const second = await call('POST', '/v1/templates?uid=b', { body: `\ufeff${spaced}\n` });
  t.equal(second.status, 201, second.text);
  t.equal((first.body as { cid: string }).cid, (second.body as { cid: string }).cid);
});

t.test('a uid that is taken is refused without a word on whose it is', async (t) => {
  const { call, otherKey } = await startOrganizationApi(t, pool);
  const body = sampleDocument();
  t.equal((await call('POST', '/v1/templates?uid=theirs', { body, key: otherKey })).status, 201);
  t.equal((await call('POST', '/v1/templates?uid=mine', { body })).status, 201);
  for (const [method, path] of [
    ['POST', '/v1/templates?uid='],
    ['POST', '/v1/templates/mine/duplicate'],
  ] as const) {
    for (const uid of ['theirs', 'mine']) {
      const answer = path.endsWith('=')
        ? await call(method, path + uid, { body })
        : await call(method, path, { body: { uid } });
      t.equal(answer.status, 409);
      t.same(answer.body, { error: `The uid ${uid} is in use: choose another one.` });
    }
  }
  for (const uid of ['a b', 'x'.repeat(65), '', 'ä']) {
    const answer = await call('POST', `/v1/templates?uid=${encodeURIComponent(uid)}`, { body });
    t.match(answer, { status: 400, body: { error: /^The uid of a template must be/ } }, uid);
  }
  t.match((await call('POST', '/v1/templates', { body })).body, { uid: /^tpl_[0-9A-Za-z]{16}$/ });
});

t.test('a bad body is reported by line, column and JSON path, and nothing is stored', async (t) => {
  const { call, service } = await startOrganizationApi(t, pool);
  saveSample(service.stores, 'card');
  const before = service.stores.templates.findDocument('org_a', 'card');
  const document = sampleDocument();
  const cases: [body: unknown, path: string, message: RegExp][] = [
    ['', '(document)', /^is empty/],
    ['{"format": 1,\n  "name": }', 'line 2, column 11', /^expected a value/],
    ['[1, 2', 'line 1, column 6', /^expected \] here/],
    [Buffer.from([0xff, 0xfe]), '(document)', /no UTF-8/],
    ['[]', '(document)', /^is an array/],
    ['null', '(document)', /^is null/],
    [{ ...document, width: 'wide' }, 'width', /^is "wide", expected a whole number/],
    [{ ...document, colour: 1 }, 'colour', /not a property/],
    [
      { ...document, layers: [{ id: 'a', type: 'shape', fill: 'redd' }] },
      'layers[0].type',
      /expected one of/,
    ],
    [
      { ...document, layers: [imageLayer(missingAsset)] },
      'layers[0].src',
      /expected an asset of this organization/,
    ],
    [
      { ...document, variables: [{ name: 'photo', type: 'image', value: missingAsset }] },
      'variables[0].value',
      /expected an asset/,
    ],
  ];
  for (const [body, path, message] of cases) {
    for (const [method, where] of [
      ['POST', '/v1/templates?uid=new'],
      ['PUT', '/v1/templates/card'],
    ] as const) {
      const answer = await call(method, where, { body });
      t.equal(answer.status, 400, `${method} ${path}`);
      const { error, details } = answer.body as { error: string; details: object[] };
      t.match(details[0], { path, message }, `${method} ${path}`);
      t.ok(error.includes(path), error);
    }
  }
  t.same(service.stores.templates.findDocument('org_a', 'card'), before);
  t.notOk(service.stores.templates.isUidTaken('new'));
});

t.test('a document is bounded, and a larger body is refused early', async (t) => {
  const { call } = await startOrganizationApi(t, pool);
  const large = sampleDocument({
    layers: Array.from({ length: 400 }, (_, index): Layer => {
      const box = { x: 0, y: 0, width: 9, height: 9 };
      return { id: `t${index}`, type: 'text', ...box, text: 'x'.repeat(700), visible: false };
    }),
  });
  const refused = await call('POST', '/v1/templates', { body: large });
  t.match(refused, { status: 400, body: { error: /.+/ } });
  const huge = await call('POST', '/v1/templates', { body: ' '.repeat(1024 * 1024 + 1) });
  t.match(huge, { status: 413, body: { error: /at most 1048576 bytes/ } });
  const note = await call('POST', '/v1/keys', { body: ' '.repeat(20_000) });
  t.equal(note.status, 413);
});

t.test('the second of two editors gets 412', async (t) => {
  const { call } = await startOrganizationApi(t, pool);
  const document = sampleDocument();
  const created = await call('POST', '/v1/templates?uid=card', { body: document });
  const tag = created.headers.get('etag') ?? '';
  const edit = (width: number, ifMatch: string) =>
    call('PUT', '/v1/templates/card', { body: { ...document, width }, ifMatch });
  const answers = await Promise.all([edit(500, tag), edit(600, tag)]);
  t.same(
    answers.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, 412],
  );
  const lost = answers.find(({ status }) => status === 412);
  t.match(lost?.body, { error: /was changed meanwhile: its draft is now [0-9a-f]{32}/ });
  const won = answers.find(({ status }) => status === 200)?.body as { cid: string };
  const now = await call('GET', '/v1/templates/card/document');
  t.equal(now.headers.get('etag'), `"${won.cid}"`, 'the winner’s is kept');

  const before = tag.slice(1, -1);
  for (const old of [tag, before, `W/"${won.cid}"`, '"x", "y"', '"', 'x'.repeat(5000)]) {
    t.equal((await edit(700, old)).status, 412, old.slice(0, 50));
    t.equal((await call('POST', '/v1/templates/card/publish', { ifMatch: old })).status, 412);
    t.equal((await call('POST', '/v1/templates/card/restore', { ifMatch: old })).status, 412);
    t.equal((await call('DELETE', '/v1/templates/card', { ifMatch: old })).status, 412);
  }
  t.match((await call('GET', '/v1/templates/card')).body, { cid: won.cid, version: null });
  for (const ifMatch of ['*', won.cid, `"nothing", "${won.cid}"`]) {
    const same = JSON.parse(now.text) as object;
    const answer = await call('PUT', '/v1/templates/card', { body: same, ifMatch });
    t.equal(answer.status, 200, ifMatch);
  }
  t.equal((await call('DELETE', '/v1/templates/card', { ifMatch: won.cid })).status, 204);
});

t.test('a copy is a template of its own', async (t) => {
  const { call } = await startOrganizationApi(t, pool);
  const document = sampleDocument();
  await call('POST', '/v1/templates?uid=card', { body: document });
  const copy = await call('POST', '/v1/templates/card/duplicate', {
    body: { uid: 'copy', name: 'Copy' },
  });
  t.match(copy, { status: 201, body: { uid: 'copy', version: null } });
  t.same((await call('GET', '/v1/templates/copy/document')).body, { ...document, name: 'Copy' });
  const plain = await call('POST', '/v1/templates/card/duplicate');
  t.match(plain, { status: 201, body: { uid: /^tpl_/ } });
  t.match((await call('GET', '/v1/templates')).body, { total: 3 });
  const bad = await call('POST', '/v1/templates/card/duplicate', { body: { name: '', of: 1 } });
  t.match(bad, { status: 400, body: { details: [{ path: 'of' }, { path: 'name' }] } });
});
