/** Sources of one loader: assets, data URLs, and SVG files that images share. */
import t from 'tap';
import type { SourceImage } from '#wire/render-job.ts';
import { createImageLoader, ImageError } from '../../src/images/load-images.ts';
import type { ImageLoaderOptions, LoadedImage } from '../../src/images/load-images.ts';
import { DrawingCpu } from '../../src/images/svg/drawing-cpu.ts';
import { pngOf } from '../fixtures/images-files.ts';
import { loadFrom, testRequester } from '../fixtures/images-loader.ts';
import type { Handler } from '../fixtures/images-origin.ts';

const png = pngOf({ widthPx: 30, heightPx: 20 });
const id = `asset:${'0a'.repeat(32)}`;
const asset: SourceImage = {
  digest: '0a'.repeat(32),
  format: 'png',
  widthPx: 1,
  heightPx: 1,
  orientation: 1,
  bytes: new Uint8Array(new SharedArrayBuffer(1)),
};

const requester = { organizationUid: 'org_a', templateUid: 'a' };

async function load(source: string, options: ImageLoaderOptions = {}): Promise<LoadedImage> {
  const loader = createImageLoader({
    ...options,
    findAsset: (organizationUid, assetId) =>
      organizationUid === 'org_a' && assetId === id ? asset : undefined,
  });
  try {
    return await loader.loadImage(source, requester, new AbortController().signal);
  } finally {
    await loader.close();
  }
}

t.test('large assets of one render are read in several turns of the event loop', async (t) => {
  let turn = 0;
  let next = setImmediate(function count() {
    turn += 1;
    next = setImmediate(count);
  });
  const turns: number[] = [];
  const loader = createImageLoader({
    findAsset: () => {
      turns.push(turn);
      const endMs = performance.now() + 6;
      while (performance.now() < endMs);
      return asset;
    },
  });
  const { signal } = new AbortController();
  await Promise.all(Array.from({ length: 4 }, () => loader.loadImage(id, requester, signal)));
  clearImmediate(next);
  t.equal(new Set(turns).size, 4, turns.join(' '));
  await loader.close();
});

t.test('an asset of the organization is handed on as it is', async (t) => {
  const { image, freshUntilMs } = await load(id, { now: () => 1000 });
  t.equal(image, asset);
  t.equal(freshUntilMs, 1000 + 24 * 60 * 60 * 1000, 'and looked up again after a day');
});

t.test("another organization's asset, and what is no asset id, do not exist", async (t) => {
  const message = 'names an asset that this organization does not have';
  await t.rejects(load(`asset:${'0b'.repeat(32)}`), { reason: 'url', message });
  for (const source of ['asset:', 'asset:../x', `${id}0`, id.toUpperCase()])
    await t.rejects(load(source), { name: 'ImageError', reason: 'url' }, source);
});

t.test('a data URL is its own image', async (t) => {
  const base64 = png.toString('base64');
  const escaped = [...png].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  const sources = [
    `data:image/png;base64,${base64}`,
    `DATA:;BASE64,${base64}`,
    `data:text/plain;charset=x;base64,${base64.replaceAll('=', '%3D').replaceAll('+', '%2B')}`,
    // As an unescaped `+` arrives from a query string.
    `data:image/png;base64,${base64.replaceAll('+', ' ')}`,
    `data:image/png;base64,${png.toString('base64url')}`,
    `data:image/png,${escaped}`,
  ];
  for (const source of sources) {
    const { image, freshUntilMs } = await load(source);
    t.match(image, { format: 'png', widthPx: 30, heightPx: 20 });
    t.strictSame(Buffer.from(image.bytes), png, source.slice(0, 30));
    t.equal(freshUntilMs, Infinity);
  }
});

t.test('a data URL is checked like any image', async (t) => {
  const wide = pngOf({ widthPx: 20_000, heightPx: 1 });
  const sources: [source: string, reason: string, message: RegExp][] = [
    ['data:image/png;base64', 'url', /without a comma/],
    ['data:image/png;base64,', 'not_image', /^is empty$/],
    ['data:image/png;base64,!!!!', 'not_image', /^is empty$/],
    ['data:,hello%', 'not_image', /^is text, not an image$/],
    ['data:image/svg+xml,<svg/>', 'decode', /^is an SVG that needs a viewBox/],
    [`data:;base64,${wide.toString('base64')}`, 'too_large', /16384 px/],
    [`data:;base64,${'A'.repeat(65_536)}`, 'too_large', /^is a data URL of more than 64 KiB, the/],
  ];
  for (const [source, reason, message] of sources)
    await t.rejects(load(source), { name: 'ImageError', reason, message }, source.slice(0, 40));
});

const root = 'xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10"';

t.test('an SVG becomes a drawing of it, the same for the same file', async (t) => {
  const svg = `<svg ${root}><rect width="9" height="9"/></svg>`;
  const { image } = await load(`data:image/svg+xml,${encodeURIComponent(svg)}`);
  t.match(image, { format: 'png', widthPx: 2048, heightPx: 1024, pixelRatio: 102.4 });
  t.match(image, { orientation: 1, digest: /^[0-9a-f]{64}$/ });
  const again = await load(`data:;base64,${Buffer.from(svg).toString('base64')}`);
  t.equal(again.image.digest, image.digest);
  const other = await load(`data:,${encodeURIComponent(svg.replace('9', '8'))}`);
  t.not(other.image.digest, image.digest);
});

t.test('an SVG over its limit is refused before it is drawn', async (t) => {
  const message = /^is an SVG of more than 0\.0000477 MiB, the limit$/;
  const source = `data:,${encodeURIComponent(`<svg ${root}/>`)}`;
  await t.rejects(load(source, { svgBytesMax: 50 }), { reason: 'too_large', message });
});

t.test('options that are wrong are named at the start', async (t) => {
  await t.rejects(load(id, { allowedAddresses: ['10.0.0.0/99'] }), /"10.0.0.0\/99" is no address/);
  await t.rejects(load(id, { dnsServers: ['nobody'] }), /nobody/);
  t.ok(new ImageError('url', 'x') instanceof Error);
});

t.test('an image that waits for the file of another one has its own time', async (t) => {
  const attributes = 'xmlns="http://www.w3.org/2000/svg" width="4000" height="4000"';
  const logo = '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"/>';
  const noise = '<filter id="f"><feTurbulence baseFrequency="0.4" numOctaves="9"/></filter>';
  const slow = `<svg ${attributes}>${noise}<rect width="4000" height="4000" filter="url(#f)"/></svg>`;
  const svg: Handler = (request, response) => {
    response.writeHead(200, { 'content-type': 'image/svg+xml' });
    response.end(request.url === '/slow.svg' ? slow : logo);
  };
  const answers = { '/slow.svg': svg, '/logo.svg': svg };
  const loader = await loadFrom(t, answers, { svgTimeoutMs: 600 });
  const loadAs = (drawingCpu: DrawingCpu, path: string): Promise<string> =>
    loader.load(loader.url(path), undefined, { ...testRequester, drawingCpu }).then(
      () => 'drawn',
      (error: unknown) => (error as Error).message,
    );
  const [first, second] = [new DrawingCpu(), new DrawingCpu()];
  // The file of the second image is being fetched for the first one.
  const results = [
    loadAs(first, '/slow.svg'),
    loadAs(first, '/logo.svg'),
    loadAs(second, '/logo.svg'),
  ];
  t.equal((await Promise.all(results))[2], 'drawn');
});
