/** Laws of the sniffer that hold for any bytes, however hostile. */
import * as fc from 'fast-check';
import t from 'tap';
import { extent } from '../helpers/extent.ts';
import { ByteView } from '../../src/images/sniff/header.ts';
import {
  describeContent,
  readImageHeader,
  sniffFormat,
} from '../../src/images/sniff/sniff-image.ts';
import { readBrands } from '../../src/images/sniff/avif.ts';
import * as files from '../fixtures/images-files.ts';

const runs = { numRuns: extent(1000, 5000) };
const side = fc.integer({ min: 1, max: 16_383 });

/** One well-formed file of every format. */
const seeds = [
  files.pngOf({ widthPx: 40, heightPx: 30, exif: files.exifOf(6), frames: 2 }),
  files.jpegOf({ widthPx: 40, heightPx: 30, exif: files.exifOf(6) }),
  files.webpOf({ widthPx: 40, heightPx: 30, frames: 2, exif: files.exifOf(3) }),
  files.gifOf([40, 30], [[0, 0, 40, 30]]),
  files.tiffOf({ widthPx: 40, heightPx: 30, pages: 2 }),
  files.bmpOf(4, 3),
  files.icoOf([files.pngOf({ widthPx: 16, heightPx: 16 })]),
  files.avifOf({ widthPx: 40, heightPx: 30 }),
];

/** Well-formed files with some bytes changed, cut at any position, and sometimes longer. */
const damagedFile = fc
  .tuple(
    fc.constantFrom(...seeds),
    fc.array(fc.tuple(fc.nat(400), fc.integer({ min: 0, max: 255 })), { maxLength: 12 }),
    fc.nat(400),
    fc.uint8Array({ maxLength: 16 }),
  )
  .map(([seed, changes, cut, tail]) => {
    const bytes = Buffer.concat([seed.subarray(0, Math.max(12, seed.length - cut)), tail]);
    for (const [at, value] of changes) bytes[at % bytes.length] = value;
    return bytes;
  });

function checkLaws(bytes: Uint8Array): void {
  const header = readImageHeader(bytes);
  describeContent(bytes);
  if (header === undefined) return;
  const { widthPx, heightPx, orientation, frames, bitDepth, channels, format } = header;
  // Whole, at least 1, and not over what the format itself can say.
  const sideMax = { jpeg: 65_535, webp: 2 ** 24, gif: 131_070, bmp: 2 ** 31 }[format as 'jpeg'];
  for (const value of [widthPx, heightPx]) {
    if (!Number.isInteger(value) || value < 1 || value > (sideMax ?? 2 ** 32 - 1))
      throw new Error(`side ${value} of ${format}`);
  }
  if (orientation < 1 || orientation > 8) throw new Error(`orientation ${orientation}`);
  // Each image takes a byte at least: a count over that would be claimed, not counted.
  if (frames < 1 || frames > bytes.byteLength) throw new Error(`${frames} frames`);
  if (bitDepth < 1 || channels < 1) throw new Error(`${bitDepth} bits, ${channels} channels`);
  if (sniffFormat(bytes) !== format) throw new Error('two formats');
}

t.test('arbitrary bytes never throw and never claim the impossible', (t) => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 600 }), checkLaws), runs);
  t.end();
});

t.test('bytes behind a known signature never throw and never claim the impossible', (t) => {
  const signature = fc.constantFrom(...seeds.map((seed) => seed.subarray(0, 12)));
  fc.assert(
    fc.property(signature, fc.uint8Array({ maxLength: 600 }), (start, rest) =>
      checkLaws(Buffer.concat([start, rest])),
    ),
    runs,
  );
  t.end();
});

t.test('damaged files never throw and never claim the impossible', (t) => {
  fc.assert(fc.property(damagedFile, checkLaws), { numRuns: extent(3000, 20_000) });
  t.end();
});

t.test('every prefix of a file is read without a throw', (t) => {
  for (const seed of seeds) {
    for (let length = 0; length <= seed.length; length++) checkLaws(seed.subarray(0, length));
  }
  t.end();
});

t.test('the sizes that a header states are the sizes read', (t) => {
  fc.assert(
    fc.property(side, side, (widthPx, heightPx) => {
      const made = [
        files.pngOf({ widthPx, heightPx }),
        files.jpegOf({ widthPx, heightPx }),
        files.webpOf({ widthPx, heightPx }),
        files.gifOf([widthPx, heightPx], [[0, 0, 1, 1]]),
        files.tiffOf({ widthPx, heightPx }),
        files.avifOf({ widthPx, heightPx }),
      ];
      return made.every((bytes) => {
        const header = readImageHeader(bytes);
        return header?.widthPx === widthPx && header.heightPx === heightPx;
      });
    }),
    { numRuns: 300 },
  );
  t.end();
});

t.test('files made of the smallest parts cost milliseconds', (t) => {
  const bytes = 10 * 1024 * 1024;
  const worst = [
    // Zero-length chunks, 12 bytes each.
    Buffer.concat([files.pngOf({ widthPx: 1, heightPx: 1 }).subarray(0, 33), Buffer.alloc(bytes)]),
    Buffer.concat([Buffer.from('\xff\xd8', 'latin1'), Buffer.alloc(bytes, '\xff\x01', 'latin1')]),
    Buffer.concat([Buffer.from('\xff\xd8', 'latin1'), Buffer.alloc(bytes, '\xff\x00', 'latin1')]),
    Buffer.concat([Buffer.from('RIFFxxxxWEBP'), Buffer.alloc(bytes)]),
    Buffer.concat([
      Buffer.from('GIF89a\x01\0\x01\0\0\0\0', 'latin1'),
      Buffer.alloc(bytes, '!\0\0'),
    ]),
    Buffer.concat([Buffer.from('GIF89a\x01\0\x01\0\0\0\0!\0', 'latin1'), Buffer.alloc(bytes, 1)]),
  ];
  for (const file of worst) {
    const start = process.cpuUsage();
    readImageHeader(file);
    // Some 30 ms of processor time at worst; the limit tells a walk from a quadratic search.
    t.ok(process.cpuUsage(start).user < 1_000_000, 'a bounded walk');
  }
  t.end();
});

t.test('reads outside of the bytes give nothing', (t) => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 8 }), fc.integer({ min: -20, max: 20 }), (bytes, at) => {
      const view = new ByteView(bytes);
      const inside = (length: number): boolean => at >= 0 && at + length <= bytes.byteLength;
      const reads: [number, number][] = [
        [1, view.u8(at)],
        [2, view.u16(at)],
        [3, view.u24(at, true)],
        [4, view.u32(at)],
        [4, view.i32(at, true)],
      ];
      return reads.every(([length, value]) => inside(length) || value === 0);
    }),
    runs,
  );
  t.strictSame(readBrands(new ByteView(new Uint8Array(3))), []);
  t.end();
});
