import t from 'tap';
import type { Test } from 'tap';
import { routesOf } from '../../src/api/endpoint.ts';
import { validateOrganization } from '../../src/api/keys.ts';
import { AppError } from '../../src/foundation/errors.ts';
import { createClientAddresses } from '../../src/http/request-origin.ts';
import { failuresPerKeyMax, failuresPerNetworkMax, KeyThrottle } from '../../src/http/api-key.ts';
import { jsonReply } from '../../src/http/reply.ts';
import { createServer } from '../../src/http/server.ts';
import { createLog } from '../../src/foundation/log.ts';

/** The bytes of a socket's address, as the addon gives them. */
function bytes(...values: number[]): ArrayBuffer {
  return new Uint8Array(values).buffer;
}

const loopback = bytes(127, 0, 0, 1);

t.test('a caller is its socket, unless a trusted proxy says otherwise', (t) => {
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
  t.end();
});

t.test('a network that tries many keys waits for the end of its minute', (t) => {
  let nowMs = 0;
  const throttle = new KeyThrottle(() => nowMs);
  for (let index = 0; index < failuresPerNetworkMax; index += 1) {
    t.equal(throttle.fail('a', `key ${index}`), undefined);
    nowMs += 100;
  }
  t.match(throttle.fail('a', 'next'), { status: 429, retryAfterSeconds: 30 });
  t.equal(throttle.fail('b', 'next'), undefined, 'other networks do not');
  nowMs += 30_000;
  t.equal(throttle.fail('a', 'next'), undefined);
  nowMs += 60_000;
  throttle.fail('c', 'other');
  t.same(throttle.size, { networks: 1, keys: 1 }, 'and nothing of it is kept');
  t.end();
});

t.test('a key that fails in many networks waits for the end of its minute', (t) => {
  let nowMs = 0;
  const throttle = new KeyThrottle(() => nowMs);
  for (let index = 0; index < failuresPerKeyMax; index += 1) {
    t.equal(throttle.fail(`network ${index}`, 'old'), undefined);
    nowMs += 100;
  }
  t.match(throttle.fail('another network', 'old'), { status: 429, retryAfterSeconds: 30 });
  t.equal(throttle.fail('another network', 'other'), undefined, 'other keys do not');
  nowMs += 30_000;
  t.equal(throttle.fail('another network', 'old'), undefined);
  t.end();
});

t.test('a flood of networks and keys takes no more memory than ten thousand of each', (t) => {
  const throttle = new KeyThrottle();
  for (let index = 0; index < 30_000; index += 1) throttle.fail(`network ${index}`, `key ${index}`);
  t.same(throttle.size, { networks: 10_000, keys: 10_000 });
  t.end();
});

/** A server with a render that asks for a key and an endpoint of the organization; `good` is the one valid key. */
async function start(t: Test): Promise<{ base: string }> {
  const organizations = {
    findByKey: (key: string) => (key === 'good' ? { uid: 'org_a', name: 'A' } : undefined),
  };
  const server = createServer({
    host: '127.0.0.1',
    port: 0,
    timeoutMs: 5000,
    trustedProxies: ['127.0.0.1'],
    routes: [
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
    ],
    onRequest: () => undefined,
    log: createLog(() => undefined),
  });
  const port = await server.listen();
  t.teardown(() => server.close());
  return { base: `http://127.0.0.1:${port}` };
}

t.test('keys that fail end in 429 with Retry-After; a valid key always passes', async (t) => {
  const { base } = await start(t);
  const ask = (path: string, key: string, from: string): Promise<Response> =>
    fetch(`${base}${path}`, { headers: { 'X-API-Key': key, 'X-Forwarded-For': from } });
  const validate = '/v1/validate-organization';
  for (let index = 0; index < failuresPerNetworkMax; index += 1) {
    const path = index % 2 === 0 ? validate : '/render/locked';
    t.equal((await ask(path, `bad${index}`, '203.0.113.1')).status, 401);
  }
  const organization = await ask(validate, 'next', '203.0.113.1');
  t.equal(organization.status, 429);
  t.match(organization.headers.get('retry-after'), /^([1-9]|[1-5]\d|60)$/);
  t.same(await organization.json(), { error: 'Too many invalid API keys; try again later.' });
  const render = await ask('/render/locked', 'next', '203.0.113.1');
  t.equal(render.status, 429);
  t.match(await render.json(), { error: { code: 'TOO_MANY_REQUESTS' } });
  t.equal((await ask(validate, 'good', '203.0.113.1')).status, 200, 'a key never seen before');
  t.equal((await ask(validate, '', '203.0.113.1')).status, 401, 'no key is no attempt');
  t.equal((await ask('/render/open', 'next', '203.0.113.1')).status, 200, 'who needs none');
  t.equal((await ask(validate, 'next', '203.0.113.2')).status, 401, 'another caller');
});

t.test('one key that fails behind many addresses of a proxy ends in 429', async (t) => {
  const { base } = await start(t);
  const ask = async (key: string, from: string): Promise<number> => {
    const headers = { 'X-API-Key': key, 'X-Forwarded-For': from };
    return (await fetch(`${base}/v1/validate-organization`, { headers })).status;
  };
  for (let index = 0; index < failuresPerKeyMax; index += 1) {
    t.equal(await ask('old', `198.51.${index >> 8}.${index & 255}`), 401);
  }
  t.equal(await ask('old', '203.0.113.7'), 429);
  t.equal(await ask('another', '203.0.113.7'), 401);
  t.equal(await ask('good', '203.0.113.7'), 200);
});
