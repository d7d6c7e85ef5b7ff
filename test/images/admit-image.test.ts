/** What decoding an image may cost, by its header. */
import sharp from 'sharp';
import t from 'tap';
import {
  checkImageLimits,
  estimateDecodeBytes,
  toSourceImage,
} from '../../src/images/admit-image.ts';
import { resolveImageLoaderOptions } from '../../src/images/config.ts';
import type { ImageHeader } from '../../src/images/sniff/header.ts';
import { pngOf } from '../fixtures/images-files.ts';

t.test('decoding is estimated by pixels, depth and interlace', async (t) => {
  const header = {
    format: 'png',
    widthPx: 1000,
    heightPx: 500,
    orientation: 1,
    frames: 1,
    bitDepth: 8,
    channels: 3,
    interlaced: false,
    truncated: false,
  } as const;
  const bytesOf = (changes: Partial<ImageHeader>): number =>
    estimateDecodeBytes({ ...header, ...changes }, 1_000_000);
  t.equal(bytesOf({}), 1_000_000);
  t.equal(bytesOf({ bitDepth: 16 }), 2_000_000);
  t.equal(bytesOf({ bitDepth: 16, interlaced: true }), 5_200_000);
  t.equal(bytesOf({ format: 'tiff', channels: 5, bitDepth: 32 }), 25_000_000);
  t.equal(bytesOf({ format: 'avif' }), 12_000_000, 'the decoder copies the file');
  t.equal(bytesOf({ format: 'avif', bitDepth: 10 }), 15_500_000);
  const check = (each: ImageHeader): void =>
    checkImageLimits(each, 1_000_000, resolveImageLoaderOptions({}));
  t.doesNotThrow(() => check({ ...header, widthPx: 10_000, heightPx: 5000 }));
  t.doesNotThrow(() => check({ ...header, widthPx: 16_384, heightPx: 1 }));
  t.doesNotThrow(() => check({ ...header, frames: 4000 }));
  t.throws(() => check({ ...header, frames: 4001 }), { name: 'ImageError', reason: 'too_large' });
});

/** A file in shared memory, padded to so many bytes. */
function shared(file: Uint8Array, fileBytes = 0): Uint8Array<SharedArrayBuffer> {
  const bytes = new Uint8Array(new SharedArrayBuffer(Math.max(file.byteLength, fileBytes)));
  bytes.set(file);
  return bytes;
}

t.test('an admitted image carries what its decoding is estimated to take', async (t) => {
  const file = pngOf({ widthPx: 100, heightPx: 50, bitDepth: 16, interlaced: true });
  const { decodeBytes } = toSourceImage(shared(file), resolveImageLoaderOptions({}));
  t.equal(decodeBytes, 100 * 50 * 8 * 1.3);
});

/** A file whose header says it has so many pixels, padded to so many bytes: only decoding it would tell. */
async function claiming(
  format: 'avif' | 'jpeg' | 'webp',
  [widthPx, heightPx]: [number, number],
  fileBytes: number,
  options: object = {},
): Promise<Uint8Array<SharedArrayBuffer>> {
  const flat = sharp({ create: { width: 64, height: 64, channels: 3, background: '#36c' } });
  const file = await flat.toFormat(format, { effort: 0, ...options }).toBuffer();
  if (format === 'webp') {
    const frame = file.indexOf('VP8 ') + 14;
    file.writeUInt16LE(widthPx, frame);
    file.writeUInt16LE(heightPx, frame + 2);
  } else if (format === 'avif') {
    const extent = file.indexOf('ispe') + 8;
    file.writeUInt32BE(widthPx, extent);
    file.writeUInt32BE(heightPx, extent + 4);
  } else {
    const frame = Math.max(
      file.indexOf(Buffer.from([0xff, 0xc0])),
      file.indexOf(Buffer.from([0xff, 0xc2])),
    );
    file.writeUInt16BE(heightPx, frame + 5);
    file.writeUInt16BE(widthPx, frame + 7);
  }
  return shared(file, fileBytes);
}

t.test('what takes too much memory or time to decode is refused by its header', async (t) => {
  const settings = resolveImageLoaderOptions({});
  const deep = { bitDepth: 16, interlaced: true };
  const advice = 'use a smaller image, or a JPEG or PNG';
  const refused: [Uint8Array<SharedArrayBuffer>, string | RegExp][] = [
    [shared(pngOf({ widthPx: 8000, heightPx: 6500 })), 'is 52 MP, the limit is 50 MP'],
    [
      shared(pngOf({ widthPx: 17_000, heightPx: 1 })),
      'is 17000 × 1 px, the limit is 16384 px a side',
    ],
    [
      shared(pngOf({ widthPx: 8000, heightPx: 6000, ...deep })),
      `needs 499 MB to decode, the limit is 340 MB: ${advice}`,
    ],
    [await claiming('avif', [7000, 7000], 2_100_000), /needs 984 MB to decode/],
    [await claiming('avif', [4000, 4000], 9_000_000), /takes about \d+ ms .* use a smaller image/],
    [await claiming('avif', [4200, 4000], 100_000, { bitdepth: 10 }), /needs 454 MB to decode/],
  ];
  for (const [bytes, message] of refused) {
    t.throws(() => toSourceImage(bytes, settings), { reason: 'too_large', message });
  }
  const damaged = { reason: 'decode', message: 'is a damaged or unusual PNG file' };
  const start = pngOf({ widthPx: 30, heightPx: 20 }).subarray(0, 20);
  t.throws(() => toSourceImage(shared(start), settings), damaged);
});

t.test('photographs of cameras and telephones are let in', async (t) => {
  const settings = resolveImageLoaderOptions({});
  const sound = [
    await claiming('avif', [4032, 3024], 4_000_000),
    await claiming('avif', [4032, 3024], 4_000_000, { bitdepth: 10 }),
    await claiming('webp', [4032, 3024], 0),
    await claiming('jpeg', [8064, 6048], 10_000_000),
    await claiming('jpeg', [8192, 5500], 10_000_000, { progressive: true }),
    shared(pngOf({ widthPx: 6000, heightPx: 4000, bitDepth: 16 }), 10_000_000),
  ];
  for (const bytes of sound) t.doesNotThrow(() => toSourceImage(bytes, settings));
});
