import { createHash } from 'node:crypto';
import { join } from 'node:path';
import t from 'tap';
import type { Test } from 'tap';
import { pngOf } from '../fixtures/images-files.ts';
import { startOrigin, startRawOrigin } from '../fixtures/images-origin.ts';
import { checkSame, image, pixelAt, plainImage, sends } from './image-bytes.ts';
import { fillDataDirectory, imageLayer } from './published.ts';
import { checkError } from './request.ts';
import { freePort, startService } from './service.ts';

const [red, green] = [await plainImage('#ff0000', 64, 64), await plainImage('#00ff00')];
/** More than a service needs to see that this begins like an image. */
const startOfImage = Buffer.concat([red, Buffer.alloc(1000)]);
const silent = await startRawOrigin(() => undefined);
const origin = await startOrigin({
  '/red.png': sends(red),
  '/misnamed.txt': sends(red, 'text/plain'),
  '/page.html': sends('<!doctype html><title>Sign in</title>', 'text/html'),
  '/empty.png': sends(''),
  '/text.png': sends('this is a letter, not an image'),
  '/drawing.svg': sends('<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml'),
  '/half.png': sends(red.subarray(0, red.length / 2)),
  '/garbage.png': sends(Buffer.concat([red.subarray(0, 50), Buffer.alloc(400, 7)])),
  '/wide.png': sends(pngOf({ widthPx: 30_000, heightPx: 10 })),
  '/vast.png': sends(pngOf({ widthPx: 12_000, heightPx: 12_000 })),
  '/announced.png': (_, response) => {
    response.writeHead(200, { 'Content-Length': 4_000_000_000 }).write(startOfImage);
  },
  '/endless.png': (_, response) => {
    response.writeHead(200, { 'Content-Type': 'image/png' }).write(red);
    const more = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(1 << 20)));
    };
    response.on('drain', more);
    more();
  },
  '/500.png': (_, response) => void response.writeHead(500).end(),
  '/403.png': (_, response) => void response.writeHead(403).end(),
  '/moved.png': (_, response) => void response.writeHead(302, { Location: '/red.png' }).end(),
  '/round.png': (_, response) => void response.writeHead(302, { Location: '/round.png' }).end(),
  '/inward.png': (_, response) => {
    response.writeHead(302, { Location: `http://169.254.169.254:${origin.port}/` }).end();
  },
  '/file.png': (_, response) => {
    response.writeHead(302, { Location: 'file:///etc/passwd' }).end();
  },
});
t.teardown(async () => Promise.all([origin.close(), silent.close()]));
const closedPort = await freePort();

const dataDirectory = fillDataDirectory(
  join(t.testdir(), 'data'),
  ({ publish, saveAsset, organizations }) => {
    const variables = [{ name: 'hero image', type: 'image' as const, value: saveAsset(green) }];
    const layers = [imageLayer('{{hero image}}')];
    publish('hero', { variables, layers });
    organizations.createOrganization('Stranger', 'org_stranger');
    const emptyDefault = [{ name: 'hero image', type: 'image' as const, value: '' }];
    publish('stranger', { variables: emptyDefault, layers }, 'org_stranger');
  },
);
const origins = [origin, silent, { port: closedPort }];
const service = await startService(t, { dataDirectory, origins });

// Seconds of waiting for nothing: the other tests run meanwhile.
const silence = service.render(`hero?hero+image=${silent.url('/a.png')}`);

/** The message of the 400 that an image value is answered with. */
async function refusal(t: Test, value: string): Promise<string> {
  const answer = await service.render(`hero?hero+image=${encodeURIComponent(value)}`);
  const message = checkError(t, answer, 400, 'BAD_REQUEST');
  t.match(message, 'hero image', `${value.slice(0, 80)}: the message names the variable`);
  return message;
}

t.test('a value that is no http(s) URL is 400', async (t) => {
  for (const value of [
    'logo.png',
    '/etc/passwd',
    '//example.com/a.png',
    'file:///etc/passwd',
    'ftp://example.com/a.png',
    'javascript:alert(1)',
    'blob:https://example.com/x',
    'http://',
    'http:///',
    'https://exa mple.com/',
    'http://[::1',
    '0',
    'null',
  ]) {
    t.match(await refusal(t, value), /URL/, value);
  }
});

t.test('an address that is longer than any is 400, not an image without it', async (t) => {
  for (const length of [7000, 8500, 12_000]) {
    await refusal(t, `http://169.254.169.254/${'x'.repeat(length)}`);
  }
});

