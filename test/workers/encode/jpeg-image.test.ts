/** A JPEG in bands decodes like the whole encode, before and after regions were replaced. */
import sharp from 'sharp';
import fc from 'fast-check';
import type { Test } from 'tap';
import t from 'tap';
import { extent } from '../../helpers/extent.ts';
import type { BandedImage, PixelPatch } from '../../../workers/encode/banded-image.ts';
import { optimalTable, toCodes } from '../../../workers/encode/jpeg/huffman.ts';
import { createJpegImage } from '../../../workers/encode/jpeg/image.ts';
import { kernels } from '../../../workers/encode/kernels.ts';
import type { Chroma } from '../../../workers/encode/jpeg/head.ts';
import type { Pixels } from '../../../workers/pixels.ts';
import { copyPatch, photograph, withPatches } from '../../helpers/patches.ts';

/** What the kernels hold themselves, and 2 MiB for a strip of a patch. */
const kernelBytesMax = 3 * 1024 * 1024;

/** Odd qualities and those from 90 on keep full colour here, so that both resolutions meet low and high qualities. */
function chromaFor(quality: number): Chroma {
  return quality >= 90 || quality % 2 === 1 ? '4:4:4' : '4:2:0';
}

function bandedImage(pixels: Pixels, quality: number): Promise<BandedImage> {
  return createJpegImage(pixels, quality, chromaFor(quality));
}

function whole(
  { data, widthPx: width, heightPx: height }: Pixels,
  quality: number,
  optimizeCoding: boolean,
): Promise<Buffer> {
  return sharp(data, { raw: { width, height, channels: 4 } })
    .removeAlpha()
    .jpeg({ quality, chromaSubsampling: chromaFor(quality), optimizeCoding })
    .toBuffer();
}

const decode = (file: Uint8Array): Promise<Buffer> =>
  sharp(file, { failOn: 'warning' }).raw().toBuffer();

t.test('a banded JPEG decodes like the whole encode, at any size and quality', async (t) => {
  for (const [width, height, quality] of [
    [600, 315, 85],
    [601, 333, 40],
    [17, 5, 95],
    [1, 1, 100],
    [333, 48, 90],
    [16, 1000, 1],
  ] as const) {
    const image = await photograph(width, height);
    const file = (await bandedImage(image, quality)).toFile([]);
    const expected = await decode(await whole(image, quality, true));
    t.ok((await decode(file)).equals(expected), `${width}x${height} at quality ${quality}`);
    t.equal((await sharp(file).metadata()).density, 96);
  }
});

/** Compares the image with patches from `other` to the whole encode of the mixed image. */
async function checkPatched(
  t: Test,
  image: BandedImage,
  one: Pixels,
  patches: PixelPatch[],
  quality: number,
): Promise<void> {
  const expected = await decode(await whole(withPatches(one, patches), quality, false));
  t.ok((await decode(image.toFile(patches))).equals(expected));
}

t.test('replaced regions show the other image, and nothing else does', async (t) => {
  const one = await photograph(333, 207);
  const other = await photograph(333, 207, 400);
  for (const quality of [70, 71, 92]) {
    const image = await bandedImage(one, quality);
    const { blockPx } = image;
    t.equal(blockPx, quality === 70 ? 16 : 8);
    const [columns, rows] = [Math.ceil(333 / blockPx), Math.ceil(207 / blockPx)];
    const [column, row] = [fc.nat(columns - 1), fc.nat(rows - 1)];
    const property = fc.asyncProperty(column, column, row, row, async (a, b, c, d) => {
      const [x, y] = [Math.min(a, b) * blockPx, Math.min(c, d) * blockPx];
      const right = Math.min(333, (Math.max(a, b) + 1) * blockPx);
      const bottom = Math.min(207, (Math.max(c, d) + 1) * blockPx);
      const patch = copyPatch(other, { x, y, width: right - x, height: bottom - y });
      await checkPatched(t, image, one, [patch], quality);
    });
    await fc.assert(property, { numRuns: extent(10, 40) });
    const side = 2 * blockPx;
    const regions = [
      { x: 4 * side, y: side, width: side, height: 3 * side },
      { x: 0, y: 2 * side, width: side, height: side },
      { x: 0, y: 0, width: 333, height: blockPx },
    ];
    const patches = regions.map((region) => copyPatch(other, region));
    for (const each of [patches, []]) await checkPatched(t, image, one, each, quality);
  }
});

t.test('a progressive image with replaced regions is the image drawn whole', async (t) => {
  for (const [width, height, quality] of [
    [333, 207, 85],
    [600, 315, 20],
    [17, 5, 60],
    [1, 1, 85],
  ] as const) {
    const one = await photograph(width, height);
    const other = await photograph(width, height, 400);
    const flat = page(width, height);
    const image = await createJpegImage(one, quality, '4:4:4-even');
    const right = Math.min(width, 96);
    const bottom = Math.min(height, 64);
    for (const source of [other, flat]) {
      for (const region of [
        { x: 0, y: 0, width: right, height: bottom },
        { x: 0, y: 0, width, height },
      ]) {
        const patch = copyPatch(source, region);
        const file = image.toFile([patch]);
        const mixed = await createJpegImage(withPatches(one, [patch]), quality, '4:4:4-even');
        const expected = mixed.toFile([]);
        const label = `${width}x${height}, ${region.width}x${region.height} replaced`;
        t.ok((await decode(file)).equals(await decode(expected)), label);
        const { isProgressive, chromaSubsampling, density } = await sharp(file).metadata();
        t.same([isProgressive, chromaSubsampling, density], [true, '4:4:4', 96]);
      }
    }
  }
});

