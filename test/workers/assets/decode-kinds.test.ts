/** Pixels of files as cameras and programs write them: turned by EXIF, in CMYK, and far larger than they are drawn. */
import sharp from 'sharp';
import type { Sharp } from 'sharp';
import t from 'tap';
import type { SourceFormat } from '#wire/render-job.ts';
import { toSourceImage } from '../../../src/images/admit-image.ts';
import { resolveImageLoaderOptions } from '../../../src/images/config.ts';
import { decodeImage } from '../../../workers/assets/decode-image.ts';

const settings = resolveImageLoaderOptions({});
const plain = { smartCrop: false, tint: undefined, duotone: undefined };

/** A file's pixels at this size, or at its own as it is seen. */
async function decode(
  bytes: Uint8Array,
  size?: { widthPx: number; heightPx: number },
): Promise<{ width: number; pixelAt: (x: number, y: number) => number[] }> {
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  const image = toSourceImage(shared, settings);
  const [long, short] = [image.widthPx, image.heightPx];
  const turned =
    image.orientation >= 5
      ? { widthPx: short, heightPx: long }
      : { widthPx: long, heightPx: short };
  const { canvas, widthPx } = await decodeImage(image, { ...(size ?? turned), ...plain });
  const data = canvas.toBufferSync('raw');
  const pixelAt = (x: number, y: number): number[] => {
    const at = (y * widthPx + x) * 4;
    return [...data.subarray(at, at + 3)];
  };
  return { width: widthPx, pixelAt };
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
const seen = ['RGBW', 'GRWB', 'WBGR', 'BWRG', 'RBGW', 'BRWG', 'WGBR', 'GWRB'];

const encoders: [format: SourceFormat, encode: (image: Sharp) => Sharp][] = [
  ['jpeg', (image) => image.jpeg({ quality: 100, chromaSubsampling: '4:4:4' })],
  ['png', (image) => image.png()],
  ['webp', (image) => image.webp({ lossless: true })],
  ['tiff', (image) => image.tiff()],
  ['avif', (image) => image.avif({ lossless: true, effort: 0 })],
];

for (const [format, encode] of encoders) {
  t.test(`a ${format} of each orientation stands upright`, async (t) => {
    for (const [index, wanted] of seen.entries()) {
      const orientation = index + 1;
      const file = await encode(quarters().withMetadata({ orientation })).toBuffer();
      const { width: shown, pixelAt } = await decode(file);
      t.equal(shown, orientation >= 5 ? height : width);
      const [right, low] = [shown - 3, (width * height) / shown - 3];
      const found = [pixelAt(2, 2), pixelAt(right, 2), pixelAt(2, low), pixelAt(right, low)];
      t.equal(found.map(nameOf).join(''), wanted, `orientation ${orientation}`);
    }
  });
}

function nameOf(pixel: number[]): string {
  const isNear = (color: number[]): boolean =>
    color.every((value, at) => Math.abs(value - (pixel[at] ?? 0)) < 40);
  return Object.entries(corners).find(([, color]) => isNear(color))?.[0] ?? pixel.join();
}

t.test('a CMYK JPEG shows its colours, with a profile and without', async (t) => {
  const orders: [color: string, isRight: (rgb: number[]) => boolean][] = [
    ['#ff0000', ([r = 0, g = 0, b = 0]) => r > 200 && g < 60 && b < 60],
    ['#0080ff', ([r = 0, g = 0, b = 0]) => r < 40 && g > 90 && b > g],
    ['#101010', (rgb) => rgb.every((value) => value < 60)],
    ['#ffffff', (rgb) => rgb.every((value) => value > 250)],
  ];
  for (const [background, isRight] of orders) {
    const image = sharp({ create: { width: 16, height: 16, channels: 3, background } });
    const bare = image.clone().toColourspace('cmyk');
    for (const cmyk of [bare, image.clone().withIccProfile('cmyk').toColourspace('cmyk')]) {
      const file = await cmyk.jpeg({ quality: 100 }).toBuffer();
      t.equal((await sharp(file).metadata()).space, 'cmyk');
      const pixel = (await decode(file)).pixelAt(8, 8);
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
    const shared = new Uint8Array(new SharedArrayBuffer(file.length));
    shared.set(file);
    const image = toSourceImage(shared, settings);
    const costOf = async (part: number): Promise<number> => {
      const start = process.cpuUsage();
      const [widthPx, heightPx] = orientation === 1 ? [3000, 2000] : [2000, 3000];
      const size = { widthPx: widthPx / part, heightPx: heightPx / part };
      await decodeImage(image, { ...size, ...plain });
      return process.cpuUsage(start).user;
    };
    const [whole, small] = [await costOf(1), await costOf(10)];
    // Whole and then shrunk it costs about as much as whole; at an eighth a third (measured).
    t.ok(small < whole * 0.6, `orientation ${orientation}: ${small} µs against ${whole} µs`);
  }
});
