/** No answer says which HTTP server is behind it, whatever way it takes to the socket. */
import { setImmediate as turn } from 'node:timers/promises';
import t from 'tap';
import { emptyReply, jsonReply } from '../../src/http/reply.ts';
import { route, startServer } from '../fixtures/api-server.ts';
import type { Route } from '../../src/http/server.ts';
import { readyHead } from '../../src/http/response-head.ts';
import { makeCertificate } from '../fixtures/images-tls.ts';
import { head, sendRaw } from '../fixtures/raw-http.ts';

const large = Buffer.alloc(1_000_000, 'x');

const routes: Route[] = [
  route('/json', () => jsonReply(200, { a: 1 })),
  route('/later', () => turn(jsonReply(200, { a: 1 }))),
  route('/image', () => ({ status: 200, headers: [], body: large })),
  route('/hit', () => ({ status: 200, headers: [], head: readyHead(200, []), body: large })),
  route('/unchanged', () => ({ status: 304, headers: ['ETag', '"a"'] })),
  route('/gone', () => emptyReply(204)),
  route('/bug', () => {
    throw new Error('bug');
  }),
];

const requests: [status: string, bytes: string][] = [
  ['200', head('GET', '/json')],
  ['200', head('HEAD', '/json')],
  ['200', head('GET', '/later')],
  ['200', head('GET', '/image')],
  ['200', head('HEAD', '/image')],
  ['200', head('GET', '/hit')],
  ['204', head('GET', '/gone')],
  ['304', head('GET', '/unchanged')],
  ['404', head('GET', '/nothing')],
  ['404', head('POST', '/nothing', 'Content-Length: 0')],
  ['405', head('PATCH', '/json')],
  ['405', head('POST', '/json', 'Content-Length: 5') + 'abcde'],
  ['400', head('GET', '/json', 'Content-Length: 5') + 'abcde'],
  ['400', head('POST', '/json', 'Transfer-Encoding: gzip')],
  ['500', head('GET', '/bug')],
  // The parser's pages.
  ['505', 'GET /json HTTP/1.0\r\nHost: a\r\n\r\n'],
  ['431', head('GET', '/json', `A: ${'a'.repeat(20_000)}`)],
];

t.test('no head names the server, nor do the pages of its parser', async (t) => {
  const { port } = await startServer(t, routes);
  for (const [status, bytes] of requests) {
    const { text } = await sendRaw(port, bytes, (got) => got.includes('\r\n\r\n'));
    const line = bytes.slice(0, bytes.indexOf('\r\n'));
    t.equal(text.slice(9, 12), status, line);
    const fields = text.slice(0, text.indexOf('\r\n\r\n') + 4);
    t.notMatch(fields, /uwebsockets|^server:|x-powered-by/im, line);
  }
});

t.test('the same over TLS', async (t) => {
  const folder = t.testdir({ ...makeCertificate(['localhost']) });
  const tls = { certificatePath: `${folder}/cert`, keyPath: `${folder}/key` };
  const { port } = await startServer(t, routes, { tls });
  const { request } = await import('node:https');
  const names = await new Promise<string[]>((resolve, reject) => {
    const options = { port, host: '127.0.0.1', path: '/json', rejectUnauthorized: false };
    request(options, (answer) => {
      answer.resume().on('end', () => resolve(Object.keys(answer.headers)));
    })
      .on('error', reject)
      .end();
  });
  t.ok(names.includes('x-request-id'));
  t.notOk(names.includes('uwebsockets'));
});
