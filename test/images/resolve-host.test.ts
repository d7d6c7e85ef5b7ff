/** Names are asked of name servers only, both families, without waiting for a silent one. */
import t from 'tap';
import type { Test } from 'tap';
import { createHostResolver } from '../../src/images/fetch/resolve-host.ts';
import type { HostResolver } from '../../src/images/fetch/resolve-host.ts';
import { startDns } from '../fixtures/images-dns.ts';
import type { DnsAnswer, DnsServer } from '../fixtures/images-dns.ts';

/** A resolver that asks a server of the test's own; both end with the test. */
async function startResolver(
  t: Test,
  answer: (name: string, type: 'A' | 'AAAA') => DnsAnswer,
): Promise<{ resolver: HostResolver; dns: DnsServer }> {
  const dns = await startDns(answer);
  const resolver = createHostResolver([dns.server]);
  t.teardown(() => {
    resolver.close();
    return dns.close();
  });
  return { resolver, dns };
}

t.test('both families are found, IPv4 first', async (t) => {
  const { resolver } = await startResolver(t, (_name, type) =>
    type === 'A' ? ['1.1.1.1', '1.0.0.1'] : ['2606:4700::1111'],
  );
  t.strictSame(await resolver.resolveHost('Example.COM.'), [
    { address: '1.1.1.1', family: 4 },
    { address: '1.0.0.1', family: 4 },
    { address: '2606:4700::1111', family: 6 },
  ]);
});

t.test('literals and localhost need no server', async (t) => {
  const { resolver, dns } = await startResolver(t, () => undefined);
  t.strictSame(await resolver.resolveHost('192.0.2.7'), [{ address: '192.0.2.7', family: 4 }]);
  t.strictSame(await resolver.resolveHost('2001:db8::7'), [{ address: '2001:db8::7', family: 6 }]);
  for (const name of ['localhost', 'LocalHost.', 'a.b.localhost'])
    t.strictSame(await resolver.resolveHost(name), [{ address: '127.0.0.1', family: 4 }], name);
  t.strictSame(dns.queries, []);
});

t.test('a server that drops the queries of one family does not hold the other up', async (t) => {
  for (const silent of ['A', 'AAAA']) {
    const { resolver, dns } = await startResolver(t, (_name, type) => {
      if (type === silent) return 'silence';
      return type === 'A' ? ['1.1.1.1'] : ['2606:4700::1111'];
    });
    t.equal((await resolver.resolveHost('half.test')).length, 1, silent);
    const silentQueries = dns.queries.filter((query) => query === `${silent} half.test`);
    t.equal(silentQueries.length, 1, 'before the silent query is sent again');
  }
});

t.test('an IPv6 answer alone is waited for when there is no IPv4 one', async (t) => {
  const { resolver } = await startResolver(t, (_name, type) =>
    type === 'A' ? [] : ['2606:4700::1111'],
  );
  t.strictSame(await resolver.resolveHost('six.test'), [{ address: '2606:4700::1111', family: 6 }]);
});

t.test(
  'a name that does not exist is distinguished from one that cannot be looked up',
  async (t) => {
    const { resolver } = await startResolver(t, (name) =>
      name === 'gone.test' ? undefined : name === 'empty.test' ? [] : 'silence',
    );
    for (const name of ['gone.test', 'empty.test'])
      await t.rejects(resolver.resolveHost(name), {
        name: 'ImageError',
        reason: 'dns',
        message: `is on a host that does not exist (${name})`,
      });
    await t.rejects(resolver.resolveHost('silent.test'), {
      name: 'ImageError',
      reason: 'dns',
      message: 'is on a host whose name cannot be looked up (silent.test)',
    });
  },
);

t.test('a wrong server address is named', (t) => {
  t.throws(() => createHostResolver(['resolver.example']), /resolver\.example/);
  t.end();
});
