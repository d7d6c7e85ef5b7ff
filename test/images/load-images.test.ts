/** The loader as its callers see it: shared flights, fresh and stale copies, bounded memory. */
import t from 'tap';
import { changingImage, send, startChanging, status } from '../fixtures/images-changing.ts';
import { loadFrom, settled } from '../fixtures/images-loader.ts';
import type { Handler } from '../fixtures/images-origin.ts';

const minute = 60_000;
const hour = 60 * minute;

t.test('an image is fetched once for all requests at the same time', async (t) => {
  const { origin, url, load } = await startChanging(t, send(7));
  const all = await Promise.all(Array.from({ length: 200 }, () => load(url)));
  t.equal(origin.requests.length, 1);
  t.equal(new Set(all.map(({ image }) => image.bytes)).size, 1, 'and held once');
});

t.test('spellings of one address share one copy', async (t) => {
  const { origin, url, load } = await startChanging(t, send(7));
  await load(url);
  const sameHost = url.replace('127.0.0.1', '0x7f.1').replace('http:', 'HTTP:');
  for (const other of [`${url}#x`, ` ${url} `, sameHost]) await load(other);
  t.equal(origin.requests.length, 1);
});

t.test('one caller that leaves takes nothing from the others', async (t) => {
  let answer: (() => void) | undefined;
  const { origin, url, load } = await startChanging(t, (_request, response) => {
    answer = () => response.end(changingImage(7));
  });
  const leaving = new AbortController();
  const first = load(url, leaving.signal);
  const second = load(url);
  await settled(() => origin.requests.length === 1);
  leaving.abort(new Error('the deadline has passed'));
  await t.rejects(first, { message: 'the deadline has passed' });
  const late = AbortSignal.abort(new Error('too late'));
  await t.rejects(load(`${url}?other`, late), { message: 'too late' });
  t.equal(origin.requests.length, 1, 'who has left already asks nothing');
  answer?.();
  t.equal((await second).image.widthPx, 7);
});

t.test('a fetch that all have left still fills the cache', async (t) => {
  let end: (() => void) | undefined;
  const { origin, url, answer, load } = await startChanging(t, (_request, response) => {
    end = () => response.end(changingImage(7));
  });
  const leaving = new AbortController();
  const only = load(url, leaving.signal);
  await settled(() => origin.requests.length === 1);
  leaving.abort(new Error('gone'));
  await t.rejects(only, { message: 'gone' });
  answer(send(8));
  end?.();
  t.equal((await load(url)).image.widthPx, 7);
  t.equal(origin.requests.length, 1);
});

t.test('a fresh copy is used without asking, and then asked for behind it', async (t) => {
  const first = send(7, { 'cache-control': 'max-age=120' });
  const { origin, url, answer, load, pass, now } = await startChanging(t, first);
  t.equal((await load(url)).freshUntilMs, now() + 2 * minute);
  answer(send(8));
  pass(2 * minute - 1);
  t.equal((await load(url)).image.widthPx, 7);
  t.equal(origin.requests.length, 1, 'fresh');
  pass(1);
  const stale = await load(url);
  t.equal(stale.image.widthPx, 7, 'stale, at once');
  t.equal(stale.freshUntilMs, now() + 5000, 'for a moment');
  for (let other = 0; other < 10; other++) await load(url);
  await settled(() => origin.requests.length === 2);
  let width = 7;
  while (width === 7) {
    await new Promise(setImmediate);
    ({ widthPx: width } = (await load(url)).image);
  }
  t.equal(width, 8, 'the new one, as soon as it is there');
  t.equal(origin.requests.length, 2);
});

t.test('an unchanged image is confirmed, not sent again', async (t) => {
  const validators: (string | undefined)[] = [];
  const { url, load, pass, now } = await startChanging(t, (request, response) => {
    const { 'if-none-match': etag, 'if-modified-since': since } = request.headers;
    validators.push(etag ?? since);
    if (etag === '"v1"') response.writeHead(304, { etag: '"v1"' }).end();
    else
      response.writeHead(200, { etag: '"v1"', 'last-modified': 'yesterday' }).end(changingImage(7));
  });
  const { image } = await load(url);
  pass(11 * minute);
  const confirmed = await load(url);
  t.equal(confirmed.image, image);
  t.equal(confirmed.freshUntilMs, now() + 10 * minute);
  t.strictSame(validators, [undefined, '"v1"']);
});