t.test('a small image may stand in the link itself, as a data: URL', async (t) => {
  const source = encodeURIComponent(`data:image/png;base64,${green.toString('base64')}`);
  const answer = await service.render(`stranger?hero+image=${source}`);
  t.equal(answer.status, 200);
  t.equal(answer.headers['x-render-warnings'], undefined);
});

t.test('an uploaded image of another organization is 400', async (t) => {
  const asset = `asset:${createHash('sha256').update(green).digest('hex')}`;
  const answer = await service.render(`stranger?hero+image=${asset}`);
  t.match(checkError(t, answer, 400, 'BAD_REQUEST'), 'hero image');
});

t.test('an address that is not public is 400 in every spelling, and is never asked', async (t) => {
  const { port } = origin;
  const before = origin.connections;
  for (const host of [
    '169.254.169.254',
    '[::1]',
    '[::ffff:169.254.169.254]',
    '[::ffff:10.0.0.1]',
    '[fe80::1]',
    '[fd00::1]',
    '[64:ff9b::a9fe:a9fe]',
    '2852039166',
    '0xA9FEA9FE',
    '0251.0376.0251.0376',
    '169.254.43518',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.1.1',
    '100.64.0.1',
    '0.0.0.0',
    '[::]',
    '224.0.0.1',
    '255.255.255.255',
    '１６９.254.169.254',
    '169.254.169.254.',
  ]) {
    for (const scheme of ['http', 'https']) {
      const message = await refusal(t, `${scheme}://${host}:${port}/latest/meta-data/`);
      t.match(message, /public|allowed|address/i, `${host}: the message says why`);
    }
  }
  t.match(await refusal(t, 'http://127.0.0.1:22/'), /port/);
  t.match(await refusal(t, 'http://127.0.0.1/'), /port/);
  t.equal(origin.connections, before);
});

t.test('the ranges that the environment allows are fetched from, in every spelling', async (t) => {
  const asked = await service.render(`hero?hero+image=${origin.url('/red.png')}`);
  const [r, g, b] = pixelAt(await image(t, asked), 220, 20);
  t.same([r, g, b], [255, 0, 0]);
  for (const host of ['2130706433', '0x7f.1', '127.1']) {
    const answer = await service.render(`hero?hero+image=http://${host}:${origin.port}/red.png`);
    await checkSame(t, answer, asked, host);
  }
});

t.test('an origin that refuses the connection is 400', async (t) => {
  t.match(await refusal(t, `http://127.0.0.1:${closedPort}/a.png`), /reach|connect|refuse/i);
});

t.test('what an origin sends instead of an image is 400 with the cause', async (t) => {
  for (const [path, cause] of Object.entries({
    '/page.html': /HTML/,
    '/empty.png': /empty/,
    '/text.png': /image/,
    '/drawing.svg': /SVG/,
    '/half.png': /damaged|cut off|truncated|too early/,
    '/garbage.png': /damaged|cut off|broken|decode/,
    '/wide.png': /limit/,
    '/vast.png': /limit/,
    '/announced.png': /large|limit|MiB/,
    '/endless.png': /large|limit|MiB/,
    '/missing.png': /404/,
    '/403.png': /403/,
    '/500.png': /500/,
    '/round.png': /redirect/i,
    '/inward.png': /public|address/,
    '/file.png': /URL|redirect/i,
  })) {
    t.match(await refusal(t, origin.url(path)), cause, path);
  }
});

t.test('a redirect and a wrong content type do not matter', async (t) => {
  const asked = await service.render(`hero?hero+image=${origin.url('/red.png')}`);
  for (const path of ['/moved.png', '/misnamed.txt']) {
    await checkSame(t, await service.render(`hero?hero+image=${origin.url(path)}`), asked, path);
  }
});

t.test('a message carries nothing that a caller could play with', async (t) => {
  const message = await refusal(t, 'http://<script>alert(1)</script>/');
  t.notMatch(message, '<script>');
  const { headers } = await service.render('hero?hero+image=%0d%0aX-Evil:%201');
  t.equal(headers['x-evil'], undefined);
});

t.test(
  'an origin that does not answer in time is 400 before the 10 s of the specification',
  async (t) => {
    // After 10 s the deadline of the render would answer 504.
    const message = checkError(t, await silence, 400, 'BAD_REQUEST');
    t.match(message, 'hero image');
    t.match(message, /within|time|slow|second/i);
  },
);
