/** The compiled loops are those of their source, and give back what the plain ones would. */
import { existsSync, readFileSync } from 'node:fs';
import sharp from 'sharp';
import fc from 'fast-check';
import t from 'tap';
import { createPngImage } from '../../../workers/encode/png/image.ts';
import { heapBytesMax, kernels, reserve } from '../../../workers/encode/kernels.ts';
import { encodeBlocks } from '../../../workers/encode/jpeg/blocks.ts';
import { parseJpeg } from '../../../workers/encode/jpeg/file.ts';
import type { JpegFile } from '../../../workers/encode/jpeg/file.ts';
import { readTokens } from '../../helpers/jpeg-reader.ts';
import { compileKernels, sourceDigest } from '../../../workers/encode/wasm/build.ts';
import type { Pixels } from '../../../workers/pixels.ts';
import { copyPatch } from '../../helpers/patches.ts';
import { repository } from '../../helpers/render.ts';

const folder = `${repository}/workers/encode/wasm`;

t.test('the compiled kernels belong to their source', (t) => {
  const recorded = readFileSync(`${folder}/kernels.sha256`, 'utf8').trim();
  t.equal(recorded, sourceDigest(), 'run "npm run build:wasm"');
  t.end();
});

const hasCompiler = existsSync(`${folder}/node_modules/assemblyscript`);
const skip = hasCompiler ? false : 'the compiler is not installed: npm run build:wasm installs it';

t.test('compiling the kernels again gives the same bytes', { skip }, async (t) => {
  const compiled = Buffer.from(await compileKernels());
  t.ok(compiled.equals(readFileSync(`${folder}/kernels.wasm`)));
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

async function byLibjpeg(pixels: Pixels, quality: number): Promise<JpegFile> {
  const { data, widthPx: width, heightPx: height } = pixels;
  const bytes = await sharp(data, { raw: { width, height, channels: 4 } })
    .removeAlpha()
    .jpeg({
      quality,
      chromaSubsampling: quality % 2 === 1 ? '4:4:4' : '4:2:0',
      optimizeCoding: false,
    })
    .toBuffer();
  return parseJpeg(bytes);
}

t.test('blocks have the coefficients that libjpeg-turbo gives them', async (t) => {
  const side = fc.integer({ min: 1, max: 70 });
  const look = fc.constantFrom<Look>('noise', 'gradient', 'edges');
  const property = fc.asyncProperty(
    side,
    side,
    fc.integer({ min: 1, max: 100 }),
    look,
    fc.nat(),
    async (width, height, quality, kind, seed) => {
      const pixels = drawn(width, height, kind, seed);
      const file = await byLibjpeg(pixels, quality);
      const expected = readTokens(file);
      const [tokens, ...others] = encodeBlocks(pixels, file);
      t.equal(others.length, 0, 'a small image is one strip');
      t.strictSame(tokens, expected);
    },
  );
  await fc.assert(property, { numRuns: 150 });
});

t.test('a large image is coded in strips, which together are what one would be', async (t) => {
  for (const [width, height, quality] of [
    [997, 331, 60],
    [801, 409, 95],
    [4096, 70, 85],
    [12_288, 50, 50],
    [12_288, 19, 100],
  ] as const) {
    const pixels = drawn(width, height, 'gradient', 1);
    const file = await byLibjpeg(pixels, quality);
    const expected = readTokens(file);
    const strips = encodeBlocks(pixels, file);
    t.ok(strips.length > 1, `${width} x ${height} in ${strips.length} strips`);
    const joined = Buffer.concat(strips.map(({ tokens }) => new Uint8Array(tokens.buffer)));
    t.ok(joined.equals(new Uint8Array(expected.tokens.buffer)));
    let before = 0;
    const mcuEnds = strips.flatMap((strip) => {
      const ends = [...strip.mcuEnds].map((end) => end + before);
      before += strip.tokens.length;
      return ends;
    });
    t.strictSame(mcuEnds, [...expected.mcuEnds]);
  }
});

t.test('memory stays within its bound for the widest and the highest images', (t) => {
  for (const [width, height] of [
    [12_288, 40],
    [4, 12_288],
  ] as const) {
    const pixels = drawn(width, height, 'noise', 1);
    pixels.data[3] = 128;
    const half = { x: 0, y: 0, width: Math.ceil(width * 0.48), height };
    const patch = copyPatch(pixels, half);
    t.ok(createPngImage(pixels).toFile([patch]).length > width * height);
    const heapBytes = kernels.memory.buffer.byteLength - kernels.heapStart();
    t.ok(heapBytes <= heapBytesMax, `${heapBytes} bytes at ${width} x ${height}`);
  }
  t.throws(() => reserve(heapBytesMax + 1), RangeError);
  t.end();
});