t.test('a date confirms where there is no ETag', async (t) => {
  const since = 'Wed, 31 Dec 2025 00:00:00 GMT';
  const { origin, url, load, pass, now } = await startChanging(t, (request, response) => {
    if (request.headers['if-modified-since'] === since) response.writeHead(304).end();
    else {
      const headers = { 'last-modified': since, 'cache-control': 'max-age=120' };
      response.writeHead(200, headers).end(changingImage(7));
    }
  });
  const { image } = await load(url);
  for (let round = 0; round < 2; round++) {
    pass(11 * minute);
    const confirmed = await load(url);
    t.equal(confirmed.image, image);
    t.equal(confirmed.freshUntilMs, now() + 2 * minute, 'by the first answer');
  }
  t.equal(origin.requests.length, 3);
});

t.test('a validator goes only to the address it came from', async (t) => {
  const seen: (string | undefined)[] = [];
  const record =
    (next: Handler): Handler =>
    (request, response) => {
      seen.push(request.headers['if-none-match']);
      next(request, response);
    };
  let target = '/one';
  const { load, pass, url } = await loadFrom(t, {
    '/a': record((_request, response) => response.writeHead(302, { location: target }).end()),
    '/one': record(send(7, { etag: '"v"' })),
    '/two': record(send(8, { etag: '"v"' })),
  });
  await load(url('/a'));
  target = '/two';
  pass(11 * minute);
  t.equal((await load(url('/a'))).image.widthPx, 8);
  t.strictSame(seen, [undefined, undefined, undefined, undefined]);
});

t.test('a stale copy stands in for an origin that fails, for an hour', async (t) => {
  const { origin, url, answer, load, fail, pass, now } = await startChanging(t, send(7));
  await load(url);
  answer(status(503));
  pass(30 * minute);
  const stale = await load(url);
  t.equal(stale.image.widthPx, 7);
  t.equal(stale.freshUntilMs, now() + 5000);
  await load(url);
  t.equal(origin.requests.length, 2, 'not asked again at once');
  pass(5000);
  await load(url);
  t.equal(origin.requests.length, 3, 'asked again after 5 s');
  pass(hour);
  t.match(await fail(url), { reason: 'status', status: 503 });
});

t.test('a stale copy does not stand in for an image that is gone', async (t) => {
  const { url, answer, load, fail, pass } = await startChanging(t, send(7));
  await load(url);
  answer(status(404));
  pass(11 * minute);
  t.match(await fail(url), { reason: 'status', status: 404 });
  answer(status(503));
  pass(minute);
  t.match(await fail(url), { status: 503 }, 'and is forgotten');
});

t.test('the cache is bounded in bytes and in number', async (t) => {
  const bytes = changingImage(7).byteLength;
  const bounds = [{ cacheBytesMax: 3 * (bytes + 700) }, { cacheEntriesMax: 3 }];
  for (const bound of bounds) {
    const { origin, url, load } = await startChanging(t, send(7), bound);
    for (const name of ['1', '2', '3', '1', '4']) await load(`${url}?${name}`);
    t.equal(origin.requests.length, 4);
    await load(`${url}?1`);
    t.equal(origin.requests.length, 4, 'the one used last is there');
    await load(`${url}?2`);
    t.equal(origin.requests.length, 5, 'the one used longest ago is not');
  }
});

t.test('an organization with many images evicts none of another, nor a failure', async (t) => {
  const { origin, url, load, answer } = await startChanging(t, send(7), { cacheEntriesMax: 10 });
  const loadFor = (organizationUid: string, name: string): Promise<unknown> =>
    load(`${url}?${name}`, undefined, { organizationUid, templateUid: 'template' }).catch(() => '');
  for (const handler of [send(7), status(404)]) {
    answer(handler);
    const kind = origin.requests.length;
    for (const name of ['a', 'b']) await loadFor('org_few', `${kind}${name}`);
    for (let index = 0; index < 20; index += 1) await loadFor('org_many', `${kind}m${index}`);
    const { length } = origin.requests;
    for (const name of ['a', 'b']) await loadFor('org_few', `${kind}${name}`);
    t.equal(origin.requests.length, length);
  }
});

t.test('a closed loader fetches nothing and leaves nobody waiting', async (t) => {
  const { origin, url, fail, close } = await startChanging(t, () => undefined);
  const waiting = fail(url);
  await settled(() => origin.requests.length === 1);
  await close();
  t.match(await waiting, { reason: 'network' });
  t.match(await fail(`${url}?2`), { reason: 'network' });
});
