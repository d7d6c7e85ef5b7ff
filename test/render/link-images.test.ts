/** Images of links: what of them is drawn, kept, refused and noted. */
import t from 'tap';
import type { Template } from '#language/schema/template.ts';
import { imageLayer, textVariable } from '../e2e/published.ts';
import { pngOf } from '../fixtures/images-files.ts';
import { startOrigin } from '../fixtures/images-origin.ts';
import { orderJob, sharePool, within } from '../fixtures/render-pool.ts';
import { serveRenders } from '../fixtures/render-service.ts';

const pool = await sharePool();
const header = { format: 'png', widthPx: 1, heightPx: 1, orientation: 1 } as const;

const photoTemplate: Partial<Template> = {
  variables: [textVariable('name', 'World'), { name: 'photo', type: 'image', value: '' }],
  layers: [imageLayer('{{photo}}')],
};

t.test('a remote image is part of the tag, and its render lives no longer than it', async (t) => {
  let width = 1;
  let nowMs = Date.UTC(2026, 0, 1);
  const origin = await startOrigin({
    '/a.png': (_, response) =>
      response
        .writeHead(200, { 'Cache-Control': 'max-age=120' })
        .end(pngOf({ widthPx: width, heightPx: 1 })),
  });
  const { get, publish } = await serveRenders(t, { pool, origins: [origin], nowMs: () => nowMs });
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
  const { get, publish } = await serveRenders(t, { pool, origins: [origin] });
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

t.test('with onImageError "default" a failed image is its default, for seconds', async (t) => {
  const origin = await startOrigin({
    '/default.png': (_, response) => response.end(pngOf({ widthPx: 1, heightPx: 1 })),
    '/damaged.png': (_, response) => response.end(pngOf({ widthPx: 2, heightPx: 1 })),
  });
  const { get, publish, cache, records } = await serveRenders(t, { pool, origins: [origin] });
  const photo = { name: 'photo', type: 'image', value: origin.url('/default.png') } as const;
  const variables = [textVariable('name', 'World'), photo];
  const damaged = origin.url('/damaged.png');
  publish('card', { ...photoTemplate, variables, onImageError: 'default' }, { damaged: [damaged] });
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
  const causes = records.map(({ cause }) => cause);
  t.same(causes, ['status', 'decode', 'url'], 'and the log and the metrics say why');
});

t.test('attempts with damaged images have the CPU time of one render together', async (t) => {
  const names = ['a', 'b'];
  const origin = await startOrigin(
    Object.fromEntries(
      names.map((name, index) => [
        `/${name}.png`,
        (_, response) => response.end(pngOf({ widthPx: index + 1, heightPx: 1 })),
      ]),
    ),
  );
  const { get, publish } = await serveRenders(t, { pool, origins: [origin] });
  const url = (name: string): string => origin.url(`/${name}.png`);
  publish(
    'pair',
    {
      onImageError: 'default',
      variables: names.map((name) => ({ name, type: 'image', value: '' }) as const),
      layers: names.map((name) => imageLayer(`{{${name}}}`, { id: name })),
    },
    { damaged: names.map(url) },
  );
  const answer = await get(`pair?a=${url('a')}&b=${encodeURIComponent(url('b'))}`);
  t.equal(answer.status, 200);
  t.match(await answer.json(), { images: [], spentMs: 600 });
  const sound = await get('pair');
  t.notMatch(await sound.json(), { spentMs: Number });
});

t.test('a link whose image fails gives its slot in the queue back', async (t) => {
  const { get, publish } = await serveRenders(t, { pool });
  publish('card', photoTemplate);
  for (let count = 0; count < 5; count += 1) {
    t.equal((await get(`card?photo=nonsense${count}`)).status, 400);
  }
  const jobs = Array.from({ length: 8 }, () => pool.run(orderJob({}), within(20_000)));
  t.equal((await Promise.all(jobs)).length, 8, 'more than its other half');
});

t.test('an asset that a link draws, or shows again, is noted once a day at least', async (t) => {
  let nowMs = Date.UTC(2026, 0, 1);
  const { get, publish, stores } = await serveRenders(t, { pool, nowMs: () => nowMs });
  const { assets, db, use, clock } = stores;
  const id = assets.saveAsset('org_a', pngOf({ widthPx: 1, heightPx: 1 }), header);
  publish('card', photoTemplate);
  const usedOn = (): unknown => {
    use.flush();
    return db.prepare('SELECT used_on FROM asset_use').pluck().get();
  };
  const target = `card?photo=${id}`;
  const first = await get(target);
  t.equal(first.status, 200);
  t.equal(usedOn(), '2030-01-01');
  const nextDay = (): void => {
    nowMs += 25 * 60 * 60 * 1000;
    clock.nowMs += 25 * 60 * 60 * 1000;
  };
  nextDay();
  const etag = first.headers.get('etag') ?? '';
  t.equal((await get(target, { headers: { 'If-None-Match': etag } })).status, 304);
  t.equal(usedOn(), '2030-01-02', 'the caller has the image');
  nextDay();
  t.match((await get(target)).headers.get('server-timing'), /desc=miss/, 'drawn again');
  t.equal(usedOn(), '2030-01-03');
});

t.test('an asset whose bytes have changed in the database is never drawn', async (t) => {
  const { get, publish, records, stores } = await serveRenders(t, { pool });
  const id = stores.assets.saveAsset('org_a', pngOf({ widthPx: 1, heightPx: 1 }), header);
  stores.db.prepare('UPDATE assets SET bytes = zeroblob(length(bytes))').run();
  publish('card', photoTemplate);
  const answer = await get(`card?photo=${id}`);
  t.equal(answer.status, 500);
  t.match(await answer.json(), { error: { code: 'INTERNAL' } });
  t.match(records[0], { detail: /is damaged in the database: restore the newest backup/ });
});
