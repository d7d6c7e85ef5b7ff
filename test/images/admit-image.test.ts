/** What decoding a picture may cost, told from its header. */
import t from 'tap';
import { checkImageLimits, estimateDecodeBytes } from '../../src/images/admit-image.ts';
import { resolveImageLoaderOptions } from '../../src/images/loader-options.ts';

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
  t.end();
});
