/** A PNG in bands holds exactly the pixels that it was given, before and after bands were replaced. */
import sharp from 'sharp';
import fc from 'fast-check';
import t from 'tap';
import { combineAdler, encodePngBand, joinPng } from '../../../workers/encode/png-bands.ts';
import { createPngBands } from '../../../workers/encode/png-image.ts';
import { repository } from '../../helpers/render.ts';

const decode = (file: Uint8Array): Promise<Buffer> => sharp(file).raw().toBuffer();

/** A picture with a photograph above and flat graphics below, so that bands choose differently. */
async function picture(width: number, height: number, channels: 3 | 4): Promise<Buffer> {
  const photo = sharp(`${repository}/data/templates/pictures/coast.jpg`).resize(
    width,
    Math.ceil(height / 2),
    { fit: 'fill' },
  );
  const page = sharp({ create: { width, height, channels, background: '#ffe9c0' } }).composite([
    { input: await photo.png().toBuffer(), left: 0, top: 0 },
  ]);
  return channels === 3
    ? page.removeAlpha().raw().toBuffer()
    : page.ensureAlpha(0.5).raw().toBuffer();
}

t.test('a banded PNG holds exactly the pixels it was given, at 96 dpi', async (t) => {
  for (const [widthPx, heightPx, channels] of [
    [300, 200, 3],
    [301, 97, 4],
    [1, 1, 3],
    [5, 33, 4],
    [640, 32, 3],
  ] as const) {
    const data = await picture(widthPx, heightPx, channels);
    const file = createPngBands({ data, widthPx, heightPx, channels }).toFile(new Map());
    t.ok((await decode(file)).equals(data), `${widthPx}x${heightPx} with ${channels} channels`);
    t.equal((await sharp(file).metadata()).density, 96);
  }
});

t.test('replaced bands show the new pixels, and nothing else does', async (t) => {
  const data = await picture(120, 150, 3);
  const bands = createPngBands({ data, widthPx: 120, heightPx: 150, channels: 3 });
  const count = Math.ceil(150 / bands.bandRows);
  await fc.assert(
    fc.asyncProperty(fc.nat(count - 1), fc.infiniteStream(fc.nat(255)), async (band, noise) => {
      const top = band * bands.bandRows * 360;
      const bottom = Math.min(150, (band + 1) * bands.bandRows) * 360;
      const changed = Buffer.from(data);
      for (let index = top; index < bottom; index += 1) changed[index] = noise.next().value ?? 0;
      const encoded = await bands.encodeBands(changed.subarray(top, bottom), band);
      const file = bands.toFile(new Map(encoded.map((one, index) => [band + index, one])));
      t.ok((await decode(file)).equals(changed));
    }),
    { numRuns: 20 },
  );
  t.ok((await decode(bands.toFile(new Map()))).equals(data));
});

t.test('every filter and strategy gives the pixels back', async (t) => {
  const data = await picture(64, 64, 4);
  const pixels = { data, widthPx: 64, heightPx: 64, channels: 4 } as const;
  for (const filter of ['none', 'sub', 'up', 'paeth'] as const) {
    for (const huffmanOnly of [false, true]) {
      const coding = { filter, level: 6, huffmanOnly };
      const bands = [encodePngBand(pixels, 0, 30, coding), encodePngBand(pixels, 30, 64, coding)];
      t.ok((await decode(joinPng(pixels, bands))).equals(data), `${filter} ${huffmanOnly}`);
    }
  }
});

t.test('a PNG in bands is no larger than libvips makes it at level 6', async (t) => {
  const data = await picture(800, 600, 3);
  const pixels = { data, widthPx: 800, heightPx: 600, channels: 3 } as const;
  const reference = await sharp(data, { raw: { width: 800, height: 600, channels: 3 } })
    .png({ compressionLevel: 6 })
    .toBuffer();
  const size = createPngBands(pixels).toFile(new Map()).length;
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
