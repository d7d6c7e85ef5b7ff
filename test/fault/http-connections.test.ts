/** Connections that are too many, too slow, too long or gone, and answers that nobody reads. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { createLog } from '../../src/foundation/log.ts';
import { resolveConnectionsMax } from '../../src/http/connections.ts';
import { emptyReply, jsonReply } from '../../src/http/reply.ts';
import type { Route } from '../../src/http/server.ts';
import { eventually } from '../e2e/service.ts';
import { route, startServer } from '../fixtures/api-server.ts';
import { head, sendRaw } from '../fixtures/raw-http.ts';
import { onlyFull } from '../helpers/extent.ts';
import { canRunIn, inPrivateNetwork } from '../helpers/private-network.ts';

const connectionsMax = 100;
const image = Buffer.alloc(15_000, 'x');
const lines: Record<string, unknown>[] = [];
let answered = 0;
const routes: Route[] = [
  route('/ok/:x', () => jsonReply(200, {})),
  route('/image', () => ({ status: 200, headers: [], body: image })),
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
];
const { server, port } = await startServer(t, routes, {
  timeoutMs: 60_000,
  connectionsMax,
  onRequest: () => (answered += 1),
  log: createLog((_, line) => lines.push(JSON.parse(line) as Record<string, unknown>)),
});
const isFree = (): Promise<boolean> =>
  eventually(() => server.openConnections === 0 && server.openRequests === 0);
const upload = head('POST', '/upload', 'Content-Length: 900000');

t.test('a head that is too long is refused, whatever makes it long', async (t) => {
  const long = 'a'.repeat(20_000);
  const shapes = [
    head('GET', `/ok/${long}`),
    head('GET', '/ok/1', `X-Long: ${long}`),
    head('GET', '/ok/1', ...Array.from({ length: 4000 }, (_, index) => `X-${index}: a`)),
    head(long, '/ok/1'),
    `GET /ok/1 HTTP/1.1\r\n${long}`,
    long,
  ];
  for (const shape of shapes) {
    const { text, isClosed } = await sendRaw(port, shape);
    t.match(text, /^HTTP\/1\.1 4\d\d /, shape.slice(0, 20));
    t.equal(isClosed, true);
  }
});

t.test('a caller who leaves within a head or a body leaves nothing behind', async (t) => {
  for (const begun of ['GET /ok/1 HTTP/1.1\r\nHost: a\r\nX-', `${upload}abc`]) {
    const sockets = Array.from({ length: 20 }, () => connect(port, '127.0.0.1'));
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    for (const socket of sockets) socket.write(begun);
    t.equal(
      (await sendRaw(port, head('GET', '/ok/1'), (got) => got.endsWith('{}'))).isClosed,
      false,
    );
    t.ok(server.openConnections >= 20);
    for (const [index, socket] of sockets.entries()) {
      if (index % 2 === 0) socket.resetAndDestroy();
      else socket.destroy();
    }
    t.ok(await isFree(), begun);
  }
});

/** Connects and sends a request; `text` is the answer, empty from a server that closed. */
async function connectOnce(): Promise<{ socket: Socket; text: string }> {
  const socket = connect(port, '127.0.0.1');
  t.teardown(() => socket.destroy());
  const answer = new Promise<string>((resolve) => {
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(''));
    socket.once('data', (bytes) => resolve(bytes.toString()));
  });
  socket.write(head('GET', '/ok/1'));
  return { socket, text: await answer };
}

