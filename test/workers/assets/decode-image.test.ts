/** From bytes to pixels: formats, turned and CMYK files as cameras write them, damage, and large files drawn small. */
import sharp from 'sharp';
import type { Sharp } from 'sharp';
import * as fc from 'fast-check';
import t from 'tap';
import type { SourceFormat } from '#wire/render-job.ts';
import { DecodeError, decodeImage } from '../../../workers/assets/decode-image.ts';
import type { Drawable } from '../../../workers/assets/drawable-cache.ts';
import { seenSize } from '../../../workers/layout/image-layer.ts';
import { bmpOf, icoOf } from '../../fixtures/images-files.ts';
import { admitted, readImage, sourceImage } from '../../helpers/render.ts';
import { extent } from '../../helpers/extent.ts';
import { ImageError } from '../../../src/images/image-error.ts';
import { soundFiles } from '../../fixtures/images-damaged.ts';

const plain = { smartCrop: false, tint: undefined, duotone: undefined };

/** RGBA of one pixel of a drawable. */
function pixelOf({ canvas, widthPx }: Drawable, x: number, y: number): number[] {
  const offset = (y * widthPx + x) * 4;
  return [...canvas.toBufferSync('raw').subarray(offset, offset + 4)];
}

function redImage(): Sharp {
  const red = { r: 200, g: 30, b: 40 };
  return sharp({ create: { width: 20, height: 10, channels: 3, background: red } });
}

const files: [format: SourceFormat, make: () => Promise<Buffer>][] = [
  ['png', () => redImage().png().toBuffer()],
  ['jpeg', () => redImage().jpeg({ quality: 100 }).toBuffer()],
  ['webp', () => redImage().webp({ lossless: true }).toBuffer()],
  ['gif', () => redImage().gif().toBuffer()],
  ['avif', () => redImage().avif({ lossless: true }).toBuffer()],
  ['tiff', () => redImage().tiff().toBuffer()],
  ['bmp', () => Promise.resolve(bmpOf(20, 10).fill(Buffer.of(40, 30, 200), 54))],
  ['ico', async () => icoOf([await redImage().png().toBuffer()])],
];

t.test('the same request is decoded once', async (t) => {
  const source = await readImage('test/golden/images/photo.jpg');
  const request = { widthPx: 30, heightPx: 20, ...plain };
  const first = await decodeImage(source, request);
  t.equal(await decodeImage(source, request), first);
  t.not(await decodeImage(source, { ...request, tint: '#ff0000' }), first);
  const dark = '#000000';
  const white = await decodeImage(source, { ...request, duotone: { dark, light: '#ffffff' } });
  t.not(await decodeImage(source, { ...request, duotone: { dark, light: '#ffff00' } }), white);
});

t.test('a cut or damaged file is a DecodeError', async (t) => {
  for (const [format, make] of files) {
    const bytes = await make();
    const size = { format, widthPx: 20, heightPx: 10 };
    const request = { widthPx: 20, heightPx: 10, ...plain };
    const cut = await sourceImage(bytes.subarray(0, Math.floor(bytes.length * 0.6)), size);
    await t.rejects(decodeImage(cut, request), DecodeError, `${format}, cut`);
    const head = await sourceImage(bytes.subarray(0, 30), size);
    await t.rejects(
      decodeImage(head, request),
      { message: `is a damaged ${format.toUpperCase()} file, or of a kind that cannot be read` },
      `${format}, only its head`,
    );
  }
});

/** A file in its own size, as it is seen. */
function decode(file: Uint8Array): Promise<Drawable> {
  const image = admitted(file);
  const { width: widthPx, height: heightPx } = seenSize(image);
  return decodeImage(image, { widthPx, heightPx, ...plain });
}

const corners = { R: [255, 0, 0], G: [0, 255, 0], B: [0, 0, 255], W: [255, 255, 255] };
const [width, height] = [40, 20];

