import sharp from 'sharp';
import t from 'tap';
import { outputFormats } from '#language/formats.ts';
import { renderFormats } from '#wire/render-job.ts';
import { meanDifference } from '../../helpers/color-difference.ts';
import { noise, photograph } from '../../helpers/patches.ts';
import { decodePixels } from '../../helpers/render.ts';
import { encode } from '../../../workers/encode/encode.ts';
import { templateLimits } from '#language/limits/template-limits.ts';
import { mustHurry } from '../../../workers/encode/limit.ts';
import { endWork, startWork, TooSlowError } from '../../../workers/work-limit.ts';

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

t.test('PNG has a palette or no alpha where nothing is lost by that', async (t) => {
  const gradient = pixelsOf(300, 200, [0, 0, 0, 255]);
  for (let pixel = 0; pixel < 300 * 200; pixel += 1) {
    gradient.data[pixel * 4] = (pixel % 300) >> 1;
    gradient.data[pixel * 4 + 1] = Math.floor(pixel / 300);
  }
  for (const [name, pixels, channels, isPalette] of [
    ['photograph', await photograph(200, 160), 3, false],
    ['gradient', gradient, 3, false],
    ['flat', pixelsOf(90, 70, [9, 80, 200, 255]), 3, true],
    ['transparent', pixelsOf(90, 70, [9, 80, 200, 90]), 4, true],
  ] as const) {
    const file = await encode(pixels, 'png', 80);
    const metadata = await sharp(file).metadata();
    t.same([metadata.channels, metadata.isPalette], [channels, isPalette], name);
    t.equal(metadata.density, 96);
    const data = await sharp(file).ensureAlpha().raw().toBuffer();
    t.ok(data.equals(pixels.data), `${name} is exact`);
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
  const pixels = noise(64, 64);
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

t.afterEach(() => endWork());

/** No content is more expensive. */
const expensive = noise(2000, 2000);

/** Whether a WebP hurries in a render that has taken this time. */
function hurriesAfter(spentMs: number): boolean | 'refused' {
  startWork({ spentMs });
  try {
    return mustHurry(expensive, 'webp', 82);
  } catch (error) {
    if (error instanceof TooSlowError) return 'refused';
    throw error;
  }
}

t.test('the less time is left, the more a WebP hurries, until it is refused', async (t) => {
  const course = Array.from({ length: 40 }, (_, step) =>
    hurriesAfter((templateLimits.renderMsMax * step) / 40),
  );
  const changes = course.filter((answer, index) => answer !== course[index - 1]);
  t.same(changes, [false, true, 'refused']);
});

t.test('other formats have one effort', async (t) => {
  startWork({ spentMs: templateLimits.renderMsMax - 300 });
  t.throws(() => mustHurry(expensive, 'avif', 80), TooSlowError);
  startWork();
  t.equal(mustHurry({ ...expensive, heightPx: 100 }, 'jpeg', 80), false);
});

t.test('a hurried WebP has the same size and nearly the same pixels', async (t) => {
  const image = await photograph(400, 300);
  const [usual, hurried] = await Promise.all(
    [false, true].map((isHurried) =>
      encode({ ...image, data: image.data.slice() }, 'webp', 82, '4:2:0', isHurried),
    ),
  );
  t.not(usual?.length, hurried?.length);
  const { data, width, height } = await decodePixels(hurried ?? new Uint8Array());
  t.same([width, height], [400, 300]);
  const difference = meanDifference(data, image.data);
  t.ok(difference < 3, `ΔE ${difference.toFixed(2)}`);
});
