/** Share links of file services: which addresses they lead to, and one key for each file. */
import * as fc from 'fast-check';
import t from 'tap';
import { driveFormTarget, isSignIn, locateImage } from '../../src/images/fetch/share-links.ts';
import type { ImageLocation } from '../../src/images/fetch/share-links.ts';
import { parseHttpUrl } from '../../src/images/fetch/address-guard.ts';

const locate = (link: string): ImageLocation => locateImage(parseHttpUrl(link));

const driveId = '1aBcD_efGhIjKlMnOpQrStUvWxYz-012';

const sameFile: [key: string, links: string[]][] = [
  [
    `gdrive:${driveId}`,
    [
      `https://drive.google.com/file/d/${driveId}/view?usp=sharing`,
      `https://drive.google.com/file/u/1/d/${driveId}/view`,
      `https://drive.google.com/u/0/file/d/${driveId}/view`,
      `https://drive.google.com/a/example.com/file/d/${driveId}/edit`,
      `https://drive.google.com/open?id=${driveId}`,
      `https://drive.google.com/uc?export=view&id=${driveId}`,
      `https://drive.google.com/u/2/uc?id=${driveId}&export=download`,
      `https://drive.google.com/thumbnail?id=${driveId}&sz=w1000`,
      `https://docs.google.com/uc?id=${driveId}`,
      `https://drive.usercontent.google.com/download?id=${driveId}&export=view`,
      `https://drive.usercontent.google.com/u/0/uc?id=${driveId}`,
      `https://lh3.googleusercontent.com/d/${driveId}`,
      `https://lh3.googleusercontent.com/d/${driveId}=w400#x`,
    ],
  ],
  [
    'dropbox:/scl/fi/abc123/logo.png?rlkey=key9',
    [
      'https://www.dropbox.com/scl/fi/abc123/logo.png?rlkey=key9&st=x&dl=0',
      'https://www.dropbox.com/scl/fi/abc123/logo.png?dl=1&rlkey=key9',
      'https://dropbox.com/scl/fi/abc123/logo.png?rlkey=key9&raw=1',
    ],
  ],
  [
    'dropbox:/s/abc123/logo.png',
    ['https://www.dropbox.com/s/abc123/logo.png?dl=0', 'http://www.dropbox.com/s/abc123/logo.png'],
  ],
  ['dropbox:/sh/abc/def/logo.png', ['https://www.dropbox.com/sh/abc/def/logo.png?dl=0']],
  [
    'sharepoint:contoso.sharepoint.com/:i:/g/personal/ann/EaBc',
    [
      'https://contoso.sharepoint.com/:i:/g/personal/ann/EaBc?e=4Xy',
      'https://contoso.sharepoint.com/:i:/g/personal/ann/EaBc?download=1',
    ],
  ],
  [
    'onedrive:https://1drv.ms/i/s!AbC-d',
    ['https://1drv.ms/i/s!AbC-d', 'https://1drv.ms/i/s!AbC-d?e=x'],
  ],
  [
    'onedrive:https://onedrive.live.com/redir?resid=5D%2112&authkey=%21AB',
    [
      'https://onedrive.live.com/?authkey=%21AB&id=5D%2112&cid=5D',
      'https://onedrive.live.com/redir?resid=5D!12&authkey=!AB',
    ],
  ],
  [
    'box:app.box.com/abcdefgh12345678',
    [
      'https://app.box.com/s/abcdefgh12345678',
      'https://app.box.com/s/abcdefgh12345678?x=1',
      'https://app.box.com/shared/static/abcdefgh12345678.png',
    ],
  ],
  ['box:app.box.com/abcdefgh12345678/99', ['https://app.box.com/s/abcdefgh12345678/file/99']],
  [
    'github:o/r/main/a%20b/logo.png',
    [
      'https://github.com/o/r/blob/main/a%20b/logo.png',
      'https://github.com/o/r/blob/main/a b/logo.png?raw=true',
      'https://www.github.com/o/r/raw/main/a%20b/logo.png',
    ],
  ],
];

t.test('all links to one file have one key', async (t) => {
  for (const [key, links] of sameFile)
    for (const link of links) t.equal(locate(link).key, key, link);
});

t.test("a Drive link's resource key goes along, and makes another key", async (t) => {
  const { candidates, key } = locate(
    `https://drive.google.com/file/d/${driveId}/view?resourcekey=0-a%26b`,
  );
  t.match(candidates[0], /&resourcekey=0-a%26b$/);
  t.not(key, `gdrive:${driveId}`);
});

