/** Heads that name no host or a method in another case: each is refused, and runs nothing. */
import t from 'tap';
import { jsonReply } from '../../src/http/reply.ts';
import { createServer } from '../../src/http/server.ts';
import { createLog } from '../../src/foundation/log.ts';
import { sendRaw } from '../fixtures/raw-http.ts';

let ran = 0;
const handler = (): ReturnType<typeof jsonReply> => {
  ran += 1;
  return jsonReply(200, {});
};
const server = createServer({
  host: '127.0.0.1',
  port: 0,
  timeoutMs: 5000,
  routes: [
    { name: 'a', path: '/a', errorShape: 'render', get: handler, post: handler, bodyBytesMax: 10 },
  ],
  onRequest: () => undefined,
  log: createLog(() => undefined),
});
const port = await server.listen();
t.teardown(() => server.close());

async function statusOf(...lines: string[]): Promise<string> {
  const { text } = await sendRaw(port, [...lines, '', ''].join('\r\n'), (got) =>
    got.includes('\r\n\r\n'),
  );
  return text.slice(9, 12);
}

t.test('an empty Host is 400, and so is a second one where a body may stand', async (t) => {
  t.equal(await statusOf('GET /a HTTP/1.1', 'Host:'), '400');
  t.equal(await statusOf('HEAD /a HTTP/1.1', 'Host: '), '400');
  t.equal(await statusOf('POST /a HTTP/1.1', 'Host:', 'Content-Length: 0'), '400');
  t.equal(await statusOf('POST /a HTTP/1.1', 'Host: a', 'Host: b', 'Content-Length: 0'), '400');
  t.equal(await statusOf('POST /a HTTP/1.1', 'Host: a', 'Content-Length:'), '400');
  t.equal(ran, 0);
  t.equal(await statusOf('GET /a HTTP/1.1', 'Host: a'), '200');
  t.equal(ran, 1);
});

t.test('a method is written in capitals (RFC 9110 section 9.1)', async (t) => {
  ran = 0;
  for (const method of ['get', 'Get', 'head', 'post', 'pOST']) {
    t.equal(await statusOf(`${method} /a HTTP/1.1`, 'Host: a'), '405', method);
  }
  t.equal(ran, 0);
});
