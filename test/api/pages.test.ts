import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import t from 'tap';
import { healthRoutes } from '../../src/api/health.ts';
import { firstLink, homeRoute } from '../../src/api/home.ts';
import { templateSchemaRoute } from '../../src/api/template-schema.ts';
import { createMetrics } from '../../src/metrics.ts';
import { serveRoutes } from '../fixtures/api-server.ts';
import { createStores, publishSample } from '../templates/store-fixture.ts';

t.test('a process is alive before it is ready, and says which part is missing', async (t) => {
  const parts = { database: true, workers: false, accepting: true };
  const base = await serveRoutes(
    t,
    healthRoutes(() => parts),
  );
  t.equal((await fetch(`${base}/healthz`)).status, 200);
  const early = await fetch(`${base}/readyz`);
  t.equal(early.status, 503);
  t.match(await early.json(), { status: 'not ready', workers: false });
  parts.workers = true;
  t.equal((await fetch(`${base}/readyz`)).status, 200);
  parts.accepting = false;
  t.equal((await fetch(`${base}/readyz`, { method: 'HEAD' })).status, 503);
});

t.test('the template language is served as the JSON Schema of the documentation', async (t) => {
  const base = await serveRoutes(t, [templateSchemaRoute()]);
  const answer = await fetch(`${base}/template.schema.json`);
  t.match(answer.headers.get('content-type'), /^application\/json/);
  const written = readFileSync(new URL('../../docs/template.schema.json', import.meta.url), 'utf8');
  t.same(await answer.json(), JSON.parse(written));
});

t.test(
  'the page shows a live picture and its link, and loads nothing from elsewhere',
  async (t) => {
    const stores = createStores(t);
    publishSample(stores, 'welcome', { output: { format: 'jpeg' }, width: 1200, height: 630 });
    publishSample(stores, 'closed', { linkAuth: 'key' });
    const sampleUids = ['welcome', 'closed', 'missing'];
    const route = homeRoute({
      publicUrl: () => 'https://images.example.com',
      sampleUids,
      templates: stores.templates,
    });
    t.equal(firstLink(stores.templates, sampleUids), '/v1/render/welcome.jpg?name=Amanda');
    const base = await serveRoutes(t, [route]);
    const answer = await fetch(base);
    const html = await answer.text();
    t.match(answer.headers.get('content-type'), /^text\/html/);
    t.match(
      html.replaceAll(/\s+/g, ' '),
      '<img id="picture" src="v1/render/welcome.jpg?name=Amanda" width="1200" height="630"',
    );
    t.match(html, '>https://images.example.com/v1/render/welcome.jpg?name=Amanda</a');
    t.notMatch(html, /"closed"|%(base|image|samples)%/);
    t.notMatch(html, /(src|href)="https?:\/\/(?!images\.example\.com)/);
    const policy = answer.headers.get('content-security-policy') ?? '';
    t.match(policy, /^default-src 'none'/);
    for (const [element, directive] of [
      ['style', 'style-src'],
      ['script', 'script-src'],
    ]) {
      const source = new RegExp(`<${element}>([^]*?)</${element}>`).exec(html)?.[1] ?? '';
      const hash = createHash('sha256').update(source).digest('base64');
      t.ok(policy.includes(`${directive} 'sha256-${hash}'`), `${directive} allows what is sent`);
    }
  },
);

t.test('what a designer writes cannot leave the page’s data', async (t) => {
  const stores = createStores(t);
  const name = '</script><script>alert(1)</script>';
  publishSample(stores, 'evil', { name, variables: [{ name, type: 'text', value: name }] });
  const route = homeRoute({
    publicUrl: () => 'http://x',
    sampleUids: ['evil'],
    templates: stores.templates,
  });
  const html = await (await fetch(await serveRoutes(t, [route]))).text();
  t.notMatch(html, '<script>alert');
  const [, data = ''] = /id="samples">([^]*?)<\/script>/.exec(html) ?? [];
  t.match(JSON.parse(data), [{ name, variables: [{ name, hint: name }] }]);
});

t.test('the page stands without any sample', async (t) => {
  const { templates } = createStores(t);
  t.equal(firstLink(templates, ['hello']), undefined);
  const base = await serveRoutes(t, [
    homeRoute({ publicUrl: () => 'http://x', sampleUids: [], templates }),
  ]);
  t.equal((await fetch(base)).status, 200);
});

t.test(
  'metrics count requests, renders, causes and times, and tell the state of the moment',
  async (t) => {
    const metrics = createMetrics(() => ({
      queueLength: 3,
      busyThreads: 1,
      threads: 2,
      flights: 4,
      cacheBytes: 5,
      cacheEntries: 6,
      aliases: 7,
    }));
    const record = { route: 'render', status: 200, ms: 30, detail: undefined, cause: undefined };
    const base = await serveRoutes(t, [metrics.route]);
    const exchange = {} as Parameters<typeof metrics.count>[0]['exchange'];
    metrics.count({ ...record, exchange, cacheState: 'miss' });
    metrics.count({ ...record, exchange, cacheState: 'alias', ms: 0.1 });
    metrics.count({
      ...record,
      exchange,
      cacheState: undefined,
      status: 400,
      cause: 'dns',
      ms: 60_000,
    });
    const answer = await fetch(`${base}/metrics`);
    t.match(answer.headers.get('content-type'), /^text\/plain; version=0\.0\.4/);
    const lines = (await answer.text()).split('\n');
    for (const line of [
      'platen_requests_total{route="render",status="200"} 2',
      'platen_requests_total{route="render",status="400"} 1',
      'platen_renders_total{cache="alias"} 1',
      'platen_failures_total{route="render",cause="dns"} 1',
      'platen_request_seconds_bucket{route="render",le="0.001"} 1',
      'platen_request_seconds_bucket{route="render",le="0.05"} 2',
      'platen_request_seconds_bucket{route="render",le="30"} 2',
      'platen_request_seconds_bucket{route="render",le="+Inf"} 3',
      'platen_request_seconds_count{route="render"} 3',
      'platen_render_queue_length 3',
      'platen_render_cache_bytes 5',
    ]) {
      t.ok(lines.includes(line), line);
    }
    t.ok(lines.some((line) => /^process_resident_memory_bytes \d{7,}$/.test(line)));
  },
);
