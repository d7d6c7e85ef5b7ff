/** The hosts that an organization lists: what they allow, at the first address and at every redirect. */
import t from 'tap';
import { checkListedHost } from '../../src/images/fetch/address-guard.ts';
import { startDns } from '../fixtures/images-dns.ts';
import { pngOf } from '../fixtures/images-files.ts';
import { startLoader } from '../fixtures/images-loader.ts';
import { startOrigin } from '../fixtures/images-origin.ts';

t.test('an entry is a host, or all names below one', (t) => {
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
  t.end();
});

t.test('a host that is not listed is neither looked up nor asked', async (t) => {
  const dns = await startDns((_name, type) => (type === 'A' ? ['127.0.0.1'] : []));
  t.teardown(() => dns.close());
  const png = pngOf({ widthPx: 3, heightPx: 2 });
  const origin = await startOrigin({
    '/a.png': (_request, response) => response.end(png),
    '/away': (_request, response) => {
      response.writeHead(302, { location: `http://evil.example:${origin.port}/a.png` }).end();
    },
    '/within': (_request, response) => {
      response.writeHead(302, { location: `http://cdn.good.example:${origin.port}/a.png` }).end();
    },
  });
  const { load, fail } = startLoader(t, [origin], {
    dnsServers: [dns.server],
    findImageHosts: (organizationUid) =>
      organizationUid === 'org_test' ? ['good.example', '*.good.example'] : undefined,
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
});

t.test('one organization’s list binds no other, and neither gets the other’s answer', async (t) => {
  const dns = await startDns((_name, type) => (type === 'A' ? ['127.0.0.1'] : []));
  t.teardown(() => dns.close());
  const origin = await startOrigin({
    '/a.png': (_request, response) => response.end(pngOf({ widthPx: 3, heightPx: 2 })),
    '/away': (_request, response) => {
      response.writeHead(302, { location: `http://other.example:${origin.port}/a.png` }).end();
    },
  });
  let hosts: string[] | undefined = ['good.example'];
  const { load, fail } = startLoader(t, [origin], {
    dnsServers: [dns.server],
    findImageHosts: () => hosts,
  });
  const url = `http://good.example:${origin.port}/away`;
  t.match(await fail(url), { reason: 'blocked' });
  hosts = undefined;
  t.equal((await load(url)).image.widthPx, 3);
  hosts = ['good.example'];
  t.match(await fail(url), { reason: 'blocked' });
  hosts = ['good.example', 'other.example'];
  t.equal((await load(url)).image.widthPx, 3, 'a list that changes counts at once');
});
