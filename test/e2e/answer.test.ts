import { join } from 'node:path';
import t from 'tap';
import { startOrigin } from '../fixtures/images-origin.ts';
import { head, sendRaw } from '../fixtures/raw-http.ts';
import { plainImage, sends } from './image-bytes.ts';
import { fillDataDirectory, imageLayer, textLayer, textVariable } from './published.ts';
import { converse } from './request.ts';
import type { Answer } from './request.ts';
import { startService } from './service.ts';

const red = await plainImage('#ff0000');
const origin = await startOrigin({ '/red.png': sends(red) });
t.teardown(() => origin.close());

const variables = [textVariable('name', 'friend')];
const layers = [textLayer('{{name}}')];
const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), ({ publish, saveAsset }) => {
  publish('card', { variables, layers });
  publish('patient', { variables, layers, maxAgeSeconds: 60 });
  publish('exactly-sixteen_', { variables, layers });
  publish('tpl_Z2yCnsbxGDSvyGaB', { variables, layers });
  publish('covered', { variables, layers, onError: 'image' });
  publish('narrow', {
    variables,
    layers: [textLayer('{{name}}', { overflow: 'ellipsis', maxLines: 1 })],
  });
  publish('forgiving', {
    onImageError: 'default',
    variables: [...variables, { name: 'photo', type: 'image', value: saveAsset(red) }],
    layers: [...layers, imageLayer('{{photo}}')],
  });
});
const service = await startService(t, { dataDirectory, origins: [origin] });

/** What may differ between two answers that are otherwise the same. */
const ofTheMoment = new Set(['date', 'x-request-id', 'server-timing', 'connection', 'keep-alive']);

function lasting({ headers }: Answer): Record<string, unknown> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !ofTheMoment.has(name)));
}

t.test('an image comes with every header that the contract names', async (t) => {
  for (const [extension, type] of [
    ['png', 'image/png'],
    ['jpg', 'image/jpeg'],
    ['jpeg', 'image/jpeg'],
    ['webp', 'image/webp'],
    ['avif', 'image/avif'],
  ] as const) {
    const { status, headers, body } = await service.render(`card.${extension}?name=Ada`);
    t.equal(status, 200);
    t.equal(headers['content-type'], type);
    t.equal(Number(headers['content-length']), body.length);
    t.match(
      headers.etag,
      /^W\/"[!#-~]+"$/,
      'weak: another thread may encode the same pixels in other bytes',
    );
    t.equal(headers['cache-control'], 'public, max-age=300, stale-while-revalidate=86400');
    const file = extension === 'jpeg' ? /card\.jpe?g/ : new RegExp(String.raw`card\.${extension}`);
    t.match(headers['content-disposition'], new RegExp(`^inline; filename="${file.source}"$`));
    t.equal(headers['x-content-type-options'], 'nosniff');
    t.equal(headers['x-robots-tag'], 'noindex');
    t.equal(headers['access-control-allow-origin'], '*');
    t.equal(headers['cross-origin-resource-policy'], 'cross-origin');
    t.match(headers['x-request-id'], /^req_[A-Za-z0-9]+$/);
    // RFC-shaped: metrics of tokens, each with parameters.
    const metric = String.raw`[\w-]+(;(dur=[\d.]+|desc=("[^"]*"|[\w-]+)))*`;
    t.match(headers['server-timing'], new RegExp(`^${metric}(, ${metric})*$`));
    t.equal(headers['x-render-warnings'], undefined);
    t.equal(headers['x-render-error'], undefined);
    t.equal(headers['set-cookie'], undefined);
  }
});

t.test('a file name has 20 characters at most', async (t) => {
  for (const [link, name] of [
    ['exactly-sixteen_.jpg', 'exactly-sixteen_.jpg'],
    ['tpl_Z2yCnsbxGDSvyGaB.jpg', 'tpl_Z2yCnsbxGDSv.jpg'],
    ['tpl_Z2yCnsbxGDSvyGaB.webp', 'tpl_Z2yCnsbxGDS.webp'],
  ] as const) {
    const { headers } = await service.render(link);
    t.equal(headers['content-disposition'], `inline; filename="${name}"`);
    t.ok(name.length <= 20);
  }
});

