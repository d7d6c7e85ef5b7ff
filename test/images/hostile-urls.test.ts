/** Every form of every address that is not public, and what it must never reach. */
import t from 'tap';
import {
  createAddressGuard,
  checkUrlTarget,
  parseHttpUrl,
} from '../../src/images/fetch/address-guard.ts';
import { ImageError } from '../../src/images/image-error.ts';
import { closedAddresses, publicAddresses } from '../fixtures/images-addresses.ts';
import { startDns } from '../fixtures/images-dns.ts';
import { pngOf } from '../fixtures/images-files.ts';
import { startLoader } from '../fixtures/images-loader.ts';
import { startOrigin } from '../fixtures/images-origin.ts';

const png = pngOf({ widthPx: 3, heightPx: 2 });

const hex = (value: number): string => `0x${value.toString(16)}`;

/** The spellings of an IPv4 address that URL parsers take for it. */
function ipv4Forms(address: string): string[] {
  const octets = address.split('.').map(Number);
  const [a = 0, b = 0, c = 0, d = 0] = octets;
  const number = ((a * 256 + b) * 256 + c) * 256 + d;
  const wide = address
    .split('')
    .map((sign) => (sign === '.' ? '。' : String.fromCodePoint(0xff10 + Number(sign))));
  return [
    address,
    `${address}.`,
    String(number),
    hex(number),
    `0${number.toString(8)}`,
    octets.map(hex).join('.'),
    octets.map((octet) => `0${octet.toString(8)}`).join('.'),
    octets.map((octet) => `00000${octet.toString(8)}`).join('.'),
    `${a}.${b}.${c * 256 + d}`,
    `${a}.${(b * 256 + c) * 256 + d}`,
    `${hex(a)}.${b}.0${c.toString(8)}.${d}`,
    wide.join(''),
    address.replaceAll('.', '%2e'),
    address
      .split('')
      .map((sign) => `%${sign.charCodeAt(0).toString(16)}`)
      .join(''),
    `[::ffff:${address}]`,
    `[::${address}]`,
    `[64:ff9b::${address}]`,
    `[0:0:0:0:0:FFFF:${address}]`,
  ];
}

/** Addresses that cover every reason once; the rest of the list is tried in its plain form. */
const spelled = [
  '127.0.0.1',
  '10.0.0.1',
  '169.254.169.254',
  '192.168.1.1',
  '100.100.100.200',
  '0.0.0.0',
  '168.63.129.16',
  '172.31.255.255',
];

function hostForms(): string[] {
  const plain = closedAddresses.map((address) =>
    address.includes(':') ? `[${address}]` : address,
  );
  const names = [
    'localhost',
    'LOCALHOST',
    'localhost.',
    'a.localhost',
    'a.b.localhost.',
    'ｌｏｃａｌｈｏｓｔ',
  ];
  return [...new Set([...spelled.flatMap(ipv4Forms), ...plain, ...names])];
}

t.test('no form of a closed address is connected to, at any port or scheme', async (t) => {
  // The witness listens where most of these forms lead, on a port that is allowed.
  const witness = await startOrigin({ '/': (_request, response) => response.end(png) });
  const { fail } = startLoader(t, [witness], {
    allowedAddresses: [],
    allowedPorts: [80, 443, witness.port],
  });
  const urls = hostForms().flatMap((host) => [
    `http://${host}:${witness.port}/`,
    `https://${host}/`,
    `http://${host}/latest/meta-data/`,
  ]);
  t.ok(urls.length >= 300, `${urls.length} URLs`);
  const errors = await Promise.all(urls.map((url) => fail(url)));
  for (const [index, error] of errors.entries()) {
    t.match(error, { reason: 'blocked', message: /address is not public$/ }, urls[index] ?? '');
  }
  t.equal(witness.connections, 0);
});

