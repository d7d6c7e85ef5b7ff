import t from 'tap';
import type { Test } from 'tap';
import { validateOrganizationRoute } from '../../src/api/validate-organization.ts';
import { AppError } from '../../src/errors.ts';
import { createClientAddresses } from '../../src/http/client-address.ts';
import {
  failuresPerKeyMax,
  failuresPerNetworkMax,
  KeyThrottle,
} from '../../src/http/key-throttle.ts';
import { jsonReply } from '../../src/http/reply.ts';
import { createServer } from '../../src/http/server.ts';
import type { RequestRecord } from '../../src/http/server.ts';
import { createLog } from '../../src/log.ts';

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
  const v6 = bytes(0x2a, 0, 0, 1, 0, 0, 0, 3, 9, 9, 9, 9, 9, 9, 9, 9);
  t.equal(behind.networkOf(v6, ''), '2a00:1:0:3::/64');
  t.throws(() => createClientAddresses(['proxy.example']));
  t.end();
});

t.test('a network that tries many keys waits for the end of its minute', (t) => {
  let nowMs = 0;
  const throttle = new KeyThrottle(() => nowMs);
  t.equal(throttle.isQuiet, true);
  for (let index = 0; index < failuresPerNetworkMax; index += 1) {
    t.equal(throttle.refusal(`guess ${index}`, 'a'), undefined);
    throttle.fail(`guess ${index}`, 'a');
    nowMs += 1000;
  }
  t.match(throttle.refusal('next', 'a'), { status: 429, retryAfterSeconds: 30 });
  t.equal(throttle.refusal('next', 'b'), undefined, 'other networks do not');
  t.equal(throttle.refusal('', 'a'), undefined, 'no key is no attempt');
  nowMs += 30_000;
  t.equal(throttle.refusal('next', 'a'), undefined);
  nowMs += 60_000;
  throttle.refusal('next', 'a');
  t.equal(throttle.isQuiet, true, 'and nothing of it is kept');
  t.end();
});

t.test('a key that fails everywhere is refused everywhere; a valid one passes', (t) => {
  const throttle = new KeyThrottle();
  for (let index = 0; index < failuresPerKeyMax; index += 1) throttle.fail('old', `${index}`);
  t.ok(throttle.refusal('old', 'elsewhere') instanceof AppError);
  throttle.succeed('good');
  for (let index = 0; index < 100; index += 1) throttle.fail(`${index}`, 'a');
  t.ok(throttle.refusal('unknown', 'a') instanceof AppError);
  t.equal(throttle.refusal('good', 'a'), undefined);
  throttle.fail('good', 'a');
  t.ok(throttle.refusal('good', 'a') instanceof AppError, 'until it fails itself');
  t.end();
});

t.test('a flood of networks and keys takes no more memory than ten thousand', (t) => {
  const throttle = new KeyThrottle();
  const before = process.memoryUsage().heapUsed;
  for (let index = 0; index < 30_000; index += 1) {
    throttle.fail(`key ${index}`, `network ${index}`);
    throttle.succeed(`good ${index}`);
  }
  t.ok(process.memoryUsage().heapUsed - before < 20 * 1024 * 1024);
  t.end();
});

/** A server with a render that asks for a key and an endpoint of the organization; `good` is the one valid key. */
async function start(
  t: Test,
): Promise<{ base: string; records: RequestRecord[]; looked: string[] }> {
  const records: RequestRecord[] = [];
  const looked: string[] = [];
  const organizations = {
    findByKey(key: string) {
      looked.push(key);
      return key === 'good' ? { uid: 'org_a', name: 'A' } : undefined;
    },
  };
  const server = createServer({
    host: '127.0.0.1',
    port: 0,
    timeoutMs: 5000,
    trustedProxies: ['127.0.0.1'],
    routes: [
      validateOrganizationRoute(organizations),
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
    onRequest: (record) => records.push(record),
    log: createLog(() => undefined),
  });
  const port = await server.listen();
  t.teardown(() => server.close());
  return { base: `http://127.0.0.1:${port}`, records, looked };
}

t.test('failed keys on any endpoint end in 429 with Retry-After, without a look-up', async (t) => {
  const { base, looked } = await start(t);
  const ask = (path: string, key: string, from: string): Promise<Response> =>
    fetch(`${base}${path}`, { headers: { 'X-API-Key': key, 'X-Forwarded-For': from } });
  const validate = '/v1/validate-organization';
  t.equal((await ask(validate, 'good', '203.0.113.1')).status, 200);
  for (let index = 0; index < failuresPerNetworkMax; index += 1) {
    const path = index % 2 === 0 ? validate : '/render/locked';
    t.equal((await ask(path, `bad${index}`, '203.0.113.1')).status, 401);
  }
  const before = looked.length;
  const organization = await ask(validate, 'next', '203.0.113.1');
  t.equal(organization.status, 429);
  t.match(organization.headers.get('retry-after'), /^([1-9]|[1-5]\d|60)$/);
  t.same(await organization.json(), { error: 'Too many invalid API keys; try again later.' });
  const render = await ask('/render/locked', 'next', '203.0.113.1');
  t.equal(render.status, 429);
  t.match(await render.json(), { error: { code: 'TOO_MANY_REQUESTS' } });
  t.equal(looked.length, before, 'no key was looked up');
  t.equal((await ask(validate, 'good', '203.0.113.1')).status, 200, 'a valid key passes');
  t.equal((await ask('/render/open', '', '203.0.113.1')).status, 200, 'and who needs none');
  t.equal((await ask(validate, 'next', '203.0.113.2')).status, 401, 'and another caller');
});
