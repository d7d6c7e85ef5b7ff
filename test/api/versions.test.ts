import t from 'tap';
import { orderDocument, startOrganizationApi } from '../fixtures/organization-api.ts';
import { sharePool } from '../fixtures/render-pool.ts';
import { sampleDocument, saveSample } from '../store/store-fixture.ts';

const pool = await sharePool();

t.test('versions are published with a note, listed, read, and rolled back to', async (t) => {
  const { call, service } = await startOrganizationApi(t, pool);
  const [one, two] = [sampleDocument(), sampleDocument({ width: 500 })];
  await call('POST', '/v1/templates?uid=card', { body: one });
  const first = await call('POST', '/v1/templates/card/publish', { body: { note: 'first' } });
  t.match(first, { status: 200, body: { version: 1, cid: /^[0-9a-f]{32}$/ } }, first.text);
  await call('PUT', '/v1/templates/card', { body: two });
  const second = await call('POST', '/v1/templates/card/publish');
  t.match(second.body, { version: 2 });
  const draft = sampleDocument({ width: 600 });
  await call('PUT', '/v1/templates/card', { body: draft });

  t.same((await call('GET', '/v1/templates/card/document?version=1')).body, one);
  t.same((await call('GET', '/v1/templates/card/document?version=2')).body, two);
  const back = await call('POST', '/v1/templates/card/publish', {
    body: { version: 1, note: 'back' },
  });
  t.match(back.body, { version: 3, cid: (first.body as { cid: string }).cid });
  t.same((await call('GET', '/v1/templates/card/document')).body, draft, 'the draft stays');
  t.match((await call('GET', '/v1/templates/card')).body, { version: 3, width: 400 });
  const list = await call('GET', '/v1/templates/card/versions');
  t.match(list.body, {
    versions: [
      { version: 3, note: 'back', published_at: /Z$/, cid: (first.body as { cid: string }).cid },
      { version: 2, note: '' },
      { version: 1, note: 'first' },
    ],
    total: 3,
  });
  t.match((await call('GET', '/v1/templates/card/versions?limit=1&offset=1')).body, {
    versions: [{ version: 2 }],
    total: 3,
  });
  const { templates } = service.stores;
  t.equal(templates.findPublished('card')?.document.width, 400);
  t.equal(templates.findPublished('card', 2)?.document.width, 500, 'pinned links stay');

  for (const [method, path, body, status] of [
    ['GET', 'document?version=9', undefined, 404],
    ['GET', 'document?version=0', undefined, 400],
    ['GET', 'document?version=x', undefined, 400],
    ['GET', 'versions?limit=0', undefined, 400],
    ['POST', 'publish', { version: 9 }, 404],
    ['POST', 'publish', { version: 0 }, 400],
    ['POST', 'publish', { note: 'x'.repeat(1001) }, 400],
    ['POST', 'publish', { when: 'now' }, 400],
    ['POST', 'publish', '{', 400],
  ] as const) {
    const answer = await call(method, `/v1/templates/card/${path}`, { body });
    t.equal(answer.status, status, `${path} ${JSON.stringify(body)}`);
    t.match(answer.body, { error: String });
  }
  t.match((await call('GET', '/v1/templates/card')).body, { version: 3 }, 'nothing of it counts');
});

t.test('a draft without a default image is published only if it was public before', async (t) => {
  const { call, service } = await startOrganizationApi(t, pool);
  const answer = { ok: false, code: 'BAD_IMAGE', detail: 'is damaged', source: 'x' } as const;
  await call('POST', '/v1/templates?uid=card', { body: orderDocument({ answer }) });
  const refused = await call('POST', '/v1/templates/card/publish');
  t.match(refused, {
    status: 400,
    body: { error: /^The template cannot be published, .* is damaged/, details: [{ path: /./ }] },
  });
  t.match((await call('GET', '/v1/templates/card')).body, { version: null });

  const bug = { ok: false, code: 'INTERNAL', detail: 'secret' } as const;
  await call('PUT', '/v1/templates/card', { body: orderDocument({ answer: bug }) });
  const broken = await call('POST', '/v1/templates/card/publish');
  t.equal(broken.status, 500, 'a bug of ours is one');
  t.notOk(broken.text.includes('secret'));

  service.stores.templates.publish('org_a', 'card');
  t.match((await call('POST', '/v1/templates/card/publish', { body: { version: 1 } })).body, {
    version: 2,
  });
});

t.test('a draft that changes while it is being published is not published', async (t) => {
  const { call, service } = await startOrganizationApi(t, pool);
  const slow = orderDocument({ delayMs: 300 });
  const created = await call('POST', '/v1/templates?uid=card', { body: slow });
  const ifMatch = created.headers.get('etag') ?? '';
  const races = [
    call('POST', '/v1/templates/card/publish'),
    call('POST', '/v1/templates/card/publish', { ifMatch }),
  ];
  while (service.pool.busyThreads === 0) await new Promise(setImmediate);
  saveSample(service.stores, 'card', { width: 444 });
  const [plain, matched] = await Promise.all(races);
  t.match(plain, { status: 409, body: { error: /changed while it was being published/ } });
  t.match(matched, { status: 412, body: { error: /was changed meanwhile/ } });
  t.match((await call('GET', '/v1/templates/card')).body, { version: null });
});

t.test('publishing one template leaves the kept renders of the others alone', async (t) => {
  const { call, service } = await startOrganizationApi(t, pool);
  for (const uid of ['one', 'two']) {
    await call('POST', `/v1/templates?uid=${uid}`, { body: sampleDocument({ name: uid }) });
    await call('POST', `/v1/templates/${uid}/publish`);
  }
  const stateOf = async (target: string): Promise<string | undefined> => {
    await (await service.get(target)).arrayBuffer();
    return service.records.at(-1)?.cacheState;
  };
  const links = ['?name=A', '?name=B', '?_version=1&name=A'];
  for (const link of links) for (const uid of ['one', 'two']) await stateOf(uid + link);
  await call('PUT', '/v1/templates/one', { body: sampleDocument({ width: 401 }) });
  await call('POST', '/v1/templates/one/publish');
  for (const link of links) t.equal(await stateOf(`two${link}`), 'alias', `two${link}`);
  t.equal(await stateOf('one?name=A'), 'miss');
  t.equal(await stateOf('one?_version=1&name=A'), 'hit', 'the old version’s are still its own');
  t.equal(await stateOf('one'), 'hit', 'the new one’s default was drawn before it was public');
});
