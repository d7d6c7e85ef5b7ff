import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { mock } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import t from 'tap';
import type { Test } from 'tap';
import type { HttpResponse } from 'uWebSockets.js';
import { readyHead } from '../../src/http/response-head.ts';
import type { Handler } from '../../src/http/server.ts';
import type { Reply } from '../../src/http/reply.ts';
import { UnreadAnswers } from '../../src/http/unread-answers.ts';
import { route, startServer } from '../fixtures/api-server.ts';
import type { RouteServer } from '../fixtures/api-server.ts';
import { eventually } from '../e2e/service.ts';
import { head, sendRaw } from '../fixtures/raw-http.ts';

/** Starts a server whose every answer is that of `get`. */
const start = (t: Test, get: Handler, unread = new UnreadAnswers()): Promise<RouteServer> =>
  startServer(t, [route('/answer', get)], { unread });

/** A client that has sent its request, and reads nothing of the answer. */
async function ask(port: number, target = '/answer', ...lines: string[]): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(head('GET', target, ...lines));
  await once(socket, 'readable');
  return socket;
}

/** More than the sockets of both sides hold. */
const body = Buffer.alloc(16 * 1024 * 1024, 'abcdefghijklmnop');
const large = { status: 200, headers: ['Content-Type', 'image/png'], body };

const handlers: [when: string, get: Handler][] = [
  ['at once', () => large],
  ['later', () => turn(large)],
];

for (const [when, get] of handlers) {
  t.test(`a large body, answered ${when}, waits for its reader, who may leave`, async (t) => {
    const { base, port, server } = await start(t, get);
    const answer = await fetch(`${base}/answer`);
    t.ok(Buffer.from(await answer.arrayBuffer()).equals(body));
    const socket = await ask(port);
    const idle = server.idle(5000);
    t.equal(await Promise.race([idle, turn('open')]), 'open');
    socket.destroy();
    await idle;
    const { headers } = await fetch(`${base}/answer`, { method: 'HEAD' });
    t.equal(headers.get('content-length'), String(body.length));
  });
}

t.test('an answer without a body says so, unless its status does', async (t) => {
  for (const status of [200, 204, 304, 308]) {
    for (const method of ['GET', 'HEAD']) {
      const { port } = await start(t, () => ({ status, headers: ['Location', '/'] }));
      const hasHead = (text: string): boolean => text.includes('\r\n\r\n');
      const { text } = await sendRaw(port, head(method, '/answer'), hasHead);
      const lengths = text.match(/^content-length: .*$/gim) ?? [];
      // RFC 9110, 8.6: never with 204; 304 would name the length of 200's body.
      t.same(lengths, status === 204 || status === 304 ? [] : ['Content-Length: 0'], text);
    }
  }
});

function streamOf(bytes: Uint8Array): NonNullable<Reply['stream']> {
  return { bytes: bytes.length, chunks: ReadableStream.from([bytes]) };
}

const unreadAnswers: [kind: string, get: Handler][] = [
  ['answers', () => ({ ...large, body: Buffer.from(body) })],
  ['streams', () => ({ status: 200, headers: large.headers, stream: streamOf(Buffer.from(body)) })],
];

for (const [kind, get] of unreadAnswers) {
  t.test(`${kind} that nobody reads hold no more memory than the bound`, async (t) => {
    const { base, port, server } = await start(t, get, new UnreadAnswers(3 * body.length));
    const { unread } = server;
    const sockets = await Promise.all(Array.from({ length: 8 }, () => ask(port)));
    // The head of a stream is read before its first chunk waits.
    await eventually(async () => unread.closed === 5);
    t.equal(unread.bytes, 3 * body.length);
    t.equal(unread.closed, 5, 'those that have waited longest');
    const answer = await fetch(`${base}/answer`);
    t.ok(Buffer.from(await answer.arrayBuffer()).equals(body), 'a client that reads is served');
    for (const socket of sockets) socket.destroy();
    t.ok(await eventually(async () => unread.bytes === 0));
  });
}

t.test('who does not read closes the connections of no other organization', async (t) => {
  // Answers to `?a` show data of one organization, of the organization "greedy" without it.
  const get: Handler = (exchange) => {
    exchange.organizationUid = exchange.query === 'a' ? 'modest' : 'greedy';
    return { ...large, body: Buffer.from(body) };
  };
  const { port, base, server } = await start(t, get, new UnreadAnswers(3 * body.length));
  const modest = await ask(port, '/answer?a', 'Connection: close');
  const greedy = [];
  for (let count = 0; count < 5; count += 1) {
    greedy.push(await ask(port, '/answer', 'Connection: close'));
  }
  t.ok(await eventually(async () => server.unread.closed === 3));
  let bytes = 0;
  modest.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes >= body.length) modest.destroy();
  });
  await once(modest, 'close');
  t.ok(bytes >= body.length, 'the one that has waited longest gets its whole image');
  for (const socket of greedy) socket.destroy();
  t.ok(await eventually(async () => server.unread.bytes === 0));
  t.equal((await fetch(`${base}/answer`, { method: 'HEAD' })).status, 200);
});