t.test('each service has its addresses, in the order of trying', async (t) => {
  const addresses: [service: string, link: string, candidates: string[]][] = [
    [
      'Google Drive',
      `https://drive.google.com/file/d/${driveId}/view`,
      [
        `https://drive.usercontent.google.com/download?id=${driveId}&export=download&confirm=t`,
        `https://lh3.googleusercontent.com/d/${driveId}`,
        `https://drive.google.com/thumbnail?id=${driveId}&sz=w4096`,
      ],
    ],
    [
      'Nextcloud or ownCloud',
      'https://example.com/nextcloud/index.php/s/Ab3dEf6hIj9kLmN/',
      [
        'https://example.com/nextcloud/index.php/s/Ab3dEf6hIj9kLmN/download',
        'https://example.com/nextcloud/index.php/s/Ab3dEf6hIj9kLmN/',
      ],
    ],
    [
      'Nextcloud or ownCloud',
      'https://cloud.example.com/s/Ab3dEf6hIj9kLmN?path=%2FLogos%20%26%20more&files=a%20b.png&x=1',
      [
        'https://cloud.example.com/s/Ab3dEf6hIj9kLmN/download?path=%2FLogos+%26+more&files=a+b.png',
        'https://cloud.example.com/s/Ab3dEf6hIj9kLmN?path=%2FLogos%20%26%20more&files=a%20b.png&x=1',
      ],
    ],
    [
      'Dropbox',
      'https://www.dropbox.com/scl/fi/abc/logo.png?rlkey=k&dl=0',
      [
        'https://www.dropbox.com/scl/fi/abc/logo.png?rlkey=k&raw=1',
        'https://www.dropbox.com/scl/fi/abc/logo.png?rlkey=k&dl=1',
      ],
    ],
    [
      'SharePoint',
      'https://c.sharepoint.com/:i:/s/x/E?e=1',
      ['https://c.sharepoint.com/:i:/s/x/E?download=1'],
    ],
    [
      'OneDrive',
      'https://1drv.ms/i/s!AbC',
      [
        `https://api.onedrive.com/v1.0/shares/u!${Buffer.from('https://1drv.ms/i/s!AbC').toString('base64url')}/root/content`,
      ],
    ],
    [
      'Box',
      'https://acme.box.com/s/abcdefgh1234',
      ['https://acme.box.com/shared/static/abcdefgh1234'],
    ],
    [
      'GitHub',
      'https://github.com/o/r/blob/v1/x.png',
      [
        'https://raw.githubusercontent.com/o/r/v1/x.png',
        'https://media.githubusercontent.com/media/o/r/v1/x.png',
      ],
    ],
  ];
  for (const [service, link, candidates] of addresses) {
    t.match(locate(link), { service, candidates });
  }
});

t.test('links that lead to one key are requested alike, however they are written', async (t) => {
  const id = fc.constantFrom('abcdefgh12345678', 'ABCDEFGH12345678');
  const name = fc.constantFrom('a', 'b', 's!a', 's!b', 'a.png');
  const word = fc.oneof(id, name);
  const hosts = `drive.google.com docs.google.com lh3.googleusercontent.com www.dropbox.com
    cloud.example.com m.dropbox.com a.sharepoint.com b.sharepoint.com 1drv.ms onedrive.live.com
    app.box.com evil.box.com box.com github.com raw.githubusercontent.com`;
  const host = fc.constantFrom(...hosts.split(/\s+/));
  const steps = 'file/d/ s/ i/ u/ d/ scl/fi/x/ shared/static/ :i:/g/ :u:/g/ uc? open? redir? ?';
  const repositories = 'o/r/blob/m/ o/r/raw/m/ o/r/blob/ o/r/raw/ p/r/blob/m/';
  const path = fc.tuple(
    fc.constantFrom(...`${steps} ${repositories}`.split(' ')),
    word,
    fc.constantFrom('', '', '/file/1', '/file/2'),
  );
  const parameters = 'id resid authkey rlkey resourcekey e dl cid download';
  const query = fc.array(
    fc.tuple(fc.constantFrom(...parameters.split(' ')), fc.oneof(word, fc.constant('&authkey=a'))),
    { maxLength: 4 },
  );
  const scheme = fc.constantFrom('http', 'https');
  const known = new Map<string, string[]>();
  fc.assert(
    fc.property(scheme, host, path, query, (protocol, domain, parts, pairs) => {
      const search = new URLSearchParams(pairs).toString();
      // `uc?` and such have no steps behind them.
      const target = parts.join('').replace(/\?.*/, '');
      const { key, candidates } = locate(`${protocol}://${domain}/${target}?${search}`);
      const before = known.get(key) ?? candidates;
      known.set(key, before);
      return before.join('\n') === candidates.join('\n');
    }),
    { numRuns: 5000 },
  );
  t.ok(known.size > 200, `${known.size} keys`);
});

