import { connect } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import t from 'tap';
import type { Test } from 'tap';
import { AppError } from '../../src/foundation/errors.ts';
import { jsonReply } from '../../src/http/reply.ts';
import type { Reply } from '../../src/http/reply.ts';
import { route, startServer } from '../fixtures/api-server.ts';
import type { RouteServer } from '../fixtures/api-server.ts';
import type { Route } from '../../src/http/server.ts';
import { head, sendRaw } from '../fixtures/raw-http.ts';

/** A server of which `/seen/:x` answers its parameter. */
function start(t: Test, routes: Route[] = [], timeoutMs = 5000): Promise<RouteServer> {
  const seen = route('/seen/:x', ({ parameter }) => jsonReply(200, { parameter }));
  return startServer(t, [seen, ...routes], { timeoutMs });
}

t.test('a known path answers GET and HEAD with the same headers', async (t) => {
  const { base } = await start(t);
  // A head may have 16 KiB.
  const get = await fetch(`${base}/seen/a.png?${'x'.repeat(15_000)}`);
  t.same(await get.json(), { parameter: 'a.png' });
  t.match(get.headers.get('x-request-id'), /^req_[A-Za-z0-9]+$/);
  const { headers, status } = await fetch(`${base}/seen/a.png`, { method: 'HEAD' });
  t.equal(status, 200);
  t.equal(headers.get('content-length'), get.headers.get('content-length'));
  t.equal(headers.get('content-type'), 'application/json');
  t.not(headers.get('x-request-id'), get.headers.get('x-request-id'));
});

t.test('another method on a known path is 405 with Allow, an unknown path 404', async (t) => {
  const { base } = await start(t);
  const posted = await fetch(`${base}/seen/a`, { method: 'POST' });
  t.equal(posted.status, 405);
  t.equal(posted.headers.get('allow'), 'GET, HEAD');
  t.match(await posted.json(), { error: { code: 'METHOD_NOT_ALLOWED' } });
  for (const path of ['/', '/seen', '/seen/a/b', '/SEEN/a']) {
    const answer = await fetch(`${base}${path}`);
    t.equal(answer.status, 404, path);
    t.match(await answer.json(), { error: { code: 'NOT_FOUND', requestId: /^req_/ } });
    t.equal(answer.headers.get('cache-control'), 'no-store');
  }
});

t.test('a throw and a rejection become the error body, and a bug reveals nothing', async (t) => {
  const { base, records } = await start(t, [
    route('/known', () => {
      throw new AppError('OVERLOADED', 'Busy.', { retryAfterSeconds: 7, detail: 'secret' });
    }),
    route('/bug', () => Promise.reject(new Error('secret'))),
    route(
      '/organization',
      () => {
        throw new AppError('UNAUTHORIZED', 'Invalid API key');
      },
      'organization',
    ),
  ]);
  const known = await fetch(`${base}/known`);
  t.equal(known.status, 503);
  t.equal(known.headers.get('retry-after'), '7');
  t.equal(known.headers.get('access-control-allow-origin'), '*');
  const bug = await fetch(`${base}/bug`);
  t.equal(bug.status, 500);
  for (const answer of [known, bug]) t.notMatch(await answer.text(), /secret/);
  const organization = await fetch(`${base}/organization`);
  t.equal(organization.status, 401);
  t.same(await organization.json(), { error: 'Invalid API key' });
  t.match(
    records.map(({ detail }) => detail),
    ['secret', /Error: secret/, undefined],
  );
});

t.test('a client that disconnects before the answer is logged as 499', async (t) => {
  const answer = Promise.withResolvers<Reply>();
  const entered = Promise.withResolvers<void>();
  const { port, server, records } = await start(t, [
    route('/slow', (exchange) => {
      exchange.onAborted = () => answer.resolve(jsonReply(200, {}));
      entered.resolve();
      return answer.promise;
    }),
  ]);
  const socket = connect(port, '127.0.0.1');
  socket.write(head('GET', '/slow'));
  await entered.promise;
  socket.destroy();
  await server.idle(5000);
  t.equal(records[0]?.status, 499);
});

t.test('draining answers what is open, ends its connection, and takes no new one', async (t) => {
  const answer = Promise.withResolvers<Reply>();
  const entered = Promise.withResolvers<void>();
  const { port, base, server } = await start(t, [
    route('/slow', () => {
      entered.resolve();
      return answer.promise;
    }),
  ]);
  const open = sendRaw(port, head('GET', '/slow'));
  await entered.promise;
  await server.drain();
  const idle = server.idle(5000);
  t.equal(await Promise.race([idle, turn('open')]), 'open', 'it waits for the open request');
  await t.rejects(fetch(`${base}/seen/a`));
  answer.resolve(jsonReply(200, { late: true }));
  const { text, isClosed } = await open;
  t.match(text, /Connection: close[^]*\{"late":true\}$/);
  t.equal(isClosed, true);
  await idle;
});

t.test('a deadline that passes ends the waiting with TIMEOUT', async (t) => {
  const { base } = await start(
    t,
    [
      route(
        '/never',
        ({ deadline }) =>
          new Promise((_, reject) => {
            deadline.signal.addEventListener('abort', () =>
              reject(deadline.signal.reason as Error),
            );
          }),
      ),
    ],
    50,
  );
  const answer = await fetch(`${base}/never`);
  t.equal(answer.status, 504);
  t.match(await answer.json(), { error: { code: 'TIMEOUT' } });
});
