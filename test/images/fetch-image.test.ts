/** What a fetch asks for, follows and accepts, and what the caller learns about the rest. */
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import t from 'tap';
import { jpegOf, pngOf } from '../fixtures/images-files.ts';
import { startLoader } from '../fixtures/images-loader.ts';
import { startOrigin } from '../fixtures/images-origin.ts';
import type { Handler } from '../fixtures/images-origin.ts';

const png = pngOf({ widthPx: 30, heightPx: 20 });
const html = '<!doctype html><title>Sign in</title>';

function send(body: Uint8Array | string, headers: Record<string, string> = {}): Handler {
  return (_request, response) => response.writeHead(200, headers).end(body);
}

function redirect(location: string | undefined, status = 302): Handler {
  return (_request, response) =>
    response.writeHead(status, location === undefined ? {} : { location }).end();
}

t.test('an image is loaded whatever its origin calls it', async (t) => {
  const origin = await startOrigin({
    '/a.png': send(png, { 'content-type': 'text/html' }),
    '/chunked': (_request, response) => {
      for (const byte of png) response.write(Buffer.from([byte]));
      response.end();
    },
  });
  const { load, now } = startLoader(t, [origin]);
  const { image, freshUntilMs } = await load(origin.url('/a.png'));
  t.match(image, { format: 'png', widthPx: 30, heightPx: 20, orientation: 1 });
  t.type(image.bytes.buffer, SharedArrayBuffer);
  t.equal(image.bytes.buffer.byteLength, png.byteLength, 'the buffer is exactly the file');
  t.strictSame(Buffer.from(image.bytes), png);
  t.match(image.digest, /^[0-9a-f]{64}$/);
  t.equal(freshUntilMs - now(), 600_000);
  t.equal((await load(origin.url('/chunked'))).image.digest, image.digest);
});

t.test('an image that its server compresses unasked is unpacked', async (t) => {
  const origin = await startOrigin({
    '/gzip': send(gzipSync(png), { 'content-encoding': 'gzip' }),
    '/x-gzip': send(gzipSync(png), { 'content-encoding': 'X-GZIP' }),
    '/deflate': send(deflateSync(png), { 'content-encoding': 'deflate' }),
    '/br': send(brotliCompressSync(png), { 'content-encoding': 'br' }),
  });
  const { load } = startLoader(t, [origin]);
  for (const path of ['/gzip', '/x-gzip', '/deflate', '/br']) {
    const { image } = await load(origin.url(path));
    t.strictSame(Buffer.from(image.bytes), png, path);
  }
});

t.test('a request carries nothing but itself', async (t) => {
  let headers: string[] = [];
  const origin = await startOrigin({
    '/a': (request, response) => {
      headers = request.rawHeaders.map((header) => header.toLowerCase());
      response.writeHead(302, { location: '/b', 'set-cookie': 'a=1' }).end();
    },
    '/b': (request, response) => {
      headers.push(...request.rawHeaders.map((header) => header.toLowerCase()));
      response.end(png);
    },
  });
  const { load } = startLoader(t, [origin]);
  await load(origin.url('/a'));
  t.ok(headers.includes('identity'), 'asks for no compression');
  for (const name of ['cookie', 'referer', 'authorization', 'forwarded', 'origin'])
    t.notOk(headers.includes(name), name);
});

