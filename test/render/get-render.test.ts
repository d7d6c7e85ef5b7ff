import t from 'tap';
import type { Template } from '#language/schema/template.ts';
import { pngOf } from '../fixtures/images-files.ts';
import { startOrigin } from '../fixtures/images-origin.ts';
import { startPool } from '../fixtures/render-pool.ts';
import { startService } from '../fixtures/render-service.ts';

const pool = await startPool(t);

const photoTemplate: Partial<Template> = {
  variables: [
    { name: 'name', type: 'text', value: 'World' },
    { name: 'photo', type: 'image', value: '' },
  ],
  layers: [{ id: 'image', type: 'image', x: 0, y: 0, width: 100, height: 100, src: '{{photo}}' }],
};

t.test('a link is answered with the contract’s headers', async (t) => {
  const { get, publish } = await startService(t, { pool });
  publish('hello', { output: { format: 'jpeg' } });
  const answer = await get('hello?name=Amanda&utm_source=mail');
  t.equal(answer.status, 200);
  const expected: Record<string, RegExp> = {
    'content-type': /^image\/jpeg$/,
    'content-length': /^\d+$/,
    etag: /^W\/"[A-Za-z0-9_-]{22}"$/,
    'cache-control': /^public, max-age=300, stale-while-revalidate=86400$/,
    'content-disposition': /^inline; filename="hello\.jpg"$/,
    'x-content-type-options': /^nosniff$/,
    'access-control-allow-origin': /^\*$/,
    'cross-origin-resource-policy': /^cross-origin$/,
    'x-request-id': /^req_\w+$/,
    'server-timing':
      /^cache;desc=miss, images;dur=[\d.]+, queue;dur=[\d.]+, layout;dur=0\.1, decode;dur=0\.2, paint;dur=0\.3, encode;dur=0\.4, total;dur=[\d.]+$/,
  };
  for (const [name, pattern] of Object.entries(expected)) {
    t.match(answer.headers.get(name), pattern, name);
  }
  t.equal(answer.headers.get('x-render-warnings'), null);
  t.match(await answer.json(), {
    values: [['name', 'Amanda']],
    format: 'jpeg',
    quality: 85,
    scale: 1,
  });
});

t.test('the second time a link costs nothing, whatever its method or its order', async (t) => {
  const { get, publish, records } = await startService(t, { pool });
  publish('hello');
  const first = await get('hello?name=A');
  const [text, etag] = [await first.text(), first.headers.get('etag')];
  const again = await get('hello?name=A');
  t.equal(again.headers.get('server-timing'), 'cache;desc=hit');
  t.equal(await again.text(), text);
  const head = await get('hello?name=A', { method: 'HEAD' });
  t.equal(head.headers.get('content-length'), String(text.length));
  t.equal(head.headers.get('etag'), etag);
  const reordered = await get('hello?_kx=1&name=A');
  t.equal(reordered.headers.get('etag'), etag);
  const named = await get('hello.png?name=A');
  t.equal(named.headers.get('etag'), etag, 'the extension names the same image');
  t.same(
    records.map(({ cacheState }) => cacheState),
    ['miss', 'alias', 'alias', 'hit', 'hit'],
  );
});

t.test('If-None-Match is answered 304, before anything is drawn', async (t) => {
  const { get, publish, records, cache } = await startService(t, { pool });
  publish('hello');
  const etag = (await get('hello?name=A')).headers.get('etag') ?? '';
  const headers = { 'If-None-Match': `"x", ${etag}` };
  const known = await get('hello?name=A', { headers });
  t.equal(known.status, 304);
  t.equal(known.headers.get('etag'), etag);
  t.match(known.headers.get('cache-control'), /max-age=300/);
  t.equal(await known.text(), '');
  const entries = cache.figures.entries;
  const undrawn = await get('hello?name=B', { headers: { 'If-None-Match': '*' } });
  t.equal(undrawn.status, 304);
  t.equal(cache.figures.entries, entries, 'nothing was drawn for it');
  t.equal(
    (await get('hello?name=B', { headers })).status,
    200,
    'another image’s tag is not its own',
  );
  t.same(
    records.map(({ cacheState }) => cacheState),
    ['miss', 'alias', 'revalidated', 'miss'],
  );
});

t.test('two hundred who open one link at a time cost one render', async (t) => {
  const { get, publish, records } = await startService(t, { pool });
  publish('hello', {}, { delayMs: 50 });
  const answers = await Promise.all(Array.from({ length: 200 }, () => get('hello?name=A')));
  const texts = new Set(await Promise.all(answers.map((answer) => answer.text())));
  t.equal(texts.size, 1);
  t.equal(records.filter(({ cacheState }) => cacheState === 'miss').length, 1);
});