t.test('every form of a public address may be asked', (t) => {
  const guard = createAddressGuard([]);
  const hosts = publicAddresses.flatMap((address) =>
    // The last four forms embed the address in IPv6, which is closed for all.
    address.includes(':')
      ? [`[${address}]`, `[${address.toUpperCase()}]`]
      : ipv4Forms(address).slice(0, -4),
  );
  const urls = [
    ...hosts,
    'example.com',
    'EXAMPLE.com.',
    'bücher.example',
    'a_b.example',
    'xn--bcher-kva.example',
  ];
  t.ok(urls.length >= 300, `${urls.length} hosts`);
  for (const host of urls) {
    const url = parseHttpUrl(`http://${host}/a.png#top`);
    t.doesNotThrow(() => checkUrlTarget(url, guard, [80, 443], undefined), host);
  }
  t.end();
});

t.test('what is no http(s) URL is refused before anything is asked', async (t) => {
  const witness = await startOrigin({});
  const { fail } = startLoader(t, [witness]);
  const { port } = witness;
  const texts = [
    '',
    ' ',
    'logo.png',
    '/logo.png',
    '//127.0.0.1/logo.png',
    'file:///etc/passwd',
    'ftp://example.com/a.png',
    'gopher://127.0.0.1/',
    'javascript:alert(1)',
    'blob:http://example.com/1',
    'http://',
    'http://%00/',
    'http://exa mple.com/',
    'http://1.2.3.4.5/',
    'http://256.0.0.1/',
    'http://[::1/',
    'http://[fe80::1%25eth0]/',
    'http://[::1%lo]/',
    'http://./',
    'http://a..b/',
    `http://user@127.0.0.1:${port}/`,
    `http://user:pass@127.0.0.1:${port}/`,
    `http://example.com@127.0.0.1:${port}/`,
    `http://127.0.0.1:99999/`,
    `http://${'a'.repeat(254)}/`,
    `http://127.0.0.1:${port}/${'a'.repeat(9000)}`,
  ];
  for (const text of texts) t.match(await fail(text), { reason: 'url' }, text.slice(0, 60));
  t.equal(witness.connections, 0);
});

t.test('closed ports are refused', async (t) => {
  const witness = await startOrigin({ '/': (_request, response) => response.end(png) });
  const { fail } = startLoader(t, [witness], { allowedPorts: [80, 443] });
  t.match(await fail(witness.url('/')), {
    reason: 'blocked',
    message: `uses port ${witness.port}, which is not allowed (only 80, 443)`,
  });
  for (const port of [22, 25, 6379, 8080, 65_535])
    t.match(await fail(`http://example.com:${port}/`), { reason: 'blocked' });
  t.equal(witness.connections, 0);
});

t.test('a redirect reaches no closed address either', async (t) => {
  const witness = await startOrigin({ '/': (_request, response) => response.end(png) });
  const targets = hostForms()
    // A header is ASCII.
    .filter((host) => /^[!-~]+$/.test(host))
    .map((host) => `http://${host}:${witness.port}/`)
    // This one address is opened, so that the redirecting origin itself can be asked.
    .filter(
      (url) =>
        new URL(url).hostname !== '127.0.0.1' && !/localhost\.?$/.test(new URL(url).hostname),
    );
  t.ok(targets.length > 100, `${targets.length} targets`);
  const origin = await startOrigin({
    '/to': (request, response) => {
      const target = targets[Number(request.url?.split('?')[1])] ?? '';
      response.writeHead(302, { location: target }).end();
    },
  });
  const { fail } = startLoader(t, [origin, witness]);
  for (const [index, target] of targets.entries())
    t.match(await fail(origin.url(`/to?${index}`)), { reason: 'blocked' }, target);
  t.equal(witness.connections, 0);
});

t.test('a redirect to a closed port is refused', async (t) => {
  const witness = await startOrigin({ '/': (_request, response) => response.end(png) });
  const origin = await startOrigin({
    '/to': (_request, response) => response.writeHead(301, { location: witness.url('/') }).end(),
  });
  const { fail } = startLoader(t, [origin, witness], { allowedPorts: [origin.port] });
  t.match(await fail(origin.url('/to')), { reason: 'blocked', message: /^uses port/ });
  t.equal(witness.connections, 0);
});