t.test('no render is listed by search engines, changed or not, whole or not', async (t) => {
  const first = await service.render('card');
  const unchanged = await service.render('card', {
    headers: { 'If-None-Match': String(first.headers.etag) },
  });
  t.equal(unchanged.status, 304);
  const degraded = await service.render('forgiving?photo=http%3A%2F%2F127.0.0.1%3A1%2Fa.png');
  const covered = await service.render('covered?_scale=9');
  t.ok(covered.headers['x-render-error']);
  for (const { headers } of [first, unchanged, degraded, covered]) {
    t.equal(headers['x-robots-tag'], 'noindex');
  }
});

t.test(
  'text that is cut and missing glyphs are warned of and kept: a repeat gives the same',
  async (t) => {
    for (const [name, warning] of [
      ['Maximilian Alexander von Hohenzollern-Sigmaringen', /^TEXT_TRUNCATED;layer="\w+"$/],
      ['\u{16a00}', /^GLYPH_MISSING;layer="\w+"$/u],
    ] as const) {
      const { status, headers } = await service.render(`narrow?name=${encodeURIComponent(name)}`);
      t.equal(status, 200);
      t.match(headers['x-render-warnings'], warning);
      t.equal(headers['cache-control'], 'public, max-age=300, stale-while-revalidate=86400');
      t.ok(headers.etag, 'not degraded');
    }
  },
);

t.test('every answer has a request id of its own', async (t) => {
  const targets = ['card', 'card', 'nobody', 'card?_scale=9'];
  const ids = await Promise.all(
    targets.map(async (target) => (await service.render(target)).headers['x-request-id']),
  );
  t.equal(new Set(ids).size, targets.length);
});

t.test('how long an image may be kept depends on how it was asked for', async (t) => {
  const control = async (target: string): Promise<unknown> =>
    (await service.render(target)).headers['cache-control'];
  t.equal(await control('card'), 'public, max-age=300, stale-while-revalidate=86400');
  t.equal(await control('patient'), 'public, max-age=60, stale-while-revalidate=86400');
  const pinned = 'public, max-age=31536000, immutable';
  t.equal(await control('card?_version=1'), pinned);
  t.equal(await control('patient?_version=1'), pinned);
  t.equal(await control('card'), 'public, max-age=300, stale-while-revalidate=86400', 'still');
});

t.test('a degraded image is short-lived, has no tag and says why', async (t) => {
  for (const target of ['forgiving?photo=', 'forgiving.jpg?_version=1&photo=']) {
    const { status, headers } = await service.render(`${target}${origin.url('/missing.png')}`);
    t.equal(status, 200);
    t.equal(headers['cache-control'], 'public, max-age=15');
    t.equal(headers.etag, undefined);
    t.ok(headers['x-render-warnings']);
  }
  const { headers } = await service.render(`forgiving?photo=${origin.url('/red.png')}`);
  t.equal(headers['cache-control'], 'public, max-age=300, stale-while-revalidate=86400');
  t.ok(headers.etag);
  t.equal(headers['x-render-warnings'], undefined);
});

t.test('the tag stands for the bytes', async (t) => {
  const [first, again, other, scaled, pinned] = await Promise.all(
    ['card?name=A', 'card?name=A', 'card?name=B', 'card?name=A&_scale=2', 'card.jpg?name=A'].map(
      (target) => service.render(target),
    ),
  );
  t.equal(first?.headers.etag, again?.headers.etag);
  t.ok(first?.body.equals(again?.body ?? Buffer.alloc(0)));
  const tags = [first, other, scaled, pinned].map((answer) => answer?.headers.etag);
  t.equal(new Set(tags).size, 4);
});

t.test('a reader who has the image is answered 304 without it', async (t) => {
  const photo = `forgiving?photo=${origin.url('/red.png')}`;
  for (const target of ['card?name=Tag', 'card.jpg?name=Tag&_version=1', photo]) {
    const full = await service.render(target);
    const tag = full.headers.etag ?? '';
    const strong = tag.replace('W/', '');
    for (const ifNoneMatch of [tag, strong, `"other", ${tag}`, `W/"a","b" ,${tag} `, '*']) {
      for (const method of ['GET', 'HEAD']) {
        const options = {
          method,
          headers: { 'if-none-match': ifNoneMatch },
          agent: false as const,
        };
        const { status, headers, body } = await service.render(target, options);
        t.equal(status, 304, `${method} ${ifNoneMatch}`);
        t.equal(body.length, 0);
        t.equal(headers.etag, tag);
        t.equal(headers['cache-control'], full.headers['cache-control']);
        t.match(headers['x-request-id'], /^req_/);
        t.equal(headers['access-control-allow-origin'], '*');
        t.equal(headers['content-type'], undefined);
      }
    }
    const parts = [tag.slice(0, -2), `"${strong.slice(2)}`, tag.toUpperCase(), '"*"', '""', '"x"'];
    for (const ifNoneMatch of parts) {
      const answer = await service.render(target, { headers: { 'if-none-match': ifNoneMatch } });
      t.equal(answer.status, 200, ifNoneMatch);
      t.ok(answer.body.equals(full.body));
    }
  }
});

