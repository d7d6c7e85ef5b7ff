import { join } from 'node:path';
import t from 'tap';
import { head, sendRaw } from '../fixtures/raw-http.ts';
import { fillDataDirectory, testOrganization, textLayer, textVariable } from './published.ts';
import { checkError } from './request.ts';
import { demoKey, startService } from './service.ts';

const variables = [textVariable('name', 'friend')];
const layers = [textLayer('{{name}}')];
const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), (shelf) => {
  const { publish, saveDraft, organizations, db } = shelf;
  publish('open', { variables, layers });
  publish('keyed', { variables, layers, linkAuth: 'key' });
  publish('signed', { variables, layers, linkAuth: 'signed' });
  publish('closed-later', { variables, layers });
  publish('closed-later', { variables, layers, linkAuth: 'key' });
  saveDraft('draft', { variables, layers });
  publish('archived', { variables, layers });
  db.prepare("UPDATE templates SET archived_at = ? WHERE uid = 'archived'").run(
    new Date().toISOString(),
  );
  organizations.createKey(testOrganization.uid, { name: 'revoked', key: 'revoked-key' });
  const revoked = organizations
    .listKeys(testOrganization.uid)
    .find((key) => key.name === 'revoked');
  organizations.revokeKey(testOrganization.uid, revoked?.id ?? 0);
});
const service = await startService(t, { dataDirectory });

t.test('a template that is not there, not published or archived is 404', async (t) => {
  const uids = ['nobody', 'draft', 'archived', 'OPEN', 'x'.repeat(64), 'x'.repeat(65), '__proto__'];
  const odd = ['a%20b', '%6Fpen', 'open%00', '..%2Fopen', '%FF', 'constructor', '*'];
  for (const uid of [...uids, ...odd, ...uids.map((each) => `${each}.png?name=x`)]) {
    const message = checkError(t, await service.render(uid), 404, 'NOT_FOUND');
    t.match(message, /template/i, `${uid}: the message is about the template`);
  }
});

t.test('a path that is none is 404 in the same shape', async (t) => {
  for (const path of [
    '/v1',
    '/v1/render',
    '/v1/render/',
    '/v1/render/open/x',
    '/v2/render/open',
    '/V1/RENDER/open',
    '/metrics',
  ]) {
    checkError(t, await service.get(path), 404, 'NOT_FOUND');
  }
});

t.test('a template for holders of a key needs that of its own organization', async (t) => {
  for (const headers of [
    {},
    { 'X-API-Key': '' },
    { 'X-API-Key': 'wrong' },
    { 'X-API-Key': demoKey },
    { 'X-API-Key': 'revoked-key' },
    { Authorization: `Basic ${testOrganization.key}` },
  ]) {
    for (const target of ['keyed', 'keyed.jpg?name=x', 'closed-later', 'closed-later?_version=1']) {
      checkError(t, await service.render(target, { headers }), 401, 'UNAUTHORIZED');
    }
  }
  checkError(
    t,
    await service.render(`keyed?X-API-Key=${testOrganization.key}`),
    401,
    'UNAUTHORIZED',
  );
  const withKey = { headers: { 'X-API-Key': testOrganization.key } };
  t.equal((await service.render('keyed', withKey)).status, 200);
  t.equal((await service.render('closed-later?_version=1', withKey)).status, 200);
  checkError(t, await service.render('keyed'), 401, 'UNAUTHORIZED');
  checkError(t, await service.render('keyed?_scale=9'), 401, 'UNAUTHORIZED');
  const match = { headers: { 'if-none-match': '*' } };
  checkError(t, await service.render('keyed', match), 401, 'UNAUTHORIZED');
});

t.test('a template for signed links refuses a link without a right signature', async (t) => {
  const hex = 'a'.repeat(64);
  for (const query of [
    '',
    'name=x',
    '_signature=',
    `_signature=${hex}`,
    `name=x&_signature=${hex}`,
    `_expires=99999999999&_signature=${hex}`,
    `_expires=1&_signature=${hex}`,
    '_signature=%00',
  ]) {
    checkError(t, await service.render(`signed?${query}`), 401, 'UNAUTHORIZED');
  }
});

t.test('an open template takes no notice of keys, right or wrong', async (t) => {
  for (const key of ['', 'wrong', demoKey, testOrganization.key]) {
    const answer = await service.render('open', { headers: { 'X-API-Key': key } });
    t.equal(answer.status, 200, key);
  }
  t.equal((await service.render('open?_signature=wrong&_expires=1')).status, 200);
});

