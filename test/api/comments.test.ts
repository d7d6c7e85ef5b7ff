import t from 'tap';
import { startOrganizationApi } from '../fixtures/organization-api.ts';
import { startPool } from '../fixtures/render-pool.ts';

const pool = await startPool(t);

interface CommentBody {
  id: string;
}

t.test(
  'comments are written by a key, resolved, bounded, and gone with their template',
  async (t) => {
    const { call, otherKey, service } = await startOrganizationApi(t, pool);
    const document = { format: 1, name: 'a', width: 9, height: 9, variables: [], layers: [] };
    await call('POST', '/v1/templates?uid=mine', { body: document });
    const path = '/v1/templates/mine/comments';
    const body = { layer: 'title', text: 'Larger?' };
    const added = await call('POST', path, { body });
    t.match(added, { status: 201, body: { ...body, author: 'a', resolved_at: null } });
    const one = `${path}/${(added.body as CommentBody).id}`;
    t.match(await call('PATCH', one, { body: { resolved: true } }), {
      status: 200,
      body: { resolved_at: /Z$/ },
    });
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
    for (const [method, where] of [
      ['GET', path],
      ['POST', path],
      ['PATCH', one],
      ['DELETE', one],
    ] as const) {
      const sent = method === 'PATCH' ? { resolved: true } : body;
      const options = method === 'POST' || method === 'PATCH' ? { body: sent } : {};
      t.equal((await call(method, where, { ...options, key: otherKey })).status, 404, method);
    }

    const { comments, organizations } = service.stores;
    const reader = organizations.createKey('org_a', { name: 'reader', scopes: ['read'] });
    t.equal((await call('POST', path, { body, key: reader })).status, 403);
    for (let count = 1; count < 500; count += 1) {
      comments.addComment('org_a', 'mine', { ...body, keyId: 1 });
    }
    t.equal((await call('POST', path, { body })).status, 409);
    t.equal((await call('DELETE', one)).status, 204);
    t.equal((await call('DELETE', one)).status, 404);
    t.equal((await call('POST', path, { body })).status, 201);

    await call('DELETE', '/v1/templates/mine');
    t.equal((await call('GET', path)).status, 404);
  },
);
