import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import t from 'tap';
import type { HttpResponse } from 'uWebSockets.js';
import { createLog } from '../../src/foundation/log.ts';
import { createServer } from '../../src/http/server.ts';
import { UnreadAnswers } from '../../src/http/unread-answers.ts';
import { head } from '../fixtures/raw-http.ts';

/** Stands for a response that waits; nothing of it is called below the bound. */
const response = (): HttpResponse => ({}) as HttpResponse;

const unread = new UnreadAnswers();
const isFreed = ({ buffer }: Uint8Array<ArrayBuffer>): boolean => buffer.detached;

t.test('a body that no request finds any more is freed in the next turn', async (t) => {
  const body = new Uint8Array(1000);
  unread.free(body);
  t.notOk(isFreed(body), 'requests of this turn still send it');
  await turn();
  t.ok(isFreed(body));
});

t.test('memory that others share is not freed', async (t) => {
  const part = new Uint8Array(1000).subarray(0, 10);
  unread.free(part);
  await turn();
  t.notOk(isFreed(part));
});

t.test('a body is not freed while a client reads it', async (t) => {
  const body = new Uint8Array(1000);
  const readers = [response(), response()] as const;
  for (const reader of readers) unread.add(reader, body, ['org_a', '127.0.0.1']);
  unread.remove(readers[0]);
  unread.free(body);
  await turn();
  t.notOk(isFreed(body));
  unread.remove(readers[1]);
  unread.free(body);
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
    unread,
    onRequest: () => undefined,
    log: createLog(() => undefined),
  });
  const port = await server.listen();
  t.teardown(() => server.close());
  const socket = connect(port, '127.0.0.1');
  socket.write(head('GET', '/answer'));
  await once(socket, 'readable');
  unread.free(body);
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

  unread.free(body);
  await turn();
  t.ok(isFreed(body));
  await t.rejects(fetch(`http://127.0.0.1:${port}/answer`), 'no image is better than an empty one');
});
