/** Answers of the render link over real sockets: headers, conditions, and what a connection is good for afterwards. */
import { join } from 'node:path';
import t from 'tap';
import { extensionOf, outputFormats } from '#language/formats.ts';
import { renderFormats } from '#wire/render-job.ts';
import { readImageHeader } from '../../src/images/sniff/sniff-image.ts';
import { head } from '../fixtures/raw-http.ts';
import { fillDataDirectory, testOrganization, textLayer, textVariable } from './published.ts';
import { checkError, converse } from './request.ts';
import { startService } from './service.ts';

const variables = [textVariable('name', 'friend')];
const layers = [textLayer('{{name}}')];
const longUid = 'tpl_Z2yCnsbxGDSvyGaB';
const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), ({ publish }) => {
  publish('card', { variables, layers });
  publish(longUid, { variables, layers });
  publish('narrow', {
    variables,
    layers: [textLayer('{{name}}', { overflow: 'ellipsis', maxLines: 1 })],
  });
  publish('keyed', { variables, layers, linkAuth: 'key' });
});
const service = await startService(t, { dataDirectory });

t.test('an image of each format comes with every header that the contract names', async (t) => {
  const ids = new Set<unknown>();
  for (const format of renderFormats) {
    const extension = `.${extensionOf(format)}`;
    const { status, headers, body } = await service.render(`${longUid}${extension}?name=Ada`);
    t.equal(status, 200);
    t.equal(readImageHeader(body)?.format, format);
    t.equal(Number(headers['content-length']), body.length);
    // A name has 20 characters at most.
    const name = longUid.slice(0, 20 - extension.length) + extension;
    t.match(headers, {
      'content-type': outputFormats[format].mediaType,
      etag: /^W\/"[!#-~]+"$/,
      'cache-control': 'public, max-age=300, stale-while-revalidate=86400',
      'content-disposition': `inline; filename="${name}"`,
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'x-request-id': /^req_[A-Za-z0-9]+$/,
    });
    for (const other of ['x-render-warnings', 'x-render-error', 'set-cookie']) {
      t.equal(headers[other], undefined, other);
    }
    ids.add(headers['x-request-id']);
  }
  t.equal(ids.size, renderFormats.length, 'every answer has a request id of its own');
});

t.test('text that is cut and missing glyphs are warned of and kept', async (t) => {
  for (const [name, warning] of [
    ['Maximilian Alexander von Hohenzollern-Sigmaringen', /^TEXT_TRUNCATED;layer="\w+"$/],
    ['\u{16a00}', /^GLYPH_MISSING;layer="\w+"$/u],
  ] as const) {
    const { status, headers } = await service.render(`narrow?name=${encodeURIComponent(name)}`);
    t.equal(status, 200);
    t.match(headers['x-render-warnings'], warning);
    t.match(headers['cache-control'], /^public, max-age=300/);
    t.ok(headers.etag, 'a repeat gives the same');
  }
});

t.test('UTF-8 that nobody encoded is read as letters', async (t) => {
  const { headers } = await service.render('card?name=Zo%C3%AB');
  t.equal((await service.render('card?name=Zo\u00c3\u00ab')).headers.etag, headers.etag);
});

t.test('a condition hides neither a missing template nor a missing key', async (t) => {
  const condition = { 'If-None-Match': '*' };
  const missing = await service.render('nobody', { headers: condition });
  t.match(checkError(t, missing, 404, 'NOT_FOUND'), /template/i);
  t.equal(missing.headers['access-control-allow-origin'], '*', 'pages can read why');
  const refused = await service.render('keyed', { headers: condition });
  checkError(t, refused, 401, 'UNAUTHORIZED');
  const headers = { ...condition, 'X-API-Key': testOrganization.key };
  const unchanged = await service.render('keyed', { headers });
  t.match(unchanged, { status: 304, headers: { 'x-robots-tag': 'noindex' } });
});

t.test('a connection goes on after every answer that does not end it', async (t) => {
  const { headers, body } = await service.render('card?name=Kept');
  const unchanged = `If-None-Match: ${headers.etag}`;
  for (const [kind, first] of Object.entries({
    image: head('GET', '/v1/render/card?name=Kept'),
    'first HEAD': head('HEAD', '/v1/render/card?name=KeptToo'),
    'HEAD from the cache': head('HEAD', '/v1/render/card?name=Kept'),
    304: head('GET', '/v1/render/card?name=Kept', unchanged),
    'HEAD with 304': head('HEAD', '/v1/render/card?name=Kept', unchanged),
    400: head('GET', '/v1/render/card?_scale=9'),
    'HEAD with 404': head('HEAD', '/v1/render/nobody'),
    health: head('HEAD', '/healthz'),
  })) {
    const answers = await converse(service.port, [first, head('GET', '/healthz')]);
    t.match(answers[0], /^HTTP\/1\.1 [234]/, kind);
    t.match(answers[1], /^HTTP\/1\.1 200 [^]*"ok"/, `${kind}: the next request is answered`);
    const hasNoBody = first.startsWith('HEAD') || kind.includes('304');
    if (hasNoBody) t.ok(answers[0]?.endsWith('\r\n\r\n'), `${kind}: no byte of a body`);
    if (!kind.includes('304')) continue;
    // RFC 9110 section 8.6: none, or that of the image.
    const [, length = body.length] = /content-length: (\d+)/i.exec(answers[0] ?? '') ?? [];
    t.equal(Number(length), body.length, kind);
  }
});
