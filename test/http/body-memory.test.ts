import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import t from 'tap';
import { createLog } from '../../src/foundation/log.ts';
import { freeBody, holdBody } from '../../src/http/body-memory.ts';
import { createServer } from '../../src/http/server.ts';
import { head } from '../fixtures/raw-http.ts';

const isFreed = ({ buffer }: Uint8Array<ArrayBuffer>): boolean => buffer.detached;

t.test('a body that no request finds any more is freed in the next turn', async (t) => {
  const body = new Uint8Array(1000);
  freeBody(body);
  t.notOk(isFreed(body), 'requests of this turn still send it');
  await turn();
  t.ok(isFreed(body));
});

t.test('memory that others share is not freed', async (t) => {
  const part = new Uint8Array(1000).subarray(0, 10);
  freeBody(part);
  await turn();
  t.notOk(isFreed(part));
});

t.test('a body is not freed while a client reads it', async (t) => {
  const body = new Uint8Array(1000);
  const releases = [holdBody(body), holdBody(body)];
  releases[0]?.();
  freeBody(body);
  await turn();
  t.notOk(isFreed(body));
  releases[1]?.();
  freeBody(body);
  await turn();
  t.ok(isFreed(body));
});

t.test('a slow client gets the whole image, which is dropped meanwhile', async (t) => {
  // More than the sockets of both sides hold.
  const body = new Uint8Array(16 * 1024 * 1024).fill(7);
  const reply = { status: 200, headers: ['Content-Type', 'image/png'], body };
  const server = createServer({
    host: '127.0.0.1',
    port: 0,
    timeoutMs: 5000,
    routes: [{ name: 'answer', path: '/answer', get: () => reply, errorShape: 'render' }],
    onRequest: () => undefined,
    log: createLog(() => undefined),
  });
  const port = await server.listen();
  t.teardown(() => server.close());
  const socket = connect(port, '127.0.0.1');
  socket.write(head('GET', '/answer'));
  await once(socket, 'readable');
  freeBody(body);
  await turn();
  let received = 0;
  let isWhole = true;
  socket.on('data', (chunk: Buffer) => {
    received += chunk.length;
    isWhole &&= chunk.at(-1) === 7;
    if (received >= body.length) socket.destroy();
  });
  await once(socket, 'close');
  t.ok(isWhole && received >= body.length);

  freeBody(body);
  await turn();
  t.ok(isFreed(body));
  await t.rejects(fetch(`http://127.0.0.1:${port}/answer`), 'no image is better than an empty one');
});
