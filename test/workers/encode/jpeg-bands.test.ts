/** A JPEG in bands decodes like the whole encode, before and after bands were replaced. */
import sharp from 'sharp';
import fc from 'fast-check';
import t from 'tap';
import { chromaSubsampling, createJpegBands } from '../../../workers/encode/jpeg-bands.ts';
import { optimalTable, toCodes } from '../../../workers/encode/jpeg-huffman.ts';
import { repository } from '../../helpers/render.ts';

interface Picture {
  rgb: Buffer;
  width: number;
  height: number;
}

async function photograph(width: number, height: number, left = 0): Promise<Picture> {
  const rgb = await sharp(`${repository}/data/templates/pictures/coast.jpg`)
    .extract({ left, top: 0, width: 1200, height: 800 })
    .resize(width, height, { fit: 'fill' })
    .raw()
    .toBuffer();
  return { rgb, width, height };
}

function whole(
  { rgb, width, height }: Picture,
  quality: number,
  optimizeCoding: boolean,
): Promise<Buffer> {
  return sharp(rgb, { raw: { width, height, channels: 3 } })
    .jpeg({ quality, chromaSubsampling: chromaSubsampling(quality), optimizeCoding })
    .toBuffer();
}

const decode = (file: Uint8Array): Promise<Buffer> => sharp(file).raw().toBuffer();

t.test(
  'a banded JPEG decodes bit for bit like the whole encode, at any size and quality',
  async (t) => {
    for (const [width, height, quality] of [
      [600, 315, 85],
      [601, 333, 40],
      [17, 5, 95],
      [1, 1, 100],
      [333, 48, 90],
      [16, 1000, 1],
    ] as const) {
      const picture = await photograph(width, height);
      const bands = await createJpegBands(picture.rgb, width, height, quality);
      const file = bands.toFile(new Map());
      const expected = await decode(await whole(picture, quality, true));
      t.ok((await decode(file)).equals(expected), `${width}x${height} at quality ${quality}`);
      t.equal((await sharp(file).metadata()).density, 96);
    }
  },
);

t.test('replaced bands show the other picture, and nothing else does', async (t) => {
  const one = await photograph(320, 200);
  const other = await photograph(320, 200, 400);
  const bands = await createJpegBands(one.rgb, 320, 200, 85);
  const [first, end] = [3, 7];
  const stride = 320 * 3 * bands.bandRows;
  const mixed = Buffer.from(one.rgb);
  other.rgb.copy(mixed, first * stride, first * stride, end * stride);
  const encoded = await bands.encodeBands(mixed.subarray(first * stride, end * stride), first);
  const changed = new Map(encoded.map((band, index) => [first + index, band]));
  const expected = await decode(await whole({ ...one, rgb: mixed }, 85, false));
  t.equal(encoded.length, end - first);
  t.ok((await decode(bands.toFile(changed))).equals(expected));
  t.ok((await decode(bands.toFile(new Map()))).equals(await decode(await whole(one, 85, false))));
});

t.test('any bands may be replaced, the last and shorter one too', async (t) => {
  const picture = await photograph(160, 150);
  const bands = await createJpegBands(picture.rgb, 160, 150, 70);
  const count = Math.ceil(150 / bands.bandRows);
  await fc.assert(
    fc.asyncProperty(fc.nat(count - 1), fc.nat(255), async (band, shade) => {
      const top = band * bands.bandRows;
      const bottom = Math.min(150, top + bands.bandRows);
      const mixed = Buffer.from(picture.rgb).fill(shade, top * 480, bottom * 480);
      const encoded = await bands.encodeBands(mixed.subarray(top * 480, bottom * 480), band);
      const file = bands.toFile(new Map(encoded.map((one, index) => [band + index, one])));
      const expected = await whole({ rgb: mixed, width: 160, height: 150 }, 70, true);
      t.ok((await decode(file)).equals(await decode(expected)));
    }),
    { numRuns: 40 },
  );
});

t.test('a banded JPEG is hardly larger than the whole encode with optimised tables', async (t) => {
  const picture = await photograph(1200, 630);
  const bands = await createJpegBands(picture.rgb, 1200, 630, 85);
  const optimised = await whole(picture, 85, true);
  const standard = await whole(picture, 85, false);
  const size = bands.toFile(new Map()).length;
  t.ok(size < optimised.length * 1.01, `${size} against ${optimised.length}`);
  t.ok(size < standard.length, `${size} against ${standard.length}`);
});

t.test(
  'optimal Huffman codes are prefix-free, at most 16 bits long and never all ones',
  async (t) => {
    const weights = fc.array(fc.integer({ min: 0, max: 2 ** 24 }), {
      minLength: 2,
      maxLength: 256,
    });
    fc.assert(
      fc.property(weights, fc.boolean(), (list, isSteep) => {
        // Fibonacci-like weights make the longest codes.
        const steep = list.map((_, index) => Math.round(1.6 ** Math.min(index, 46)));
        const frequencies = Uint32Array.from(isSteep ? steep : list);
        const { codes, lengths } = toCodes(optimalTable(frequencies));
        const seen = new Set<string>();
        for (const [symbol, weight] of frequencies.entries()) {
          const length = lengths[symbol] ?? 0;
          t.equal(length > 0, weight > 0);
          if (length === 0) continue;
          const bits = (codes[symbol] ?? 0).toString(2).padStart(length, '0');
          t.ok(length <= 16 && bits.includes('0'));
          for (let end = 1; end <= length; end += 1) t.notOk(seen.has(bits.slice(0, end)));
          seen.add(bits);
        }
      }),
      { numRuns: 60 },
    );
  },
);
