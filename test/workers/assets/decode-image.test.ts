import sharp from 'sharp';
import type { Sharp } from 'sharp';
import * as fc from 'fast-check';
import t from 'tap';
import type { SourceFormat } from '#wire/render-job.ts';
import { DecodeError, decodeImage } from '../../../workers/assets/decode-image.ts';
import type { Drawable } from '../../../workers/assets/drawable-cache.ts';
import { bmpFile, icoFile } from '../../fixtures/source-files.ts';
import { readImage, sourceImage } from '../../helpers/render.ts';

const plain = { smartCrop: false, tint: undefined, duotone: undefined };

/** RGBA of one pixel of a drawable. */
function pixelOf({ canvas, widthPx }: Drawable, x: number, y: number): number[] {
  const offset = (y * widthPx + x) * 4;
  return [...canvas.toBufferSync('raw').subarray(offset, offset + 4)];
}

function image(width = 20, height = 10): Sharp {
  const red = { r: 200, g: 30, b: 40 };
  return sharp({ create: { width, height, channels: 3, background: red } });
}

const files: [format: SourceFormat, make: () => Promise<Buffer>][] = [
  ['png', () => image().png().toBuffer()],
  ['jpeg', () => image().jpeg({ quality: 100 }).toBuffer()],
  ['webp', () => image().webp({ lossless: true }).toBuffer()],
  ['gif', () => image().gif().toBuffer()],
  ['avif', () => image().avif({ lossless: true }).toBuffer()],
  ['tiff', () => image().tiff().toBuffer()],
  ['bmp', async () => bmpFile(await image().raw().toBuffer(), 20, 10)],
  ['ico', async () => icoFile(await image().png().toBuffer(), 20, 10)],
];

t.test('every source format is decoded', async (t) => {
  for (const [format, make] of files) {
    const source = await sourceImage(await make(), { format, widthPx: 20, heightPx: 10 });
    const drawable = await decodeImage(source, { widthPx: 10, heightPx: 5, ...plain });
    t.match(drawable, { widthPx: 10, heightPx: 5 }, format);
    const [red = 0, green = 0, blue = 0, alpha] = pixelOf(drawable, 5, 2);
    const difference = Math.max(Math.abs(red - 200), Math.abs(green - 30), Math.abs(blue - 40));
    t.ok(difference <= 3 && alpha === 255, `${format}: its colour`);
  }
});

t.test('other pixel forms come out as eight bits of sRGB', async (t) => {
  const forms: [name: string, bytes: Promise<Buffer>][] = [
    ['grey', image().greyscale().png().toBuffer()],
    ['grey with alpha', image().greyscale().ensureAlpha(0.5).png().toBuffer()],
    ['16 bits', image().toColourspace('rgb16').png().toBuffer()],
    ['palette', image().png({ palette: true }).toBuffer()],
    ['interlaced', image().png({ progressive: true }).toBuffer()],
    ['CMYK', image().toColourspace('cmyk').jpeg().toBuffer()],
    ['progressive', image().jpeg({ progressive: true }).toBuffer()],
  ];
  for (const [name, bytes] of forms) {
    const source = await sourceImage(await bytes);
    const drawable = await decodeImage(source, { widthPx: 20, heightPx: 10, ...plain });
    t.equal(drawable.canvas.toBufferSync('raw').length, 20 * 10 * 4, name);
  }
});

t.test('an image with an orientation has the size that is seen', async (t) => {
  const source = await readImage('test/golden/images/exif-6.jpg');
  t.match(source, { widthPx: 36, heightPx: 48, orientation: 6 });
  const drawable = await decodeImage(source, { widthPx: 48, heightPx: 36, ...plain });
  t.match(drawable, { widthPx: 48, heightPx: 36 });
});

t.test('the same request is decoded once', async (t) => {
  const source = await readImage('test/golden/images/photo.jpg');
  const request = { widthPx: 30, heightPx: 20, ...plain };
  const first = await decodeImage(source, request);
  t.equal(await decodeImage(source, request), first);
  t.not(await decodeImage(source, { ...request, tint: '#ff0000' }), first);
});

t.test('a cut or damaged file is a DecodeError', async (t) => {
  for (const [format, make] of files) {
    const bytes = await make();
    const size = { format, widthPx: 20, heightPx: 10 };
    const request = { widthPx: 20, heightPx: 10, ...plain };
    const cut = await sourceImage(bytes.subarray(0, Math.floor(bytes.length * 0.6)), size);
    await t.rejects(decodeImage(cut, request), DecodeError, `${format}, cut`);
    const head = await sourceImage(bytes.subarray(0, 30), size);
    await t.rejects(
      decodeImage(head, request),
      { message: `is a damaged ${format.toUpperCase()} file, or of a kind that cannot be read` },
      `${format}, only its head`,
    );
  }
});

t.test('no bytes make decoding crash or hang', async (t) => {
  const originals = await Promise.all(
    files.map(async ([format, make]) => [format, await make()] as const),
  );
  const damage = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), {
    minLength: 1,
    maxLength: 8,
  });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...originals), damage, async ([format, original], changes) => {
      const bytes = Buffer.from(original);
      for (const [position, value] of changes) bytes[position % bytes.length] = value;
      const source = await sourceImage(bytes, { format, widthPx: 20, heightPx: 10 });
      try {
        await decodeImage(source, { widthPx: 20, heightPx: 10, ...plain });
      } catch (error) {
        if (!(error instanceof DecodeError)) throw error;
      }
    }),
    { numRuns: 200 },
  );
  t.pass('each was decoded or a DecodeError');
});