t.test('a 304 claims no body that it does not have', async (t) => {
  const full = await service.render('card?name=Raw');
  const conditional = head(
    'GET',
    '/v1/render/card?name=Raw',
    `If-None-Match: ${full.headers.etag}`,
  );
  const { text } = await sendRaw(service.port, conditional, (got) => got.includes('\r\n\r\n'));
  t.match(text, /^HTTP\/1\.1 304 /);
  t.ok(text.endsWith('\r\n\r\n'), 'nothing follows the head');
  // RFC 9110 section 8.6: none, or that of the image.
  const [, length] = /content-length: (\d+)/i.exec(text) ?? [];
  t.ok(length === undefined || Number(length) === full.body.length, `Content-Length: ${length}`);
});

t.test('a tag never turns an error into 304', async (t) => {
  const any = { headers: { 'if-none-match': '*' } };
  t.equal((await service.render('nobody', any)).status, 404);
  t.equal((await service.render('card?_scale=9', any)).status, 400);
  t.equal((await service.render('card?_version=7', any)).status, 404);
});

t.test('HEAD has the headers of GET, also when it comes first', async (t) => {
  const photo = `forgiving?photo=${origin.url('/red.png')}&name=`;
  for (const target of ['card?name=', 'card.jpg?_scale=2&_version=1&name=', photo]) {
    const early = await service.render(`${target}First`, { method: 'HEAD', agent: false });
    const got = await service.render(`${target}First`);
    const late = await service.render(`${target}First`, { method: 'HEAD', agent: false });
    for (const headed of [early, late]) {
      t.equal(headed.status, 200);
      t.equal(headed.body.length, 0);
      t.same(lasting(headed), lasting(got), target);
      t.same(headed.headerNames.toSorted(), got.headerNames.toSorted(), 'Server-Timing included');
    }
    t.equal(Number(early.headers['content-length']), got.body.length);
  }
  for (const target of ['nobody', 'card?_scale=9']) {
    const [headed, got] = [
      await service.render(target, { method: 'HEAD', agent: false }),
      await service.render(target),
    ];
    t.equal(headed.status, got.status);
    t.equal(headed.body.length, 0);
    t.same(lasting(headed), lasting(got), target);
  }
});

t.test('a connection goes on after every answer that does not end it', async (t) => {
  const { headers } = await service.render('card?name=Kept');
  for (const [kind, first] of Object.entries({
    image: head('GET', '/v1/render/card?name=Kept'),
    'first HEAD': head('HEAD', '/v1/render/card?name=KeptToo'),
    'HEAD from the cache': head('HEAD', '/v1/render/card?name=Kept'),
    304: head('GET', '/v1/render/card?name=Kept', `If-None-Match: ${headers.etag}`),
    'HEAD with 304': head('HEAD', '/v1/render/card?name=Kept', `If-None-Match: ${headers.etag}`),
    400: head('GET', '/v1/render/card?_scale=9'),
    404: head('GET', '/v1/render/nobody'),
    'HEAD with 404': head('HEAD', '/v1/render/nobody'),
    health: head('HEAD', '/healthz'),
  })) {
    const answers = await converse(service.port, [first, head('GET', '/healthz')]);
    t.match(answers[0], /^HTTP\/1\.1 [234]/, kind);
    t.match(answers[1], /^HTTP\/1\.1 200 [^]*"ok"/, `${kind}: the next request is answered`);
    if (first.startsWith('HEAD')) t.ok(answers[0]?.endsWith('\r\n\r\n'), 'no byte of a body');
  }
});

t.test('an answer from the cache is the first one again', async (t) => {
  const first = await service.render('card?name=Twice');
  const second = await service.render('card?name=Twice');
  t.same(lasting(second), lasting(first));
  t.ok(second.body.equals(first.body));
  t.match(first.headers['server-timing'], /miss/);
  t.match(second.headers['server-timing'], /hit/);
});