t.test('of one organization, the network that holds most makes way', async (t) => {
  const unread = new UnreadAnswers(100);
  const closed: string[] = [];
  const wait = (name: string, bytes: number, network: string): void => {
    const response = { close: () => closed.push(name) } as unknown as HttpResponse;
    unread.add(response, new Uint8Array(bytes), ['org_a', network]);
  };
  wait('reader', 40, '192.0.2.1');
  wait('first', 30, '192.0.2.2');
  wait('second', 20, '192.0.2.2');
  await turn();
  t.same(closed, []);
  wait('third', 30, '192.0.2.2');
  await turn();
  t.same(closed, ['first']);
  wait('larger than the bound', 200, '192.0.2.3');
  await turn();
  t.same(closed, ['first', 'larger than the bound'], 'also the newest');
  t.equal(unread.bytes, 90);
});

t.test('a body that many read counts once', async (t) => {
  const { port, server } = await start(t, () => large, new UnreadAnswers(body.length));
  const { unread } = server;
  const sockets = await Promise.all([1, 2, 3].map(() => ask(port)));
  t.same([unread.bytes, unread.closed], [body.length, 0]);
  for (const socket of sockets) socket.destroy();
});

t.test('a client that reads nothing for 30 s loses the connection', async (t) => {
  const { port, server } = await start(t, () => large);
  mock.timers.enable({ apis: ['setTimeout'] });
  t.teardown(() => mock.timers.reset());
  const socket = await ask(port);
  mock.timers.tick(29_000);
  const idle = server.idle(60_000);
  t.equal(await Promise.race([idle, turn('open')]), 'open');
  mock.timers.tick(1000);
  await idle;
  socket.resume();
  await once(socket, 'close');
  t.ok(socket.bytesRead < body.length);
});

t.test('a ready head arrives as the headers that made it, with the request’s id', async (t) => {
  const list = ['content-type', 'text/plain', 'x-a', '1', 'etag', '"x"'];
  const ready = readyHead(203, list);
  const ids: string[] = [];
  const { base } = await start(t, ({ requestId }) => {
    ids.push(requestId);
    return { status: 203, headers: [], head: ready, body: 'x' };
  });
  const answers = await Promise.all(Array.from({ length: 40 }, () => fetch(`${base}/answer`)));
  t.same(new Set(answers.map(({ headers }) => headers.get('x-request-id'))), new Set(ids));
  t.equal(new Set(ids).size, 40);
  const answer = await fetch(`${base}/answer`);
  t.equal(answer.status, 203);
  for (let index = 0; index < list.length; index += 2) {
    t.equal(answer.headers.get(list[index] ?? ''), list[index + 1]);
  }
  t.throws(() => readyHead(200, ['x-a', '1\r\nx-b: 2']), { message: /line feed/ });
});

/** Stands for a response that waits; nothing of it is called below the bound. */
const response = (): HttpResponse => ({}) as HttpResponse;

const unread = new UnreadAnswers();
const isFreed = ({ buffer }: Uint8Array<ArrayBuffer>): boolean => buffer.detached;

t.test('a body that no request finds any more is freed in the next turn, alone', async (t) => {
  const [bytes, shared] = [new Uint8Array(1000), new Uint8Array(1000).subarray(0, 10)];
  for (const each of [bytes, shared]) unread.free(each);
  t.notOk(isFreed(bytes), 'requests of this turn still send it');
  await turn();
  t.same([bytes, shared].map(isFreed), [true, false], 'others still use memory that they share');
});

t.test('a body is not freed while a client reads it', async (t) => {
  const bytes = new Uint8Array(1000);
  const readers = [response(), response()] as const;
  for (const reader of readers) unread.add(reader, bytes, ['org_a', '127.0.0.1']);
  unread.remove(readers[0]);
  unread.free(bytes);
  await turn();
  t.notOk(isFreed(bytes));
  unread.remove(readers[1]);
  unread.free(bytes);
  await turn();
  t.ok(isFreed(bytes));
});

t.test('a slow client gets the whole image, which is dropped meanwhile', async (t) => {
  const dropped = new Uint8Array(16 * 1024 * 1024).fill(7);
  const { base, port } = await start(t, () => ({ ...large, body: dropped }), unread);
  const socket = await ask(port);
  unread.free(dropped);
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
  unread.free(dropped);
  await turn();
  t.ok(isFreed(dropped));
  await t.rejects(fetch(`${base}/answer`), 'no image is better than an empty one');
});