const refusals: [title: string, handler: Handler, reason: string, message: RegExp | string][] = [
  [
    'a page',
    send(html),
    'not_image',
    'is HTML, not an image: use the address of the image file itself',
  ],
  [
    'a page that says it is a PNG',
    send(html, { 'content-type': 'image/png' }),
    'not_image',
    /^is HTML/,
  ],
  ['an SVG without a size', send('<svg xmlns="x"/>'), 'decode', /^is an SVG that needs a viewBox/],
  ['other XML', send('<?xml version="1.0"?><rss/>'), 'not_image', 'is XML, not an image'],
  ['nothing', send(''), 'not_image', 'is empty'],
  ['text', send('not here'), 'not_image', 'is text, not an image'],
  [
    'an image in an unknown compression',
    send(png, { 'content-encoding': 'zstd' }),
    'not_image',
    /^is sent compressed/,
  ],
  [
    'a damaged compression',
    send('nonsense', { 'content-encoding': 'gzip' }),
    'decode',
    'is sent with a damaged compression',
  ],
  [
    'half a compression',
    send(gzipSync(png).subarray(0, -9), { 'content-encoding': 'gzip' }),
    'decode',
    'is sent with a damaged compression',
  ],
  [
    'an image under two encodings',
    send(png, { 'content-encoding': 'identity, br' }),
    'not_image',
    /^is sent compressed/,
  ],
  [
    'half an image',
    send(png.subarray(0, -10)),
    'decode',
    'is cut off: the PNG file ends too early',
  ],
  ['a damaged image', send(png.subarray(0, 20)), 'decode', 'is a damaged or unusual PNG file'],
  [
    'a JPEG that nothing draws',
    send(jpegOf({ widthPx: 9, heightPx: 9, frame: 0xc3 })),
    'decode',
    /^is a damaged or unusual JPEG/,
  ],
  [
    'a large image',
    send(pngOf({ widthPx: 8000, heightPx: 6500 })),
    'too_large',
    'is 52 MP, the limit is 50 MP',
  ],
  [
    'a barely large image',
    send(pngOf({ widthPx: 10_000, heightPx: 5001 })),
    'too_large',
    'is 50.01 MP, the limit is 50 MP',
  ],
  [
    'a long image',
    send(pngOf({ widthPx: 17_000, heightPx: 1 })),
    'too_large',
    'is 17000 × 1 px, the limit is 16384 px a side',
  ],
  [
    'a deep, interlaced image',
    send(pngOf({ widthPx: 8000, heightPx: 6000, bitDepth: 16, interlaced: true })),
    'too_large',
    'needs 499 MB to decode, the limit is 340 MB: use a smaller image, or a JPEG or PNG',
  ],
  [
    'a missing file',
    (_request, response) => response.writeHead(404).end(html),
    'status',
    'was not found at its address (status 404)',
  ],
  [
    'a private file',
    (_request, response) => response.writeHead(403).end(html),
    'status',
    'is not publicly accessible (status 403)',
  ],
  [
    'a broken origin',
    (_request, response) => response.writeHead(503).end(),
    'status',
    'could not be fetched: its server answered with status 503',
  ],
  ['a part', (_request, response) => response.writeHead(206).end(png), 'status', /status 206$/],
  [
    '"not modified" for nothing',
    (_request, response) => response.writeHead(304).end(),
    'status',
    /status 304$/,
  ],
  ['a redirect to nowhere', redirect(undefined), 'redirect', /does not say where to$/],
  ['a redirect to a file', redirect('file:///etc/passwd'), 'redirect', /no http\(s\) URL$/],
  [
    'a redirect with a password',
    redirect('http://a:b@example.com/'),
    'redirect',
    /no http\(s\) URL$/,
  ],
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
    const origin = await startOrigin({ '/x': handler });
    const { fail } = startLoader(t, [origin]);
    t.match(await fail(origin.url('/x')), { name: 'ImageError', reason, message });
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
  const origin = await startOrigin({ '/1': send(png), '/2': redirect('/1'), '/3': send(png) });
  const { load } = startLoader(t, [origin]);
  await load(origin.url('/1'));
  // The pool takes a connection back one turn after its answer has ended.
  await new Promise(setImmediate);
  await load(origin.url('/3'));
  t.equal(origin.connections, 1);
});

t.test('one host is asked by at most eight connections', async (t) => {
  const waiting: (() => void)[] = [];
  const origin = await startOrigin({
    '/slow': (_request, response) => {
      waiting.push(() => response.end(png));
      if (waiting.length === 8) for (const answer of waiting) answer();
      if (waiting.length > 8) response.end(png);
    },
  });
  const { load } = startLoader(t, [origin]);
  // One organization alone may have six of them.
  const requesters = ['org_one', 'org_two'].map((organizationUid) => {
    return { organizationUid, templateUid: 'template' };
  });
  const loads = Array.from({ length: 30 }, (_, n) =>
    load(origin.url(`/slow?${n}`), undefined, requesters[n % 2]),
  );
  await Promise.all(loads);
  t.equal(origin.connections, 8);
  t.equal(origin.requests.length, 30);
});
