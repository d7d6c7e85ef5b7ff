/** The PROXY protocol, version 2: the parser takes its header from anybody, and nothing that it says is used. */
import t from 'tap';
import { AppError } from '../../src/foundation/errors.ts';
import { jsonReply } from '../../src/http/reply.ts';
import { route, startServer } from '../fixtures/api-server.ts';
import { proxyHeader } from '../fixtures/proxy-header.ts';
import { head, sendRaw, statusesOf } from '../fixtures/raw-http.ts';

const { port, records } = await startServer(t, [
  route('/ok', () => jsonReply(200, {})),
  route(
    '/locked',
    () => {
      throw new AppError('UNAUTHORIZED', 'Invalid API key', { reason: 'key' });
    },
    'organization',
  ),
]);

t.test('an address in a PROXY header is ignored: failures count for the client', async (t) => {
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
});

t.test('a request inside of a PROXY header is not run', async (t) => {
  records.length = 0;
  const hidden = Buffer.from(head('GET', '/locked'));
  const bytes = proxyHeader(hidden) + head('GET', '/ok', 'Connection: close');
  const { text } = await sendRaw(port, bytes, (got) => got.endsWith('{}'));
  t.same(statusesOf(text), [200]);
  t.same(
    records.map(({ exchange }) => exchange.path),
    ['/ok'],
  );
});
