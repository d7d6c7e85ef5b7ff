/** Deflate with repeats: zlib reads back whatever it is given, and it is as small as zlib on what it was made for. */
import { constants, deflateRawSync, inflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import t from 'tap';
import { extent } from '../../helpers/extent.ts';
import { kernels } from '../../../workers/encode/kernels.ts';
import { packRgb } from '../../../workers/encode/png/colors.ts';
import type { RepeatForm } from '../../../workers/encode/png/deflate.ts';
import { deflateRepeats, repeatBytesMax } from '../../../workers/encode/png/deflate.ts';
import { toRgb } from '../../../workers/pixels.ts';

const inflate = (bytes: Uint8Array): Buffer =>
  inflateRawSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH });

/** The same numbers for the same seed, from 0 to before 1. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

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
  fc.assert(
    fc.property(
      lengths,
      fc.nat(),
      orders,
      fc.constantFrom(1, 2, 256),
      forms,
      (length, seed, order, colors, form) => {
        const bytes = stretch(length, seed, order, colors);
        const deflated = deflateRepeats(bytes, form);
        return deflated.length <= repeatBytesMax(length) && inflate(deflated).equals(bytes);
      },
    ),
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

/** Rows of letters, as `none` leaves them: the same strokes again and again, with a few shades at their edges. */
function letters(rows: number, widthPx: number, pixelBytes: number): Uint8Array {
  const bytes = new Uint8Array(rows * (widthPx * pixelBytes + 1));
  for (let row = 0; row < rows; row += 1) {
    for (let x = 0; x < widthPx; x += 1) {
      const letter = Math.floor(x / 24) * 7;
      const [u, v] = [(x % 24) / 24 - 0.5, row / rows - 0.5];
      const edge = Math.abs(Math.hypot(u, v * (1 + (letter % 3) * 0.2)) - 0.3) * 30 - (letter % 4);
      const shade = Math.max(40, Math.min(250, Math.round(edge * 12) * 16));
      const at = row * (widthPx * pixelBytes + 1) + 1 + x * pixelBytes;
      for (let byte = 0; byte < pixelBytes; byte += 1)
        bytes[at + byte] = Math.max(0, shade - byte * 9);
    }
  }
  return bytes;
}

t.test('letters and plain ground are as small as by zlib at level 6', async (t) => {
  for (const pixelBytes of [1, 3, 4]) {
    const shortest = pixelBytes === 3 ? 3 : 4;
    for (const bytes of [
      letters(41, 800, pixelBytes),
      new Uint8Array(41 * (800 * pixelBytes + 1)),
    ]) {
      const deflated = deflateRepeats(bytes, {
        rowBytes: 800 * pixelBytes + 1,
        pixelBytes,
        shortest,
      });
      const options = { level: 6, memLevel: 9, finishFlush: constants.Z_SYNC_FLUSH };
      const reference = deflateRawSync(bytes, options).length;
      t.ok(
        deflated.length <= reference * 1.03,
        `${pixelBytes}: ${deflated.length} against ${reference}`,
      );
    }
  }
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
