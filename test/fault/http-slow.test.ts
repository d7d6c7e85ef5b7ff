import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import t from 'tap';
import { emptyReply, jsonReply } from '../../src/http/reply.ts';
import { createServer } from '../../src/http/server.ts';
import type { RequestRecord } from '../../src/http/server.ts';
import { createLog } from '../../src/foundation/log.ts';
import { head } from '../fixtures/raw-http.ts';

const records: RequestRecord[] = [];
const image = Buffer.alloc(15_000, 'x');
const server = createServer({
  host: '127.0.0.1',
  port: 0,
  timeoutMs: 60_000,
  routes: [
    { name: 'ok', path: '/ok', errorShape: 'render', get: () => jsonReply(200, {}) },
    {
      name: 'image',
      path: '/image',
      errorShape: 'render',
      get: () => ({ status: 200, headers: [], body: image }),
    },
    {
      name: 'upload',
      path: '/upload',
      errorShape: 'organization',
      bodyBytesMax: 1_000_000,
      post: async (exchange) => {
        await exchange.readBody();
        return emptyReply(204);
      },
    },
  ],
  onRequest: (record) => records.push(record),
  log: createLog(() => undefined),
});
const port = await server.listen();
t.teardown(() => server.close());

/** Sends `first`, then `drip` every 500 ms; resolves to what came when the connection ends. The test's timeout is the limit. */
function dawdle(first: string, drip = ''): Promise<string> {
  return new Promise((resolve) => {
    const socket: Socket = connect(port, '127.0.0.1');
    let text = '';
    const timer = setInterval(() => drip !== '' && socket.write(drip), 500);
    socket.on('data', (chunk) => (text += chunk.toString('latin1')));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearInterval(timer);
      resolve(text);
    });
    if (first !== '') socket.write(first);
  });
}

const upload = head('POST', '/upload', 'Content-Length: 900000');
const slow: [title: string, first: string, drip: string, answer: RegExp][] = [
  ['that says nothing', '', '', /^$/],
  ['that stays open between requests', head('GET', '/ok'), '', /^HTTP\/1\.1 200 /],
  ['with half a head', 'GET /ok HTTP/1.1\r\nHost: a\r\n', '', /^$/],
  ['whose head drips', 'GET /ok HTTP/1.1\r\nHost: a\r\nX-Drip: ', 'a', /^$/],
  ['whose URL drips', 'GET /ok?', 'a', /^$/],
  ['whose body stops', `${upload}abc`, '', /^HTTP\/1\.1 408 /],
  ['whose body drips', upload, 'a'.repeat(1000), /^$/],
  [
    'whose chunk drips',
    `${head('POST', '/upload', 'Transfer-Encoding: chunked')}FFFF\r\n`,
    'a',
    /^$/,
  ],
  [
    'whose refused body drips',
    head('POST', '/ok', 'Content-Length: 900000'),
    'a',
    /^$|^HTTP\/1\.1 405 /,
  ],
];

t.test('a connection that is too slow is closed', async (t) => {
  const results = await Promise.all(slow.map(([, first, drip]) => dawdle(first, drip)));
  for (const [index, [title, , , answer]] of slow.entries()) {
    t.match(results[index], answer, title);
  }
  await server.idle(1000);
  t.equal(server.openRequests, 0);
  t.equal(server.openConnections, 0);
});

t.test('readers that request much and take nothing hold little memory', async (t) => {
  const before = process.memoryUsage().rss;
  const [readers, requests] = [20, 2300];
  const sockets = Array.from({ length: readers }, () => {
    const socket = connect(port, '127.0.0.1').pause();
    socket.on('error', () => undefined);
    socket.write(head('GET', '/image').repeat(requests));
    return socket;
  });
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
  });
  const served = records.length;
  while (records.length < served + readers || server.openRequests > readers) await turn();
  t.equal((await fetch(`http://127.0.0.1:${port}/ok`)).status, 200);
  const asked = readers * requests * image.length;
  const held = process.memoryUsage().rss - before;
  t.ok(held < asked / 10, `${Math.round(held / 1e6)} MB for ${asked / 1e6} MB of answers`);
});
