/** Huffman codes: optimal where they may be, within their limit, and readable for zlib. */
import { constants, inflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import t from 'tap';
import { codeLengths } from '../../../workers/encode/huffman-lengths.ts';
import { createLiteralCode, deflateLiterals } from '../../../workers/encode/png/deflate.ts';

const inflate = (bytes: Uint8Array): Buffer =>
  inflateRawSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH });

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

t.test('more frequent symbols never have longer codes', async () => {
  fc.assert(
    fc.property(frequencies, (counts) => {
      fc.pre(counts.filter((count) => count > 0).length >= 2);
      const lengths = [...codeLengths(counts, 15).entries()].filter(([, length]) => length > 0);
      const byCount = lengths.toSorted(([a], [b]) => (counts[a] ?? 0) - (counts[b] ?? 0));
      return byCount.every(([symbol, length], index) => {
        const [next = symbol, nextLength = length] = byCount[index + 1] ?? [];
        return counts[next] === counts[symbol] || nextLength <= length;
      });
    }),
  );
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
