/** What a client may choose of the encodings, and what an answer in each of them is. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import t from 'tap';
import { chooseEncoding, encodedBytesMin, varyBy } from '../../src/http/body/content-encoding.ts';
import { jsonReply } from '../../src/http/reply.ts';
import type { Reply } from '../../src/http/reply.ts';
import { request } from '../e2e/request.ts';
import { route, serveRoutes } from '../fixtures/api-server.ts';

t.test('the encoding with the greatest weight is chosen, brotli among equals', async (t) => {
  for (const [header, encoding] of [
    ['', undefined],
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br, zstd', 'br'],
    ['GZIP', 'gzip'],
    ['gzip;q=1.0, br;q=0.5', 'gzip'],
    ['br ; q=0.2 , gzip;q=0.1', 'br'],
    ['gzip;q=0', undefined],
    ['br;q=0, gzip', 'gzip'],
    ['*', 'br'],
    ['br;q=0, *', 'gzip'],
    ['*;q=0', undefined],
    ['identity', undefined],
    ['identity;q=1, gzip;q=0.5', undefined],
    ['identity;q=0.5, gzip', 'gzip'],
    ['deflate, zstd', undefined],
    ['notgzip, gzipped', undefined],
    ['gzip;q=x', undefined],
    [`${'a,'.repeat(8000)}gzip`, undefined],
  ] as const) {
    t.equal(chooseEncoding(header), encoding, header.slice(0, 40));
  }
});

t.test('Vary names each field once', async (t) => {
  t.same(varyBy(['A', 'b'], 'Origin'), ['A', 'b', 'Vary', 'Origin']);
  t.same(varyBy(['Vary', 'Accept'], 'Origin'), ['Vary', 'Accept, Origin']);
  t.same(varyBy(['Vary', 'Origin'], 'Origin'), ['Vary', 'Origin']);
  t.same(varyBy(['Vary', 'Accept, Origin'], 'Origin'), ['Vary', 'Accept, Origin']);
  const longer = ['Vary', 'Accept-Encoding'];
  t.same(varyBy(longer, 'Accept'), ['Vary', 'Accept-Encoding, Accept'], 'a part is no field');
});

t.test('text is the same in each encoding, for GET and HEAD, first and later', async (t) => {
  const text = { text: 'Grüße '.repeat(2000) };
  const svg = Buffer.from(`<svg>${'<g/>'.repeat(500)}</svg>`);
  const image = Buffer.alloc(5000, 'x');
  const reply = (body: string | Buffer, ...headers: string[]): Reply => ({
    status: 200,
    headers,
    body,
  });
  const base = await serveRoutes(t, [
    route('/json', () => jsonReply(200, text)),
    route('/later', async () => jsonReply(200, text)),
    route('/kept', () => reply('k'.repeat(9000), 'Cache-Control', 'no-cache')),
    route('/svg', () => reply(svg, 'Content-Type', 'image/svg+xml')),
    route('/image', () => reply(image, 'Content-Type', 'image/png')),
    route('/small', () => reply('x'.repeat(encodedBytesMin - 1))),
  ]);
  const port = Number(new URL(base).port);
  const ask = (path: string, encoding: string, method = 'GET') =>
    request(port, path, {
      method,
      headers: encoding === '' ? {} : { 'Accept-Encoding': encoding },
    });
  const decoders = { br: brotliDecompressSync, gzip: gunzipSync };
  for (const path of ['/json', '/later', '/kept', '/svg', '/json', '/kept']) {
    const plain = await ask(path, '');
    t.equal(plain.headers['content-encoding'], undefined, path);
    t.equal(plain.headers.vary, 'Accept-Encoding');
    for (const encoding of ['br', 'gzip'] as const) {
      const encoded = await ask(path, encoding);
      t.equal(encoded.headers['content-encoding'], encoding, path);
      t.equal(encoded.headers.vary, 'Accept-Encoding');
      t.ok(encoded.body.length < plain.body.length / 2);
      t.same(decoders[encoding](encoded.body), plain.body);
      const head = await ask(path, encoding, 'HEAD');
      t.equal(head.headers['content-encoding'], encoding);
      t.equal(head.headers['content-length'], String(encoded.body.length));
    }
  }
  for (const path of ['/image', '/small']) {
    const { headers } = await ask(path, 'br, gzip');
    t.equal(headers['content-encoding'], undefined, path);
    t.equal(headers.vary, undefined, path);
  }
});

t.test('a flood of text is compressed a few answers at a time, and all are right', async (t) => {
  const text = 'ab'.repeat(200_000);
  const base = await serveRoutes(t, [route('/json', () => jsonReply(200, text))]);
  const port = Number(new URL(base).port);
  const answers = await Promise.all(
    Array.from({ length: 40 }, () =>
      request(port, '/json', { headers: { 'Accept-Encoding': 'gzip' } }),
    ),
  );
  let plain = 0;
  for (const { headers, body } of answers) {
    const isPlain = headers['content-encoding'] === undefined;
    if (isPlain) plain += 1;
    const decoded = isPlain ? body : gunzipSync(body);
    t.equal(decoded.length, text.length + 2);
    t.equal(headers.vary, 'Accept-Encoding');
  }
  t.ok(plain < 40, `${plain} of 40 as they are`);
});
