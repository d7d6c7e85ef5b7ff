import t from 'tap';
import type { Test } from 'tap';
import { routesOf } from '../../src/api/endpoint.ts';
import { validateOrganization } from '../../src/api/keys.ts';
import { AppError } from '../../src/foundation/errors.ts';
import { createClientAddresses } from '../../src/http/request-origin.ts';
import {
  failuresPerKeyMax,
  failuresPerNetworkMax,
  KeyThrottle,
} from '../../src/http/caller-limits.ts';
import { jsonReply } from '../../src/http/reply.ts';
import type { Route } from '../../src/http/server.ts';
import { startServer } from '../fixtures/api-server.ts';

/** The bytes of a socket's address, as the addon gives them. */
function bytes(...values: number[]): ArrayBuffer {
  return new Uint8Array(values).buffer;
}

const loopback = bytes(127, 0, 0, 1);

t.test('a caller is its socket, unless a trusted proxy says otherwise', async (t) => {
  const alone = createClientAddresses([]);
  t.equal(alone.networkOf(loopback, '203.0.113.9'), '127.0.0.1', 'a header is not believed');
  const behind = createClientAddresses(['127.0.0.1', '10.0.0.0/8', '2001:db8::/32']);
  const cases: [header: string, network: string][] = [
    ['', '127.0.0.1'],
    ['203.0.113.9', '203.0.113.9'],
    ['6.6.6.6, 203.0.113.9, 10.1.2.3', '203.0.113.9'],
    ['203.0.113.9:4711', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['2a00:1:2:3:4:5:6:7', '2a00:1:2:3::/64'],
    ['[2A00:1::7]:80', '2a00:1:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['2a00:1::, 2001:db8::5', '2a00:1:0:0::/64'],
    ['unknown', '127.0.0.1'],
    ['203.0.113.9, \u0000, 10.0.0.1', '10.0.0.1'],
    [`203.0.113.9${', 10.0.0.1'.repeat(2000)}`, '10.0.0.1'],
  ];
  for (const [header, network] of cases) {
    t.equal(behind.networkOf(loopback, header), network, header.slice(0, 40));
  }
  const stranger = bytes(198, 51, 100, 7);
  t.equal(behind.networkOf(stranger, '203.0.113.9'), '198.51.100.7');
  const mapped = bytes(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 198, 51, 100, 7);
  t.equal(behind.networkOf(mapped, ''), '198.51.100.7');
  const unmapped = bytes(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0, 198, 51, 100, 7);
  t.equal(behind.networkOf(unmapped, ''), '0:0:0:0::/64', 'only ::ffff:0:0/96 is mapped');
  const v6 = bytes(0x2a, 0, 0, 1, 0, 0, 0, 3, 9, 9, 9, 9, 9, 9, 9, 9);
  t.equal(behind.networkOf(v6, ''), '2a00:1:0:3::/64');
  t.equal(behind.isTrusted(loopback), true);
  t.equal(behind.isTrusted(stranger), false);
  t.equal(alone.isTrusted(loopback), false);
  t.throws(() => createClientAddresses(['proxy.example']));
});

t.test('a network or a key that fails often waits for the end of its minute', async (t) => {
  const throttles: [
    max: number,
    fail: (throttle: KeyThrottle, who: string, at: string) => unknown,
  ][] = [
    [failuresPerNetworkMax, (throttle, who, at) => throttle.fail(who, `key ${at}`)],
    [failuresPerKeyMax, (throttle, who, at) => throttle.fail(`network ${at}`, who)],
  ];
  for (const [max, fail] of throttles) {
    let nowMs = 0;
    const throttle = new KeyThrottle(() => nowMs);
    for (let index = 0; index < max; index += 1) {
      t.equal(fail(throttle, 'a', String(index)), undefined);
      nowMs += 100;
    }
    t.match(fail(throttle, 'a', 'next'), { status: 429, retryAfterSeconds: 30 });
    t.equal(fail(throttle, 'b', 'next'), undefined, 'others do not');
    nowMs += 30_000;
    t.equal(fail(throttle, 'a', 'next'), undefined);
    nowMs += 60_000;
    fail(throttle, 'c', 'other');
    t.same(throttle.size, { networks: 1, keys: 1 }, 'and nothing of it is kept');
  }
});

t.test('a flood of networks and keys takes no more memory than ten thousand of each', async (t) => {
  const throttle = new KeyThrottle();
  for (let index = 0; index < 30_000; index += 1) throttle.fail(`network ${index}`, `key ${index}`);
  t.same(throttle.size, { networks: 10_000, keys: 10_000 });
});

/** Asks a server with a render that asks for a key and an endpoint of the organization; `good` is the one valid key. */
async function start(
  t: Test,
): Promise<(key: string, from: string, path?: string) => Promise<Response>> {
  const organizations = {
    findByKey: (key: string) => (key === 'good' ? { uid: 'org_a', name: 'A' } : undefined),
  };
  const routes: Route[] = [
    ...routesOf([validateOrganization], { organizations }),
    {
      name: 'render',
      path: '/render/:uid',
      errorShape: 'render',
      get: ({ apiKey, parameter }) => {
        if (parameter === 'open' || organizations.findByKey(apiKey)) return jsonReply(200, {});
        throw new AppError('UNAUTHORIZED', 'No.', { reason: 'key' });
      },
    },
  ];
  const { base } = await startServer(t, routes, { trustedProxies: ['127.0.0.1'] });
  return (key, from, path = '/v1/validate-organization') =>
    fetch(`${base}${path}`, { headers: { 'X-API-Key': key, 'X-Forwarded-For': from } });
}

t.test('keys that fail end in 429 with Retry-After; a valid key always passes', async (t) => {
  const ask = await start(t);
  const [caller, other] = ['203.0.113.1', '203.0.113.2'];
  for (let index = 0; index < failuresPerNetworkMax; index += 1) {
    const path = index % 2 === 0 ? undefined : '/render/locked';
    t.equal((await ask(`bad${index}`, caller, path)).status, 401);
  }
  const organization = await ask('next', caller);
  t.equal(organization.status, 429);
  t.match(organization.headers.get('retry-after'), /^([1-9]|[1-5]\d|60)$/);
  t.same(await organization.json(), { error: 'Too many invalid API keys; try again later.' });
  const render = await ask('next', caller, '/render/locked');
  t.equal(render.status, 429);
  t.match(await render.json(), { error: { code: 'TOO_MANY_REQUESTS' } });
  t.equal((await ask('good', caller)).status, 200, 'a key never seen before');
  t.equal((await ask('', caller)).status, 401, 'no key is no attempt');
  t.equal((await ask('next', caller, '/render/open')).status, 200, 'who needs none');
  t.equal((await ask('next', other)).status, 401, 'another caller');
});

t.test('one key that fails behind many addresses of a proxy ends in 429', async (t) => {
  const ask = await start(t);
  for (let index = 0; index < failuresPerKeyMax; index += 1) {
    t.equal((await ask('old', `198.51.${index >> 8}.${index & 255}`)).status, 401);
  }
  t.equal((await ask('old', '203.0.113.7')).status, 429);
  t.equal((await ask('another', '203.0.113.7')).status, 401);
  t.equal((await ask('good', '203.0.113.7')).status, 200);
});
