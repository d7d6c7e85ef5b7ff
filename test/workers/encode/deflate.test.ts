/** Deflate: zlib reads back whatever it is given, codes keep their limit, and repeats are as small as by zlib. */
import { constants, inflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import t from 'tap';
import { createRandom } from '../../../bench/stages/random-text.ts';
import { extent } from '../../helpers/extent.ts';
import { kernels } from '../../../workers/encode/kernels.ts';
import { packRgb } from '../../../workers/encode/png/colors.ts';
import type { RepeatForm } from '../../../workers/encode/png/deflate.ts';
import {
  deflateRepeats,
  repeatBytesMax,
  createLiteralCode,
  deflateLiterals,
} from '../../../workers/encode/png/deflate.ts';
import { toRgb } from '../../../workers/pixels.ts';
import { codeLengths } from '../../../workers/encode/huffman-lengths.ts';

const inflate = (bytes: Uint8Array): Buffer =>
  inflateRawSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH });

/** So many bytes of one kind: runs and copies of earlier ones with noise between them, in the share `order`. */
function stretch(length: number, seed: number, order: number, colors: number): Uint8Array {
  const random = createRandom(seed);
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length;) {
    const run = 1 + Math.floor(random() ** 3 * 700);
    if (random() < order) {
      const back = 1 + Math.floor(random() ** 2 * Math.min(at, 40_000));
      for (const end = Math.min(length, at + run); at < end; at += 1) {
        bytes[at] = bytes[at - back] ?? 7;
      }
    } else {
      bytes[at] = Math.floor(random() * colors);
      at += 1;
    }
  }
  return bytes;
}

const forms = fc.record({
  rowBytes: fc.constantFrom(2, 5, 301, 2401, 32_767, 32_768, 32_769, 100_000),
  pixelBytes: fc.constantFrom(1, 3, 4),
  shortest: fc.constantFrom(3 as const, 4 as const),
});

t.test('zlib reads back what is deflated', async () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 600 }), forms, (bytes, form) =>
      inflate(deflateRepeats(bytes, form)).equals(bytes),
    ),
    { numRuns: extent(75, 300) },
  );
  const lengths = fc.oneof(fc.nat(2000), fc.integer({ min: 30_000, max: 180_000 }));
  const orders = fc.constantFrom(0, 0.02, 0.5, 1);
  const stretches = fc
    .tuple(lengths, fc.nat(), orders, fc.constantFrom(1, 2, 256))
    .map((each) => stretch(...each));
  fc.assert(
    fc.property(stretches, forms, (bytes, form) => {
      const deflated = deflateRepeats(bytes, form);
      return deflated.length <= repeatBytesMax(bytes.length) && inflate(deflated).equals(bytes);
    }),
    { numRuns: extent(40, 150) },
  );
});

t.test('what stands in memory around the bytes changes nothing', async (t) => {
  const bytes = stretch(5000, 3, 0.5, 256);
  const form: RepeatForm = { rowBytes: 301, pixelBytes: 3, shortest: 3 };
  const first = Uint8Array.from(deflateRepeats(bytes, form));
  new Uint8Array(kernels.memory.buffer, kernels.heapStart()).fill(bytes[4999] ?? 0);
  t.same(deflateRepeats(bytes, form), first);
});

t.test('pixels lose their alpha exactly when none is transparent', async () => {
  const counts = fc.oneof(fc.nat(40), fc.constantFrom(16_383, 16_384, 16_385, 40_001));
  fc.assert(
    fc.property(counts, fc.nat(), fc.option(fc.nat()), (count, seed, hole) => {
      const random = createRandom(seed);
      const rgba = Uint8Array.from({ length: count * 4 }, (_, index) =>
        index % 4 === 3 ? 255 : Math.floor(random() * 256),
      );
      if (hole === null || count === 0) {
        const packed = packRgb(rgba);
        return packed !== undefined && Buffer.from(packed).equals(toRgb(rgba));
      }
      rgba[(hole % count) * 4 + 3] = hole % 255;
      return packRgb(rgba) === undefined;
    }),
    { numRuns: extent(50, 200) },
  );
});

const frequencies = fc.array(
  fc.nat(40).map((bits) => Math.floor(2 ** bits) - 1),
  { minLength: 2, maxLength: 257 },
);

t.test('lengths fill the code space exactly and keep their limit', async (t) => {
  fc.assert(
    fc.property(frequencies, fc.constantFrom(9, 12, 15, 16), (counts, lengthMax) => {
      fc.pre(counts.filter((count) => count > 0).length >= 2);
      const lengths = codeLengths(counts, lengthMax);
      let space = 0;
      for (const [symbol, length] of lengths.entries()) {
        if ((length === 0) !== (counts[symbol] === 0)) return false;
        if (length > lengthMax) return false;
        if (length > 0) space += 2 ** -length;
      }
      return space === 1;
    }),
    { numRuns: 300 },
  );
  t.same([...codeLengths([1, 1, 2, 4, 0], 15)], [3, 3, 2, 1, 0]);
  t.same([...codeLengths([1, 2, 4, 8, 16], 3)], [3, 3, 3, 3, 1]);
});

t.test('zlib reads back what is deflated, also in the codes of other bytes', async (t) => {
  const bytes = fc.uint8Array({ maxLength: 3000 });
  fc.assert(
    fc.property(bytes, bytes, (first, other) => {
      const code = createLiteralCode(first);
      return (
        inflate(deflateLiterals(first, code)).equals(first) &&
        inflate(deflateLiterals(other, code)).equals(other)
      );
    }),
  );
  const rare = Uint8Array.from({ length: 200_000 }, (_, index) => (index % 1000 === 0 ? index : 7));
  const swapped = rare.map((byte) => byte ^ 0x55);
  const code = createLiteralCode(rare);
  t.ok(inflate(deflateLiterals(swapped, code)).equals(swapped), 'the longest codes only');
});
