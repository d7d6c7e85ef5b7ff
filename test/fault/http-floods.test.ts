import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { once } from 'node:events';
import t from 'tap';
import { jsonReply } from '../../src/http/reply.ts';
import { resolveConnectionsMax } from '../../src/http/connections.ts';
import { createServer } from '../../src/http/server.ts';
import { createLog } from '../../src/foundation/log.ts';
import { head, sendRaw } from '../fixtures/raw-http.ts';
import { eventually } from '../e2e/service.ts';

const server = createServer({
  host: '127.0.0.1',
  port: 0,
  timeoutMs: 5000,
  routes: [{ name: 'ok', path: '/ok/:x', errorShape: 'render', get: () => jsonReply(200, {}) }],
  onRequest: () => undefined,
  log: createLog(() => undefined),
});
const port = await server.listen();
t.teardown(() => server.close());

async function isWell(): Promise<boolean> {
  return (await fetch(`http://127.0.0.1:${port}/ok/1`)).status === 200;
}

t.test('heads that are too long are refused, however they are long', async (t) => {
  const long = 'a'.repeat(20_000);
  const shapes = [
    head('GET', `/ok/${long}`),
    head('GET', `/ok/1?${long}`),
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
  t.ok(await isWell());
});

t.test('a head of 100 lines or 16 KiB is read whole, or refused', async (t) => {
  for (const lines of [10, 50, 90, 99, 100, 101, 200]) {
    const shape = head('GET', '/ok/1', ...Array.from({ length: lines }, (_, at) => `X-${at}: a`));
    const { text } = await sendRaw(port, shape, (got) => got.includes('\r\n\r\n'));
    t.match(text, /^HTTP\/1\.1 (200|4\d\d) /, `${lines} lines`);
  }
});

t.test('a flood of huge heads on many connections leaves no memory behind', async (t) => {
  const shape = head('GET', `/ok/1?${'a'.repeat(15_900)}`);
  const round = (): Promise<unknown> =>
    Promise.all(
      Array.from({ length: 200 }, () => sendRaw(port, shape, (got) => got.endsWith('{}'))),
    );
  await round();
  const before = process.memoryUsage().rss;
  for (let index = 0; index < 5; index += 1) await round();
  t.ok(process.memoryUsage().rss - before < 100 * 1024 * 1024);
  t.ok(await isWell());
});

const lines: Record<string, unknown>[] = [];
const connectionsMax = 100;
const limited = createServer({
  host: '127.0.0.1',
  port: 0,
  timeoutMs: 5000,
  routes: [{ name: 'ok', path: '/ok/:x', errorShape: 'render', get: () => jsonReply(200, {}) }],
  connectionsMax,
  onRequest: () => undefined,
  log: createLog((_, line) => lines.push(JSON.parse(line) as Record<string, unknown>)),
});
const limitedPort = await limited.listen();
t.teardown(() => limited.close());

/** Connects and sends a request; `text` is the answer, empty from a server that closed. */
async function connectOnce(): Promise<{ socket: Socket; text: string }> {
  const socket = connect({ port: limitedPort, host: '127.0.0.1' });
  t.teardown(() => socket.destroy());
  const answer = new Promise<string>((resolve) => {
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(''));
    socket.once('data', (bytes) => resolve(bytes.toString()));
  });
  socket.write(head('GET', '/ok/1'));
  return { socket, text: await answer };
}

t.test(
  'connections beyond the limit are closed at once, and those within it are answered',
  async (t) => {
    const kept: Socket[] = [];
    while (kept.length < connectionsMax) {
      const { socket, text } = await connectOnce();
      t.match(text, /^HTTP\/1\.1 200 /);
      kept.push(socket);
    }
    t.equal(limited.openConnections, connectionsMax);
    t.equal((await connectOnce()).text, '', 'the next one is closed');
    t.equal((await connectOnce()).text, '');
    t.equal(limited.openConnections, connectionsMax);
    t.equal(limited.refusedConnections, 2);
    t.match(lines, [{ event: 'connections refused', open: connectionsMax, limit: connectionsMax }]);
    t.equal(lines.length, 1, 'one line a minute');
    const [first, second] = kept;
    first?.write(head('GET', '/ok/1'));
    const [answer] = (await once(first as Socket, 'data')) as [Buffer];
    t.match(answer.toString(), /^HTTP\/1\.1 200 /, 'those within the limit are answered');
    second?.destroy();
    t.ok(await eventually(() => limited.openConnections < connectionsMax));
    t.match((await connectOnce()).text, /^HTTP\/1\.1 200 /, 'one that ends makes way for another');
  },
);

t.test('the limit follows the files that may be open', (t) => {
  t.equal(resolveConnectionsMax(10_000, 65_536), 10_000);
  t.equal(resolveConnectionsMax(10_000, 4096), 3496);
  t.equal(resolveConnectionsMax(10_000, undefined), 10_000);
  t.equal(resolveConnectionsMax(10_000, 256), 64);
  t.end();
});
