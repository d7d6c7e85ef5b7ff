import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import t from 'tap';
import { healthRoutes } from '../../src/api/health.ts';
import { firstLink, homeRoute } from '../../src/api/home.ts';
import { pageRoutes } from '../../src/api/page-routes.ts';
import { templateSchemaRoute } from '../../src/api/template-schema.ts';
import { request } from '../e2e/request.ts';
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
  const port = Number(new URL(base).port);
  const get = (headers: Record<string, string>) =>
    request(port, '/template.schema.json', { headers });
  const [plain, zipped] = [await get({}), await get({ 'Accept-Encoding': 'br, gzip' })];
  t.equal(plain.headers['content-encoding'], undefined);
  t.equal(zipped.headers['content-encoding'], 'gzip');
  t.same(gunzipSync(zipped.body), plain.body);
  t.equal(zipped.headers.vary, 'Accept-Encoding');
  t.not(zipped.headers.etag, plain.headers.etag);
  for (const { headers } of [plain, zipped]) {
    const known = { 'If-None-Match': String(headers.etag) };
    const again = await get({
      ...known,
      'Accept-Encoding': headers === zipped.headers ? 'gzip' : 'identity',
    });
    t.equal(again.status, 304);
    t.equal(again.body.length, 0);
  }
});

t.test(
  'the page shows a live picture and its link, and loads nothing from elsewhere',
  async (t) => {
    const stores = createStores(t);
    publishSample(stores, 'welcome', { output: { format: 'jpeg' }, width: 1200, height: 630 });
    publishSample(stores, 'closed', { linkAuth: 'key' });
    const sampleUids = ['welcome', 'closed', 'missing'];
    const { templates } = stores;
    const publicUrl = () => 'https://images.example.com';
    t.equal(firstLink(templates, sampleUids), '/v1/render/welcome.jpg?name=Amanda');
    const base = await serveRoutes(t, pageRoutes({ publicUrl, sampleUids, templates }));
    const answer = await fetch(base);
    const html = await answer.text();
    t.match(answer.headers.get('content-type'), /^text\/html/);
    t.match(
      html.replaceAll(/\s+/g, ' '),
      '<img id="picture" src="v1/render/welcome.jpg?name=Amanda" width="1200" height="630"',
    );
    t.match(html, '>https://images.example.com/v1/render/welcome.jpg?name=Amanda</a');
    const unconfigured = await serveRoutes(
      t,
      pageRoutes({ publicUrl: () => 'http://localhost:3000', sampleUids, templates }),
    );
    const own = await (await fetch(unconfigured)).text();
    t.match(own, '>/v1/render/welcome.jpg?name=Amanda</a', 'the page adds its own address');
    t.notMatch(own, 'localhost');
    t.notMatch(html, /"closed"|%(base|image|samples)%/);
    t.notMatch(html, /(src|href)="(https?:)?\/\//);
    t.match(answer.headers.get('content-security-policy'), /^default-src 'none'; (?!.*unsafe)/);
    t.equal(answer.headers.get('cross-origin-opener-policy'), 'same-origin');
  },
);

t.test(
  'pages and their files are revalidated by their tags, and nothing else of the folder is served',
  async (t) => {
    const { templates } = createStores(t);
    const publicUrl = () => 'http://x';
    const base = await serveRoutes(t, pageRoutes({ publicUrl, sampleUids: [], templates }));
    const types = {
      '/': 'text/html',
      '/docs': 'text/html',
      '/openapi.json': 'application/json',
      '/client.js': 'text/javascript',
      '/pages/first-steps.js': 'text/javascript',
      '/pages/platen.css': 'text/css',
      '/pages/mark.svg': 'image/svg+xml',
    };
    for (const [path, type] of Object.entries(types)) {
      const first = await fetch(base + path);
      t.equal(first.status, 200, path);
      t.equal(first.headers.get('content-type')?.split(';')[0], type);
      const etag = first.headers.get('etag') ?? '';
      const again = await fetch(base + path, { headers: { 'If-None-Match': etag } });
      t.equal(again.status, 304, path);
      t.equal((await again.arrayBuffer()).byteLength, 0);
      await first.arrayBuffer();
    }
    for (const path of [
      'first-steps.ts',
      'first-steps.html',
      'tsconfig.json',
      '..%2fmain.ts',
      '',
    ]) {
      t.equal((await fetch(`${base}/pages/${path}`)).status, 404, path);
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
  t.match(JSON.parse(data), { samples: [{ name, variables: [{ name, value: name }] }] });
});

t.test('the page stands without any sample', async (t) => {
  const { templates } = createStores(t);
  t.equal(firstLink(templates, ['hello']), undefined);
  const base = await serveRoutes(t, [
    homeRoute({ publicUrl: () => 'http://x', sampleUids: [], templates }),
  ]);
  t.equal((await fetch(base)).status, 200);
});
