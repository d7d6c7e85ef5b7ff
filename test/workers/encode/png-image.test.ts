/** A PNG in bands holds exactly the pixels that it was given, before and after regions were replaced. */
import { inflateSync } from 'node:zlib';
import sharp from 'sharp';
import fc from 'fast-check';
import t from 'tap';
import { extent } from '../../helpers/extent.ts';
import { createLiteralCode } from '../../../workers/encode/png/deflate.ts';
import {
  combineAdler,
  deflateBand,
  filterBand,
  repeatCoding,
} from '../../../workers/encode/png/bands.ts';
import { joinPng } from '../../../workers/encode/png/file.ts';
import { createPngImage } from '../../../workers/encode/png/image.ts';
import { stepPx } from '../../../workers/encode/png/splice.ts';
import type { Pixels } from '../../../workers/pixels.ts';
import { copyPatch, photograph, withPatches } from '../../helpers/patches.ts';
import type { PngColorType } from '../../../workers/encode/png/colors.ts';
import { bytesOf, encodeBands, encodeSmallest } from '../../../workers/encode/png/pixels.ts';

const decode = (file: Uint8Array): Promise<Buffer> => sharp(file).ensureAlpha().raw().toBuffer();

/** An image with a photograph above and flat graphics below, so that bands choose differently. */
async function photoOverFlag(widthPx: number, heightPx: number, alpha = 1): Promise<Pixels> {
  const { data: photo } = await photograph(widthPx, Math.ceil(heightPx / 2));
  const words = new Uint32Array(widthPx * heightPx).fill(0xff_c0_e9_ff);
  const data = new Uint8Array(words.buffer);
  data.set(photo);
  for (let at = 3; at < data.length; at += 4) data[at] = Math.round(255 * alpha);
  return { data, widthPx, heightPx };
}

/** Three flat colours, one of them transparent by `alpha`. */
function flag(widthPx: number, heightPx: number, alpha: number): Pixels {
  const words = new Uint32Array(widthPx * heightPx);
  for (let index = 0; index < words.length; index += 1) {
    const third = Math.floor(((index % widthPx) * 3) / widthPx);
    words[index] = [0xff2244aa, 0xffffffff, (alpha << 24) | 0x338811][third] ?? 0;
  }
  return { data: new Uint8Array(words.buffer), widthPx, heightPx };
}

t.test('a banded PNG holds exactly the pixels it was given, at 96 dpi', async (t) => {
  for (const pixels of [
    await photoOverFlag(300, 200),
    await photoOverFlag(301, 97, 0.5),
    await photoOverFlag(1, 1),
    await photoOverFlag(5, 33, 0.5),
    await photoOverFlag(640, 32),
    flag(90, 70, 255),
    flag(91, 33, 100),
  ]) {
    const { widthPx, heightPx } = pixels;
    const file = createPngImage(pixels).toFile([]);
    t.ok((await decode(file)).equals(pixels.data), `${widthPx}x${heightPx}`);
    t.equal((await sharp(file).metadata()).density, 96);
  }
});

t.test('replaced regions show the new pixels, and nothing else does', async (t) => {
  const kinds = [
    await photoOverFlag(120, 150),
    await photoOverFlag(1000, 40, 0.5),
    flag(120, 150, 255),
  ];
  for (const pixels of kinds) {
    const { widthPx, heightPx } = pixels;
    const image = createPngImage(withPatches(pixels, []));
    // Codes are found again at each step, and the pixel to the right reads a changed one.
    const column = fc.oneof(
      fc.nat(widthPx - 1),
      fc.integer({ min: 1, max: Math.floor(widthPx / stepPx) }).map((step) => step * stepPx - 1),
    );
    const property = fc.asyncProperty(
      fc.tuple(column, column),
      fc.tuple(fc.nat(heightPx - 1), fc.nat(heightPx - 1)),
      fc.constantFrom('noise', 'flat', 'clear'),
      async (xs, ys, kind) => {
        const [x, y] = [Math.min(...xs), Math.min(...ys)];
        const region = { x, y, width: Math.max(...xs) - x + 1, height: Math.max(...ys) - y + 1 };
        const patch = copyPatch(pixels, region);
        for (let index = 0; index < patch.pixels.data.length; index += 1) {
          const isAlpha = index % 4 === 3;
          const flat = isAlpha ? 255 : 70;
          const noise = isAlpha ? 255 : (index * 2_654_435_761) >>> 24;
          patch.pixels.data[index] = { noise, flat, clear: 9 }[kind] ?? 0;
        }
        const expected = withPatches(pixels, [patch]);
        t.ok((await decode(image.toFile([patch]))).equals(expected.data), kind);
      },
    );
    await fc.assert(property, { numRuns: extent(10, 40) });
    t.ok((await decode(image.toFile([]))).equals(pixels.data));
  }
});