t.test('a link that leads to no single file says why', async (t) => {
  const folder = /folder, not a file: share the image itself/;
  const links: [link: string, message: RegExp][] = [
    [`https://drive.google.com/drive/folders/${driveId}`, folder],
    [`https://drive.google.com/drive/u/0/folders/${driveId}?usp=sharing`, folder],
    ['https://www.dropbox.com/sh/abc/def?dl=0', folder],
    ['https://www.dropbox.com/scl/fo/abc/def?rlkey=k', folder],
    ['https://contoso.sharepoint.com/:f:/g/personal/ann/E', folder],
    ['https://1drv.ms/f/s!AbC', folder],
    ['https://1drv.ms/i/c/5d3a/EaBcD', /cannot be read without a sign-in/],
  ];
  for (const [link, message] of links)
    t.throws(() => locate(link), { reason: 'url', message }, link);
});

t.test('a URL of no share link is its own only address', async (t) => {
  const plain = [
    'https://example.com/a.png?x=1',
    'https://drive.google.com.evil.example/file/d/0123456789abc/view',
    'https://notdropbox.com/s/abc/logo.png',
    'https://drive.google.com/file/d/../view',
    'https://drive.google.com/open?id=%2e%2e%2fsecret',
    'https://github.com/o/r/releases/download/v1/x.png',
    'https://evilsharepoint.com/:i:/g/x',
    'https://uc123.dl.dropboxusercontent.com/cd/0/inline/x',
    'https://box.com/shared/',
    'https://cloud.example.com/s/Ab3dEf6hIj9kLmN/download',
    'https://cloud.example.com/s/Ab3dEf6hIj9kLmN/preview',
    'https://cdn.shopify.com/s/files/1/0001/a.png',
    'https://example.com/s/logo.png',
  ];
  for (const link of plain) {
    const { href } = new URL(link);
    t.match(locate(link), { key: href, candidates: [href], service: undefined }, link);
  }
});

t.test('the form of the virus-scan page leads to the file', async (t) => {
  const page = new URL('https://drive.usercontent.google.com/download?id=x');
  const html = `<html><body><p>too large to scan</p>
    <form id="download-form" action="https://drive.usercontent.google.com/download" method="get">
    <input type="submit" value="Download anyway"/><input type="hidden" name="id" value="${driveId}">
    <input type="hidden" name="confirm" value="t&amp;1"><input type="hidden" name="uuid" value="u-1"></form>
    <input type="hidden" name="outside" value="1">`;
  t.equal(
    driveFormTarget(html, page)?.href,
    `https://drive.usercontent.google.com/download?id=${driveId}&confirm=t%261&uuid=u-1`,
  );
  const elsewhere = html.replace('https://drive.usercontent.google.com', 'https://evil.example');
  t.equal(driveFormTarget(elsewhere, page), undefined, 'no other host');
  t.equal(driveFormTarget(html.replace('https:', 'http:'), page), undefined, 'no plain HTTP');
  t.equal(driveFormTarget(html, new URL('https://example.com/')), undefined, 'no other page');
  t.equal(driveFormTarget('<form><form action="">'.repeat(9), page)?.hostname, page.hostname);
});

t.test('a hostile page costs no more than a look', async (t) => {
  const page = new URL('https://drive.usercontent.google.com/download?id=x');
  for (const part of [
    '<form ',
    '<form action="',
    '<form action="https://drive.google.com/"><input ',
    '<input type="hidden" ',
  ]) {
    // 16 times what is read of a page: a search that goes back would take longer than the test may.
    const target = driveFormTarget(part.repeat((1024 * 1024) / part.length), page);
    t.ok(target === undefined || target.protocol === 'https:', part);
  }
});

t.test('sign-in pages are known', async (t) => {
  t.ok(isSignIn(new URL('https://accounts.google.com/v3/signin?continue=x')));
  t.ok(isSignIn(new URL('https://www.dropbox.com/login?cont=x')));
  t.notOk(isSignIn(new URL('https://www.dropbox.com/scl/fi/x?raw=1')));
  t.notOk(isSignIn(new URL('https://accounts.google.com.example/')));
});
