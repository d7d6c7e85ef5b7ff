/** Each share service played by a host of its own: the link that people copy leads to the file behind it. */
import { setDefaultCACertificates } from 'node:tls';
import t from 'tap';
import { createImageFetcher } from '../../src/images/fetch/fetch-image.ts';
import { fetchSource } from '../../src/images/fetch-source.ts';
import { resolveImageLoaderOptions } from '../../src/images/config.ts';
import { locateImage } from '../../src/images/fetch/share-links.ts';
import { startDns } from '../fixtures/images-dns.ts';
import { pngOf } from '../fixtures/images-files.ts';
import { startOrigin } from '../fixtures/images-origin.ts';
import type { Handler } from '../fixtures/images-origin.ts';
import { makeCertificate } from '../fixtures/images-tls.ts';
import { testRequester } from '../fixtures/images-loader.ts';

const png = pngOf({ widthPx: 30, heightPx: 20 });
const id = '1aBcD_efGhIjKlMnOpQrStUvWxYz-012';
const shareToken = `u!${Buffer.from('https://1drv.ms/i/s!AbC-d').toString('base64url')}`;

/** A link as it is copied; the host and target under which the service gives the file itself; the way there. */
interface Service {
  name: string;
  links: string[];
  host: string;
  target: string;
  /** Where the target redirects to before the file comes, as the service does. */
  via?: string;
}

const services: Service[] = [
  {
    name: 'Google Drive',
    links: [
      `https://drive.google.com/file/d/${id}/view?usp=sharing`,
      `https://drive.google.com/open?id=${id}`,
    ],
    host: 'drive.usercontent.google.com',
    target: `/download?id=${id}&export=download&confirm=t`,
  },
  {
    name: 'Dropbox',
    links: ['https://www.dropbox.com/scl/fi/abc123/logo.png?rlkey=key9&st=x&dl=0'],
    host: 'www.dropbox.com',
    target: '/scl/fi/abc123/logo.png?rlkey=key9&raw=1',
    via: 'uc1.dl.dropboxusercontent.com',
  },
  {
    name: 'SharePoint',
    links: ['https://contoso.sharepoint.com/:i:/g/personal/ann/EaBc?e=4Xy'],
    host: 'contoso.sharepoint.com',
    target: '/:i:/g/personal/ann/EaBc?download=1',
    via: 'contoso.sharepoint.com',
  },
  {
    name: 'OneDrive',
    links: ['https://1drv.ms/i/s!AbC-d'],
    host: 'api.onedrive.com',
    target: `/v1.0/shares/${shareToken}/root/content`,
    via: 'public.am.files.1drv.com',
  },
  {
    name: 'Box',
    links: ['https://app.box.com/s/abcdefgh12345678'],
    host: 'app.box.com',
    target: '/shared/static/abcdefgh12345678',
    via: 'public.boxcloud.com',
  },
  {
    name: 'GitHub',
    links: [
      'https://github.com/ann/site/blob/main/img/logo.png',
      'https://github.com/ann/site/raw/main/img/logo.png',
    ],
    host: 'raw.githubusercontent.com',
    target: '/ann/site/main/img/logo.png',
  },
  {
    name: 'Nextcloud or ownCloud',
    links: ['https://cloud.example.com/index.php/s/Ab3dEf6hIj9kLmN'],
    host: 'cloud.example.com',
    target: '/index.php/s/Ab3dEf6hIj9kLmN/download',
    // Newer versions of Nextcloud answer at another address of the same host.
    via: 'cloud.example.com',
  },
];

const certificate = makeCertificate(
  services.flatMap(({ links, host, via }) => [
    host,
    ...(via === undefined ? [] : [via]),
    ...links.map((link) => new URL(link).hostname),
  ]),
);
setDefaultCACertificates([certificate.cert]);

const page: Handler = (_request, response) =>
  response
    .writeHead(200, { 'content-type': 'text/html' })
    .end('<!doctype html><title>Preview</title>');

for (const { name, links, host, target, via } of services) {
  t.test(`a ${name} link that is shared with everyone gives the file`, async (t) => {
    const asked: string[] = [];
    const file: Handler = (_request, response) => response.end(png);
    const give: Handler = (request, response) => {
      asked.push(`${request.headers.host?.split(':')[0]}${request.url}`);
      const isTarget = request.url === target && request.headers.host?.startsWith(`${host}:`);
      if (isTarget !== true) page(request, response);
      else if (via === undefined) file(request, response);
      else response.writeHead(302, { location: `https://${via}:${origin.port}/file` }).end();
    };
    const origin = await startOrigin(
      { [target.split('?')[0] ?? '']: give, '/file': file },
      certificate,
    );
    const dns = await startDns((_name, type) => (type === 'A' ? ['127.0.0.1'] : []));
    const settings = resolveImageLoaderOptions({
      allowedAddresses: ['127.0.0.1'],
      allowedPorts: [origin.port],
      dnsServers: [dns.server],
    });
    const fetcher = createImageFetcher(settings);
    t.teardown(async () => {
      await fetcher.close();
      await Promise.all([origin.close(), dns.close()]);
    });
    const keys = new Set<string>();
    for (const link of links) {
      const location = locateImage(new URL(link));
      keys.add(location.key);
      // The services answer on port 443, which a test cannot have.
      const candidates = location.candidates.map((candidate) => {
        const url = new URL(candidate);
        return `${url.protocol}//${url.hostname}:${origin.port}${url.pathname}${url.search}`;
      });
      const { bytes } = await fetchSource(
        fetcher,
        settings,
        testRequester,
        { ...location, candidates },
        undefined,
      );
      t.strictSame(Buffer.from(bytes ?? []), png, link);
      t.equal(location.service, name);
    }
    t.equal(keys.size, 1, 'one key for one file');
    t.same(
      asked,
      links.map(() => `${host}${target}`),
      'by its first address',
    );
  });
}
