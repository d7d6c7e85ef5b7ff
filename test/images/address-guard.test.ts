/** Which addresses are public unicast, and how an operator opens others. */
import type { Test } from 'tap';
import t from 'tap';
import {
  canonicalAddress,
  createAddressGuard,
  isPublicAddress,
  checkListedHost,
} from '../../src/images/fetch/address-guard.ts';
import type { HostResolver } from '../../src/images/fetch/resolve-host.ts';
import { createHostResolver } from '../../src/images/fetch/resolve-host.ts';
import { closedAddresses, publicAddresses } from '../fixtures/images-addresses.ts';
import type { DnsAnswer, DnsServer } from '../fixtures/images-dns.ts';
import { startTestDns } from '../fixtures/images-dns.ts';
import { pngOf } from '../fixtures/images-files.ts';
import { startLoader } from '../fixtures/images-loader.ts';
import { startOrigin } from '../fixtures/images-origin.ts';
import type { Handler } from '../fixtures/images-origin.ts';

t.test('public unicast addresses may be connected to, and no others', async (t) => {
  for (const address of publicAddresses) t.ok(isPublicAddress(address), address);
  for (const address of closedAddresses) t.notOk(isPublicAddress(address), address);
});

t.test('a malformed address is refused, also when a lax parser would take it', async (t) => {
  const none = ['', '8', '010.8.8.8', '0x08.8.8.8', '8.8.8', '8.8.8.8.', ' 8.8.8.8', '8.8.8.8:80'];
  const zones = ['2606:4700::1111%eth0', 'fe80::1%1', '[2606:4700::1111]', '::ffff:8.8.8.8%1'];
  for (const text of [...none, ...zones, 'localhost', 'example.com'])
    t.notOk(isPublicAddress(text), text);
});

t.test('an operator opens single addresses and blocks, and nothing beside them', async (t) => {
  const guard = createAddressGuard(['10.1.0.0/16', ' 127.0.0.1', 'fd00:1::/32', '::1/128']);
  for (const address of ['10.1.0.0', '10.1.255.255', '127.0.0.1', 'fd00:1::9', '::1', '8.8.8.8'])
    t.ok(guard.isAllowed(address), address);
  for (const address of ['10.2.0.0', '127.0.0.2', 'fd00:2::9', '::2', '::ffff:127.0.0.1'])
    t.notOk(guard.isAllowed(address), address);
});

t.test('a range that is none is named', async (t) => {
  const wrong = 'localhost 10.0.0.0/33 ::/129 10.0.0.0/-1 10.0.0.0/8/8 10.0.0.0/ 1/8'.split(' ');
  for (const text of ['', ...wrong])
    t.throws(() => createAddressGuard([text]), { message: `"${text}" is no address range` }, text);
});

t.test('two spellings of one address compare as equal', async (t) => {
  t.equal(canonicalAddress('2606:4700:0:0::1111'), canonicalAddress('2606:4700::1111'));
  t.not(canonicalAddress('1.1.1.1'), canonicalAddress('1.1.1.2'));
  t.equal(canonicalAddress('one.one.one.one'), undefined);
});

t.test('an entry is a host, or all names below one', async (t) => {
  const cases: [host: string, hosts: string[] | undefined, isListed: boolean][] = [
    ['a.example', undefined, true],
    ['a.example', [], false],
    ['a.example', ['a.example'], true],
    ['A.EXAMPLE.', ['a.example'], true],
    ['b.a.example', ['a.example'], false],
    ['b.a.example', ['*.a.example'], true],
    ['c.b.a.example', ['*.a.example'], true],
    ['a.example', ['*.a.example'], false],
    ['xa.example', ['*.a.example', 'a.example'], false],
    ['a.example.evil.example', ['a.example', '*.a.example'], false],
    ['127.0.0.1', ['127.0.0.1'], true],
    ['0x7f.1', ['127.0.0.1'], true],
    ['bücher.example', ['xn--bcher-kva.example'], true],
  ];
  for (const [host, hosts, isListed] of cases) {
    const check = (): void => checkListedHost(new URL(`https://${host}/a.png`), hosts);
    if (isListed) t.doesNotThrow(check, host);
    else t.throws(check, { name: 'ImageError', reason: 'blocked' }, host);
  }
});

