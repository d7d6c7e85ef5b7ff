import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { once } from 'node:events';
import t from 'tap';
import { jsonReply } from '../../src/http/reply.ts';
import { connectionsMax, createServer } from '../../src/http/server.ts';
import { createLog } from '../../src/log.ts';
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

t.test('connections over the limit are closed at once, and those within it answered', async (t) => {
  const sockets: Socket[] = [];
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
  });
  const open = async (): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    sockets.push(socket);
    await once(socket, 'connect');
    return socket;
  };
  while (sockets.length < connectionsMax) await Promise.all(Array.from({ length: 100 }, open));
  t.ok(server.openConnections <= connectionsMax);
  const over = await open();
  if (!over.closed) await once(over, 'close');
  const [within] = sockets;
  within?.write(head('GET', '/ok/1'));
  const [answer] = (await once(within as Socket, 'data')) as [Buffer];
  t.match(answer.toString(), /^HTTP\/1\.1 200 /);
});
