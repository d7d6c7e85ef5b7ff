/** The PROXY protocol, version 2: the parser takes its header from anybody, and nothing that it says is used. */
import t from 'tap';
import { AppError } from '../../src/foundation/errors.ts';
import { jsonReply } from '../../src/http/reply.ts';
import { createServer } from '../../src/http/server.ts';
import { createLog } from '../../src/foundation/log.ts';
import { proxyHeader } from '../fixtures/proxy-header.ts';
import { head, sendRaw } from '../fixtures/raw-http.ts';

const paths: string[] = [];
const server = createServer({
  host: '127.0.0.1',
  port: 0,
  timeoutMs: 5000,
  routes: [
    { name: 'ok', path: '/ok', errorShape: 'render', get: () => jsonReply(200, {}) },
    {
      name: 'locked',
      path: '/locked',
      errorShape: 'organization',
      get: () => {
        throw new AppError('UNAUTHORIZED', 'Invalid API key', { reason: 'key' });
      },
    },
  ],
  onRequest: ({ exchange }) => paths.push(exchange.path),
  log: createLog(() => undefined),
});
const port = await server.listen();
t.teardown(() => server.close());

const statusesOf = (text: string): number[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));

t.test(
  'an address in a PROXY header is ignored: failures count for the connected client',
  async (t) => {
    const count = 50;
    const statuses: number[] = [];
    for (let round = 0; round < 7; round += 1) {
      const requests = Array.from({ length: count }, (_, index) => {
        const addresses = Buffer.of(9, round, 0, index, 1, 2, 3, 4, 0, 1, 0, 2);
        return proxyHeader(addresses) + head('GET', '/locked', 'X-API-Key: wrong');
      });
      const isWhole = (text: string): boolean => statusesOf(text).length >= count;
      statuses.push(...statusesOf((await sendRaw(port, requests.join(''), isWhole)).text));
    }
    t.equal(statuses.length, 7 * count);
    t.ok(statuses.includes(401));
    t.equal(statuses.at(-1), 429);
  },
);

t.test('a request inside of a PROXY header is not run', async (t) => {
  paths.length = 0;
  const hidden = Buffer.from(head('GET', '/locked'));
  const bytes = proxyHeader(hidden) + head('GET', '/ok', 'Connection: close');
  const { text } = await sendRaw(port, bytes, (got) => got.endsWith('{}'));
  t.same(statusesOf(text), [200]);
  t.same(paths, ['/ok']);
});
