import t from 'tap';
import type { RenderWarning } from '#shared/render-job.ts';
import type { DisplayItem, DisplayList, ImageRequest } from '../../workers/display-list.ts';
import { loadDrawables, SourceError } from '../../workers/load-drawables.ts';
import { readImage, sourceImage } from '../helpers/render.ts';
import { anItem } from '../fixtures/display-items.ts';

function picture(request: Partial<ImageRequest>): DisplayItem {
  const { width = 60, height = 40, source = 'photo', smartCrop = false } = request;
  const placed = { x: 0, y: 0, width, height };
  return anItem(placed, {
    kind: 'image',
    image: { request: { source, digest: source, width, height, smartCrop }, placed },
    frame: { kind: 'rect', rect: placed, radii: [0, 0, 0, 0] },
    look: { flipX: false, flipY: false, tint: undefined, duotone: undefined },
  });
}

function listOf(...items: DisplayItem[]): DisplayList {
  return { width: 100, height: 100, background: undefined, items };
}

async function sizesOf(list: DisplayList, scale: number): Promise<string[]> {
  const images = new Map([['photo', await readImage('test/golden/images/photo.jpg')]]);
  const drawables = await loadDrawables(list, images, scale, []);
  return [...drawables.values()].map(({ widthPx, heightPx }) => `${widthPx}x${heightPx}`);
}

t.test('a picture is decoded at the size it is drawn, never larger than it is', async (t) => {
  t.same(await sizesOf(listOf(picture({})), 1), ['60x40']);
  t.same(await sizesOf(listOf(picture({})), 2), ['120x80']);
  t.same(await sizesOf(listOf(picture({ width: 600, height: 4 })), 3), ['180x12']);
  t.same(await sizesOf(listOf(picture({ width: 0, height: 0 })), 1), ['1x1']);
  t.same(await sizesOf(listOf(picture({ width: 16_384, height: 16_384 })), 3), ['180x120']);
});

t.test('a smart crop keeps its proportions when the file is too small', async (t) => {
  const crop = picture({ width: 400, height: 800, smartCrop: true });
  t.same(await sizesOf(listOf(crop), 1), ['60x120']);
});

t.test('pictures of a hundred megapixels in all are decoded smaller', async (t) => {
  const width = 6000;
  const bytes = await (
    await import('sharp')
  )
    .default({ create: { width, height: width, channels: 3, background: '#123456' } })
    .png()
    .toBuffer();
  const images = new Map([['large', await sourceImage(bytes)]]);
  const items = [1, 2, 3].map((count) =>
    picture({ source: 'large', width: width - count, height: width }),
  );
  const drawables = await loadDrawables(listOf(...items), images, 1, []);
  const pixels = [...drawables.values()].reduce(
    (sum, { widthPx, heightPx }) => sum + widthPx * heightPx,
    0,
  );
  t.equal(drawables.size, 3);
  t.ok(pixels <= 64.1 * 1024 * 1024);
});

t.test('a source that is not there is left out', async (t) => {
  t.same(await sizesOf(listOf(picture({ source: 'other' })), 1), []);
});

t.test('a damaged file is a SourceError that names its source and layer', async (t) => {
  const claim = { format: 'png', widthPx: 5, heightPx: 5 } as const;
  const images = new Map([['photo', await sourceImage(Buffer.from('no picture'), claim)]]);
  const loading = loadDrawables(listOf(picture({})), images, 1, []);
  await t.rejects(loading, SourceError);
  await t.rejects(loading, { source: 'photo', layer: 'item', message: /^is a damaged PNG file/ });
});

t.test('an svg that cannot be drawn is left out with a warning', async (t) => {
  const placed = { x: 0, y: 0, width: 10, height: 10 };
  const warnings: RenderWarning[] = [];
  const items = ['<svg', '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>'].map((svg) =>
    anItem(placed, { kind: 'svg', svg, placed }),
  );
  const drawables = await loadDrawables(listOf(...items), new Map(), 1, warnings);
  t.equal(drawables.size, 1);
  t.same(warnings, [
    { code: 'SVG_FAILED', layer: 'item', detail: 'its SVG has broken markup near "<svg"' },
  ]);
});

t.test('an svg larger than any canvas is drawn smaller', async (t) => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 1"/>';
  const placed = { x: 0, y: 0, width: 16_384, height: 4000 };
  const drawables = await loadDrawables(
    listOf(anItem(placed, { kind: 'svg', svg, placed })),
    new Map(),
    3,
    [],
  );
  const [drawable] = [...drawables.values()];
  t.ok(drawable !== undefined && drawable.widthPx * drawable.heightPx <= 16.1 * 1024 * 1024);
});
