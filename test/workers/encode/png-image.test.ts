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
import type { Pixels } from '../../../workers/pixels.ts';
import { copyPatch, putPatch } from '../../helpers/patches.ts';
import { repository } from '../../helpers/render.ts';

const decode = (file: Uint8Array): Promise<Buffer> => sharp(file).ensureAlpha().raw().toBuffer();

/** An image with a photograph above and flat graphics below, so that bands choose differently. */
async function photoOverFlag(widthPx: number, heightPx: number, alpha = 1): Promise<Pixels> {
  const photo = sharp(`${repository}/data/templates/pictures/coast.jpg`).resize(
    widthPx,
    Math.ceil(heightPx / 2),
    { fit: 'fill' },
  );
  const page = sharp({
    create: { width: widthPx, height: heightPx, channels: 3, background: '#ffe9c0' },
  }).composite([{ input: await photo.png().toBuffer(), left: 0, top: 0 }]);
  const data = await page.removeAlpha().ensureAlpha(alpha).raw().toBuffer();
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
  const [widthPx, heightPx] = [120, 150];
  const kinds = {
    photo: await photoOverFlag(widthPx, heightPx),
    flag: flag(widthPx, heightPx, 255),
  };
  for (const pixels of Object.values(kinds)) {
    const untouched = Uint8Array.from(pixels.data);
    const image = createPngImage(pixels);
    const property = fc.asyncProperty(
      fc.tuple(fc.nat(widthPx - 1), fc.nat(widthPx - 1)),
      fc.tuple(fc.nat(heightPx - 1), fc.nat(heightPx - 1)),
      fc.constantFrom('noise', 'flat', 'clear'),
      async (xs, ys, kind) => {
        const [x, y] = [Math.min(...xs), Math.min(...ys)];
        const region = { x, y, width: Math.max(...xs) - x + 1, height: Math.max(...ys) - y + 1 };
        const patch = copyPatch({ ...pixels, data: untouched }, region);
        for (let index = 0; index < patch.pixels.data.length; index += 1) {
          const isAlpha = index % 4 === 3;
          const flat = isAlpha ? 255 : 70;
          const noise = isAlpha ? 255 : (index * 2_654_435_761) >>> 24;
          patch.pixels.data[index] = { noise, flat, clear: 9 }[kind] ?? 0;
        }
        const expected = { ...pixels, data: Uint8Array.from(untouched) };
        putPatch(expected, patch);
        t.ok((await decode(image.toFile([patch]))).equals(expected.data), kind);
      },
    );
    await fc.assert(property, { numRuns: extent(10, 40) });
    t.ok((await decode(image.toFile([]))).equals(untouched));
  }
});

t.test('flat designs have a palette, which grows with new colours until it is full', async (t) => {
  const pixels = flag(64, 64, 255);
  const untouched = Uint8Array.from(pixels.data);
  const image = createPngImage(pixels);
  const isIndexed = async (file: Uint8Array): Promise<boolean> =>
    (await sharp(file).metadata()).isPalette;
  t.ok(await isIndexed(image.toFile([])));
  const region = { x: 3, y: 5, width: 40, height: 20 };
  const shades = copyPatch({ ...pixels, data: untouched }, region);
  for (const [index] of shades.pixels.data.entries()) {
    if (index % 4 === 0) shades.pixels.data[index] = (index / 4) % 100;
  }
  const few = image.toFile([shades]);
  t.ok(await isIndexed(few));
  for (const [index] of shades.pixels.data.entries()) {
    if (index % 4 === 1) shades.pixels.data[index] = (index >> 2) % 251;
  }
  const many = image.toFile([shades]);
  t.notOk(await isIndexed(many));
  const expected = { ...pixels, data: Uint8Array.from(untouched) };
  putPatch(expected, shades);
  t.ok((await decode(many)).equals(expected.data));
  t.ok((await decode(image.toFile([]))).equals(untouched));
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
  const untouched = Uint8Array.from(pixels.data);
  const image = createPngImage(pixels);
  const isIndexed = async (file: Uint8Array): Promise<boolean> =>
    (await sharp(file).metadata()).isPalette;
  t.ok(await isIndexed(image.toFile([])), '250 colours');
  for (let reader = 0; reader < 4; reader += 1) {
    const patch = copyPatch({ ...pixels, data: untouched }, { x: 2, y: 2, width: 5, height: 1 });
    for (let pixel = 0; pixel < 5; pixel += 1)
      patch.pixels.data[pixel * 4 + 2] = reader * 50 + pixel;
    const file = image.toFile([patch]);
    t.ok(await isIndexed(file), `reader ${reader} has a palette of their own`);
    const expected = { ...pixels, data: Uint8Array.from(untouched) };
    putPatch(expected, patch);
    t.ok((await decode(file)).equals(expected.data));
  }
  const noisy = copyPatch({ ...pixels, data: untouched }, { x: 0, y: 0, width: 20, height: 20 });
  for (const [index] of noisy.pixels.data.entries()) {
    if (index % 4 !== 3) noisy.pixels.data[index] = (index * 37) % 251;
  }
  for (const alpha of [255, 128]) {
    noisy.pixels.data[3] = alpha;
    const file = image.toFile([noisy]);
    t.equal((await sharp(file).metadata()).channels, alpha === 255 ? 3 : 4);
    const expected = { ...pixels, data: Uint8Array.from(untouched) };
    putPatch(expected, noisy);
    t.ok((await decode(file)).equals(expected.data), `alpha ${alpha}`);
    t.ok(await isIndexed(image.toFile([])), 'the base render keeps its palette');
  }
});

t.test('a flat logo in place of a photograph is about as small as libvips makes it', async (t) => {
  const photo = await sharp(`${repository}/data/templates/pictures/coast.jpg`)
    .resize(800, 600, { fit: 'fill' })
    .ensureAlpha()
    .raw()
    .toBuffer();
  const pixels = { data: new Uint8Array(photo), widthPx: 800, heightPx: 600 };
  const image = createPngImage({ ...pixels, data: pixels.data.slice() });
  const logo = flag(800, 600, 255);
  for (const region of [
    { x: 0, y: 0, width: 600, height: 600 },
    { x: 100, y: 60, width: 500, height: 400 },
  ]) {
    const patch = copyPatch(logo, region);
    const mixed = { ...pixels, data: pixels.data.slice() };
    putPatch(mixed, patch);
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

t.test(
  'flat graphics keep the coding of their band, however wide what replaces them',
  async (t) => {
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
    const mixed = toPixels(rows);
    putPatch(mixed, patch);
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
  },
);

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

t.test('a PNG in bands is no larger than libvips makes it at level 6', async (t) => {
  const pixels = await photoOverFlag(800, 600);
  const reference = await sharp(pixels.data, { raw: { width: 800, height: 600, channels: 4 } })
    .removeAlpha()
    .png({ compressionLevel: 6 })
    .toBuffer();
  const size = createPngImage(pixels).toFile([]).length;
  t.ok(size <= reference.length, `${size} against ${reference.length}`);
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
