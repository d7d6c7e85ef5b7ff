import t from 'tap';
import type { Test } from 'tap';
import type { RequestRecord } from '../../src/http/server.ts';
import { createTemplateStore } from '../../src/store/template-store.ts';
import { draftEndpoints } from '../../src/api/drafts.ts';
import { routesOf } from '../../src/api/endpoint.ts';
import { toApiError } from '../../src/api/request/store-errors.ts';
import type { TemplateStore } from '../../src/store/template-store.ts';
import { startServer } from '../fixtures/api-server.ts';
import { createStores, holdLock, publishSample, sampleDocument } from '../store/store-fixture.ts';
import type { Stores } from '../store/store-fixture.ts';

interface Api {
  records: RequestRecord[];
  /** Saves a document of so many bytes as the draft of `card`, and gives the answer with its body. */
  save: (bytes?: number) => Promise<{ status: number; retryAfter: string | null; error: string }>;
}

/** The routes that save templates, on stores of their own. */
async function startApi(
  t: Test,
  stores: Stores,
  templates: TemplateStore = stores.templates,
): Promise<Api> {
  const { organizations, idempotency } = stores;
  const parts = { organizations, idempotency, templates };
  const { base, records } = await startServer(t, routesOf(draftEndpoints, parts, toApiError));
  const key = stores.organizations.createKey('org_a', { name: 'a' });
  return {
    records,
    async save(bytes = 10) {
      const value = 'x'.repeat(1500);
      const variables = Array.from({ length: Math.ceil(bytes / value.length) }, (_, index) => ({
        name: `v${index}`,
        type: 'text' as const,
        value,
      }));
      const answer = await fetch(`${base}/v1/templates/card`, {
        method: 'PUT',
        headers: { 'X-API-Key': key },
        body: JSON.stringify(sampleDocument({ variables })),
      });
      const { error = '' } = (await answer.json()) as { error?: string };
      return { status: answer.status, retryAfter: answer.headers.get('retry-after'), error };
    },
  };
}

t.test('a full disk answers 507, not 500', async (t) => {
  const stores = createStores(t);
  publishSample(stores, 'card');
  const { save, records } = await startApi(t, stores);
  t.equal((await save()).status, 200);
  const pages = Number(stores.db.pragma('page_count', { simple: true }));
  stores.db.pragma(`max_page_count = ${pages}`);
  t.same(await save(60_000), {
    status: 507,
    retryAfter: '60',
    error:
      'The service cannot store anything at the moment: its disk is full. Tell its operator, and send it again later.',
  });
  t.match(records.at(-1), { status: 507, cause: 'disk', detail: /Free some space/ });
  t.equal(stores.db.inTransaction, false);
  t.equal(stores.templates.findPublished('card')?.version, 1, 'reads go on');
  t.equal(stores.templates.findDetails('org_a', 'card')?.state, 'changed', 'with the first draft');
  stores.db.pragma('max_page_count = 100000');
  t.equal((await save(60_000)).status, 200, 'with space it goes on');
});

t.test('a database that cannot be written answers its error', async (t) => {
  const stores = createStores(t);
  publishSample(stores, 'card');
  const { save, records } = await startApi(t, stores);
  stores.db.pragma('query_only = ON');
  t.match(await save(), { status: 507, error: /: its database is read-only\. / });
  t.match(records.at(-1), { cause: 'disk', detail: /permissions/ });
  t.equal(stores.templates.findPublished('card')?.version, 1, 'reads go on');
});

t.test('a database that stays locked is answered with when to come back', async (t) => {
  const stores = createStores(t);
  publishSample(stores, 'card');
  const { save, records } = await startApi(t, stores);
  const release = holdLock(t, stores);
  t.match(await save(), { status: 503, retryAfter: '1', error: /busy.*nothing was changed/ });
  t.match(records.at(-1), { cause: 'store' });
  t.equal(stores.templates.findPublished('card')?.version, 1, 'reads go on');
  release();
  t.equal((await save()).status, 200);
});

t.test('a document over the quota is answered 413 with what to do', async (t) => {
  const stores = createStores(t);
  publishSample(stores, 'card');
  const { save, records } = await startApi(
    t,
    stores,
    createTemplateStore(stores.db, undefined, undefined, 20_000),
  );
  t.equal((await save(5000)).status, 200);
  t.match(await save(60_000), {
    status: 413,
    error: /Delete assets, fonts, tables, comments and campaigns that are not used/,
  });
  t.match(records.at(-1), { cause: 'quota' });
  t.equal((await save(3000)).status, 200, 'a smaller one is stored');
});
