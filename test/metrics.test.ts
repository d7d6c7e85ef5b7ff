/** The parts of `/metrics` that no service in good order shows. */
import t from 'tap';
import { writeFamilies } from '../src/foundation/metric-families.ts';
import type { RequestRecord } from '../src/http/server.ts';
import { createMetrics } from '../src/telemetry/metrics.ts';
import { RequestMetrics } from '../src/telemetry/request-metrics.ts';
import { RenderStats } from '../src/scheduling/stats.ts';
import { serveRoutes } from './fixtures/api-server.ts';
import { orderJob, startPool, within } from './fixtures/render-pool.ts';
import { serveRenders } from './fixtures/render-service.ts';
import { parseMetrics, sampleValue } from './helpers/metrics.ts';
import type { ParsedMetrics } from './helpers/metrics.ts';

const pool = await startPool(t);
const service = await serveRenders(t, { pool });
const stats = new RenderStats();
const metrics = createMetrics({
  ...service,
  stats,
  threadCount: 1,
  families: [],
  assets: service.stores.assets,
  fontFiles: service.stores.fonts.files,
  server: () => undefined,
  isReady: () => false,
  isStorageWritable: () => true,
});
t.teardown(() => metrics.close());
const base = await serveRoutes(t, [metrics.route]);
const read = async (): Promise<ParsedMetrics> =>
  parseMetrics(await (await fetch(`${base}/metrics`)).text());

t.test('a page of metrics says its version, and nobody keeps it', async (t) => {
  const { headers } = await fetch(`${base}/metrics`);
  t.match(headers.get('content-type'), /^text\/plain; version=0\.0\.4/);
  t.equal(headers.get('cache-control'), 'no-store');
});

t.test('a service that is not ready says so before it has a server', async (t) => {
  const page = await read();
  t.equal(page.samples.get('platen_ready')?.[0]?.value, '0');
  t.equal(page.samples.get('platen_open_connections')?.[0]?.value, '0');
});

t.test('waits for a process are counted, also of those who never get one', async (t) => {
  const count = async (end: string): Promise<number> =>
    sampleValue(await read(), 'platen_render_queue_wait_seconds_count', { end });
  // Known to be quick: the queue does not expect to come too late.
  for (let quick = 0; quick < 8; quick += 1) await pool.run(orderJob({}), within(10_000));
  const [started, givenUp] = [await count('started'), await count('given-up')];
  const running = pool.run(orderJob({ delayMs: 800 }), within(10_000));
  await t.rejects(pool.run(orderJob({}), within(400)), { code: 'TIMEOUT' });
  await running;
  t.equal((await count('started')) - started, 1);
  t.equal((await count('given-up')) - givenUp, 1);
});

t.test('a process that dies is counted', async (t) => {
  await t.rejects(pool.run(orderJob({ exits: true }), within(10_000)));
  t.equal(sampleValue(await read(), 'platen_render_thread_failures_total'), 1);
});

t.test(
  'a hundred templates have an unmerged count of their own, the rest one together',
  async (t) => {
    const requests = new RequestMetrics();
    for (let index = 0; index < 150; index += 1) {
      const notes = { template: `template-${index}`, version: 1, unmerged: 1 };
      requests.count({ route: 'render', status: 200, ms: 1, notes } as unknown as RequestRecord);
    }
    const page = parseMetrics(writeFamilies(requests.families()));
    t.equal(page.samples.get('platen_unmerged_links_total')?.length, 101);
    t.equal(sampleValue(page, 'platen_unmerged_links_total', { template: 'template-99' }), 1);
    t.equal(sampleValue(page, 'platen_unmerged_links_total', { template: 'other' }), 50);
  },
);
