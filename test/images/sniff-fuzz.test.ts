/** Laws of the sniffer that hold for any bytes, however hostile. */
import * as fc from 'fast-check';
import t from 'tap';
import { extent } from '../helpers/extent.ts';
import {
  describeContent,
  readImageHeader,
  sniffFormat,
} from '../../src/images/sniff/sniff-image.ts';
import * as files from '../fixtures/images-files.ts';

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

t.test('damaged files never throw and never claim the impossible', async () => {
  fc.assert(fc.property(damagedFile, checkLaws), { numRuns: extent(3000, 20_000) });
});

t.test('every prefix of a file is read without a throw', async () => {
  for (const seed of seeds) {
    for (let length = 0; length <= seed.length; length++) checkLaws(seed.subarray(0, length));
  }
});

t.test('files made of the smallest parts cost milliseconds', async (t) => {
  const gif = 'GIF89a\x01\0\x01\0\0\0\0';
  const worst: [head: Uint8Array | string, part: string][] = [
    // Zero-length chunks, 12 bytes each.
    [files.pngOf({ widthPx: 1, heightPx: 1 }).subarray(0, 33), '\0'],
    ['\xff\xd8', '\xff\x01'],
    ['\xff\xd8', '\xff\x00'],
    ['RIFFxxxxWEBP', '\0'],
    [gif, '!\0\0'],
    [`${gif}!\0`, '\x01'],
  ];
  for (const [head, part] of worst) {
    const file = files.bytesOf(head, Buffer.alloc(10 * 1024 * 1024, part, 'latin1'));
    const start = process.cpuUsage();
    readImageHeader(file);
    // Some 30 ms of processor time at worst; the limit tells a walk from a quadratic search.
    t.ok(process.cpuUsage(start).user < 1_000_000, 'a bounded walk');
  }
});
