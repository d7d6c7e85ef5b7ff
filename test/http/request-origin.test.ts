/** The address that answers name, beside what a client or a proxy writes into the head. */
import t from 'tap';
import type { Test } from 'tap';
import { createPublicUrl } from '../../src/api/request/public-url.ts';
import type { Handler } from '../../src/http/server.ts';
import { postRoute, route, startServer } from '../fixtures/api-server.ts';
import { jsonReply } from '../../src/http/reply.ts';
import { request } from '../e2e/request.ts';

/** Starts a server that answers the address at which it was asked. */
async function start(t: Test, trustedProxies: string[] = []): Promise<number> {
  const publicUrl = createPublicUrl(undefined, () => 'http://localhost:3000');
  const answer: Handler = (exchange) => jsonReply(200, { url: publicUrl(exchange) });
  const read: Handler = async (exchange) => {
    await exchange.readBody();
    return answer(exchange);
  };
  const routes = [route('/address', answer), postRoute('/address', read, 100)];
  return (await startServer(t, routes, { trustedProxies })).port;
}

t.test('an answer has the address of its request', async (t) => {
  const port = await start(t);
  for (const [host, url] of [
    ['images.example.com', 'http://images.example.com'],
    ['Images.Example.com:8080', 'http://images.example.com:8080'],
    ['192.0.2.1:3000', 'http://192.0.2.1:3000'],
    ['[2001:db8::1]:3000', 'http://[2001:db8::1]:3000'],
    ['platen_internal', 'http://platen_internal'],
  ] as const) {
    for (const method of ['GET', 'POST']) {
      const answer = await request(port, '/address', { method, headers: { Host: host } });
      t.same(answer.json(), { url }, `${method} ${host}`);
    }
  }
});

t.test('an invalid host is not repeated', async (t) => {
  const port = await start(t);
  for (const host of [
    'a b',
    'user@example.com',
    'example.com/path',
    'example.com?x',
    '"><script>',
    'example.com:port',
    'example.com:',
    'a..b',
    '[::1',
    `${'a'.repeat(64)}.example`,
    'a.'.repeat(200),
  ]) {
    const answer = await request(port, '/address', { headers: { Host: host } });
    t.same(answer.json(), { url: 'http://localhost:3000' }, host);
  }
});

t.test('the scheme of a proxy is believed as its addresses are', async (t) => {
  const [open, proxied] = [await start(t), await start(t, ['127.0.0.1'])];
  const schemeAt = async (port: number, forwarded: string): Promise<unknown> => {
    const headers = { Host: 'images.example.com', 'X-Forwarded-Proto': forwarded };
    const { url } = (await request(port, '/address', { headers })).json() as { url: string };
    return url.replace('://images.example.com', '');
  };
  t.equal(await schemeAt(open, 'https'), 'http', 'from anybody');
  t.equal(await schemeAt(proxied, 'https'), 'https');
  t.equal(await schemeAt(proxied, 'HTTPS'), 'https');
  t.equal(await schemeAt(proxied, 'http, https'), 'https', 'the proxy writes last');
  t.equal(await schemeAt(proxied, 'javascript'), 'http');
  t.equal(await schemeAt(proxied, ''), 'http');
});
