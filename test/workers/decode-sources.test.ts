import sharp from 'sharp';
import t from 'tap';
import { drawingSource } from '#wire/svg-drawing.ts';
import { templateLimits } from '#language/limits/template-limits.ts';
import type { RenderWarning, SourceImage } from '#wire/render-job.ts';
import type { SvgDrawing } from '#wire/render-job.ts';
import type { DisplayItem, DisplayList, ImageRequest } from '../../workers/display-list.ts';
import type { JobFiles } from '../../workers/decode-sources.ts';
import { DrawingsMissing, decodeSources, SourceError } from '../../workers/decode-sources.ts';
import { endWork, startWork, TooSlowError, withWorkShare } from '../../workers/work-limit.ts';
import { drawMissing, readImage, sourceImage } from '../helpers/render.ts';
import { anItem } from '../fixtures/display-items.ts';

function imageItem(request: Partial<ImageRequest>): DisplayItem {
  const { width = 60, height = 40, source = 'photo', smartCrop = false } = request;
  const placed = { x: 0, y: 0, width, height };
  return anItem(placed, {
    kind: 'image',
    image: {
      request: { source, format: 'jpeg', digest: source, width, height, smartCrop },
      placed,
    },
    frame: { kind: 'rect', rect: placed, radii: [0, 0, 0, 0] },
    look: { flipX: false, flipY: false, tint: undefined, duotone: undefined },
  });
}

function filesOf(images: Record<string, SourceImage>): JobFiles {
  return { images: new Map(Object.entries(images)), drawings: new Map() };
}

const photo = filesOf({ photo: await readImage('test/golden/images/photo.jpg') });

function listOf(...items: DisplayItem[]): DisplayList {
  return { width: 100, height: 100, background: undefined, items };
}

function pixelsOf(images: readonly { widthPx: number; heightPx: number }[]): number {
  return images.reduce((sum, { widthPx, heightPx }) => sum + widthPx * heightPx, 0);
}

async function sizesOf(list: DisplayList, scale: number): Promise<string[]> {
  const drawables = await decodeSources(list, photo, scale, []);
  return [...drawables.values()].map(({ widthPx, heightPx }) => `${widthPx}x${heightPx}`);
}

t.test('an image is decoded at the size it is drawn, never larger than it is', async (t) => {
  t.same(await sizesOf(listOf(imageItem({})), 1), ['60x40']);
  t.same(await sizesOf(listOf(imageItem({})), 2), ['120x80']);
  t.same(await sizesOf(listOf(imageItem({ width: 600, height: 4 })), 3), ['180x12']);
  t.same(await sizesOf(listOf(imageItem({ width: 0, height: 0 })), 1), ['1x1']);
  t.same(await sizesOf(listOf(imageItem({ width: 16_384, height: 16_384 })), 3), ['180x120']);
});

t.test('a smart crop keeps its proportions when the file is too small', async (t) => {
  const crop = imageItem({ width: 400, height: 800, smartCrop: true });
  t.same(await sizesOf(listOf(crop), 1), ['60x120']);
});

t.test('images of a hundred megapixels in all are decoded smaller', async (t) => {
  const width = 6000;
  const create = { width, height: width, channels: 3, background: '#123456' } as const;
  const large = await sourceImage(await sharp({ create }).png().toBuffer());
  const items = [1, 2, 3].map((count) =>
    imageItem({ source: 'large', width: width - count, height: width }),
  );
  const drawables = await decodeSources(listOf(...items), filesOf({ large }), 1, []);
  t.equal(drawables.size, 3);
  t.ok(pixelsOf([...drawables.values()]) <= 64.1 * 1024 * 1024);
});

t.test('a damaged file is a SourceError that names its source and layer', async (t) => {
  const claim = { format: 'png', widthPx: 5, heightPx: 5 } as const;
  const files = filesOf({ photo: await sourceImage(Buffer.from('no image'), claim) });
  const loading = decodeSources(listOf(imageItem({})), files, 1, []);
  await t.rejects(loading, SourceError);
  await t.rejects(loading, { source: 'photo', layer: 'item', message: /^is a damaged PNG file/ });
});

const svgRoot = '<svg xmlns="http://www.w3.org/2000/svg"';