/** Red, green over blue, white. */
function quarters(): Sharp {
  const pixels = Buffer.alloc(width * height * 3);
  for (let at = 0; at < width * height; at++) {
    const [isRight, isLow] = [at % width >= width / 2, at >= (width * height) / 2];
    const color = isLow ? (isRight ? 'W' : 'B') : isRight ? 'G' : 'R';
    pixels.set(corners[color], at * 3);
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}

/** The corners in reading order, as each orientation shows them (EXIF 2.3, tag 274). */
const seenCorners = ['RGBW', 'GRWB', 'WBGR', 'BWRG', 'RBGW', 'BRWG', 'WGBR', 'GWRB'];

const encoders: [format: SourceFormat, encode: (image: Sharp) => Sharp][] = [
  ['jpeg', (image) => image.jpeg({ quality: 100, chromaSubsampling: '4:4:4' })],
  ['png', (image) => image.png()],
  ['webp', (image) => image.webp({ lossless: true })],
  ['tiff', (image) => image.tiff()],
  ['avif', (image) => image.avif({ lossless: true, effort: 0 })],
];

for (const [format, encode] of encoders) {
  t.test(`a ${format} of each orientation stands upright`, async (t) => {
    for (const [index, wanted] of seenCorners.entries()) {
      const orientation = index + 1;
      const file = await encode(quarters().withMetadata({ orientation })).toBuffer();
      const drawable = await decode(file);
      t.equal(drawable.widthPx, orientation >= 5 ? height : width);
      const found = [2, drawable.heightPx - 3].flatMap((y) =>
        [2, drawable.widthPx - 3].map((x) => nameOf(pixelOf(drawable, x, y))),
      );
      t.equal(found.join(''), wanted, `orientation ${orientation}`);
    }
  });
}

function nameOf(pixel: number[]): string {
  const isNear = (color: number[]): boolean =>
    color.every((value, at) => Math.abs(value - (pixel[at] ?? 0)) <= 5);
  return Object.entries(corners).find(([, color]) => isNear(color))?.[0] ?? pixel.join();
}

t.test('a CMYK JPEG shows its colours, with a profile and without', async (t) => {
  const orders: [color: string, isRight: (rgb: number[]) => boolean][] = [
    ['#ff0000', ([r = 0, g = 0, b = 0]) => r > 200 && g < 60 && b < 60],
    ['#0080ff', ([r = 0, g = 0, b = 0]) => r < 60 && g > 90 && b > g],
    ['#101010', (rgb) => rgb.every((value) => value < 60)],
    ['#ffffff', (rgb) => rgb.every((value) => value > 250)],
  ];
  for (const [background, isRight] of orders) {
    const image = sharp({ create: { width: 16, height: 16, channels: 3, background } });
    const bare = image.clone().toColourspace('cmyk');
    for (const cmyk of [bare, image.clone().withIccProfile('cmyk').toColourspace('cmyk')]) {
      const file = await cmyk.jpeg({ quality: 100 }).toBuffer();
      t.equal((await sharp(file).metadata()).space, 'cmyk');
      const pixel = pixelOf(await decode(file), 8, 8).slice(0, 3);
      t.ok(isRight(pixel), `${background} as ${pixel.join()}`);
    }
  }
});

t.test('a large JPEG is decoded no larger than it is drawn', async (t) => {
  const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const;
  const grain = { width: 300, height: 200, channels: 3, background: '#888', noise } as const;
  const tile = await sharp({ create: grain }).png().toBuffer();
  const photo = sharp(tile).resize(3000, 2000, { kernel: 'nearest' });
  for (const orientation of [1, 6]) {
    const file = await photo.clone().withMetadata({ orientation }).jpeg().toBuffer();
    const image = admitted(file);
    const seen = seenSize(image);
    const costOf = async (part: number): Promise<number> => {
      const start = process.cpuUsage();
      const size = { widthPx: seen.width / part, heightPx: seen.height / part };
      await decodeImage(image, { ...size, ...plain });
      return process.cpuUsage(start).user;
    };
    const [whole, small] = [await costOf(1), await costOf(10)];
    // Whole and then shrunk it costs about as much as whole; at an eighth a third (measured).
    t.ok(small < whole * 0.6, `orientation ${orientation}: ${small} µs against ${whole} µs`);
  }
});

const sound = (await soundFiles()).map(({ bytes }) => bytes);

/** Files with bytes changed, a part cut out, or the head of one on the body of another. */
const damaged = fc
  .record({
    file: fc.constantFrom(...sound),
    body: fc.option(fc.constantFrom(...sound), { freq: 6 }),
    changes: fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 12 }),
    hole: fc.tuple(fc.nat(), fc.nat(200)),
  })
  .map(({ file, body, changes, hole: [position, length] }) => {
    const start = 16 + (position % (file.length - 16));
    const rest = body === null ? file.subarray(start + length) : body.subarray(16);
    const bytes = Buffer.concat([file.subarray(0, start), rest]);
    for (const [at, value] of changes) bytes[at % bytes.length] = value;
    return bytes;
  });

const anySize = fc.integer({ min: 1, max: 100 });

t.test('a file is refused in words for its owner, or drawn in the wanted size', async (t) => {
  const tally = { refused: 0, damaged: 0, drawn: 0 };
  await fc.assert(
    fc.asyncProperty(damaged, anySize, anySize, async (bytes, widthPx, heightPx) => {
      try {
        const drawable = await decodeImage(admitted(bytes), { widthPx, heightPx, ...plain });
        tally.drawn++;
        return drawable.widthPx === widthPx && drawable.heightPx === heightPx;
      } catch (error) {
        if (error instanceof ImageError) tally.refused++;
        else if (error instanceof DecodeError) tally.damaged++;
        else throw error;
        return /^(is|needs) /.test(error.message);
      }
    }),
    { numRuns: extent(150, 1000) },
  );
  t.comment(JSON.stringify(tally));
  t.ok(tally.refused > 0 && tally.damaged > 0 && tally.drawn > 0, 'every outcome was met');
});
