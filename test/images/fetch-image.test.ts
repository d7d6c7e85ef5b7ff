/** What a fetch asks for, follows and accepts, and what the caller learns about the rest. */
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import t from 'tap';
import { pngOf } from '../fixtures/images-files.ts';
import { loadFrom, startLoader } from '../fixtures/images-loader.ts';
import { startOrigin } from '../fixtures/images-origin.ts';
import type { Handler } from '../fixtures/images-origin.ts';

const png = pngOf({ widthPx: 30, heightPx: 20 });
const html = '<!doctype html><title>Sign in</title>';

function send(body: Uint8Array | string, headers: Record<string, string> = {}): Handler {
  return (_request, response) => response.writeHead(200, headers).end(body);
}

const packed = (encoding: string, body: Uint8Array | string): Handler =>
  send(body, { 'content-encoding': encoding });

function reply(status: number, body?: Uint8Array | string): Handler {
  return (_request, response) => response.writeHead(status).end(body);
}

function redirect(location: string | undefined, status = 302): Handler {
  return (_request, response) =>
    response.writeHead(status, location === undefined ? {} : { location }).end();
}

t.test('an image is loaded whatever its origin calls it', async (t) => {
  const { load, now, url } = await loadFrom(t, {
    '/a.png': send(png, { 'content-type': 'text/html' }),
    '/chunked': (_request, response) => {
      for (const byte of png) response.write(Buffer.from([byte]));
      response.end();
    },
  });
  const { image, freshUntilMs } = await load(url('/a.png'));
  t.match(image, { format: 'png', widthPx: 30, heightPx: 20, orientation: 1 });
  t.type(image.bytes.buffer, SharedArrayBuffer);
  t.equal(image.bytes.buffer.byteLength, png.byteLength, 'the buffer is exactly the file');
  t.strictSame(Buffer.from(image.bytes), png);
  t.match(image.digest, /^[0-9a-f]{64}$/);
  t.equal(freshUntilMs - now(), 600_000);
  t.equal((await load(url('/chunked'))).image.digest, image.digest);
});

t.test('an image that its server compresses unasked is unpacked', async (t) => {
  const handlers = {
    '/gzip': packed('gzip', gzipSync(png)),
    '/x-gzip': packed('X-GZIP', gzipSync(png)),
    '/deflate': packed('deflate', deflateSync(png)),
    '/br': packed('br', brotliCompressSync(png)),
  };
  const { load, url } = await loadFrom(t, handlers);
  for (const path of Object.keys(handlers)) {
    const { image } = await load(url(path));
    t.strictSame(Buffer.from(image.bytes), png, path);
  }
});

t.test('a request carries nothing but itself', async (t) => {
  let headers: string[] = [];
  const { load, url } = await loadFrom(t, {
    '/a': (request, response) => {
      headers = request.rawHeaders.map((header) => header.toLowerCase());
      response.writeHead(302, { location: '/b', 'set-cookie': 'a=1' }).end();
    },
    '/b': (request, response) => {
      headers.push(...request.rawHeaders.map((header) => header.toLowerCase()));
      response.end(png);
    },
  });
  await load(url('/a'));
  t.ok(headers.includes('identity'), 'asks for no compression');
  for (const name of ['cookie', 'referer', 'authorization', 'forwarded', 'origin'])
    t.notOk(headers.includes(name), name);
});

const damaged = 'is sent with a damaged compression';
const refusals: [title: string, handler: Handler, reason: string, message: RegExp | string][] = [
  [
    'a page',
    send(html),
    'not_image',
    'is HTML, not an image: use the address of the image file itself',
  ],
  ['a page called a PNG', send(html, { 'content-type': 'image/png' }), 'not_image', /^is HTML/],
  ['an SVG without a size', send('<svg xmlns="x"/>'), 'decode', /^is an SVG that needs a viewBox/],
  ['an unknown compression', packed('zstd', png), 'not_image', /^is sent compressed/],
  ['a damaged compression', packed('gzip', 'nonsense'), 'decode', damaged],
  ['half a compression', packed('gzip', gzipSync(png).subarray(0, -9)), 'decode', damaged],
  ['half an image', send(png.subarray(0, -10)), 'decode', /^is cut off: the PNG file ends too/],
  ['a missing file', reply(404, html), 'status', 'was not found at its address (status 404)'],
  ['a private file', reply(403, html), 'status', 'is not publicly accessible (status 403)'],
  ['a broken origin', reply(503), 'status', /^could not be fetched: .* answered with status 503$/],
  ['a part', reply(206, png), 'status', /status 206$/],
  ['"not modified" for nothing', reply(304), 'status', /status 304$/],
  ['a redirect to nowhere', redirect(undefined), 'redirect', /does not say where to$/],
  ['a redirect to a file', redirect('file:///etc/passwd'), 'redirect', /no http\(s\) URL$/],
  ['a redirect with a password', redirect('http://a:b@c.de/'), 'redirect', /no http\(s\) URL$/],
  ['a redirect loop', redirect('/x'), 'redirect', 'is redirected more than 3 times'],
  [
    'a redirect to a sign-in page',
    redirect('https://accounts.google.com/signin'),
    'status',
    'needs a sign-in: share the file with "Anyone with the link"',
  ],
];

for (const [title, handler, reason, message] of refusals) {
  t.test(`${title} is refused by name`, async (t) => {
    const { fail, url } = await loadFrom(t, { '/x': handler });
    t.match(await fail(url('/x')), { name: 'ImageError', reason, message });
  });
}

t.test('three redirects are followed, also between hosts', async (t) => {
  const there = await startOrigin({ '/c': redirect('d?x=1', 308), '/d': send(png) });
  const here = await startOrigin({
    '/a': redirect('/b', 301),
    '/b': redirect(there.url('/c'), 307),
  });
  const { load } = startLoader(t, [here, there]);
  t.equal((await load(here.url('/a'))).image.widthPx, 30);
  t.strictSame(there.requests, ['GET /c', 'GET /d?x=1']);
});

t.test('a connection is used again', async (t) => {
  const { load, origin, url } = await loadFrom(t, { '/1': send(png), '/3': send(png) });
  await load(url('/1'));
  // The pool takes a connection back one turn after its answer has ended.
  await new Promise(setImmediate);
  await load(url('/3'));
  t.equal(origin.connections, 1);
});