t.test(
  'a new version is served at once, and a version asked for by number never changes',
  async (t) => {
    const { get, publish } = await startService(t, { pool });
    publish('hello', { width: 100 });
    const first = (await get('hello?name=A')).headers.get('etag');
    const pinned = await get('hello?name=A&_version=1');
    t.equal(pinned.headers.get('cache-control'), 'public, max-age=31536000, immutable');
    t.equal(pinned.headers.get('etag'), first);
    publish('hello', { width: 200 });
    t.not((await get('hello?name=A')).headers.get('etag'), first);
    t.equal((await get('hello?name=A&_version=1')).headers.get('etag'), first);
    const missing = await get('hello?_version=3');
    t.equal(missing.status, 404);
    t.match(await missing.json(), { error: { code: 'NOT_FOUND' } });
  },
);

t.test(
  'an unknown template, a draft and a bad option are answered with the error shape',
  async (t) => {
    const { get, publish, base } = await startService(t, { pool });
    publish('hello');
    const cases: [target: string, status: number, code: string][] = [
      ['nobody', 404, 'NOT_FOUND'],
      ['hello.bmp', 404, 'NOT_FOUND'],
      ['hel%20lo', 404, 'NOT_FOUND'],
      ['hello?_format=bmp', 400, 'BAD_REQUEST'],
      ['hello?_scale=9', 400, 'BAD_REQUEST'],
      ['hello?_version=x', 400, 'BAD_REQUEST'],
      [`hello?name=${'x'.repeat(2001)}`, 400, 'BAD_REQUEST'],
    ];
    for (const [target, status, code] of cases) {
      const answer = await get(target);
      t.equal(answer.status, status, target.slice(0, 40));
      t.equal(answer.headers.get('content-type'), 'application/json');
      t.equal(answer.headers.get('cache-control'), 'no-store');
      t.match(await answer.json(), { error: { code, message: String, requestId: /^req_/ } });
    }
    const posted = await fetch(`${base}/v1/render/hello`, { method: 'POST' });
    t.equal(posted.status, 405);
  },
);

t.test('a remote image is part of the tag, and its render lives no longer than it', async (t) => {
  let width = 1;
  let nowMs = Date.UTC(2026, 0, 1);
  const origin = await startOrigin({
    '/a.png': (_, response) =>
      response
        .writeHead(200, { 'Cache-Control': 'max-age=120' })
        .end(pngOf({ widthPx: width, heightPx: 1 })),
  });
  const { get, publish } = await startService(t, { pool, origins: [origin], nowMs: () => nowMs });
  publish('card', photoTemplate);
  const target = `card?photo=${encodeURIComponent(origin.url('/a.png'))}`;
  const first = await get(target);
  t.equal(first.status, 200);
  t.match(await first.json(), { images: [[origin.url('/a.png'), /^[0-9a-f]{64}$/]] });
  const etag = first.headers.get('etag') ?? '';
  width = 2;
  nowMs += 60_000;
  t.equal((await get(target, { headers: { 'If-None-Match': etag } })).status, 304);
  t.equal(origin.requests.length, 1);
  nowMs += 61_000 + 60_000;
  const due = await get(target, { headers: { 'If-None-Match': etag } });
  t.equal(due.status, 200);
  t.not(due.headers.get('etag'), etag);
});

t.test('an image that cannot be had is 400 and names the variable and the cause', async (t) => {
  const origin = await startOrigin({
    '/text': (_, response) => response.end('no image'),
    '/a.png': (_, response) => response.end(pngOf({ widthPx: 1, heightPx: 1 })),
  });
  const { get, publish } = await startService(t, { pool, origins: [origin] });
  publish('card', photoTemplate, { damaged: [origin.url('/a.png')] });
  const cases: [source: string, cause: RegExp][] = [
    ['hello', /is no http\(s\) URL/],
    ['file:///etc/passwd', /is no http\(s\) URL/],
    ['http://169.254.169.254/', /not public/],
    [origin.url('/missing'), /404/],
    [origin.url('/text'), /image/],
    [origin.url('/a.png'), /is damaged/],
    [`asset:${'0'.repeat(64)}`, /asset/],
  ];
  for (const [source, cause] of cases) {
    const answer = await get(`card?photo=${encodeURIComponent(source)}`);
    t.equal(answer.status, 400, source);
    const { error } = (await answer.json()) as { error: { code: string; message: string } };
    t.equal(error.code, 'BAD_REQUEST');
    t.match(error.message, /^Invalid variable value: the image of "photo" /);
    t.match(error.message, cause);
  }
});

