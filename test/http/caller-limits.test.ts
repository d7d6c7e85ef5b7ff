/** Requests of one network are limited where an endpoint says so, and what is for everybody shares the thread. */
import t from 'tap';
import { CallerLimits } from '../../src/http/caller-limits.ts';
import { jsonReply } from '../../src/http/reply.ts';
import { route, startServer } from '../fixtures/api-server.ts';

const rate = { what: 'pings', countMax: 3, windowSeconds: 10 };

t.test('a network gets so many requests in a window, and others get theirs', async (t) => {
  const limits = new CallerLimits();
  const count = (network: string, nowMs: number) => () => limits.count(rate, network, nowMs);
  for (let index = 0; index < 3; index += 1) t.doesNotThrow(count('a', index));
  const refusal = { code: 'TOO_MANY_REQUESTS', retryAfterSeconds: 8, reason: 'rate' };
  t.throws(count('a', 2500), refusal);
  t.doesNotThrow(count('b', 2500));
  t.doesNotThrow(() => limits.count({ ...rate }, 'a', 2500), 'another endpoint counts by itself');
  t.doesNotThrow(count('a', 10_000), 'the next window');
});

t.test('an endpoint with a limit answers 429 before its handler runs', async (t) => {
  let handled = 0;
  const handler = () => {
    handled += 1;
    return jsonReply(200, {});
  };
  const routes = [
    { ...route('/limited', handler), post: handler, bodyBytesMax: 100, rate },
    route('/free', handler),
  ];
  const { base } = await startServer(t, routes, { trustedProxies: ['127.0.0.1'] });
  const ask = (path: string, from: string, method = 'GET') => {
    const body = method === 'POST' ? '{}' : null;
    return fetch(base + path, { method, body, headers: { 'X-Forwarded-For': from } });
  };
  for (const method of ['GET', 'POST', 'GET']) {
    t.equal((await ask('/limited', '2a00:1:2:3::1', method)).status, 200);
  }
  const refused = await ask('/limited', '2a00:1:2:3::2', 'POST');
  t.equal(refused.status, 429, 'an IPv6 network is one caller');
  t.match(refused.headers.get('retry-after'), /^([1-9]|10)$/);
  t.match(await refused.json(), { error: { message: 'Too many pings from this address' } });
  t.equal(handled, 3);
  t.equal((await ask('/limited', '2a00:1:2:4::1')).status, 200);
  t.equal((await ask('/free', '2a00:1:2:3::1')).status, 200);
  const inner = await startServer(t, routes, { limitsAddresses: false });
  for (let index = 0; index <= rate.countMax; index += 1) {
    t.equal((await fetch(`${inner.base}/limited`)).status, 200, 'the server of this process');
  }
});
