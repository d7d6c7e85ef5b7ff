import sharp from 'sharp';
import type { Sharp } from 'sharp';
import * as fc from 'fast-check';
import t from 'tap';
import type { SourceFormat } from '#shared/render-job.ts';
import { DecodeError, decodeImage, decodeSvg } from '../../../workers/assets/decode-image.ts';
import type { Drawable } from '../../../workers/assets/drawable.ts';
import { bmpFile, icoFile } from '../../fixtures/source-files.ts';
import { readImage, sourceImage } from '../../helpers/render.ts';

const plain = { smartCrop: false, tint: undefined, duotone: undefined };

/** RGBA of one pixel of a drawable. */
function pixelOf({ canvas, widthPx }: Drawable, x: number, y: number): number[] {
  const offset = (y * widthPx + x) * 4;
  return [...canvas.toBufferSync('raw').subarray(offset, offset + 4)];
}

function picture(width = 20, height = 10): Sharp {
  const red = { r: 200, g: 30, b: 40 };
  return sharp({ create: { width, height, channels: 3, background: red } });
}

const files: [format: SourceFormat, make: () => Promise<Buffer>][] = [
  ['png', () => picture().png().toBuffer()],
  ['jpeg', () => picture().jpeg({ quality: 100 }).toBuffer()],
  ['webp', () => picture().webp({ lossless: true }).toBuffer()],
  ['gif', () => picture().gif().toBuffer()],
  ['avif', () => picture().avif({ lossless: true }).toBuffer()],
  ['tiff', () => picture().tiff().toBuffer()],
  ['bmp', async () => bmpFile(await picture().raw().toBuffer(), 20, 10)],
  ['ico', async () => icoFile(await picture().png().toBuffer(), 20, 10)],
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
    ['grey', picture().greyscale().png().toBuffer()],
    ['grey with alpha', picture().greyscale().ensureAlpha(0.5).png().toBuffer()],
    ['16 bits', picture().toColourspace('rgb16').png().toBuffer()],
    ['palette', picture().png({ palette: true }).toBuffer()],
    ['interlaced', picture().png({ progressive: true }).toBuffer()],
    ['CMYK', picture().toColourspace('cmyk').jpeg().toBuffer()],
    ['progressive', picture().jpeg({ progressive: true }).toBuffer()],
  ];
  for (const [name, bytes] of forms) {
    const source = await sourceImage(await bytes);
    const drawable = await decodeImage(source, { widthPx: 20, heightPx: 10, ...plain });
    t.equal(drawable.canvas.toBufferSync('raw').length, 20 * 10 * 4, name);
  }
});

t.test('a picture with an orientation has the size that is seen', async (t) => {
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
      for (const [place, value] of changes) bytes[place % bytes.length] = value;
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

t.test('an svg is drawn at exactly the wanted size', async (t) => {
  const markup = (attributes: string): string =>
    `<?xml version="1.0"?><!-- x --><svg xmlns="http://www.w3.org/2000/svg" ${attributes}><rect width="24" height="24" fill="#f00"/></svg>`;
  const cases: [attributes: string, corner: number[]][] = [
    ['viewBox="0 0 24 24"', [0, 0, 0, 0]],
    ['width="24" height="24"', [0, 0, 0, 0]],
    ['width="24px" height="24px" viewBox="0 0 24 24"', [0, 0, 0, 0]],
    ['viewBox="0 0 24 24" preserveAspectRatio="none"', [255, 0, 0, 255]],
  ];
  for (const [attributes, corner] of cases) {
    const drawable = await decodeSvg(markup(attributes), 101, 37);
    t.match(drawable, { widthPx: 101, heightPx: 37 }, attributes);
    t.same(pixelOf(drawable, 0, 18), corner);
    t.same(pixelOf(drawable, 50, 18), [255, 0, 0, 255]);
  }
});

t.test('hostile markup is a DecodeError within two seconds', async (t) => {
  const svg = (inside: string, attributes = 'viewBox="0 0 1000 1000"'): string =>
    `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${inside}</svg>`;
  const refused = [
    'no markup',
    svg('<image href="file:///etc/hostname"/>'),
    svg('<g>'.repeat(10_000) + '</g>'.repeat(10_000)),
    svg('&undefined;'),
    svg('<rect a="1" a="2"/>'),
    svg('<rect/>', 'width="-5" height="NaN"'),
    `<!DOCTYPE svg [<!ENTITY a "b">]>${svg('&a;')}`,
  ];
  const drawn = [
    '<svg viewBox="0 0 1 1"/>',
    svg('<rect width="9" height="9"/>', 'width="1e5" height="1e5"'),
    svg('<path d="M1e400 NaN L5 5" stroke="red" stroke-dasharray="1e-9" stroke-width="1e300"/>'),
    svg(
      '<filter id="f"><feTurbulence baseFrequency=".5" numOctaves="99999999"/></filter><rect width="1000" height="1000" filter="url(#f)"/>',
    ),
    svg(
      '<filter id="f"><feMorphology operator="dilate" radius="99999"/></filter><rect width="9" height="9" filter="url(#f)"/>',
    ),
    svg('<text font-family="Nobody Has This" font-size="999">x🙂</text>'),
    svg(
      '<rect width="1000" height="1000" fill="url(#p)"/><pattern id="p" width="0.0001" height="0.0001"><rect width="1" height="1"/></pattern>',
    ),
    svg('<g opacity=".9"><rect width="1000" height="1000"/></g>'.repeat(900)),
  ];
  for (const [index, markup] of [...refused, ...drawn].entries()) {
    const started = performance.now();
    const drawing = decodeSvg(markup, 400, 400);
    if (index < refused.length) await t.rejects(drawing, DecodeError, markup.slice(0, 60));
    else await t.resolves(drawing, markup.slice(0, 60));
    t.ok(performance.now() - started < 2000);
  }
});
