/** Every form of every address that is not public, and what it must never reach. */
import t from 'tap';
import { ImageError } from '../../src/images/image-error.ts';
import { closedAddresses, publicAddresses } from '../fixtures/images-addresses.ts';
import { startTestDns } from '../fixtures/images-dns.ts';
import { pngOf } from '../fixtures/images-files.ts';
import { loadFrom, startLoader } from '../fixtures/images-loader.ts';
import { startOrigin } from '../fixtures/images-origin.ts';
import type { Handler } from '../fixtures/images-origin.ts';

const png = pngOf({ widthPx: 3, heightPx: 2 });
const image: Record<string, Handler> = { '/': (_request, response) => response.end(png) };

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
const spelled =
  '127.0.0.1 10.0.0.1 169.254.169.254 192.168.1.1 100.100.100.200 0.0.0.0 168.63.129.16 172.31.255.255';
const localNames = 'localhost LOCALHOST localhost. a.localhost a.b.localhost. ｌｏｃａｌｈｏｓｔ';

function hostForms(): string[] {
  const plain = closedAddresses.map((address) =>
    address.includes(':') ? `[${address}]` : address,
  );
  return [
    ...new Set([...spelled.split(' ').flatMap(ipv4Forms), ...plain, ...localNames.split(' ')]),
  ];
}

t.test('no form of a closed address is connected to, at any port or scheme', async (t) => {
  // The witness listens where most of these forms lead, on a port that is allowed.
  const witness = await startOrigin(image);
  const allowedPorts = [80, 443, witness.port];
  const { fail } = startLoader(t, [witness], { allowedAddresses: [], allowedPorts });
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

t.test('what is no http(s) URL is refused before anything is asked', async (t) => {
  const { fail, origin: witness } = await loadFrom(t, {});
  const { port } = witness;
  const texts = [
    '',
    'logo.png',
    '//127.0.0.1/logo.png',
    'file:///etc/passwd',
    'ftp://example.com/a.png',
    'javascript:alert(1)',
    'http://',
    'http://%00/',
    'http://1.2.3.4.5/',
    'http://[::1/',
    'http://[fe80::1%25eth0]/',
    'http://a..b/',
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
  const { fail, origin: witness } = await loadFrom(t, image, { allowedPorts: [80, 443] });
  const message = `uses port ${witness.port}, which is not allowed (only 80, 443)`;
  t.match(await fail(witness.url('/')), { reason: 'blocked', message });
  t.match(await fail('http://example.com:22/'), { reason: 'blocked' });
  t.equal(witness.connections, 0);
});

t.test('a redirect reaches no closed address either', async (t) => {
  const witness = await startOrigin(image);
  const hosts = ['10.0.0.1', '127.0.0.2', '0xa9.254.169.254', '[::1]', '[::ffff:127.0.0.2]'];
  const targets = hosts.map((host) => `http://${host}:${witness.port}/`);
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

t.test('a name with any closed record is refused', async (t) => {
  const witness = await startOrigin(image);
  const records = closedAddresses.filter((address) => !address.startsWith('127.0.0.1'));
  const dns = await startTestDns(t, (name, type) => {
    const closed = records[Number(name.split('.')[0]?.slice(1))] ?? '';
    const isIpv6 = closed.includes(':');
    const open = publicAddresses.filter((address) => address.includes(':') === (type === 'AAAA'));
    if (name.includes('.only.')) return isIpv6 === (type === 'AAAA') ? [closed] : [];
    return isIpv6 === (type === 'AAAA') ? [...open.slice(0, 2), closed] : open.slice(0, 1);
  });
  const { fail } = startLoader(t, [witness], { allowedAddresses: [], dnsServers: [dns.server] });
  const names = records.flatMap((_, index) => [`n${index}.only.test`, `n${index}.mixed.test`]);
  const errors = await Promise.all(names.map((name) => fail(`http://${name}:${witness.port}/`)));
  for (const [index, error] of errors.entries())
    t.match(error, { reason: 'blocked' }, `${names[index]} ${records[Math.floor(index / 2)]}`);
  t.equal(witness.connections, 0);
});

t.test('a name that is public for the check and then local reaches nothing', async (t) => {
  // The first answer passes, each later one is the attack. 192.0.2.1 (opened here) has no listener.
  const dns = await startTestDns(t, (_name, type, earlier) => {
    if (type === 'AAAA') return [];
    return earlier === 0 ? ['192.0.2.1'] : ['127.0.0.1'];
  });
  const {
    fail,
    pass,
    origin: witness,
  } = await loadFrom(t, image, {
    allowedAddresses: ['192.0.2.1'],
    dnsServers: [dns.server],
    connectTimeoutMs: 1000,
  });
  const url = `http://rebind.test:${witness.port}/`;
  const first = await fail(url);
  t.ok(['timeout', 'network'].includes(first.reason), 'the first look-up is the only one');
  const queries = dns.queries.filter((query) => query.startsWith('A '));
  t.strictSame(queries, ['A rebind.test']);
  pass(10_000);
  t.match(await fail(url), { reason: 'blocked' }, 'the next look-up is checked again');
  t.equal(witness.connections, 0);
});

t.test('a redirect within one name is checked again for a new connection', async (t) => {
  const witness = await startOrigin(image);
  const location = `http://rebind.test:${witness.port}/`;
  const origin = await startOrigin({
    '/to': (_request, response) => response.writeHead(302, { location }).end(),
  });
  const dns = await startTestDns(t, (_name, type, earlier) => {
    if (type === 'AAAA') return [];
    return earlier === 0 ? ['127.0.0.1'] : ['127.0.0.2'];
  });
  const { fail } = startLoader(t, [origin, witness], { dnsServers: [dns.server] });
  t.match(await fail(`http://rebind.test:${origin.port}/to`), { reason: 'blocked' });
  t.equal(origin.connections, 1);
  t.equal(witness.connections, 0);
});

t.test('an address that an operator opens is reached, also as localhost', async (t) => {
  const { load, origin } = await loadFrom(t, image);
  for (const host of ['127.0.0.1', 'localhost', 'cdn.localhost', '2130706433'])
    t.equal((await load(`http://${host}:${origin.port}/`)).image.widthPx, 3, host);
});

t.test('an error tells nothing that a scan of the network could use', async (t) => {
  const { fail, origin: witness } = await loadFrom(t, {}, { allowedAddresses: [] });
  const listening = await fail(witness.url('/'));
  await witness.close();
  witness.close = () => Promise.resolve();
  const silent = await fail(witness.url('/other'));
  t.equal(listening.message, silent.message);
  t.type(listening, ImageError);
});
