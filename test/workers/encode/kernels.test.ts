/** The compiled loops are those of their source, and give back what the plain ones would. */
import { existsSync, readFileSync } from 'node:fs';
import sharp from 'sharp';
import fc from 'fast-check';
import t from 'tap';
import { encodeBlocks } from '../../../workers/encode/jpeg-blocks.ts';
import { parseJpeg } from '../../../workers/encode/jpeg-file.ts';
import { readTokens } from '../../../workers/encode/jpeg-scan.ts';
import { compileKernels, sourceDigest } from '../../../workers/encode/wasm/build.ts';
import { chromaSubsampling } from '../../../workers/encode/jpeg-image.ts';
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

t.test('blocks have the coefficients that libjpeg-turbo gives them', async (t) => {
  const side = fc.integer({ min: 1, max: 70 });
  const look = fc.constantFrom('noise', 'gradient', 'edges');
  const property = fc.asyncProperty(
    side,
    side,
    fc.integer({ min: 1, max: 100 }),
    look,
    fc.nat(),
    async (width, height, quality, kind, seed) => {
      const rgba = new Uint8Array(width * height * 4);
      let state = seed;
      for (let index = 0; index < rgba.length; index += 1) {
        state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
        const random = state >>> 24;
        const value = {
          noise: random,
          gradient: (index + random / 16) & 255,
          edges: -(random & 1),
        };
        rgba[index] = index % 4 === 3 ? 255 : value[kind];
      }
      const bytes = await sharp(rgba, { raw: { width, height, channels: 4 } })
        .removeAlpha()
        .jpeg({ quality, chromaSubsampling: chromaSubsampling(quality), optimizeCoding: false })
        .toBuffer();
      const file = parseJpeg(bytes);
      const expected = readTokens(file);
      const tokens = encodeBlocks({ data: rgba, widthPx: width, heightPx: height }, file);
      t.ok(Buffer.from(tokens.tokens.buffer).equals(Buffer.from(expected.tokens.buffer)));
      t.strictSame([...tokens.mcuEnds], [...expected.mcuEnds]);
    },
  );
  await fc.assert(property, { numRuns: 150 });
});
