import t from 'tap';
import { startOrganizationApi } from '../fixtures/organization-api.ts';
import { sharePool } from '../fixtures/render-pool.ts';
import { sampleDocument } from '../store/store-fixture.ts';

const pool = await sharePool();

t.test('comments are written, resolved, bounded, and gone with their template', async (t) => {
  const { call, otherKey, service } = await startOrganizationApi(t, pool);
  await call('POST', '/v1/templates?uid=mine', { body: sampleDocument() });
  const path = '/v1/templates/mine/comments';
  const body = { layer: 'title', text: 'Larger?' };
  const added = await call('POST', path, { body });
  t.match(added, { status: 201, body: { ...body, author: 'a', resolved_at: null } });
  const one = `${path}/${(added.body as { id: string }).id}`;
  const resolved = await call('PATCH', one, { body: { resolved: true } });
  t.match(resolved, { status: 200, body: { resolved_at: /Z$/ } });
  t.match((await call('PATCH', one, { body: { resolved: false } })).body, { resolved_at: null });
  t.match((await call('GET', path)).body, { comments: [added.body as object] });

  for (const wrong of [
    { layer: 'title' },
    { ...body, text: ' ' },
    { ...body, text: 'x'.repeat(2001) },
    { ...body, layer: 'no id' },
  ]) {
    t.equal((await call('POST', path, { body: wrong })).status, 400, JSON.stringify(wrong));
  }
  for (const method of ['PATCH', 'DELETE']) {
    const options = method === 'PATCH' ? { body: { resolved: true } } : {};
    t.equal((await call(method, one, { ...options, key: otherKey })).status, 404, method);
  }

  const { comments } = service.stores;
  for (let count = 1; count < 500; count += 1) {
    comments.addComment('org_a', 'mine', { ...body, keyId: 1 });
  }
  t.equal((await call('POST', path, { body })).status, 409);
  t.equal((await call('DELETE', one)).status, 204);
  t.equal((await call('DELETE', one)).status, 404);
  t.equal((await call('POST', path, { body })).status, 201);

  await call('DELETE', '/v1/templates/mine');
  t.equal((await call('GET', path)).status, 404);
});

t.test('folders and tags are bounded, listed, and those of one organization', async (t) => {
  const { call, otherKey } = await startOrganizationApi(t, pool);
  await call('POST', '/v1/templates?uid=mine', { body: sampleDocument() });
  const path = '/v1/templates/mine';
  const body = { folder: 'Früh­ling 2026', tags: ['vip'] };
  t.match(await call('PATCH', path, { body }), { status: 200, body });
  t.match((await call('GET', path)).body, body);
  t.match((await call('GET', '/v1/templates?tag=vip')).body, { total: 1, templates: [body] });
  t.equal((await call('GET', '/v1/templates?folder=Winter')).status, 404);
  for (const wrong of [
    { folder: 'x'.repeat(101) },
    { folder: ' x' },
    { tags: Array.from({ length: 21 }, (_, index) => `t${index}`) },
    { tags: [''] },
    { tags: ['x'.repeat(41)] },
    { colour: 'red' },
  ]) {
    t.equal((await call('PATCH', path, { body: wrong })).status, 400, JSON.stringify(wrong));
  }
  t.equal((await call('PATCH', path, { body, key: otherKey })).status, 404);
});