t.test('a name with any closed record is refused', async (t) => {
  const witness = await startOrigin({ '/': (_request, response) => response.end(png) });
  const records = closedAddresses.filter((address) => !address.startsWith('127.0.0.1'));
  const dns = await startDns((name, type) => {
    const closed = records[Number(name.split('.')[0]?.slice(1))] ?? '';
    const isIpv6 = closed.includes(':');
    const open = publicAddresses.filter((address) => address.includes(':') === (type === 'AAAA'));
    if (name.includes('.only.')) return isIpv6 === (type === 'AAAA') ? [closed] : [];
    return isIpv6 === (type === 'AAAA') ? [...open.slice(0, 2), closed] : open.slice(0, 1);
  });
  t.teardown(() => dns.close());
  const { fail } = startLoader(t, [witness], { allowedAddresses: [], dnsServers: [dns.server] });
  const names = records.flatMap((_, index) => [`n${index}.only.test`, `n${index}.mixed.test`]);
  const errors = await Promise.all(names.map((name) => fail(`http://${name}:${witness.port}/`)));
  for (const [index, error] of errors.entries())
    t.match(error, { reason: 'blocked' }, `${names[index]} ${records[Math.floor(index / 2)]}`);
  t.equal(witness.connections, 0);
});

t.test(
  'a name that is public for the check and local for the connection reaches nothing',
  async (t) => {
    const witness = await startOrigin({ '/': (_request, response) => response.end(png) });
    // The first answer passes, each later one is the attack. 192.0.2.1 (opened here) has no listener.
    const dns = await startDns((_name, type, earlier) => {
      if (type === 'AAAA') return [];
      return earlier === 0 ? ['192.0.2.1'] : ['127.0.0.1'];
    });
    t.teardown(() => dns.close());
    const { fail, pass } = startLoader(t, [witness], {
      allowedAddresses: ['192.0.2.1'],
      dnsServers: [dns.server],
      connectTimeoutMs: 50,
    });
    const url = `http://rebind.test:${witness.port}/`;
    const first = await fail(url);
    t.ok(['timeout', 'network'].includes(first.reason), 'the first look-up is the only one');
    t.strictSame(
      dns.queries.filter((query) => query.startsWith('A ')),
      ['A rebind.test'],
    );
    pass(10_000);
    t.match(await fail(url), { reason: 'blocked' }, 'the next look-up is checked again');
    t.equal(witness.connections, 0);
  },
);

t.test(
  'a redirect within one name is looked up and checked again when it needs a new connection',
  async (t) => {
    const witness = await startOrigin({ '/': (_request, response) => response.end(png) });
    const origin = await startOrigin({
      '/to': (_request, response) => {
        const location = `http://rebind.test:${witness.port}/`;
        response.writeHead(302, { location }).end();
      },
    });
    const dns = await startDns((_name, type, earlier) => {
      if (type === 'AAAA') return [];
      return earlier === 0 ? ['127.0.0.1'] : ['127.0.0.2'];
    });
    t.teardown(() => dns.close());
    const { fail } = startLoader(t, [origin, witness], { dnsServers: [dns.server] });
    t.match(await fail(`http://rebind.test:${origin.port}/to`), { reason: 'blocked' });
    t.equal(origin.connections, 1);
    t.equal(witness.connections, 0);
  },
);

t.test('an address that an operator opens is reached, also as localhost', async (t) => {
  const origin = await startOrigin({ '/': (_request, response) => response.end(png) });
  const { load } = startLoader(t, [origin]);
  for (const host of ['127.0.0.1', 'localhost', 'cdn.localhost', '2130706433'])
    t.equal((await load(`http://${host}:${origin.port}/`)).image.widthPx, 3, host);
});

t.test('an error tells nothing that a scan of the network could use', async (t) => {
  const witness = await startOrigin({});
  const { fail } = startLoader(t, [witness], { allowedAddresses: [] });
  const listening = await fail(witness.url('/'));
  await witness.close();
  witness.close = () => Promise.resolve();
  const silent = await fail(witness.url('/other'));
  t.equal(listening.message, silent.message);
  t.type(listening, ImageError);
});
