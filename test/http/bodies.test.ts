import { once } from 'node:events';
import { connect } from 'node:net';
import { mock } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import t from 'tap';
import { AppError } from '../../src/foundation/errors.ts';
import { emptyReply, jsonReply } from '../../src/http/reply.ts';
import { createRouteServer, postRoute, startServer } from '../fixtures/api-server.ts';
import type { Handler, Route } from '../../src/http/server.ts';
import { head, sendRaw } from '../fixtures/raw-http.ts';

const bodyBytesMax = 100_000;

/** Answers what it was sent: the text of a short body, and the number of bytes. */
const echo: Handler = async (exchange) => {
  const body = await exchange.readBody();
  return jsonReply(200, { bytes: body.length, text: body.subarray(0, 40).toString('latin1') });
};

const things: Route[] = [
  { name: 'list', path: '/things', errorShape: 'organization', get: () => jsonReply(200, []) },
  postRoute('/things', echo, bodyBytesMax),
  {
    name: 'thing',
    path: '/things/:uid',
    errorShape: 'organization',
    put: echo,
    delete: () => emptyReply(204),
    bodyBytesMax,
  },
  {
    name: 'key',
    path: '/things/:uid/keys/:id',
    errorShape: 'organization',
    get: ({ parameter, parameters }) => jsonReply(200, { parameter, parameters }),
    post: ({ ifMatch, contentType, accept }) =>
      turn(jsonReply(201, { ifMatch, contentType, accept }, { ETag: '"x"' })),
  },
];

t.test('routes of one path bring their methods, and Allow lists them', async (t) => {
  const { base, records } = await startServer(t, things);
  t.same(await (await fetch(`${base}/things`)).json(), []);
  const created = await fetch(`${base}/things`, { method: 'POST', body: 'hello' });
  t.same(await created.json(), { bytes: 5, text: 'hello' });
  const put = await fetch(`${base}/things/a`, { method: 'PUT', body: 'x' });
  t.same(await put.json(), { bytes: 1, text: 'x' });
  const gone = await fetch(`${base}/things/a`, { method: 'DELETE' });
  t.equal(gone.status, 204);
  t.equal(await gone.text(), '');
  t.same(
    records.map(({ route }) => route),
    ['list', '/things', 'thing', 'thing'],
  );
  const patch = await fetch(`${base}/things`, { method: 'PATCH', body: 'x' });
  t.equal(patch.status, 405);
  t.equal(patch.headers.get('allow'), 'GET, HEAD, POST');
  t.match(await patch.json(), { error: /GET, HEAD, POST/ });
  const get = await fetch(`${base}/things/a`);
  t.equal(get.status, 405);
  t.equal(get.headers.get('allow'), 'PUT, DELETE');
  t.throws(() => createRouteServer(t, [...things, ...things]), { message: /GET \/things/ });
});

t.test('a path has any number of parameters, raw', async (t) => {
  const { base } = await startServer(t, things);
  const answer = await fetch(`${base}/things/a%2Fb/keys/c.d?x=1`);
  t.same(await answer.json(), { parameter: 'a%2Fb', parameters: ['a%2Fb', 'c.d'] });
});

t.test('the headers of a write are read, and an answer has its own', async (t) => {
  const { base } = await startServer(t, things);
  const headers = { 'If-Match': '"1"', 'Content-Type': 'text/x; q=1', Accept: 'a/b' };
  const answer = await fetch(`${base}/things/a/keys/b`, { method: 'POST', headers });
  t.equal(answer.status, 201);
  t.equal(answer.headers.get('etag'), '"x"');
  t.same(await answer.json(), { ifMatch: '"1"', contentType: 'text/x; q=1', accept: 'a/b' });
  t.throws(() => jsonReply(200, {}, { Location: 'a\r\nX-B: c' }), { message: /line feed/ });
});

t.test('a body arrives whole, however it is cut and framed', async (t) => {
  const { port, base } = await startServer(t, things);
  const whole = await fetch(`${base}/things`, {
    method: 'POST',
    body: Buffer.alloc(bodyBytesMax, 'a'),
  });
  t.match(await whole.json(), { bytes: bodyBytesMax });
  const chunked = `${head('POST', '/things', 'Transfer-Encoding: chunked')}3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n`;
  const announced = `${head('POST', '/things', 'Content-Length: 5')}abcde`;
  for (const bytes of [chunked, announced]) {
    for (const cut of [0, bytes.length - 9, bytes.length - 3]) {
      const socket = connect(port, '127.0.0.1');
      socket.setNoDelay();
      socket.write(bytes.slice(0, cut));
      await turn();
      socket.write(bytes.slice(cut));
      const [answer] = (await once(socket, 'data')) as [Buffer];
      t.match(answer.toString(), /"bytes":5,"text":"abcde"/);
      socket.destroy();
    }
  }
  const empty = await fetch(`${base}/things`, { method: 'POST' });
  t.same(await empty.json(), { bytes: 0, text: '' });
});

t.test('a body over its limit is 413: by its length at once, else while it streams', async (t) => {
  let runs = 0;
  const { base } = await startServer(t, [
    postRoute(
      '/things',
      (exchange) => {
        runs += 1;
        return echo(exchange);
      },
      bodyBytesMax,
    ),
    postRoute('/none', () => emptyReply(204)),
  ]);
  const long = Buffer.alloc(bodyBytesMax + 1, 'a');
  const announced = await fetch(`${base}/things`, { method: 'POST', body: long });
  t.equal(announced.status, 413);
  t.match(await announced.json(), { error: /at most 100000 bytes/ });
  t.equal(runs, 0, 'no handler is asked');
  const streamed = await fetch(`${base}/things`, {
    method: 'POST',
    body: new Blob([long, long]).stream(),
    duplex: 'half',
  });
  t.equal(streamed.status, 413);
  t.equal(runs, 1);
  t.equal((await fetch(`${base}/none`, { method: 'POST', body: 'x' })).status, 413);
  t.equal((await fetch(`${base}/none`, { method: 'POST' })).status, 204);
});

