import { readFileSync } from 'node:fs';
import t from 'tap';
import type { Test } from 'tap';
import { routesOf } from '../../src/api/endpoint.ts';
import { endpoints } from '../../src/app.ts';
import { pageEndpoints } from '../../src/pages/pages.ts';
import { firstLink, home } from '../../src/pages/home.ts';
import type { HomeParts } from '../../src/pages/home.ts';
import { notFoundRoutes } from '../../src/pages/not-found.ts';
import { createPublicUrl } from '../../src/api/request/public-url.ts';
import type { PublicUrl } from '../../src/api/request/public-url.ts';
import { healthz, readyz } from '../../src/api/service.ts';
import { encodedBytesMin } from '../../src/http/body/content-encoding.ts';
import type { Route } from '../../src/http/server.ts';
import type { Answer } from '../e2e/request.ts';
import { request } from '../e2e/request.ts';
import { serveRoutes } from '../fixtures/api-server.ts';
import { createStores, publishSample } from '../store/store-fixture.ts';

t.test('a process is alive before it is ready, and says which part is missing', async (t) => {
  const parts = { database: true, workers: false, accepting: true };
  const base = await serveRoutes(t, routesOf([healthz, readyz], { ready: () => parts }));
  t.equal((await fetch(`${base}/healthz`)).status, 200);
  const early = await fetch(`${base}/readyz`);
  t.equal(early.status, 503);
  t.match(await early.json(), { status: 'not ready', workers: false });
  parts.workers = true;
  t.equal((await fetch(`${base}/readyz`)).status, 200);
  parts.accepting = false;
  t.equal((await fetch(`${base}/readyz`, { method: 'HEAD' })).status, 503);
});

t.test('the client and the descriptions can be loaded by pages of every origin', async (t) => {
  const { port } = await servePages(t);
  for (const [path, allowed] of [
    ['/client.js', '*'],
    ['/openapi.json', '*'],
    ['/template.schema.json', '*'],
    ['/studio', undefined],
    ['/', undefined],
  ] as const) {
    const { headers } = await request(port, path, { headers: { Origin: 'https://a.example' } });
    t.equal(headers['access-control-allow-origin'], allowed, path);
  }
  const schema = await request(port, '/template.schema.json');
  t.match(schema.headers['content-type'], /^application\/json/);
  const written = readFileSync(new URL('../../docs/template.schema.json', import.meta.url), 'utf8');
  t.same(schema.json(), JSON.parse(written), 'the schema of the documentation');
});

t.test('the description and the reference name the address at which they are read', async (t) => {
  const { port } = await servePages(
    t,
    createPublicUrl(undefined, () => 'http://localhost:3000'),
  );
  const read = async (path: string, Host: string): Promise<Answer> =>
    request(port, path, { headers: { Host } });
  const hosts = ['a.example:3000', 'b.example', 'c.example', 'd.example', 'e.example', 'f.example'];
  for (const host of [...hosts, ...hosts]) {
    const description = await read('/openapi.json', host);
    t.match(description.json(), { servers: [{ url: `http://${host}` }] });
    const reference = await read('/docs', host);
    t.match(reference.text, `<code>http://${host}</code>`);
    t.match(reference.text, `http://${host}/v1/render/hello.png`);
    for (const { text } of [description, reference]) t.notMatch(text, /localhost|address\.invalid/);
  }
  const [first, other] = [await read('/docs', 'a.example'), await read('/docs', 'b.example')];
  t.not(first.headers.etag, other.headers.etag);
});

t.test('a configured address is written so that it ends no text or attribute', async (t) => {
  const { port } = await servePages(t, () => `https://x"&<'y`);
  t.match((await request(port, '/openapi.json')).json(), { servers: [{ url: `https://x"&<'y` }] });
  t.match((await request(port, '/docs')).text, '<code>https://x&quot;&amp;&lt;');
});

t.test('an address with a slash too many leads to its page', async (t) => {
  const { base, port } = await servePages(t);
  for (const name of ['docs', 'studio']) {
    const answer = await request(port, `/${name}/`);
    t.equal(answer.status, 308);
    t.equal(answer.headers.location, `../${name}`, 'also below a path of a proxy');
    t.equal(answer.headers['content-length'], '0', 'a kept connection knows where it ends');
    const followed = await fetch(`${base}/${name}/`);
    t.equal(followed.status, 200);
    t.equal(followed.url, `${base}/${name}`);
    t.match(followed.headers.get('content-type'), 'text/html');
    await followed.arrayBuffer();
  }
});

t.test('a link with a slash too many leads to its image', async (t) => {
  const { base, port } = await servePages(t);
  for (const path of [
    '//v1/render/hello.png',
    '/v1/render/hello.png/',
    '/v1//render//hello.png//',
  ]) {
    const answer = await request(port, `${path}?name=A%2FB//&_scale=2`);
    t.equal(answer.status, 308, path);
    const location = new URL(String(answer.headers.location), `http://h/proxy${path}`);
    t.equal(location.href, 'http://h/proxy/v1/render/hello.png?name=A%2FB//&_scale=2', path);
  }
  t.equal((await request(port, '/v1/render/hello/')).headers.location, '../../../v1/render/hello');
  for (const path of [
    '//example.com/v1/render/a',
    '/v1/render/',
    '//v1/templates',
    '/v1/render/a/b',
  ]) {
    t.equal((await fetch(base + path, { redirect: 'manual' })).status, 404, path);
  }
});

