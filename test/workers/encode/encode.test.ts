import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import t from 'tap';
import { outputFormats } from '#language/formats.ts';
import { renderFormats } from '#wire/render-job.ts';
import { encode } from '../../../workers/encode/encode.ts';

/** A canvas of one colour, RGBA. */
function pixelsOf(widthPx: number, heightPx: number, rgba: number[]): Parameters<typeof encode>[0] {
  const data = new Uint8Array(widthPx * heightPx * 4);
  for (let index = 0; index < data.length; index += 1) data[index] = rgba[index % 4] ?? 0;
  return { data, widthPx, heightPx };
}

t.test('each format has its size, its kind and no profile', async (t) => {
  for (const format of renderFormats) {
    const bytes = await encode(pixelsOf(33, 17, [200, 30, 40, 255]), format, 80);
    const { width, height, format: kind, hasProfile } = await sharp(bytes).metadata();
    t.same({ width, height }, { width: 33, height: 17 });
    t.equal(kind === 'heif' ? 'avif' : kind, format);
    t.notOk(hasProfile);
  }
});

t.test('PNG and JPEG say 96 dots an inch', async (t) => {
  const png = Buffer.from(await encode(pixelsOf(4, 4, [1, 2, 3, 255]), 'png', 80));
  const chunk = png.indexOf('pHYs', 0, 'latin1');
  t.ok(chunk > 0, 'pHYs is there');
  // 96 dots an inch are 3779.5 a metre; the unit 1 is the metre.
  t.ok(Math.abs(png.readUInt32BE(chunk + 4) - 3779.5) < 1);
  t.ok(Math.abs(png.readUInt32BE(chunk + 8) - 3779.5) < 1);
  t.equal(png[chunk + 12], 1);
  const jpeg = Buffer.from(await encode(pixelsOf(4, 4, [1, 2, 3, 255]), 'jpeg', 80));
  const marker = jpeg.indexOf('JFIF\0', 0, 'latin1');
  t.ok(marker > 0, 'JFIF is there');
  t.equal(jpeg[marker + 7], 1, 'its unit is the inch');
  t.equal(jpeg.readUInt16BE(marker + 8), 96);
  t.equal(jpeg.readUInt16BE(marker + 10), 96);
});

t.test('PNG keeps every pixel, transparent ones too', async (t) => {
  const pixels = pixelsOf(3, 3, [200, 30, 40, 128]);
  const { data } = await sharp(await encode(pixels, 'png', 1))
    .raw()
    .toBuffer({ resolveWithObject: true });
  t.same([...data], [...pixels.data]);
});

t.test('PNG has a palette or no alpha where nothing is lost by that', async (t) => {
  const path = `${import.meta.dirname}/../../golden/images/photo.jpg`;
  const { data, info } = await sharp(await readFile(path))
    .resize(200, 160, { fit: 'fill' })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const photograph = { data: new Uint8Array(data), widthPx: info.width, heightPx: info.height };
  const gradient = pixelsOf(300, 200, [0, 0, 0, 255]);
  for (let pixel = 0; pixel < 300 * 200; pixel += 1) {
    gradient.data[pixel * 4] = (pixel % 300) >> 1;
    gradient.data[pixel * 4 + 1] = Math.floor(pixel / 300);
  }
  for (const [name, pixels, channels, isPalette] of [
    ['photograph', photograph, 3, false],
    ['gradient', gradient, 3, false],
    ['flat', pixelsOf(90, 70, [9, 80, 200, 255]), 3, true],
    ['transparent', pixelsOf(90, 70, [9, 80, 200, 90]), 4, true],
  ] as const) {
    const file = await encode(pixels, 'png', 80);
    const metadata = await sharp(file).metadata();
    t.same([metadata.channels, metadata.isPalette], [channels, isPalette], name);
    t.equal(metadata.density, 96);
    t.ok(
      (await sharp(file).ensureAlpha().raw().toBuffer()).equals(pixels.data),
      `${name} is exact`,
    );
  }
});

t.test('JPEG lies on white', async (t) => {
  const decode = async (rgba: number[]): Promise<number[]> => {
    const bytes = await encode(pixelsOf(16, 16, rgba), 'jpeg', 100);
    return [...(await sharp(bytes).raw().toBuffer()).subarray(0, 3)];
  };
  t.same(await decode([0, 0, 0, 0]), [255, 255, 255]);
  const [red = 0] = await decode([0, 0, 0, 128]);
  t.ok(Math.abs(red - 127) <= 2);
});

t.test('WebP and AVIF keep what is transparent', async (t) => {
  for (const format of ['webp', 'avif'] as const) {
    const bytes = await encode(pixelsOf(16, 16, [200, 30, 40, 0]), format, 90);
    const data = await sharp(bytes).ensureAlpha().raw().toBuffer();
    t.equal(data[3], 0, format);
  }
});

t.test('a lower quality makes a smaller file', async (t) => {
  const data = new Uint8Array(64 * 64 * 4);
  for (let index = 0; index < data.length; index += 1) data[index] = (index * 7919) % 256;
  const pixels = { data, widthPx: 64, heightPx: 64 };
  for (const format of renderFormats.filter((each) => !outputFormats[each].isLossless)) {
    const [low, high] = await Promise.all(
      [10, 95].map((quality) => encode(pixels, format, quality)),
    );
    t.ok((low?.length ?? 0) < (high?.length ?? 0) * 0.9, format);
  }
});

t.test('the bytes fill a buffer of their own, so that they can be transferred', async (t) => {
  const bytes = await encode(pixelsOf(2, 2, [0, 0, 0, 255]), 'png', 80);
  t.equal(bytes.byteLength, bytes.buffer.byteLength);
  structuredClone(bytes, { transfer: [bytes.buffer] });
  t.equal(bytes.byteLength, 0);
});