t.test('a host that is not listed is neither looked up nor asked', async (t) => {
  const dns = await startTestDns(t);
  const png = pngOf({ widthPx: 3, heightPx: 2 });
  const to =
    (host: string): Handler =>
    (_request, response) =>
      response.writeHead(302, { location: at(host, '/a.png') }).end();
  const origin = await startOrigin({
    '/a.png': (_request, response) => response.end(png),
    '/away': to('evil.example'),
    '/within': to('cdn.good.example'),
  });
  let hosts: string[] | undefined = ['good.example', '*.good.example'];
  const { load, fail } = startLoader(t, [origin], {
    dnsServers: [dns.server],
    findImageHosts: () => hosts,
  });
  const at = (host: string, path: string): string => `http://${host}:${origin.port}${path}`;

  t.match(await fail(at('evil.example', '/a.png')), {
    reason: 'blocked',
    message: 'is on evil.example, and this organization allows images from listed hosts only',
  });
  t.same(dns.queries, []);
  t.same(origin.requests, []);
  t.equal((await load(at('good.example', '/a.png'))).image.widthPx, 3);
  t.equal((await load(at('good.example', '/within'))).image.widthPx, 3);
  t.match(await fail(at('good.example', '/away')), { reason: 'blocked', message: /^is on evil/ });
  t.notOk(dns.queries.some((query) => query.includes('evil')));

  t.match(await fail('https://drive.google.com/file/d/1aBcD_efGhIjKl/view'), { reason: 'blocked' });
  hosts = undefined;
  t.equal((await load(at('good.example', '/away'))).image.widthPx, 3, 'of another organization');
  hosts = ['good.example'];
  t.match(await fail(at('good.example', '/away')), { reason: 'blocked' }, 'it has its own answer');
  hosts = ['good.example', 'evil.example'];
  t.equal((await load(at('good.example', '/away'))).image.widthPx, 3, 'a change counts at once');
});

/** A resolver that asks a server of the test's own; both end with the test. */
async function startResolver(
  t: Test,
  answer: (name: string, type: 'A' | 'AAAA') => DnsAnswer,
): Promise<{ resolver: HostResolver; dns: DnsServer }> {
  const dns = await startTestDns(t, answer);
  const resolver = createHostResolver([dns.server]);
  t.teardown(() => resolver.close());
  return { resolver, dns };
}

t.test('both families are found, IPv4 first, and IPv6 alone is waited for', async (t) => {
  const { resolver } = await startResolver(t, (name, type) => {
    if (type === 'AAAA') return ['2606:4700::1111'];
    return name === 'six.test' ? [] : ['1.1.1.1', '1.0.0.1'];
  });
  const six = { address: '2606:4700::1111', family: 6 };
  const four = ['1.1.1.1', '1.0.0.1'].map((address) => ({ address, family: 4 }));
  t.strictSame(await resolver.resolveHost('Example.COM.'), [...four, six]);
  t.strictSame(await resolver.resolveHost('six.test'), [six]);
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

t.test('a name that does not exist differs from one that cannot be looked up', async (t) => {
  const { resolver } = await startResolver(t, (name) =>
    name === 'gone.test' ? undefined : name === 'empty.test' ? [] : 'silence',
  );
  const messages = {
    'gone.test': 'is on a host that does not exist (gone.test)',
    'empty.test': 'is on a host that does not exist (empty.test)',
    'silent.test': 'is on a host whose name cannot be looked up (silent.test)',
  };
  for (const [name, message] of Object.entries(messages))
    await t.rejects(resolver.resolveHost(name), { name: 'ImageError', reason: 'dns', message });
});

t.test('a wrong server address is named', async (t) => {
  t.throws(() => createHostResolver(['resolver.example']), /resolver\.example/);
});
