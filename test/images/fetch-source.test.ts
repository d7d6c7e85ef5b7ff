/** Share links end to end: address after address, pages instead of files, and the words for it. */
import { setDefaultCACertificates } from 'node:tls';
import t from 'tap';
import type { Test } from 'tap';
import type { SourceImage } from '#wire/render-job.ts';
import { toSourceImage } from '../../src/images/admit-image.ts';
import { createImageFetcher } from '../../src/images/fetch/fetch-image.ts';
import { fetchSource } from '../../src/images/fetch-source.ts';
import { resolveImageLoaderOptions } from '../../src/images/config.ts';
import type { ImageLoaderOptions } from '../../src/images/config.ts';
import { startDns } from '../fixtures/images-dns.ts';
import { pngOf } from '../fixtures/images-files.ts';
import { startOrigin } from '../fixtures/images-origin.ts';
import type { Handler, Origin } from '../fixtures/images-origin.ts';
import { makeCertificate } from '../fixtures/images-tls.ts';
import { testRequester } from '../fixtures/images-loader.ts';

const png = pngOf({ widthPx: 30, heightPx: 20 });
const driveHost = 'drive.usercontent.google.com';
const certificate = makeCertificate([driveHost]);
setDefaultCACertificates([certificate.cert]);

const signInPage: Handler = (_request, response) =>
  response.end('<!doctype html><title>Sign in</title>');
const file: Handler = (_request, response) => response.end(png);

/** The page instead of a large file, with its form far behind the first bytes. */
const scanPage: Handler = (request, response) => {
  const { port } = request.socket.address() as { port: number };
  const head = `<!doctype html><title>Google Drive - Virus scan warning</title>${' '.repeat(20_000)}`;
  response.end(`${head}<form id="download-form" action="https://${driveHost}:${port}/file" method="get">
    <input type="hidden" name="id" value="x"><input type="hidden" name="uuid" value="7"></form>`);
};

const endlessPage: Handler = (request, response) => {
  const { port } = request.socket.address() as { port: number };
  response.end(`<html><form action="https://${driveHost}:${port}/again"></form>`);
};

const slowly =
  (ms: number): Handler =>
  (_request, response) => {
    const timer = setTimeout(() => response.writeHead(500).end(), ms);
    response.on('close', () => clearTimeout(timer));
  };

/** Fetches a location whose addresses are paths of the origin, under a share service's name. */
async function fetchPaths(
  t: Test,
  origin: Origin,
  paths: string[],
  options: ImageLoaderOptions = {},
  service: string | null = 'Google Drive',
): Promise<{ image: SourceImage | undefined }> {
  const dns = await startDns((_name, type) => (type === 'A' ? ['127.0.0.1'] : []));
  const settings = resolveImageLoaderOptions({
    allowedAddresses: ['127.0.0.1'],
    allowedPorts: [origin.port],
    dnsServers: [dns.server],
    ...options,
  });
  const fetcher = createImageFetcher(settings);
  t.teardown(async () => {
    await fetcher.close();
    await Promise.all([origin.close(), dns.close()]);
  });
  const candidates = paths.map((path) => `https://${driveHost}:${origin.port}${path}`);
  const location = { key: 'gdrive:x', candidates, service: service ?? undefined };
  const { bytes } = await fetchSource(fetcher, settings, testRequester, location, undefined);
  return { image: bytes === undefined ? undefined : toSourceImage(bytes, settings) };
}

t.test('an address that gives a page is followed by the next', async (t) => {
  const origin = await startOrigin({ '/1': signInPage, '/3': file }, certificate);
  const { image } = await fetchPaths(t, origin, ['/1', '/2', '/3', '/4']);
  t.equal(image?.widthPx, 30);
  t.strictSame(origin.requests, ['GET /1', 'GET /2', 'GET /3']);
});

t.test('when no address gives the file, the advice is to share it', async (t) => {
  const origin = await startOrigin({ '/1': signInPage, '/2': signInPage }, certificate);
  await t.rejects(fetchPaths(t, origin, ['/1', '/2', '/3']), {
    name: 'ImageError',
    reason: 'not_image',
    message: 'is HTML, not an image: share the file with "Anyone with the link"',
  });
});

t.test('an image over the limits is not looked for elsewhere', async (t) => {
  const large = pngOf({ widthPx: 8000, heightPx: 6500 });
  const origin = await startOrigin(
    { '/1': (_request, response) => response.end(large), '/2': file },
    certificate,
  );
  await t.rejects(fetchPaths(t, origin, ['/1', '/2']), {
    name: 'ImageError',
    reason: 'too_large',
    message: 'is 52 MP, the limit is 50 MP',
  });
});

t.test('the page about the virus scan is passed', async (t) => {
  const origin = await startOrigin({ '/download': scanPage, '/file': file }, certificate);
  const { image } = await fetchPaths(t, origin, ['/download?id=x']);
  t.equal(image?.widthPx, 30);
  t.strictSame(origin.requests, ['GET /download?id=x', 'GET /file?id=x&uuid=7']);
});

t.test('a form that leads to another page is followed once', async (t) => {
  const origin = await startOrigin(
    { '/download': endlessPage, '/again': endlessPage },
    certificate,
  );
  await t.rejects(fetchPaths(t, origin, ['/download']), {
    name: 'ImageError',
    reason: 'not_image',
  });
  t.equal(origin.requests.length, 2);
});

t.test('all addresses together have one total time', async (t) => {
  const origin = await startOrigin({ '/1': slowly(100), '/2': () => undefined }, certificate);
  await t.rejects(fetchPaths(t, origin, ['/1', '/2'], { totalTimeoutMs: 1000 }), {
    name: 'ImageError',
    reason: 'status',
    message: /status 500$/,
  });
});

t.test('a refusal by a share service comes with the advice', async (t) => {
  const origin = await startOrigin({}, certificate);
  await t.rejects(fetchPaths(t, origin, ['/1']), {
    name: 'ImageError',
    reason: 'status',
    message:
      'was not found at its address (status 404): share the file with "Anyone with the link"',
  });
});

t.test('a short link to the page of a share link leads to the file', async (t) => {
  const id = '1aBcD_efGhIjKl';
  const origin = await startOrigin(
    {
      '/short': (request, response) => {
        const { port } = request.socket.address() as { port: number };
        const location = `https://${driveHost}:${port}/file/d/${id}/view`;
        response.writeHead(302, { location }).end();
      },
      [`/file/d/${id}/view`]: signInPage,
    },
    certificate,
  );
  // The file's own addresses are on port 443, which is closed here: reaching for them is the proof.
  await t.rejects(fetchPaths(t, origin, ['/short'], {}, null), {
    name: 'ImageError',
    reason: 'blocked',
    message: /^uses port 443/,
  });
  t.equal(origin.requests.length, 2);
});
