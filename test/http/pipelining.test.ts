import { connect } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import t from 'tap';
import { AppError } from '../../src/foundation/errors.ts';
import { jsonReply } from '../../src/http/reply.ts';
import { postRoute, route, startServer } from '../fixtures/api-server.ts';
import { head, sendRaw, statusesOf } from '../fixtures/raw-http.ts';

/** Requests that were run. */
let ranCount = 0;
const { port, server } = await startServer(t, [
  route('/hit', () => {
    ranCount += 1;
    return jsonReply(200, { hit: 1 });
  }),
  route('/slow', () => {
    ranCount += 1;
    const endMs = performance.now() + 1;
    while (performance.now() < endMs);
    return jsonReply(200, {});
  }),
  route('/miss', () => turn(jsonReply(200, {}))),
  route(
    '/held',
    (exchange) =>
      new Promise((resolve) => {
        exchange.onAborted = () => resolve(jsonReply(200, {}));
      }),
  ),
  postRoute(
    '/upload',
    async (exchange) => {
      ranCount += 1;
      return jsonReply(201, { bytes: (await exchange.readBody()).length });
    },
    1000,
  ),
  postRoute(
    '/locked',
    () => {
      throw new AppError('UNAUTHORIZED', 'Invalid API key', { reason: 'key' });
    },
    1000,
  ),
]);

const post = (path: string): string => `${head('POST', path, 'Content-Length: 5')}hello`;
const hit = head('GET', '/hit');
const miss = head('GET', '/miss');

/** Sends requests at once; the statuses of the answers up to the end of the connection, or to the last one that is awaited. */
async function send(requests: string[], answers: number): Promise<number[]> {
  const bytes = requests.join('');
  const { text } = await sendRaw(
    port,
    bytes,
    (got) => got.endsWith('}') && statusesOf(got).length >= answers,
  );
  return statusesOf(text);
}

t.test('requests behind one another are answered in turn', async (t) => {
  const cases: [requests: string[], statuses: string][] = [
    [[hit, hit, hit], '200 200 200'],
    [[post('/locked'), hit], '401 200'],
    [[post('/upload'), post('/upload'), hit], '201 201 200'],
    [[head('POST', '/hit'), hit], '405 200'],
    [[post('/hit'), post('/absent'), hit], '405 404 200'],
    [[hit, hit, miss], '200 200 200'],
  ];
  for (const [requests, statuses] of cases) {
    t.equal((await send(requests, requests.length)).join(' '), statuses);
  }
});

t.test('a connection that would keep a turn of the event loop is ended', async (t) => {
  const before = ranCount;
  const requests = Array.from({ length: 300 }, () => head('GET', '/slow'));
  const statuses = await send(requests, requests.length);
  t.ok(ranCount - before < 100, `${ranCount - before} of 300 ran`);
  t.ok(statuses.length < requests.length);
  t.same(await send([hit, hit], 2), [200, 200], 'others go on');
  t.equal(server.openRequests, 0);
});

t.test('a request behind a render in progress ends the connection', async (t) => {
  t.same(await send([miss, hit], 2), []);
  t.same(await send([hit, miss, hit], 3), []);
  t.equal(server.openRequests, 0);
});

t.test('an unexpected body ends the connection, and bytes behind it are no request', async (t) => {
  const body = `${head('GET', '/hit', 'Content-Length: 5')}hello`;
  t.same(await send([body], 1), [400]);
  const before = ranCount;
  t.same(await send([body, hit], 2), [], 'in the same packet without the 400');
  t.equal(ranCount, before);
});

t.test('a client that closes its side is answered only from memory', async (t) => {
  const ask = (bytes: string): Promise<string> =>
    new Promise((resolve) => {
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
      let text = '';
      socket.on('data', (chunk) => (text += chunk.toString('latin1')));
      socket.on('end', () => socket.end());
      socket.on('close', () => resolve(text));
      socket.end(bytes);
    });
  t.match(await ask(hit), /^HTTP\/1\.1 200 /);
  t.equal(await ask(head('GET', '/held')), '', 'for an image in the making it has left');
});

t.test('an empty Host is 400, and so is a second one wherever a body may stand', async (t) => {
  ranCount = 0;
  for (const request of [
    'GET /hit HTTP/1.1\r\nHost:\r\n\r\n',
    'POST /upload HTTP/1.1\r\nHost:\r\nContent-Length: 0\r\n\r\n',
    head('POST', '/upload', 'Host: b', 'Content-Length: 5') + 'hello',
    head('POST', '/upload', 'Host: test'),
    head('DELETE', '/hit', 'Host: b'),
    head('GET', '/hit', 'Host: b', 'Content-Length: 0'),
  ]) {
    const { text, isClosed } = await sendRaw(port, request);
    // The parser of newer builds refuses a second one before any code of the service runs.
    t.match(text, /^HTTP\/1\.1 400 [^]*(?:one Host that is not empty|<h1>Bad Request)/, request);
    t.equal(isClosed, true);
  }
  t.same(await send(['HEAD /hit HTTP/1.1\r\nHost: \r\n\r\n'], 1), [400], 'without a body');
  t.same(await send([head('POST', '/upload', 'Content-Length:')], 1), [400]);
  t.equal(ranCount, 0);
});

t.test('a method is written in capitals (RFC 9110 section 9.1)', async (t) => {
  ranCount = 0;
  for (const method of ['get', 'Get', 'head']) {
    t.same(await send([head(method, '/hit')], 1), [405], method);
  }
  for (const method of ['post', 'pOST']) {
    t.same(await send([head(method, '/upload')], 1), [405], method);
  }
  t.equal(ranCount, 0);
});
