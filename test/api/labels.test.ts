import t from 'tap';
import { startOrganizationApi } from '../fixtures/organization-api.ts';
import { startPool } from '../fixtures/render-pool.ts';

const pool = await startPool(t);

t.test('folders and tags are bounded, listed, and those of one organization', async (t) => {
  const { call, otherKey } = await startOrganizationApi(t, pool);
  const size = { width: 10, height: 10 };
  const document = { format: 1, name: 'a', ...size, variables: [], layers: [] };
  await call('POST', '/v1/templates?uid=mine', { body: document });
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
