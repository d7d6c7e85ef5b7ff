/** Answers that nobody reads: the kernel keeps them, also when this side has closed, and they count for whoever asked. */
import { execFileSync } from 'node:child_process';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { canRunIn, inOwnNetwork } from '../helpers/own-network.ts';
import { jsonReply } from '../../src/http/reply.ts';
import { createServer } from '../../src/http/server.ts';
import { createLog } from '../../src/foundation/log.ts';
import { head } from '../fixtures/raw-http.ts';

const perNetworkMax = 20;
/** More than a caller's kernel takes, and what is left no more than this side's takes at once: nothing waits in the process. */
const large = Buffer.alloc(130_000, 'x');
const veryLarge = Buffer.alloc(8_000_000, 'x');
let served = 0;
const server = createServer({
  host: '127.0.0.1',
  port: 0,
  timeoutMs: 5000,
  routes: [
    { name: 'ok', path: '/ok', errorShape: 'render', get: () => jsonReply(200, {}) },
    {
      name: 'large',
      path: '/large',
      errorShape: 'render',
      get: () => ({ status: 200, headers: [], body: large }),
    },
  ],
  connections: { max: 60, perNetworkMax },
  onRequest: () => (served += 1),
  log: createLog(() => undefined),
});
const port = await server.listen();
t.teardown(() => server.close());

/** Asks for an answer and reads nothing; resolves when the server has answered, or refused the connection. */
async function askUnread(localAddress: string): Promise<Socket> {
  const before = served + server.refusedConnections;
  const socket = connect({ port, host: '127.0.0.1', localAddress }).pause();
  socket.on('error', () => undefined);
  socket.write(head('GET', '/large', 'Connection: close'));
  t.teardown(() => socket.destroy());
  while (served + server.refusedConnections === before) await turn();
  return socket;
}

async function isServed(localAddress: string): Promise<boolean> {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  const answer = new Promise<string>((resolve) => {
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(''));
    socket.once('data', (bytes) => resolve(bytes.toString()));
  });
  socket.write(head('GET', '/ok', 'Connection: close'));
  const text = await answer;
  socket.destroy();
  return text.startsWith('HTTP/1.1 200 ');
}

t.test('connections that ended unread count for their network, and in all', async (t) => {
  const sockets: Socket[] = [];
  while (sockets.length < 3 * perNetworkMax) sockets.push(await askUnread('127.0.0.1'));
  t.ok(served <= perNetworkMax + 2, `${served} of ${sockets.length} were answered`);
  t.ok(server.openConnections < perNetworkMax, `${server.openConnections} are open`);
  t.equal(await isServed('127.0.0.2'), true, 'other networks are served');
  for (let round = 0; round < 60; round += 1) sockets.push(await askUnread(`127.0.1.${round % 6}`));
  while (await isServed('127.0.0.3')) await turn();
  t.pass('beyond the limit nobody is');
  for (const socket of sockets) socket.destroy();
  while (!(await isServed('127.0.0.1'))) await turn();
  t.pass('until they are gone');
});

const inNetwork = inOwnNetwork();
const program = fileURLToPath(new URL('../fixtures/unread-answers.ts', import.meta.url));

t.test('answers of a network that does not read wait, those of others do not', async (t) => {
  let asked = 0;
  const held = createServer({
    host: '127.0.0.1',
    port: 0,
    timeoutMs: 5000,
    routes: [
      {
        name: 'large',
        path: '/large',
        errorShape: 'render',
        get: () => {
          asked += 1;
          return { status: 200, headers: [], body: veryLarge };
        },
      },
    ],
    connections: {
      max: 60,
      perNetworkMax: 60,
      unread: { networkBytesMax: 3_000_000, bytesMax: 100_000_000, askEveryBytes: 1_000_000 },
    },
    onRequest: () => undefined,
    log: createLog(() => undefined),
  });
  const heldPort = await held.listen();
  t.teardown(() => held.close());
  const ask = (localAddress: string): Socket => {
    const socket = connect({ port: heldPort, host: '127.0.0.1', localAddress }).pause();
    socket.on('error', () => undefined);
    socket.write(head('GET', '/large', 'Connection: close'));
    t.teardown(() => socket.destroy());
    return socket;
  };
  const readAll = (socket: Socket): Promise<number> =>
    new Promise((resolve) => {
      let bytes = 0;
      socket.on('data', (chunk) => (bytes += chunk.length));
      socket.on('close', () => resolve(bytes));
      socket.resume();
    });
  const unread = Array.from({ length: 20 }, () => ask('127.0.0.1'));
  while (asked < unread.length) await turn();
  const patient = ask('127.0.0.1');
  while (asked < unread.length + 1) await turn();
  t.ok((await readAll(ask('127.0.0.2'))) > veryLarge.length, 'another network is answered');
  t.equal(patient.bytesRead, 0, 'that of the readers waits');
  t.ok(held.unreadAnswersWaiting > 0);
  t.ok(held.openRequests > 0);
  for (const socket of unread) socket.destroy();
  t.ok((await readAll(patient)) > veryLarge.length, 'until its readers are gone');
  t.equal(held.unreadAnswersWaiting, 0);
  await held.idle(5000);
  t.equal(held.openRequests, 0);
});

const needs = canRunIn(inNetwork) ? false : 'needs unshare and ip';
t.test(
  'with the settings of systemd/ the kernel keeps little of what is not read',
  { skip: needs },
  (t) => {
    const [callers, answerBytes] = [50, 3_600_000];
    const order = [process.execPath, program, String(callers), String(answerBytes)];
    const output = execFileSync('unshare', [...inNetwork, ...order], { encoding: 'utf8' });
    const { connections, bytes } = JSON.parse(output) as { connections: number; bytes: number };
    t.equal(connections, callers);
    t.ok(bytes / callers < 400_000, `${Math.round(bytes / callers / 1000)} kB of 3600 for each`);
    t.end();
  },
);

t.test(
  'without those settings the service itself bounds what one network leaves unread',
  { skip: needs },
  (t) => {
    const order = [process.execPath, program, '150', '3600000', 'default'];
    const output = execFileSync('unshare', [...inNetwork, ...order], { encoding: 'utf8' });
    const { connections, bytes } = JSON.parse(output) as { connections: number; bytes: number };
    t.equal(connections, 150);
    // 64 MiB for the network, and as much again until the kernel is asked.
    t.ok(bytes < 170_000_000, `${Math.round(bytes / 1e6)} MB of ${150 * 3.6}`);
    t.end();
  },
);