function drawing(svg: string, width = 10, height = 10): DisplayItem {
  const placed = { x: 0, y: 0, width, height };
  return anItem(placed, { kind: 'svg', svg, placed });
}

/** What a list asks for before it can be drawn. */
async function missingIn(list: DisplayList, scale: number): Promise<SvgDrawing[]> {
  try {
    await decodeSources(list, filesOf({}), scale, []);
    return [];
  } catch (error) {
    if (error instanceof DrawingsMissing) return error.drawings;
    throw error;
  }
}

t.test('an svg is asked for once, checked and without its prolog, and then kept', async (t) => {
  const markup = `${svgRoot} viewBox="0 0 1 1"><rect width="1" height="1"/></svg>`;
  const list = listOf(drawing(`<?xml version="1.0"?><!-- <svg> -->${markup}`));
  const missing = await missingIn(list, 2);
  t.same(missing, [{ svg: markup, widthPx: 20, heightPx: 20 }]);
  const drawings = await drawMissing(missing);
  const given = await decodeSources(list, { images: new Map(), drawings }, 2, []);
  t.match([...given.values()], [{ widthPx: 20, heightPx: 20 }]);
  const kept = await decodeSources(list, filesOf({}), 2, []);
  t.equal([...kept.values()][0], [...given.values()][0], 'the process has it');
  t.equal((await missingIn(list, 3)).length, 1, 'in this size alone');
});

t.test('an svg that cannot be drawn is left out with a warning', async (t) => {
  const warnings: RenderWarning[] = [];
  const late = `${svgRoot} viewBox="0 0 2 2"/>`;
  const source = drawingSource({ svg: late, widthPx: 10, heightPx: 10 });
  const drawings = new Map([[source, 'takes longer than 2 s to draw, the limit']]);
  const list = listOf(...['<svg', late].map((svg) => drawing(svg)));
  const drawables = await decodeSources(list, { images: new Map(), drawings }, 1, warnings);
  t.equal(drawables.size, 0);
  const broken = 'is no well-formed XML: its first tag does not end, at line 1, column 4';
  const problems = [broken, 'takes longer than 2 s to draw, the limit'];
  const warningOf = (problem: string) => {
    return { code: 'SVG_FAILED', layer: 'item', detail: `its SVG ${problem}` };
  };
  t.same(warnings, problems.map(warningOf));
});

t.test('an svg larger than any canvas is drawn smaller, and so are many large ones', async (t) => {
  const svg = `${svgRoot} viewBox="0 0 9 1"/>`;
  const many = Array.from({ length: 9 }, (_, index) => drawing(svg, 4000, 4000 - index));
  for (const [items, megapixelsMax] of [
    [[drawing(svg, 16_384, 4000)], 16.1],
    [many, 32.1],
  ] as const) {
    const missing = await missingIn(listOf(...items), 3);
    t.equal(missing.length, items.length);
    t.ok(pixelsOf(missing) <= megapixelsMax * 1024 * 1024);
  }
});

t.test('an image that would decode for longer than its render has left is not begun', async (t) => {
  const size = { width: 1600, height: 1200 };
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
  const image = sharp({ create: { ...size, channels: 3, background: '#888', noise } });
  const bytes = await image.avif({ quality: 90, effort: 0 }).toBuffer();
  const files = filesOf({ noise: await sourceImage(bytes) });
  const items = [imageItem({ source: 'noise', ...size })];
  // A part of the time that the decoding would take is left.
  startWork({ spentMs: templateLimits.renderMsMax - 150 });
  t.teardown(endWork);
  const loading = decodeSources(listOf(...items), files, 1, []);
  await t.rejects(loading, TooSlowError);
  await t.rejects(loading, {
    layer: 'item',
    message: /^takes about \d+ ms of processor time to decode an image of 1\.9 MP and [\d.]+ MB/,
  });
});

t.test('the share of a base render bounds what it decodes', async (t) => {
  const load = () => decodeSources(listOf(imageItem({ width: 59 })), photo, 1, []);
  t.equal(await withWorkShare(0, load), undefined);
  t.equal((await withWorkShare(1000, load))?.size, 1);
});
