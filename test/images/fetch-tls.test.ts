/** HTTPS origins: proven by their certificate, bounded by the time for connecting. */
import { setDefaultCACertificates } from 'node:tls';
import t from 'tap';
import type { Test } from 'tap';
import { startDns } from '../fixtures/images-dns.ts';
import { pngOf } from '../fixtures/images-files.ts';
import { startLoader } from '../fixtures/images-loader.ts';
import { startOrigin, startRawOrigin } from '../fixtures/images-origin.ts';
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

async function startNames(t: Test): Promise<string> {
  const dns = await startDns((_name, type) => (type === 'A' ? ['127.0.0.1'] : []));
  t.teardown(() => dns.close());
  return dns.server;
}

t.test('an image comes over TLS', async (t) => {
  const origin = await startOrigin(handlers, trusted);
  const { load } = startLoader(t, [origin], { dnsServers: [await startNames(t)] });
  t.equal((await load(`https://images.test:${origin.port}/to`)).image.widthPx, 3);
  t.equal((await load(`https://cdn.images.test.:${origin.port}/`)).image.widthPx, 3);
});

t.test('a certificate of nobody, or of another name, is refused', async (t) => {
  const unknown = await startOrigin(handlers, stranger);
  const known = await startOrigin(handlers, trusted);
  const { fail } = startLoader(t, [unknown, known], { dnsServers: [await startNames(t)] });
  const urls = [
    `https://images.test:${unknown.port}/`,
    `https://other.test:${known.port}/`,
    `https://127.0.0.1:${known.port}/`,
  ];
  for (const url of urls)
    t.match(await fail(url), {
      reason: 'network',
      message: 'could not be reached: the certificate of its server is not valid',
    });
  t.strictSame([...unknown.requests, ...known.requests], []);
});

t.test('a port without TLS is an error', async (t) => {
  const origin = await startOrigin(handlers);
  const { fail } = startLoader(t, [origin], { dnsServers: [await startNames(t)] });
  t.match(await fail(`https://images.test:${origin.port}/`), {
    reason: 'network',
    message: 'could not be reached: the connection failed',
  });
});

t.test('a handshake that stalls costs the time for connecting', async (t) => {
  const origin = await startRawOrigin(() => undefined);
  const { fail } = startLoader(t, [origin], {
    dnsServers: [await startNames(t)],
    connectTimeoutMs: 60,
  });
  t.match(await fail(`https://images.test:${origin.port}/`), {
    reason: 'timeout',
    message: 'could not be reached within 0.06 s',
  });
});

t.test('a look-up that stalls costs the time for connecting', async (t) => {
  const dns = await startDns(() => 'silence');
  t.teardown(() => dns.close());
  const origin = await startOrigin(handlers, trusted);
  const { fail } = startLoader(t, [origin], { dnsServers: [dns.server], connectTimeoutMs: 60 });
  t.match(await fail(`https://images.test:${origin.port}/`), {
    reason: 'timeout',
    message: 'could not be reached within 0.06 s',
  });
});