/** An image of so many colours in stripes, opaque. */
function stripes(widthPx: number, heightPx: number, colors: number): Pixels {
  const words = new Uint32Array(widthPx * heightPx);
  for (let index = 0; index < words.length; index += 1) {
    words[index] = 0xff_00_40_00 | (Math.floor(index / 7) % colors);
  }
  return { data: new Uint8Array(words.buffer), widthPx, heightPx };
}

t.test('a palette may be full, and what one file brings to it is none of the next', async (t) => {
  const pixels = stripes(64, 64, 250);
  const image = createPngImage(withPatches(pixels, []));
  const isIndexed = async (file: Uint8Array): Promise<boolean> =>
    (await sharp(file).metadata()).isPalette;
  t.ok(await isIndexed(image.toFile([])), '250 colours');
  for (let reader = 0; reader < 4; reader += 1) {
    const patch = copyPatch(pixels, { x: 2, y: 2, width: 5, height: 1 });
    for (let pixel = 0; pixel < 5; pixel += 1)
      patch.pixels.data[pixel * 4 + 2] = reader * 50 + pixel;
    const file = image.toFile([patch]);
    t.ok(await isIndexed(file), `reader ${reader} has a palette of their own`);
    t.ok((await decode(file)).equals(withPatches(pixels, [patch]).data));
  }
  const noisy = copyPatch(pixels, { x: 0, y: 0, width: 20, height: 20 });
  for (const [index] of noisy.pixels.data.entries()) {
    if (index % 4 !== 3) noisy.pixels.data[index] = (index * 37) % 251;
  }
  for (const alpha of [255, 128]) {
    noisy.pixels.data[3] = alpha;
    const file = image.toFile([noisy]);
    t.equal((await sharp(file).metadata()).channels, alpha === 255 ? 3 : 4);
    const expected = withPatches(pixels, [noisy]);
    t.ok((await decode(file)).equals(expected.data), `alpha ${alpha}`);
    t.ok(await isIndexed(image.toFile([])), 'the base render keeps its palette');
  }
});

t.test('a flat logo in place of a photograph is about as small as libvips makes it', async (t) => {
  const photo = await photograph(800, 600);
  const image = createPngImage(withPatches(photo, []));
  const logo = flag(800, 600, 255);
  for (const region of [
    { x: 0, y: 0, width: 600, height: 600 },
    { x: 100, y: 60, width: 500, height: 400 },
  ]) {
    const patch = copyPatch(logo, region);
    const mixed = withPatches(photo, [patch]);
    const file = image.toFile([patch]);
    t.ok((await decode(file)).equals(mixed.data));
    const reference = await sharp(mixed.data, { raw: { width: 800, height: 600, channels: 4 } })
      .removeAlpha()
      .png({ compressionLevel: 6 })
      .toBuffer();
    t.ok(file.length < reference.length * 1.1, `${file.length} against ${reference.length}`);
  }
  t.notOk(image.pays([{ x: 0, y: 0, width: 800, height: 600 }]), 'all of it is drawn whole');
  t.ok(image.pays([{ x: 0, y: 0, width: 600, height: 600 }]));
});

/** The filter type of each row of an RGB file (PNG 3, 9.2). */
function filterTypes(file: Uint8Array, widthPx: number): number[] {
  const view = new DataView(file.buffer, file.byteOffset, file.length);
  const parts: Uint8Array[] = [];
  for (let at = 8; at < file.length; at += view.getUint32(at) + 12) {
    const type = Buffer.from(file.subarray(at + 4, at + 8)).toString('latin1');
    if (type === 'IDAT') parts.push(file.subarray(at + 8, at + 8 + view.getUint32(at)));
  }
  return [...inflateSync(Buffer.concat(parts))].filter((_, at) => at % (widthPx * 3 + 1) === 0);
}

