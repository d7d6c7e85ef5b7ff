import t from 'tap';
import { sharePool } from '../fixtures/render-pool.ts';
import { serveRenders } from '../fixtures/render-service.ts';
import type { TestService } from '../fixtures/render-service.ts';
import { changeAccess } from '../store/store-fixture.ts';

const pool = await sharePool();

const statesOf = (records: TestService['records']) => records.map(({ cacheState }) => cacheState);

t.test('a link is answered with the contract’s headers', async (t) => {
  const { get, publish } = await serveRenders(t, { pool });
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

t.test('asked again in any way, a link costs nothing and says the same', async (t) => {
  const { get, publish, records } = await serveRenders(t, { pool });
  publish('hello');
  const headersOf = ({ headers }: Response): string[] => {
    const changing = ['date', 'x-request-id', 'server-timing'];
    return [...headers].filter(([name]) => !changing.includes(name)).map((each) => each.join());
  };
  const first = await get('hello?name=A');
  const [text, headers] = [await first.text(), headersOf(first)];
  t.ok(headers.length >= 8);
  const again = await get('hello?name=A');
  t.equal(again.headers.get('server-timing'), 'cache;desc=hit');
  t.equal(await again.text(), text);
  t.same(headersOf(again), headers);
  t.same(headersOf(await get('hello?name=A', { method: 'HEAD' })), headers);
  for (const target of ['hello?_kx=1&name=A', 'hello.png?name=A']) {
    t.same(headersOf(await get(target)), headers, target);
  }
  const known = { 'If-None-Match': first.headers.get('etag') ?? '' };
  const ofConnection = /^(connection|keep-alive|uwebsockets),/;
  for (const header of headersOf(await get('hello?name=A', { headers: known }))) {
    t.ok(headers.includes(header) || ofConnection.test(header), header);
  }
  t.same(statesOf(records), ['miss', 'alias', 'alias', 'hit', 'hit', 'alias']);
});

t.test('If-None-Match is answered 304, before anything is drawn', async (t) => {
  const { get, publish, records, cache } = await serveRenders(t, { pool });
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
  const other = await get('hello?name=B', { headers });
  t.equal(other.status, 200, 'another image’s tag is not its own');
  t.same(statesOf(records), ['miss', 'alias', 'revalidated', 'miss']);
});

t.test('two hundred who open one link at a time cost one render', async (t) => {
  const { get, publish, records } = await serveRenders(t, { pool });
  publish('hello', {}, { delayMs: 50 });
  const answers = await Promise.all(Array.from({ length: 200 }, () => get('hello?name=A')));
  const texts = new Set(await Promise.all(answers.map((answer) => answer.text())));
  t.equal(texts.size, 1);
  t.equal(records.filter(({ cacheState }) => cacheState === 'miss').length, 1);
});

t.test('a new version is served at once, and a numbered one never changes', async (t) => {
  const { get, publish } = await serveRenders(t, { pool });
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
});

t.test('an unknown template and a bad option have the error shape', async (t) => {
  const { get, publish, base } = await serveRenders(t, { pool });
  publish('hello');
  const cases: [target: string, status: number, code: string][] = [
    ['nobody', 404, 'NOT_FOUND'],
    ['hello.bmp', 404, 'NOT_FOUND'],
    ['hel%20lo', 404, 'NOT_FOUND'],
    ['hello?_format=bmp', 400, 'BAD_REQUEST'],
    ['hello?_version=0', 400, 'BAD_REQUEST'],
    ['hello?_version=1.0', 400, 'BAD_REQUEST'],
    [`hello?_version=${'9'.repeat(400)}`, 404, 'NOT_FOUND'],
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
});

t.test('a closed template is opened by its organization’s key alone', async (t) => {
  const { get, publish, stores, records } = await serveRenders(t, { pool });
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
});

t.test('closing a template closes the links that were remembered, pinned ones too', async (t) => {
  const { get, publish, stores } = await serveRenders(t, { pool });
  publish('hello');
  for (const target of ['hello', 'hello?_version=1']) t.equal((await get(target)).status, 200);
  changeAccess(stores, 'hello', { linkAuth: 'key' });
  for (const target of ['hello', 'hello?_version=1']) t.equal((await get(target)).status, 401);
});

t.test('a worker that fails is 500 without its text, and the next request is served', async (t) => {
  const { get, publish, records } = await serveRenders(t, { pool });
  publish('bug', {}, { answer: { ok: false, code: 'INTERNAL', detail: 'secret stack' } });
  publish('hello');
  const answer = await get('bug');
  t.equal(answer.status, 500);
  t.notMatch(await answer.text(), /secret/);
  t.match(records[0], { cause: 'worker', detail: 'secret stack' });
  t.equal((await get('hello')).status, 200);
});

t.test('a render after its deadline is 504, and kept for the next request', async (t) => {
  const { get, publish, records } = await serveRenders(t, { pool, timeoutMs: 150 });
  publish('slow', {}, { delayMs: 300 });
  const late = await get('slow?name=A');
  t.equal(late.status, 504);
  t.match(await late.json(), { error: { code: 'TIMEOUT' } });
  while (pool.busyThreads > 0) await new Promise((resolve) => setImmediate(resolve));
  t.equal((await get('slow?name=A')).status, 200);
  t.equal(records.at(-1)?.cacheState, 'hit');
});

t.test('one image under two templates or versions has the headers of each link', async (t) => {
  const { get, publish, records } = await serveRenders(t, { pool });
  publish('one', { maxAgeSeconds: 60 });
  publish('two', { maxAgeSeconds: 60 });
  const expected: [target: string, name: string, caching: RegExp][] = [
    ['one.jpg', 'one.jpg', /max-age=60/],
    ['two.jpg', 'two.jpg', /max-age=60/],
    ['one.jpg?_version=1', 'one.jpg', /immutable/],
  ];
  for (let round = 0; round < 3; round += 1) {
    for (const [target, name, caching] of expected) {
      const { headers } = await get(target);
      t.equal(headers.get('content-disposition'), `inline; filename="${name}"`);
      t.match(headers.get('cache-control'), caching);
    }
  }
  t.equal(records.filter(({ cacheState }) => cacheState === 'miss').length, 1);
  t.same(statesOf(records.slice(-6)), Array(6).fill('alias'));
});

t.test('an image that depends on the time is cached until it says something else', async (t) => {
  const { get, publish } = await serveRenders(t, { pool });
  const text = { id: 'text', type: 'text', x: 0, y: 0, width: 100, height: 50 } as const;
  const variables = [{ name: 'end', type: 'date', value: '2030-11-27' } as const];
  const layers = [{ ...text, text: '{{end | relative}}' }];
  publish('soon', { lang: 'en', variables, layers });
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  for (const path of [`soon?end=${tomorrow}`, `soon?_version=1&end=${tomorrow}`]) {
    for (const state of ['miss or hit', 'hit']) {
      const answer = await get(path);
      const { timeMs } = (await answer.json()) as { timeMs: number };
      t.equal(timeMs % 86_400_000, 0, 'the beginning of a day');
      const caching = answer.headers.get('cache-control') ?? '';
      t.match(caching, /^public, max-age=\d+$/, `${path}, ${state}`);
      t.ok(Number(/\d+/.exec(caching)?.[0]) <= 86_400);
    }
  }
  t.match(await (await get('soon?_lang=DE')).json(), { lang: 'de' });
});