t.test('connections beyond the limit are closed at once, others answered', async (t) => {
  const kept: Socket[] = [];
  while (kept.length < connectionsMax) {
    const { socket, text } = await connectOnce();
    t.match(text, /^HTTP\/1\.1 200 /);
    kept.push(socket);
  }
  t.equal((await connectOnce()).text, '', 'the next one is closed');
  t.equal((await connectOnce()).text, '');
  t.equal(server.openConnections, connectionsMax);
  t.equal(server.refusedConnections, 2);
  t.match(lines, [{ event: 'connections refused', open: connectionsMax, limit: connectionsMax }]);
  t.equal(lines.length, 1, 'one line a minute');
  const [first] = kept as [Socket];
  first.write(head('GET', '/ok/1'));
  const [answer] = (await once(first, 'data')) as [Buffer];
  t.match(answer.toString(), /^HTTP\/1\.1 200 /);
  kept.pop()?.destroy();
  t.ok(await eventually(() => server.openConnections < connectionsMax));
  t.match((await connectOnce()).text, /^HTTP\/1\.1 200 /, 'one that ends makes way for another');
  for (const socket of kept) socket.destroy();
});

t.test('the limit follows the files that may be open', async (t) => {
  const limits = [65_536, 4096, undefined, 256].map((files) =>
    resolveConnectionsMax(10_000, files),
  );
  t.same(limits, [10_000, 3496, 10_000, 64]);
});

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

const chunked = `${head('POST', '/upload', 'Transfer-Encoding: chunked')}FFFF\r\n`;
const slow: [title: string, first: string, drip: string, answer: RegExp][] = [
  ['that says nothing', '', '', /^$/],
  ['that stays open between requests', head('GET', '/ok/1'), '', /^HTTP\/1\.1 200 /],
  ['with half a head', 'GET /ok/1 HTTP/1.1\r\nHost: a\r\n', '', /^$/],
  ['whose head drips', 'GET /ok/1 HTTP/1.1\r\nHost: a\r\nX-Drip: ', 'a', /^$/],
  ['whose URL drips', 'GET /ok/1?', 'a', /^$/],
  ['whose body stops', `${upload}abc`, '', /^HTTP\/1\.1 408 /],
  ['whose body drips', upload, 'a'.repeat(1000), /^$/],
  ['whose chunk drips', chunked, 'a', /^$/],
  ['whose refused body drips', upload.replace('/upload', '/ok/1'), 'a', /^$|^HTTP\/1\.1 405 /],
];

t.test('a connection that is too slow is closed', { skip: onlyFull }, async (t) => {
  const results = await Promise.all(slow.map(([, first, drip]) => dawdle(first, drip)));
  for (const [index, [title, , , answer]] of slow.entries()) t.match(results[index], answer, title);
  t.ok(await isFree());
});

t.test('readers that request much and take nothing hold little memory', async (t) => {
  const before = process.memoryUsage().rss;
  const [readers, requests] = [20, 2300];
  const served = answered;
  const sockets = Array.from({ length: readers }, () => {
    const socket = connect(port, '127.0.0.1').pause();
    socket.on('error', () => undefined);
    socket.write(head('GET', '/image').repeat(requests));
    return socket;
  });
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
  });
  t.ok(await eventually(() => answered >= served + readers && server.openRequests <= readers));
  t.equal((await fetch(`http://127.0.0.1:${port}/ok/1`)).status, 200);
  const asked = readers * requests * image.length;
  const held = process.memoryUsage().rss - before;
  t.ok(held < asked / 10, `${Math.round(held / 1e6)} MB for ${asked / 1e6} MB of answers`);
});

const inNetwork = inPrivateNetwork();
const skip = canRunIn(inNetwork) ? false : 'needs unshare and ip';

t.test('the settings of systemd/ bound what the kernel keeps unread', { skip }, async (t) => {
  const program = fileURLToPath(new URL('../fixtures/unread-answers.ts', import.meta.url));
  const [clients, answerBytes] = [50, 3_600_000];
  const order = [process.execPath, program, String(clients), String(answerBytes)];
  const output = execFileSync('unshare', [...inNetwork, ...order], { encoding: 'utf8' });
  const { connections, bytes } = JSON.parse(output) as { connections: number; bytes: number };
  t.equal(connections, clients);
  t.ok(bytes / clients < 400_000, `${Math.round(bytes / clients / 1000)} kB of 3600 for each`);
});
