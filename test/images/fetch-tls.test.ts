/** HTTPS origins: proven by their certificate, bounded by the time for connecting. */
import { setDefaultCACertificates } from 'node:tls';
import type { TLSSocket } from 'node:tls';
import t from 'tap';
import { startTestDns } from '../fixtures/images-dns.ts';
import type { DnsAnswer } from '../fixtures/images-dns.ts';
import { pngOf } from '../fixtures/images-files.ts';
import { loadFrom, startLoader } from '../fixtures/images-loader.ts';
import { startOrigin } from '../fixtures/images-origin.ts';
import type { Handler } from '../fixtures/images-origin.ts';
import { makeCertificate } from '../fixtures/images-tls.ts';

const png = pngOf({ widthPx: 3, heightPx: 2 });
const trusted = makeCertificate(['images.test', 'cdn.images.test']);
const stranger = makeCertificate(['images.test']);
setDefaultCACertificates([trusted.cert]);

const handlers: Record<string, Handler> = {
  '/': (_request, response) => response.end(png),
  '/to': (_request, response) => response.writeHead(302, { location: '/' }).end(),
};

t.test('an image comes over TLS', async (t) => {
  const origin = await startOrigin(handlers, trusted);
  const { load } = startLoader(t, [origin], { dnsServers: [(await startTestDns(t)).server] });
  t.equal((await load(`https://images.test:${origin.port}/to`)).image.widthPx, 3);
  t.equal((await load(`https://cdn.images.test.:${origin.port}/`)).image.widthPx, 3);
});

t.test('a certificate of nobody, or of another name, is refused', async (t) => {
  const unknown = await startOrigin(handlers, stranger);
  const known = await startOrigin(handlers, trusted);
  const dnsServers = [(await startTestDns(t)).server];
  const { fail } = startLoader(t, [unknown, known], { dnsServers });
  const hosts = [
    `images.test:${unknown.port}`,
    `other.test:${known.port}`,
    `127.0.0.1:${known.port}`,
  ];
  const message = 'could not be reached: the certificate of its server is not valid';
  for (const host of hosts) t.match(await fail(`https://${host}/`), { reason: 'network', message });
  t.strictSame([...unknown.requests, ...known.requests], []);
});

t.test('a server that asks for handshakes again gets none', async (t) => {
  const again: Handler = ({ socket }, response) => {
    socket.on('error', () => undefined);
    (socket as TLSSocket).renegotiate({ rejectUnauthorized: false }, () => response.end(png));
  };
  const origin = await startOrigin({ '/': again }, { ...trusted, maxVersion: 'TLSv1.2' });
  const { fail } = startLoader(t, [origin], { dnsServers: [(await startTestDns(t)).server] });
  t.match(await fail(`https://images.test:${origin.port}/`), { reason: 'network' });
});

t.test('a port without TLS is an error', async (t) => {
  const dnsServers = [(await startTestDns(t)).server];
  const { fail, origin } = await loadFrom(t, handlers, { dnsServers });
  const message = 'could not be reached: the connection failed';
  t.match(await fail(`https://images.test:${origin.port}/`), { reason: 'network', message });
});

const late = { reason: 'timeout', message: 'could not be reached within 0.06 s' };

t.test('a handshake or a look-up that stalls costs the time for connecting', async (t) => {
  for (const answer of [undefined, (): DnsAnswer => 'silence']) {
    const { server } = await startTestDns(t, answer);
    const options = { dnsServers: [server], connectTimeoutMs: 60 };
    const { fail, origin } = await loadFrom(t, () => undefined, options);
    t.match(await fail(`https://images.test:${origin.port}/`), late);
  }
});