t.test('a progressive image holds the coefficients of the baseline one', async (t) => {
  // At quality 100 every step of both is 1.
  for (const [width, height] of [
    [333, 207],
    [8, 40],
  ] as const) {
    for (const image of [await photograph(width, height), page(width, height)]) {
      const progressive = (await createJpegImage(image, 100, '4:4:4-even')).toFile([]);
      const baseline = await whole(image, 100, false);
      t.ok((await decode(progressive)).equals(await decode(baseline)), `${width}x${height}`);
    }
  }
});

/** A flat page, as a placeholder for a photograph. */
function page(widthPx: number, heightPx: number): Pixels {
  const words = new Uint32Array(widthPx * heightPx);
  for (let index = 0; index < words.length; index += 1) {
    words[index] = (index % widthPx) % 97 < 3 ? 0xff_33_22_11 : 0xff_f0_f4_ec;
  }
  return { data: new Uint8Array(words.buffer), widthPx, heightPx };
}

t.test('a photograph over a placeholder takes hardly more than standard tables', async (t) => {
  const photo = await photograph(1200, 630);
  const flat = page(1200, 630);
  for (const [one, other] of [
    [flat, photo],
    [photo, flat],
  ] as const) {
    for (const region of [
      { x: 0, y: 0, width: 720, height: 630 },
      { x: 64, y: 64, width: 320, height: 320 },
      { x: 800, y: 96, width: 208, height: 208 },
    ]) {
      const image = await bandedImage(one, 85);
      const patch = copyPatch(other, region);
      const mixed = withPatches(one, [patch]);
      const standard = await whole(mixed, 85, false);
      const file = image.toFile([patch]);
      t.ok(file.length < standard.length * 1.03, `${file.length} against ${standard.length}`);
      // The tables are those of the symbols that are left, not of what was replaced.
      const optimised = await whole(mixed, 85, true);
      t.ok(file.length < optimised.length * 1.09, `${file.length} against ${optimised.length}`);
      t.ok((await decode(file)).equals(await decode(standard)));
      t.ok((await decode(image.toFile([]))).equals(await decode(await whole(one, 85, false))));
    }
  }
});

t.test('a patch of ten million pixels takes no more memory of the kernels', async (t) => {
  const one = page(4096, 2432);
  const other = await photograph(4096, 2432);
  const patch = copyPatch(other, { x: 0, y: 16, width: 4096, height: 2400 });
  for (const quality of [85, 95]) {
    await checkPatched(t, await bandedImage(one, quality), one, [patch], quality);
    const memoryBytes = kernels.memory.buffer.byteLength;
    t.ok(memoryBytes < kernelBytesMax, `${memoryBytes} bytes at quality ${quality}`);
  }
});

t.test('optimal Huffman codes are prefix-free, of 16 bits at most, never all ones', async (t) => {
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
    { numRuns: extent(20, 60) },
  );
});

type Look = 'noise' | 'gradient' | 'edges';

function drawn(widthPx: number, heightPx: number, look: Look, seed: number): Pixels {
  const data = new Uint8Array(widthPx * heightPx * 4);
  let state = seed;
  for (let index = 0; index < data.length; index += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const random = state >>> 24;
    const value = {
      noise: random,
      gradient: (index + random / 16) & 255,
      edges: -(random & 1),
    };
    data[index] = index % 4 === 3 ? 255 : value[look];
  }
  return { data, widthPx, heightPx };
}

// After the test of memory: the widest image takes the most.
t.test('any drawing decodes like the whole encode, in one strip and in several', async (t) => {
  const check = async (pixels: Pixels, quality: number): Promise<boolean> => {
    const file = (await bandedImage(pixels, quality)).toFile([]);
    return (await decode(file)).equals(await decode(await whole(pixels, quality, false)));
  };
  const side = fc.integer({ min: 1, max: 70 });
  const look = fc.constantFrom<Look>('noise', 'gradient', 'edges');
  const anyQuality = fc.integer({ min: 1, max: 100 });
  const drawing = fc.tuple(side, side, look, fc.nat()).map((each) => drawn(...each));
  const property = fc.asyncProperty(drawing, anyQuality, check);
  await fc.assert(property, { numRuns: 150 });
  for (const [width, height, quality] of [
    [997, 331, 60],
    [801, 409, 95],
    [4096, 70, 85],
    [12_288, 50, 50],
    [12_288, 19, 100],
  ] as const) {
    t.ok(await check(drawn(width, height, 'gradient', 1), quality), `${width} x ${height}`);
  }
});
