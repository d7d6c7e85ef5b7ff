import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import t from 'tap';
import type { Test } from 'tap';
import { jsonReply } from '../../src/http/reply.ts';
import { createRouteServer, route } from '../fixtures/api-server.ts';
import type { Server } from '../../src/http/server.ts';
import { freePort } from '../e2e/service.ts';

/** A server that answers with its name. */
function serverOf(t: Test, name: string, port: number, sharesPort: boolean): Server {
  return createRouteServer(t, [route('/', () => jsonReply(200, { name }))], { port, sharesPort });
}

/** Who answers a new connection. */
async function askNew(port: number): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/`, { headers: { Connection: 'close' } });
  const { name } = (await answer.json()) as { name: string };
  return name;
}

t.test('two servers share a port, and the second has it when the first drains', async (t) => {
  // Not 0: a port that the system chooses is never shared.
  const port = await freePort();
  const first = serverOf(t, 'first', port, true);
  await first.listen();
  const second = serverOf(t, 'second', port, true);
  t.equal(await second.listen(), port);
  const before = new Set<string>();
  // The kernel chooses by the caller's port: 64 in a row are alike once in 2^63.
  for (let count = 0; count < 64; count += 1) before.add(await askNew(port));
  t.same([...before].toSorted(), ['first', 'second']);
  await first.drain();
  for (let count = 0; count < 8; count += 1) t.equal(await askNew(port), 'second');
});

t.test('a port is shared only when both ask for it', async (t) => {
  for (const [sharesFirst, sharesSecond] of [
    [true, false],
    [false, true],
  ] as const) {
    const port = await freePort();
    await serverOf(t, 'first', port, sharesFirst).listen();
    await t.rejects(serverOf(t, 'second', port, sharesSecond).listen(), { message: /in use/ });
  }
});

t.test('the end of the last connection is noticed, also of one without a request', async (t) => {
  const server = serverOf(t, 'only', 0, false);
  const port = await server.listen();
  const caller = connect(port, '127.0.0.1');
  await once(caller, 'connect');
  // Answered over another connection: the first one is accepted by now.
  await askNew(port);
  await server.drain();
  let hasLeft = false;
  const left = server.left(60_000).then(() => (hasLeft = true));
  await nextTurn();
  t.notOk(hasLeft);
  caller.destroy();
  await left;
});