t.test('a refusal reaches a client that sends megabytes first', async (t) => {
  const { base } = await startServer(t, [
    ...things,
    postRoute(
      '/locked',
      () => {
        throw new AppError('UNAUTHORIZED', 'Invalid API key');
      },
      20_000_000,
    ),
  ]);
  const body = Buffer.alloc(10_000_000, 'a');
  for (const [path, method, status] of [
    ['/things/a/keys/b', 'PUT', 405],
    ['/absent', 'POST', 404],
    ['/things', 'POST', 413],
    ['/things/a', 'DELETE', 400],
    ['/locked', 'POST', 401],
  ] as const) {
    const answer = await fetch(`${base}${path}`, { method, body });
    t.equal(answer.status, status, `${method} ${path}`);
    await answer.arrayBuffer();
  }
});

t.test('a body without a clear end is 400, and the bytes behind it are no request', async (t) => {
  const { port, records } = await startServer(t, things);
  const smuggled = head('GET', '/things');
  const length = `Content-Length: ${smuggled.length}`;
  const shapes = [
    head('POST', '/things', length, 'Transfer-Encoding: chunked') + `0\r\n\r\n${smuggled}`,
    head('POST', '/things', 'Transfer-Encoding: chunked', length) + `0\r\n\r\n${smuggled}`,
    head('POST', '/things', length, 'Content-Length: 0') + smuggled,
    head('POST', '/things', 'Content-Length: 0', length) + smuggled,
    head('GET', '/things', 'Content-Length: 0', length) + smuggled,
    head('GET', '/things', 'Content-Length: 5') + 'hello',
    head('GET', '/things', length) + smuggled,
    head('GET', '/things', 'Transfer-Encoding: chunked') + `0\r\n\r\n${smuggled}`,
    head('GET', '/things', 'Transfer-Encoding: identity') + smuggled,
    head('HEAD', '/things', 'Content-Length: 5') + `hello${smuggled}`,
    head('POST', '/things', 'Transfer-Encoding: identity') + smuggled,
    head('POST', '/things', 'Transfer-Encoding: gzip, chunked') + `0\r\n\r\n${smuggled}`,
    head('POST', '/things', 'Content-Length: +5') + `hello${smuggled}`,
    head('POST', '/things', 'Content-Length: 5, 5') + `hello${smuggled}`,
    head('POST', '/things', 'Transfer-Encoding: chunked') + `zz\r\n${smuggled}`,
  ];
  for (const shape of shapes) {
    const { text, isClosed } = await sendRaw(port, shape);
    t.ok(text === '' || text.startsWith('HTTP/1.1 400 '), `${JSON.stringify(shape)} → ${text}`);
    t.equal(isClosed, true);
  }
  t.notOk(records.some(({ status }) => status === 200));
  const empty = head('GET', '/things', 'Content-Length: 0');
  const { text } = await sendRaw(port, empty, (got) => got.includes('[]'));
  t.match(text, /^HTTP\/1\.1 200 /, 'an empty body is none');
});

t.test('what follows a body in chunks on its connection is no request', async (t) => {
  const large = 'x'.repeat(40_000);
  const { port, records } = await startServer(t, [
    ...things,
    postRoute('/large', async (exchange) => jsonReply(200, [await exchange.readBody(), large]), 9),
    postRoute('/refused', () => turn(jsonReply(404, {})), bodyBytesMax),
  ]);
  const framing = '2\r\n{}\r\n0\r\n\r\n';
  const smuggled = head('GET', '/things');
  for (const path of ['/things', '/large', '/refused']) {
    const request = `${head('POST', path, 'Transfer-Encoding: chunked')}${framing}`;
    await sendRaw(port, request + smuggled, (text) => text.includes('[]'));
    const socket = connect(port, '127.0.0.1');
    socket.write(request);
    await once(socket, 'data');
    socket.on('error', () => undefined);
    // Its answer is read, or the connection is closed.
    socket.write(smuggled);
    if (path !== '/large') await once(socket, 'close');
    socket.destroy();
  }
  const next = await sendRaw(port, smuggled, (text) => text.includes('[]'));
  t.match(next.text, /^HTTP\/1\.1 200 /);
  const lists = records.filter(({ route }) => route === 'list');
  t.equal(lists.length, 1, 'only the request on a connection of its own has run');
});

t.test('a client that pauses gets 408, and one that disconnects is logged as 499', async (t) => {
  let entered = Promise.withResolvers<void>();
  const create: Handler = (exchange) => {
    entered.resolve();
    return echo(exchange);
  };
  const routes = [postRoute('/things', create, bodyBytesMax)];
  const { port, records, server } = await startServer(t, routes);
  mock.timers.enable({ apis: ['setTimeout'] });
  t.teardown(() => mock.timers.reset());
  const beginning = `${head('POST', '/things', 'Content-Length: 9')}abc`;
  const socket = connect(port, '127.0.0.1');
  socket.write(beginning);
  await entered.promise;
  await turn();
  mock.timers.tick(5000);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  t.match(answer.toString(), /^HTTP\/1\.1 408 [^]*Connection: close[^]*\{"error":"/);
  await once(socket, 'close');
  entered = Promise.withResolvers();
  const leaver = connect(port, '127.0.0.1');
  leaver.write(beginning);
  await entered.promise;
  leaver.destroy();
  await server.idle(5000);
  t.same(
    records.map(({ status }) => status),
    [408, 499],
  );
});
