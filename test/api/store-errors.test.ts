import t from 'tap';
import type { Test } from 'tap';
import type { RequestRecord } from '../../src/http/server.ts';
import { createServer } from '../../src/http/server.ts';
import { createLog } from '../../src/foundation/log.ts';
import { createTemplateStore } from '../../src/store/template-store.ts';
import { draftEndpoints } from '../../src/api/drafts.ts';
import { routesOf } from '../../src/api/endpoint.ts';
import { toApiError } from '../../src/api/request/store-errors.ts';
import type { TemplateStore } from '../../src/store/template-store.ts';
import {
  createStores,
  openStores,
  publishSample,
  sampleDocument,
} from '../templates/store-fixture.ts';
import type { Stores } from '../templates/store-fixture.ts';

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
  const records: RequestRecord[] = [];
  const server = createServer({
    host: '127.0.0.1',
    port: 0,
    timeoutMs: 5000,
    routes: routesOf(
      draftEndpoints,
      { organizations: stores.organizations, idempotency: stores.idempotency, templates },
      toApiError,
    ),
    onRequest: (record) => records.push(record),
    log: createLog(() => undefined),
  });
  const port = await server.listen();
  t.teardown(() => server.close());
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
      const answer = await fetch(`http://127.0.0.1:${port}/v1/templates/card`, {
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
});

t.test('a database that stays locked is answered with when to come back', async (t) => {
  const stores = createStores(t);
  publishSample(stores, 'card');
  const { save, records } = await startApi(t, stores);
  stores.db.pragma('busy_timeout = 0');
  const other = openStores(t, stores.path);
  other.db.exec('BEGIN IMMEDIATE');
  t.match(await save(), { status: 503, retryAfter: '1', error: /busy.*nothing was changed/ });
  t.match(records.at(-1), { cause: 'store' });
  other.db.exec('ROLLBACK');
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