t.test('flat graphics keep the coding of their band, whatever replaces them', async (t) => {
  const [widthPx, heightPx] = [64, 64];
  const noise = (number: number): number => {
    const mixed = Math.imul(number + 1, 2_654_435_761);
    return Math.imul(mixed ^ (mixed >>> 15), 2_246_822_519) >>> 8;
  };
  /** Rows of five patterns in no order: nothing is like what stands above. */
  const rows = new Uint32Array(widthPx * heightPx);
  /** Each row a shade lighter than the one above: nothing is like what stood before. */
  const shades = new Uint32Array(widthPx * heightPx);
  for (let at = 0; at < rows.length; at += 1) {
    const [x, y] = [at % widthPx, Math.floor(at / widthPx)];
    rows[at] = 0xff_00_00_00 | noise((noise(y) % 5) * 64 + x + 1);
    shades[at] = 0xff_00_00_00 | ((noise(x + 999) & 0x3f_3f_3f) + y * 0x01_01_01);
  }
  const toPixels = ({ buffer }: Uint32Array): Pixels => {
    return { data: new Uint8Array(buffer.slice(0)), widthPx, heightPx };
  };
  const patch = copyPatch(toPixels(shades), { x: 0, y: 0, width: 40, height: heightPx });
  const mixed = withPatches(toPixels(rows), [patch]);
  const image = createPngImage(toPixels(rows));
  const before = filterTypes(image.toFile([]), widthPx);
  const file = image.toFile([patch]);
  t.same(filterTypes(file, widthPx), before);
  t.ok((await decode(file)).equals(mixed.data));
  t.notSame(
    filterTypes(createPngImage(mixed).toFile([]), widthPx),
    before,
    'another would be taken again',
  );
});

t.test('every filter and way to deflate gives the pixels back', async (t) => {
  const { data } = await photoOverFlag(64, 64, 0.5);
  const rows = { data, stride: 256, pixelBytes: 4 };
  for (const filter of ['none', 'sub', 'up', 'paeth'] as const) {
    // Copies: the filtered bytes are the encoder's.
    const above = filterBand(rows, 0, 30, filter).slice();
    const below = filterBand(rows, 30, 64, filter).slice();
    // The codes of one band fit another, as they must when its pixels change.
    for (const coding of [
      { filter, level: 6 },
      { filter, code: createLiteralCode(above) },
      repeatCoding(filter, rows),
    ]) {
      const bands = [deflateBand(above, coding), deflateBand(below, coding)];
      const file = joinPng({ widthPx: 64, heightPx: 64, colorType: 'rgba' }, bands);
      t.ok((await decode(file)).equals(data), `${filter} ${Object.keys(coding).join()}`);
    }
  }
});

t.test('checksums of two stretches combine to that of both', async (t) => {
  const plain = (bytes: Uint8Array): number => {
    let [low, high] = [1, 0];
    for (const byte of bytes) {
      low = (low + byte) % 65_521;
      high = (high + low) % 65_521;
    }
    return high * 65_536 + low;
  };
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.uint8Array({ maxLength: 300 }), (a, b) => {
      const both = Uint8Array.of(...a, ...b);
      t.equal(combineAdler(plain(a), plain(b), b.length), plain(both));
    }),
  );
});

t.test('an image counts the forms that its files may need', async (t) => {
  const forms: PngColorType[] = ['palette', 'rgb', 'rgba'];
  const random = fc.sample(fc.array(fc.nat(0xff_ff_ff), { minLength: 200, maxLength: 200 }), 1);
  const colors = random[0] ?? [];
  const indices = fc.sample(fc.uint8Array({ minLength: 65_536, maxLength: 65_536 }), 1)[0];
  const noise = Uint32Array.from(
    indices ?? [],
    (index) => 0xff00_0000 | (colors[index % 200] ?? 0),
  );
  const flat = new Uint32Array(65_536).fill(0xff20_3040);
  for (const { data, widthPx, heightPx } of [
    await photograph(200, 120),
    { data: new Uint8Array(noise.buffer), widthPx: 256, heightPx: 256 },
    { data: new Uint8Array(flat.buffer), widthPx: 256, heightPx: 256 },
  ]) {
    const { rows, image: encoded } = encodeSmallest({ data: data.slice(), widthPx, heightPx });
    const wider = forms.slice(forms.indexOf(encoded.form) + 1);
    const held = wider.reduce(
      (sum, form) => sum + bytesOf(encodeBands(rows, form)),
      rows.data.length + bytesOf(encoded),
    );
    const { sizeBytes } = createPngImage({ data, widthPx, heightPx });
    t.ok(sizeBytes >= held, `${encoded.form}: ${sizeBytes} counted, ${held} held`);
  }
});