t.test('an address without a page answers a page to people and JSON to programs', async (t) => {
  const { base, port } = await servePages(t);
  const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';
  for (const path of ['/nothing', '/a/b/c', '/v2/x', '/studio/x/', `/${'x/'.repeat(3000)}`]) {
    const page = await request(port, path, { headers: { Accept: accept } });
    t.equal(page.status, 404, path.slice(0, 20));
    t.match(page.headers, {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      vary: /Accept/,
      'content-security-policy': /^default-src 'none'/,
    });
    t.ok(page.body.length < 3000);
    t.notMatch(page.text, 'xxx', 'nothing of the address is repeated');
    if (path.length > 100) continue;
    for (const [, link = ''] of page.text.matchAll(/href="([^"]*)"/g)) {
      const target = await fetch(new URL(link, base + path), { method: 'HEAD' });
      t.equal(target.status, 200, `${path} ${link}`);
    }
    const head = await request(port, path, { method: 'HEAD', headers: { Accept: accept } });
    t.equal(head.headers['content-length'], String(page.body.length));
    for (const other of ['*/*', 'application/json', 'image/avif,image/webp,*/*;q=0.8']) {
      const json = await request(port, path, { headers: { Accept: other } });
      t.equal(json.status, 404);
      t.match(JSON.parse(json.text), { error: { code: 'NOT_FOUND', requestId: /^req_/ } });
    }
  }
});

/** Pages, and what unknown paths answer. */
function pageRoutes(parts: HomeParts): Route[] {
  return [
    ...routesOf(pageEndpoints, { ...parts, embedOrigins: [], operations: endpoints }),
    ...notFoundRoutes(),
  ];
}

/** Serves all pages, without a template. */
async function servePages(
  t: Test,
  publicUrl: PublicUrl = () => 'https://images.example.com',
): Promise<{ base: string; port: number }> {
  const { templates } = createStores(t);
  const base = await serveRoutes(t, pageRoutes({ publicUrl, sampleUids: [], templates }));
  return { base, port: Number(new URL(base).port) };
}

t.test('the page shows a live image and its link, and loads from no other origin', async (t) => {
  const stores = createStores(t);
  publishSample(stores, 'welcome', { output: { format: 'jpeg' }, width: 1200, height: 630 });
  publishSample(stores, 'closed', { linkAuth: 'key' });
  const sampleUids = ['welcome', 'closed', 'missing'];
  const { templates } = stores;
  const publicUrl = () => 'https://images.example.com';
  t.equal(firstLink(templates, sampleUids), '/v1/render/welcome.jpg?name=Amanda');
  t.equal(firstLink(templates, ['missing']), undefined);
  const base = await serveRoutes(t, pageRoutes({ publicUrl, sampleUids, templates }));
  const answer = await fetch(base);
  const html = await answer.text();
  t.match(answer.headers.get('content-type'), /^text\/html/);
  t.match(
    html.replaceAll(/\s+/g, ' '),
    '<img id="image" src="v1/render/welcome.jpg?name=Amanda" width="1200" height="630"',
  );
  t.match(html, '>https://images.example.com/v1/render/welcome.jpg?name=Amanda</a');
  const unconfigured = await serveRoutes(
    t,
    pageRoutes({ publicUrl: () => 'http://localhost:3000', sampleUids, templates }),
  );
  const first = await (await fetch(unconfigured)).text();
  t.match(first, '>/v1/render/welcome.jpg?name=Amanda</a', 'the page adds its own address');
  t.notMatch(first, 'localhost');
  t.notMatch(html, /"closed"|%(base|image|samples)%/);
  t.notMatch(html, /(src|href)="(https?:)?\/\//);
  t.match(answer.headers.get('content-security-policy'), /^default-src 'none'; (?!.*unsafe)/);
  t.equal(answer.headers.get('cross-origin-opener-policy'), 'same-origin');
});

t.test('pages and their files are revalidated by their tags; other files are hidden', async (t) => {
  const { base } = await servePages(t);
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
    t.match(again.headers.get('vary'), 'Accept-Encoding', path);
    t.equal((await again.arrayBuffer()).byteLength, 0);
    const { byteLength } = await first.arrayBuffer();
    const encoding = byteLength < encodedBytesMin ? null : 'gzip';
    t.equal(first.headers.get('content-encoding'), encoding, path);
  }
  const others = 'first-steps.ts first-steps.html tsconfig.json ..%2fmain.ts';
  for (const path of ['', ...others.split(' ')]) {
    t.equal((await fetch(`${base}/pages/${path}`)).status, 404, path);
  }
});

t.test('text of a designer cannot leave the data of the page', async (t) => {
  const stores = createStores(t);
  const name = '</script><script>alert(1)</script>';
  publishSample(stores, 'evil', { name, variables: [{ name, type: 'text', value: name }] });
  const routes = routesOf([home], {
    publicUrl: () => 'http://x',
    sampleUids: ['evil'],
    templates: stores.templates,
  });
  const html = await (await fetch(await serveRoutes(t, routes))).text();
  t.notMatch(html, '<script>alert');
  const [, data = ''] = /id="samples">([^]*?)<\/script>/.exec(html) ?? [];
  t.match(JSON.parse(data), { samples: [{ name, variables: [{ name, value: name }] }] });
});
