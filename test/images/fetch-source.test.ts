/** Share links end to end: address after address, pages instead of files, and the words for it. */
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setDefaultCACertificates } from 'node:tls';
import t from 'tap';
import type { Test } from 'tap';
import type { SourceImage } from '#wire/render-job.ts';
import { toSourceImage } from '../../src/images/admit-image.ts';
import { createImageFetcher } from '../../src/images/fetch/fetch-image.ts';
import { fetchSource } from '../../src/images/fetch-source.ts';
import { resolveImageLoaderOptions } from '../../src/images/config.ts';
import type { ImageLoaderOptions } from '../../src/images/config.ts';
import { startTestDns } from '../fixtures/images-dns.ts';
import { pngOf } from '../fixtures/images-files.ts';
import { startOrigin } from '../fixtures/images-origin.ts';
import type { Handler, Origin } from '../fixtures/images-origin.ts';
import { makeCertificate } from '../fixtures/images-tls.ts';
import { testRequester } from '../fixtures/images-loader.ts';

const png = pngOf({ widthPx: 30, heightPx: 20 });
const driveHost = 'drive.usercontent.google.com';
const certificate = makeCertificate([driveHost]);
setDefaultCACertificates([certificate.cert]);

const send =
  (body: string | Uint8Array): Handler =>
  (_request, response) =>
    response.end(body);
const signInPage = send('<!doctype html><title>Sign in</title>');
const file = send(png);

/** The address of a path at the origin that is asked for another one. */
function addressOf({ socket }: IncomingMessage, path: string): string {
  return `https://${driveHost}:${(socket.address() as AddressInfo).port}${path}`;
}

/** The page instead of a large file, with its form far behind the first bytes. */
const scanPage: Handler = (request, response) => {
  const head = `<!doctype html><title>Google Drive - Virus scan warning</title>${' '.repeat(20_000)}`;
  const form = `<form id="download-form" action="${addressOf(request, '/file')}" method="get">`;
  response.end(
    `${head}${form}<input type="hidden" name="id" value="x"><input type="hidden" name="uuid" value="7"></form>`,
  );
};

const endlessPage: Handler = (request, response) =>
  response.end(`<html><form action="${addressOf(request, '/again')}"></form>`);

const slow: Handler = (_request, response) => {
  const timer = setTimeout(() => response.writeHead(500).end(), 100);
  response.on('close', () => clearTimeout(timer));
};

/** Fetches a location whose addresses are paths of an origin, under a share service's name. */
async function fetchPaths(
  t: Test,
  handlers: Record<string, Handler>,
  paths: string[],
  options: ImageLoaderOptions = {},
  service: string | null = 'Google Drive',
): Promise<{ fetched: Promise<SourceImage>; origin: Origin }> {
  const origin = await startOrigin(handlers, certificate);
  const settings = resolveImageLoaderOptions({
    allowedAddresses: ['127.0.0.1'],
    allowedPorts: [origin.port],
    dnsServers: [(await startTestDns(t)).server],
    ...options,
  });
  const fetcher = createImageFetcher(settings);
  t.teardown(async () => {
    await fetcher.close();
    await origin.close();
  });
  const candidates = paths.map((path) => `https://${driveHost}:${origin.port}${path}`);
  const location = { key: 'gdrive:x', candidates, service: service ?? undefined };
  const fetched = fetchSource(fetcher, settings, testRequester, location, undefined).then(
    ({ bytes }) => toSourceImage(bytes ?? new Uint8Array(new SharedArrayBuffer(0)), settings),
  );
  return { fetched, origin };
}

t.test('an address that gives a page is followed by the next', async (t) => {
  const handlers = { '/1': signInPage, '/3': file };
  const { fetched, origin } = await fetchPaths(t, handlers, ['/1', '/2', '/3', '/4']);
  t.equal((await fetched).widthPx, 30);
  t.strictSame(origin.requests, ['GET /1', 'GET /2', 'GET /3']);
});

t.test('when no address gives the file, the advice is to share it', async (t) => {
  const handlers = { '/1': signInPage, '/2': signInPage };
  const { fetched } = await fetchPaths(t, handlers, ['/1', '/2', '/3']);
  const message = 'is HTML, not an image: share the file with "Anyone with the link"';
  await t.rejects(fetched, { name: 'ImageError', reason: 'not_image', message });
});

t.test('an image over the limits is not looked for elsewhere', async (t) => {
  const handlers = { '/1': send(pngOf({ widthPx: 8000, heightPx: 6500 })), '/2': file };
  const { fetched, origin } = await fetchPaths(t, handlers, ['/1', '/2']);
  await t.rejects(fetched, { name: 'ImageError', reason: 'too_large' });
  t.equal(origin.requests.length, 1);
});

t.test('the page about the virus scan is passed', async (t) => {
  const handlers = { '/download': scanPage, '/file': file };
  const { fetched, origin } = await fetchPaths(t, handlers, ['/download?id=x']);
  t.equal((await fetched).widthPx, 30);
  t.strictSame(origin.requests, ['GET /download?id=x', 'GET /file?id=x&uuid=7']);
});

t.test('a form that leads to another page is followed once', async (t) => {
  const handlers = { '/download': endlessPage, '/again': endlessPage };
  const { fetched, origin } = await fetchPaths(t, handlers, ['/download']);
  await t.rejects(fetched, { name: 'ImageError', reason: 'not_image' });
  t.equal(origin.requests.length, 2);
});

t.test('all addresses together have one total time', async (t) => {
  const handlers = { '/1': slow, '/2': () => undefined };
  const { fetched } = await fetchPaths(t, handlers, ['/1', '/2'], { totalTimeoutMs: 1000 });
  await t.rejects(fetched, { name: 'ImageError', reason: 'status', message: /status 500$/ });
});

t.test('a short link to the page of a share link leads to the file', async (t) => {
  const page = '/file/d/1aBcD_efGhIjKl/view';
  const short: Handler = (request, response) =>
    response.writeHead(302, { location: addressOf(request, page) }).end();
  const handlers = { '/short': short, [page]: signInPage };
  const { fetched, origin } = await fetchPaths(t, handlers, ['/short'], {}, null);
  // The file's own addresses are on port 443, which is closed here: reaching for them is the proof.
  await t.rejects(fetched, { name: 'ImageError', reason: 'blocked', message: /^uses port 443/ });
  t.equal(origin.requests.length, 2);
});