t.test('another method on a known path is 405 and says which are allowed', async (t) => {
  const paths = ['/v1/render/open', '/v1/render/open.png', '/healthz', '/readyz', '/'];
  for (const path of paths) {
    const renders = path.startsWith('/v1/render/');
    for (const method of [...(renders ? [] : ['POST']), 'PUT', 'DELETE', 'PATCH']) {
      const answer = await service.get(path, { method });
      checkError(t, answer, 405, 'METHOD_NOT_ALLOWED');
      const allow = (answer.headers.allow ?? '').split(/, */);
      t.ok(allow.includes('GET') && allow.includes('HEAD') && !allow.includes(method), path);
    }
  }
  for (const path of ['/v1/validate-organization', '/v1/templates', '/v1/fonts']) {
    const headers = { 'X-API-Key': testOrganization.key };
    const answer = await service.get(path, { method: 'PATCH', headers });
    t.equal(answer.status, 405);
    t.match(answer.headers.allow, /\bGET\b/);
    t.equal(typeof (answer.json() as { error: unknown }).error, 'string');
  }
});

t.test('an error can be read from a page of another origin, as the image could', async (t) => {
  const { headers } = await service.render('nobody');
  t.equal(headers['access-control-allow-origin'], '*');
});

t.test('a GET or HEAD that brings a body is 400, and its connection is closed', async (t) => {
  const target = '/v1/render/open?name=smuggled';
  for (const [shape, sent] of Object.entries({
    'a length': head('GET', target, 'Content-Length: 5') + 'hello',
    'a length, HEAD': head('HEAD', target, 'Content-Length: 5') + 'hello',
    chunked: head('GET', target, 'Transfer-Encoding: chunked') + '0\r\n\r\n',
    'chunked, HEAD': head('HEAD', target, 'Transfer-Encoding: chunked') + '0\r\n\r\n',
    identity: head('GET', target, 'Transfer-Encoding: identity'),
    'both kinds':
      head('GET', target, 'Content-Length: 5', 'Transfer-Encoding: chunked') + '0\r\n\r\n',
    'an organization path': head('GET', '/v1/templates', 'Content-Length: 5') + 'hello',
    'a page': head('GET', '/', 'Content-Length: 5') + 'hello',
    'no number': head('GET', target, 'Content-Length: five'),
  })) {
    const { text, isClosed } = await sendRaw(service.port, sent);
    t.match(text, /^HTTP\/1\.1 400 /, shape);
    t.equal(isClosed, true, `${shape}: closed`);
    t.equal(text.match(/HTTP\/1\.1 /g)?.length, 1, `${shape}: one answer`);
  }
});

t.test('a request that hides in the body of another one is not run', async (t) => {
  const hidden = head('GET', '/v1/render/open?name=hidden');
  const target = '/v1/render/open';
  for (const sent of [
    head('GET', target, `Content-Length: ${hidden.length}`) + hidden,
    head('GET', target, 'Transfer-Encoding: chunked') + '0\r\n\r\n' + hidden,
    head('GET', target, 'Transfer-Encoding: identity') + hidden,
    head('GET', target, `Content-Length: ${hidden.length}`, 'Content-Length: 0') + hidden,
    head('GET', target, 'Content-Length: 5', 'Transfer-Encoding: chunked') + '0\r\n\r\n' + hidden,
  ]) {
    const { text, isClosed } = await sendRaw(service.port, sent);
    // What stands behind a refused head may cost that head its answer, but the connection never lives on.
    t.match(text, /^(HTTP\/1\.1 400 |$)/, JSON.stringify(sent));
    t.ok((text.match(/HTTP\/1\.1 /g)?.length ?? 0) <= 1, 'one answer at most');
    t.equal(isClosed, true);
  }
  const rendered = await service.render('open?name=hidden');
  t.match(rendered.headers['server-timing'], /miss/, 'it was never drawn');
});

t.test('a request head over 16 KiB is refused and closed, one below is answered', async (t) => {
  const fits = head('GET', `/v1/render/open?x=${'x'.repeat(16_000)}`, 'Connection: close');
  t.match((await sendRaw(service.port, fits)).text, /^HTTP\/1\.1 200 /);
  for (const [part, sent] of Object.entries({
    target: head('GET', `/v1/render/open?x=${'x'.repeat(17_000)}`),
    header: head('GET', '/v1/render/open', `X-Long: ${'x'.repeat(17_000)}`),
    'many headers': head(
      'GET',
      '/v1/render/open',
      ...Array.from({ length: 40 }, (_, index) => `X-${index}: ${'x'.repeat(500)}`),
    ),
  })) {
    const { text, isClosed } = await sendRaw(service.port, sent);
    // The parser has a status of its own for this, 431, and says so before any route is known.
    t.match(text, /^HTTP\/1\.1 4(00|31) /, part);
    t.equal(isClosed, true, `${part}: closed`);
  }
});

t.test('broken HTTP is refused and closed, and the service goes on', async (t) => {
  for (const sent of [
    'GET /v1/render/open HTTP/9.9\r\nHost: a\r\n\r\n',
    head('GET', '/v1/render/open', 'Content-Length: -1'),
    '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  ]) {
    const { text, isClosed } = await sendRaw(service.port, sent);
    t.match(text, /^HTTP\/1\.1 (400|505) /, JSON.stringify(sent));
    t.equal(isClosed, true);
  }
  t.equal((await service.get('/healthz')).status, 200);
});
