import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { once } from 'node:events';
import t from 'tap';
import { jsonReply } from '../../src/http/reply.ts';
import { resolveConnectionLimits } from '../../src/http/connections/connections.ts';
import { createServer } from '../../src/http/server.ts';
import { createLog } from '../../src/foundation/log.ts';
import { head, sendRaw } from '../fixtures/raw-http.ts';

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
const limited = createServer({
  host: '127.0.0.1',
  port: 0,
  timeoutMs: 5000,
  routes: [{ name: 'ok', path: '/ok/:x', errorShape: 'render', get: () => jsonReply(200, {}) }],
  connections: { max: 200, perNetworkMax: 100 },
  onRequest: () => undefined,
  log: createLog((_, line) => lines.push(JSON.parse(line) as Record<string, unknown>)),
});
const limitedPort = await limited.listen();
t.teardown(() => limited.close());

/** Connects from an address of the loopback network and asks something; what came, nothing from a server that closed. */
async function connectFrom(localAddress: string): Promise<{ socket: Socket; text: string }> {
  const socket = connect({ port: limitedPort, host: '127.0.0.1', localAddress });
  t.teardown(() => socket.destroy());
  const answer = new Promise<string>((resolve) => {
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(''));
    socket.once('data', (bytes) => resolve(bytes.toString()));
  });
  socket.write(head('GET', '/ok/1'));
  return { socket, text: await answer };
}

t.test('one network takes its share of the connections, and the others find room', async (t) => {
  const kept: Socket[] = [];
  while (kept.length < 200) {
    const { socket, text } = await connectFrom('127.0.0.1');
    if (text === '') break;
    kept.push(socket);
  }
  // The one that is being accepted when the kernel is asked is in its answer already.
  t.ok(kept.length >= 98 && kept.length <= 100, `${kept.length} of 200`);
  t.equal(limited.refusedConnections, 1);
  t.match(lines, [{ event: 'connections refused', limit: 100, network: '127.0.0.1', refused: 1 }]);
  t.match((await connectFrom('127.0.0.2')).text, /^HTTP\/1\.1 200 /);
  for (let round = 0; limited.openConnections < 200 && round < 100; round += 1) {
    const room = Math.min(20, 200 - limited.openConnections);
    await Promise.all(Array.from({ length: room }, () => connectFrom(`127.0.1.${round % 9}`)));
  }
  t.equal(limited.openConnections, 200);
  t.equal((await connectFrom('127.0.0.5')).text, '', 'beyond the limit nobody does');
  t.equal(limited.openConnections, 200);
  const [first] = kept;
  first?.write(head('GET', '/ok/1'));
  const [answer] = (await once(first as Socket, 'data')) as [Buffer];
  t.match(answer.toString(), /^HTTP\/1\.1 200 /, 'and those within it are answered');
});

t.test('the limits follow the files that may be open', (t) => {
  t.same(resolveConnectionLimits(10_000, undefined, 65_536), { max: 10_000, perNetworkMax: 2500 });
  t.same(resolveConnectionLimits(10_000, undefined, 4096), { max: 3496, perNetworkMax: 874 });
  t.same(resolveConnectionLimits(10_000, 9000, 4096), { max: 3496, perNetworkMax: 3496 });
  t.same(resolveConnectionLimits(10_000, 50, undefined), { max: 10_000, perNetworkMax: 50 });
  t.same(resolveConnectionLimits(10_000, undefined, 256), { max: 64, perNetworkMax: 16 });
  t.end();
});
