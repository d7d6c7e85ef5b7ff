/** What decoding a picture may cost, told from its header. */
import sharp from 'sharp';
import t from 'tap';
import {
  checkImageLimits,
  estimateDecodeBytes,
  toSourceImage,
} from '../../src/images/admit-image.ts';
import { resolveImageLoaderOptions } from '../../src/images/loader-options.ts';
import { readImageHeader } from '../../src/images/sniff-image.ts';
import { pngOf } from '../fixtures/images-files.ts';

t.test('decoding is estimated by pixels, depth and interlace', (t) => {
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
  t.equal(estimateDecodeBytes(header), 2_000_000);
  t.equal(estimateDecodeBytes({ ...header, bitDepth: 16 }), 4_000_000);
  t.equal(estimateDecodeBytes({ ...header, bitDepth: 16, interlaced: true }), 6_000_000);
  t.equal(estimateDecodeBytes({ ...header, channels: 5, bitDepth: 32 }), 10_000_000);
  const settings = resolveImageLoaderOptions({});
  t.doesNotThrow(() => checkImageLimits({ ...header, widthPx: 10_000, heightPx: 5000 }, settings));
  t.doesNotThrow(() => checkImageLimits({ ...header, widthPx: 16_384, heightPx: 1 }, settings));
  t.doesNotThrow(() => checkImageLimits({ ...header, frames: 4000 }, settings));
  t.throws(() => checkImageLimits({ ...header, frames: 4001 }, settings), {
    name: 'ImageError',
    reason: 'too_large',
  });
  t.end();
});

t.test('an admitted picture carries what its decoding is estimated to take', (t) => {
  const file = pngOf({ widthPx: 100, heightPx: 50, bitDepth: 16, interlaced: true });
  const bytes = new Uint8Array(new SharedArrayBuffer(file.byteLength));
  bytes.set(file);
  t.equal(toSourceImage(bytes, resolveImageLoaderOptions({})).decodeBytes, 100 * 50 * 12);
  t.end();
});

t.test('a progressive photo of 45 MP is far from the limit of scans', async (t) => {
  const side = { widthPx: 8192, heightPx: 5500 };
  const file = await sharp({
    create: { width: 1024, height: 688, channels: 3, background: '#36c' },
  })
    .jpeg({ progressive: true })
    .toBuffer();
  const frame = file.indexOf(Buffer.from([0xff, 0xc2]));
  file.writeUInt16BE(side.heightPx, frame + 5);
  file.writeUInt16BE(side.widthPx, frame + 7);
  const header = readImageHeader(file);
  t.match(header, side);
  t.ok((header?.scanBlocks ?? Infinity) < 15_000_000, `${header?.scanBlocks} blocks`);
  t.end();
});
