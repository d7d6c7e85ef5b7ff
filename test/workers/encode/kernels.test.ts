/** The compiled loops are those of their source, and keep within their memory. */
import { existsSync, readFileSync } from 'node:fs';
import t from 'tap';
import { createPngImage } from '../../../workers/encode/png/image.ts';
import { heapBytesMax, kernels, reserve } from '../../../workers/encode/kernels.ts';
import { compileKernels, sourceDigest } from '../../../workers/encode/wasm/build.ts';
import { copyPatch, noise } from '../../helpers/patches.ts';
import { repository } from '../../helpers/render.ts';

const folder = `${repository}/workers/encode/wasm`;

t.test('the compiled kernels belong to their source', async (t) => {
  const recorded = readFileSync(`${folder}/kernels.sha256`, 'utf8').trim();
  t.equal(recorded, sourceDigest(), 'run "npm run build:wasm"');
});

const hasCompiler = existsSync(`${folder}/node_modules/assemblyscript`);
const skip = hasCompiler ? false : 'the compiler is not installed: npm run build:wasm installs it';

t.test('compiling the kernels again gives the same bytes', { skip }, async (t) => {
  const compiled = Buffer.from(await compileKernels());
  t.ok(compiled.equals(readFileSync(`${folder}/kernels.wasm`)));
});

t.test('memory stays within its bound for the widest and the highest images', async (t) => {
  for (const [width, height] of [
    [12_288, 40],
    [4, 12_288],
  ] as const) {
    const pixels = noise(width, height);
    pixels.data[3] = 128;
    const half = { x: 0, y: 0, width: Math.ceil(width * 0.48), height };
    const patch = copyPatch(pixels, half);
    t.ok(createPngImage(pixels).toFile([patch]).length > width * height);
    const heapBytes = kernels.memory.buffer.byteLength - kernels.heapStart();
    t.ok(heapBytes <= heapBytesMax, `${heapBytes} bytes at ${width} x ${height}`);
  }
  t.throws(() => reserve(heapBytesMax + 1), RangeError);
});
