import { connect } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import t from 'tap';
import type { Test } from 'tap';
import { AppError } from '../../src/foundation/errors.ts';
import { jsonReply } from '../../src/http/reply.ts';
import type { Reply } from '../../src/http/reply.ts';
import { createServer } from '../../src/http/server.ts';
import type { Handler, RequestRecord, Route, Server } from '../../src/http/server.ts';
import { createLog } from '../../src/foundation/log.ts';
import { head, sendRaw } from '../fixtures/raw-http.ts';

interface Started {
  server: Server;
  port: number;
  base: string;
  records: RequestRecord[];
  seen: string[];
}

/** A promise that a test settles by hand. */
function later<Value>(): { promise: Promise<Value>; resolve: (value: Value) => void } {
  let resolve: (value: Value) => void = () => undefined;
  const promise = new Promise<Value>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

/** Starts a server on a free port; `/seen/:x` notes and answers its parameter. */
async function start(t: Test, routes: Route[] = [], timeoutMs = 5000): Promise<Started> {
  const records: RequestRecord[] = [];
  const seen: string[] = [];
  const seenRoute = route('/seen/:x', ({ parameter }) => {
    seen.push(parameter);
    return jsonReply(200, { parameter });
  });
  const server = createServer({
    host: '127.0.0.1',
    port: 0,
    timeoutMs,
    routes: [seenRoute, ...routes],
    onRequest: (record) => records.push(record),
    log: createLog(() => undefined),
  });
  const port = await server.listen();
  t.teardown(() => server.close());
  return { server, port, base: `http://127.0.0.1:${port}`, records, seen };
}

function route(path: string, get: Handler, errorShape: Route['errorShape'] = 'render'): Route {
  return { name: path, path, get, errorShape };
}

t.test('a known path answers GET and HEAD with the same headers', async (t) => {
  const { base } = await start(t);
  const get = await fetch(`${base}/seen/a.png`);
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
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
    const answer = await fetch(`${base}/seen/a`, { method });
    t.equal(answer.status, 405, method);
    t.equal(answer.headers.get('allow'), 'GET, HEAD');
    t.match(await answer.json(), { error: { code: 'METHOD_NOT_ALLOWED' } });
  }
  for (const path of ['/', '/seen', '/seen/a/b', '/SEEN/a']) {
    const answer = await fetch(`${base}${path}`);
    t.equal(answer.status, 404, path);
    t.match(await answer.json(), { error: { code: 'NOT_FOUND', requestId: /^req_/ } });
    t.equal(answer.headers.get('cache-control'), 'no-store');
  }
});

t.test(
  'a GET or HEAD that announces a body is 400, and the bytes behind it are no request',
  async (t) => {
    const { port, seen } = await start(t);
    const smuggled = head('GET', '/seen/smuggled');
    const shapes = [
      head('GET', '/seen/a', 'Content-Length: 5') + 'hello',
      head('GET', '/seen/a', `Content-Length: ${smuggled.length}`) + smuggled,
      head('GET', '/seen/a', 'Transfer-Encoding: chunked') + '0\r\n\r\n' + smuggled,
      head('GET', '/seen/a', 'Transfer-Encoding: identity') + smuggled,
      head('HEAD', '/seen/a', 'Content-Length: 5') + 'hello' + smuggled,
    ];
    for (const shape of shapes) {
      const { text, isClosed } = await sendRaw(port, shape);
      t.ok(text === '' || text.startsWith('HTTP/1.1 400 '), JSON.stringify(shape));
      t.equal(isClosed, true, 'the connection is closed');
    }
    t.same(seen, []);
    const { text } = await sendRaw(port, head('GET', '/seen/a', 'Content-Length: 0'), (got) =>
      got.includes('{'),
    );
    t.match(text, /^HTTP\/1\.1 200 /, 'an empty body is none');
  },
);

t.test('a request head over 16 KiB is refused by the parser, one below is answered', async (t) => {
  const { port, base } = await start(t);
  t.equal((await fetch(`${base}/seen/a?${'x'.repeat(15_000)}`)).status, 200);
  const { text, isClosed } = await sendRaw(port, head('GET', `/seen/a?${'x'.repeat(17_000)}`));
  t.match(text, /^HTTP\/1\.1 431 /);
  t.equal(isClosed, true);
});

t.test(
  'a throw and a rejection become the error body, and a bug reveals nothing private',
  async (t) => {
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
  },
);

t.test('a client that disconnects before the answer is logged as 499', async (t) => {
  const answer = later<Reply>();
  const entered = later<void>();
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
  const answer = later<Reply>();
  const entered = later<void>();
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

t.test('a port that is taken is refused with a sentence that names it', async (t) => {
  const { port } = await start(t);
  const second = createServer({
    host: '127.0.0.1',
    port,
    timeoutMs: 1000,
    routes: [],
    onRequest: () => undefined,
    log: createLog(() => undefined),
  });
  await t.rejects(second.listen(), { message: new RegExp(`port ${port}: it is in use`) });
  second.close();
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
