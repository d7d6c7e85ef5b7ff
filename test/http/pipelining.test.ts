import { connect } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import t from 'tap';
import { AppError } from '../../src/foundation/errors.ts';
import { jsonReply } from '../../src/http/reply.ts';
import { createServer } from '../../src/http/server.ts';
import { createLog } from '../../src/foundation/log.ts';
import { head, sendRaw } from '../fixtures/raw-http.ts';

/** Requests to `/hit` that were run. */
let ranCount = 0;
const server = createServer({
  host: '127.0.0.1',
  port: 0,
  timeoutMs: 5000,
  routes: [
    {
      name: 'hit',
      path: '/hit',
      errorShape: 'render',
      get: () => {
        ranCount += 1;
        return jsonReply(200, { hit: 1 });
      },
    },
    {
      name: 'slow',
      path: '/slow',
      errorShape: 'render',
      get: () => {
        ranCount += 1;
        const endMs = performance.now() + 1;
        while (performance.now() < endMs);
        return jsonReply(200, {});
      },
    },
    { name: 'miss', path: '/miss', errorShape: 'render', get: () => turn(jsonReply(200, {})) },
    {
      name: 'held',
      path: '/held',
      errorShape: 'render',
      get: (exchange) =>
        new Promise((resolve) => {
          exchange.onAborted = () => resolve(jsonReply(200, {}));
        }),
    },
    {
      name: 'upload',
      path: '/upload',
      errorShape: 'organization',
      bodyBytesMax: 1000,
      post: async (exchange) => jsonReply(201, { bytes: (await exchange.readBody()).length }),
    },
    {
      name: 'locked',
      path: '/locked',
      errorShape: 'organization',
      bodyBytesMax: 1000,
      post: () => {
        throw new AppError('UNAUTHORIZED', 'Invalid API key', { reason: 'key' });
      },
    },
  ],
  onRequest: () => undefined,
  log: createLog(() => undefined),
});
const port = await server.listen();
t.teardown(() => server.close());

const post = (path: string): string => `${head('POST', path, 'Content-Length: 5')}hello`;
const hit = head('GET', '/hit');
const miss = head('GET', '/miss');

function statusesOf(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}

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
  const cases: [requests: string[], statuses: number[]][] = [
    [Array.from({ length: 3 }, () => hit), [200, 200, 200]],
    [
      [post('/locked'), hit],
      [401, 200],
    ],
    [
      [post('/upload'), post('/upload'), hit],
      [201, 201, 200],
    ],
    [
      [head('POST', '/hit'), hit],
      [405, 200],
    ],
    [
      [post('/hit'), post('/absent'), hit],
      [405, 404, 200],
    ],
    [
      [hit, hit, miss],
      [200, 200, 200],
    ],
  ];
  for (const [requests, statuses] of cases) {
    t.same(await send(requests, statuses.length), statuses, requests.join('').slice(0, 60));
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

t.test(
  'an unexpected body ends the connection, and the bytes behind it are no request',
  async (t) => {
    const body = `${head('GET', '/hit', 'Content-Length: 5')}hello`;
    t.same(await send([body], 1), [400]);
    const before = ranCount;
    t.same(await send([body, hit], 2), [], 'in the same packet without the 400');
    t.equal(ranCount, before);
  },
);

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

t.test('a second Host is 400 wherever something may be changed', async (t) => {
  for (const request of [
    head('POST', '/upload', 'Host: b', 'Content-Length: 5') + 'hello',
    head('POST', '/upload', 'Host: test'),
    head('DELETE', '/hit', 'Host: b'),
    head('GET', '/hit', 'Host: b', 'Content-Length: 0'),
  ]) {
    const { text, isClosed } = await sendRaw(port, request);
    t.match(text, /^HTTP\/1\.1 400 [^]*one Host that is not empty/, request);
    t.equal(isClosed, true);
  }
});