t.test(
  'with onImageError "default" a failed image draws the default, with a warning and for seconds',
  async (t) => {
    const origin = await startOrigin({
      '/default.png': (_, response) => response.end(pngOf({ widthPx: 1, heightPx: 1 })),
      '/damaged.png': (_, response) => response.end(pngOf({ widthPx: 2, heightPx: 1 })),
    });
    const { get, publish, cache, records } = await startService(t, { pool, origins: [origin] });
    const [name] = photoTemplate.variables ?? [];
    const photo = { name: 'photo', type: 'image', value: origin.url('/default.png') } as const;
    const variables = name === undefined ? [photo] : [name, photo];
    const damaged = origin.url('/damaged.png');
    publish(
      'card',
      { ...photoTemplate, variables, onImageError: 'default' },
      { damaged: [damaged] },
    );
    for (const source of [origin.url('/missing.png'), damaged, 'nonsense']) {
      const answer = await get(`card?name=A&photo=${encodeURIComponent(source)}`);
      t.equal(answer.status, 200, source);
      t.equal(answer.headers.get('cache-control'), 'public, max-age=15');
      t.equal(answer.headers.get('etag'), null);
      t.equal(answer.headers.get('x-render-warnings'), 'IMAGE_FAILED;layer="image"');
      t.match(await answer.json(), {
        values: [
          ['name', 'A'],
          ['photo', photo.value],
        ],
        images: [[photo.value, String]],
      });
    }
    t.equal(cache.figures.entries, 0, 'a degraded image is not kept');
    t.same(
      records.map(({ cause }) => cause),
      ['status', 'decode', 'url'],
      'and the log and the metrics say why',
    );
  },
);

t.test(
  'a closed template is opened by its organization’s key alone, and never from memory',
  async (t) => {
    const { get, publish, stores, records } = await startService(t, { pool });
    publish('secret', { linkAuth: 'key' });
    stores.organizations.createOrganization('B', 'org_b');
    const issued = stores.organizations.createKey('org_a', { name: 'own' });
    const other = stores.organizations.createKey('org_b', { name: 'other' });
    const answer = await get('secret', { headers: { 'X-API-Key': issued } });
    t.equal(answer.status, 200);
    t.match(answer.headers.get('cache-control'), /^private, /);
    for (const headers of [{}, { 'X-API-Key': other }, { 'X-API-Key': 'nonsense' }]) {
      const refused = await get('secret', { headers });
      t.equal(refused.status, 401);
      t.match(await refused.json(), { error: { code: 'UNAUTHORIZED' } });
    }
    t.equal((await get('secret', { headers: { 'X-API-Key': issued } })).status, 200);
    t.equal(records.at(-1)?.cacheState, 'hit');
  },
);

t.test('a signed template answers nobody as long as it has no key to sign with', async (t) => {
  const { get, publish } = await startService(t, { pool });
  publish('signed', { linkAuth: 'signed' });
  t.equal((await get('signed')).status, 401);
  t.equal((await get(`signed?_signature=${'0'.repeat(64)}&_expires=9999999999`)).status, 401);
});

t.test('closing a template closes the links that were remembered, pinned ones too', async (t) => {
  const { get, publish } = await startService(t, { pool });
  publish('hello');
  for (const target of ['hello', 'hello?_version=1']) t.equal((await get(target)).status, 200);
  publish('hello', { linkAuth: 'key' });
  for (const target of ['hello', 'hello?_version=1']) t.equal((await get(target)).status, 401);
});

t.test('a worker that fails is 500 without its text, and the next request is served', async (t) => {
  const { get, publish, records } = await startService(t, { pool });
  publish('bug', {}, { answer: { ok: false, code: 'INTERNAL', detail: 'secret stack' } });
  publish('hello');
  const answer = await get('bug');
  t.equal(answer.status, 500);
  t.notMatch(await answer.text(), /secret/);
  t.match(records[0], { cause: 'worker', detail: 'secret stack' });
  t.equal((await get('hello')).status, 200);
});

t.test(
  'a render that outlasts the deadline is 504, and is kept for the next request',
  async (t) => {
    const { get, publish, records } = await startService(t, { pool, timeoutMs: 150 });
    publish('slow', {}, { delayMs: 300 });
    const late = await get('slow?name=A');
    t.equal(late.status, 504);
    t.match(await late.json(), { error: { code: 'TIMEOUT' } });
    while (pool.busyProcesses > 0) await new Promise((resolve) => setImmediate(resolve));
    t.equal((await get('slow?name=A')).status, 200);
    t.equal(records.at(-1)?.cacheState, 'hit');
  },
);
