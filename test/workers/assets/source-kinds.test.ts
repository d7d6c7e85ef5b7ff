/** The kinds within each format that people's files really are: depths, palettes, masks, first frames, profiles. */
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import type { Sharp } from 'sharp';
import t from 'tap';
import { createImageLoader } from '../../../src/images/load-images.ts';
import { decodeImage } from '../../../workers/assets/decode-image.ts';
import { aLayer, aTemplate } from '../../fixtures/template-documents.ts';
import { bytesOf, icoOf, pngChunk, u16, u32 } from '../../fixtures/images-files.ts';
import { admitted, drawnPixels } from '../../helpers/render.ts';

const side = 8;

/** RGBA of the first and the last pixel of a file, sniffed and decoded in its own size. */
async function corners(bytes: Uint8Array): Promise<{ first: number[]; last: number[] }> {
  const image = admitted(bytes);
  const { widthPx, heightPx } = image;
  const plain = { smartCrop: false, tint: undefined, duotone: undefined };
  const { canvas } = await decodeImage(image, { widthPx, heightPx, ...plain });
  const data = [...canvas.toBufferSync('raw')];
  return { first: data.slice(0, 4), last: data.slice(-4) };
}

/** An 8 × 8 PNG without filters whose rows are all alike. */
function pngRows(bitDepth: number, colorType: number, row: number[], ...chunks: Buffer[]): Buffer {
  const rows = Buffer.concat(Array<Buffer>(side).fill(bytesOf(0, ...row)));
  return bytesOf(
    '\x89PNG\r\n\x1a\n',
    pngChunk('IHDR', bytesOf(u32(side), u32(side), bitDepth, colorType, 0, 0, 0)),
    ...chunks,
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND', Buffer.alloc(0)),
  );
}

const palette = pngChunk('PLTE', bytesOf(9, 8, 7, 200, 100, 50));
/** The first pixel is none of it, the last is full of everything. */
const gradient = (bytes: number): number[] =>
  Array.from({ length: bytes }, (_, at) => (at < bytes / 2 ? 0 : 255));

t.test('a PNG of every depth and colour type', async (t) => {
  const black = [0, 0, 0, 255];
  const white = [255, 255, 255, 255];
  const clear = [0, 0, 0, 0];
  const indexed = [
    [9, 8, 7, 255],
    [200, 100, 50, 255],
  ] as const;
  const cases: [bitDepth: number, colorType: number, row: number[], ...corners: object[]][] = [
    [1, 0, [0x0f], black, white],
    [2, 0, gradient(2), black, white],
    [4, 0, gradient(4), black, white],
    [8, 0, gradient(8), black, white],
    [16, 0, gradient(16), black, white],
    [8, 2, gradient(24), black, white],
    [16, 2, gradient(48), black, white],
    [8, 4, gradient(16), clear, white],
    [16, 4, gradient(32), clear, white],
    [8, 6, gradient(32), clear, white],
    [16, 6, gradient(64), clear, white],
    [1, 3, [0x0f], ...indexed],
    [2, 3, [0x00, 0x55], ...indexed],
    [4, 3, [0, 0, 0x11, 0x11], ...indexed],
    [8, 3, [0, 0, 0, 0, 1, 1, 1, 1], ...indexed],
  ];
  for (const [bitDepth, colorType, row, first, last] of cases) {
    const file = pngRows(bitDepth, colorType, row, ...(colorType === 3 ? [palette] : []));
    t.same(await corners(file), { first, last }, `type ${colorType}, ${bitDepth} bits`);
  }
  const keyed = pngRows(8, 0, gradient(8), pngChunk('tRNS', u16(0)));
  t.same(await corners(keyed), { first: clear, last: white }, 'with a transparent colour');
});

t.test('of an animation the first frame is drawn', async (t) => {
  const control = (sequence: number): Buffer =>
    pngChunk(
      'fcTL',
      bytesOf(u32(sequence), u32(side), u32(side), u32(0), u32(0), u16(1), u16(10), 0, 0),
    );
  const white = deflateSync(Buffer.alloc(side * (side + 1), 255));
  const grey = Array<number>(side).fill(100);
  const still = pngRows(8, 0, grey, pngChunk('acTL', bytesOf(u32(2), u32(0))), control(0));
  const apng = bytesOf(
    still.subarray(0, -12),
    control(1),
    pngChunk('fdAT', bytesOf(u32(2), white)),
    still.subarray(-12),
  );
  t.same((await corners(apng)).first, [100, 100, 100, 255], 'APNG');
  const frames = Buffer.alloc(side * side * 2 * 3)
    .fill(255, side * side * 3)
    .fill(60, 0, side * side * 3);
  const animated = (): Sharp =>
    sharp(frames, { raw: { width: side, height: side * 2, channels: 3, pageHeight: side } });
  t.same((await corners(await animated().gif().toBuffer())).first, [60, 60, 60, 255], 'GIF');
  const [red = 0] = (await corners(await animated().webp({ lossless: true }).toBuffer())).first;
  t.equal(red, 60, 'WebP');
});

t.test('colours of another profile come out in sRGB', async (t) => {
  const create = { width: side, height: side, channels: 3, background: '#20a040' } as const;
  const green = (): Sharp => sharp({ create }).withIccProfile('p3');
  const wanted = [0x20, 0xa0, 0x40, 255];
  for (const encoded of [
    green().jpeg({ quality: 100, chromaSubsampling: '4:4:4' }),
    green().png(),
    green().webp({ lossless: true }),
  ]) {
    const { first } = await corners(await encoded.toBuffer());
    const isNear = first.every((value, at) => Math.abs(value - (wanted[at] ?? 0)) <= 4);
    t.ok(isNear, first.join());
  }
});

/** A bitmap without its file header, all of one colour: every entry of its palette is, or every pixel. */
function bitmap(
  bits: number,
  {
    mask = false,
    compression = 0,
    masks = [] as number[],
    fromTop = false,
    rows = undefined as Buffer | undefined,
  } = {},
): Buffer {
  const rowBytes = Math.ceil((side * bits) / 32) * 4;
  const colors = bits <= 8 ? 2 ** bits : 0;
  const pixels = Buffer.alloc(rowBytes * side);
  for (let at = 0; at < pixels.length; at++) pixels[at] = [50, 100, 200, 255][at % (bits / 8)] ?? 0;
  const height = side * (mask ? 2 : 1) * (fromTop ? -1 : 1);
  // The mask hides the lowest row, which comes first.
  const hidden = Buffer.alloc(mask ? 4 * side : 0).fill(255, 0, mask ? 4 : 0);
  return bytesOf(
    u32(40, true),
    u32(side, true),
    u32(height >>> 0, true),
    u16(1, true),
    u16(bits, true),
    u32(compression, true),
    Buffer.alloc(20),
    ...masks.map((each) => u32(each, true)),
    ...Array.from({ length: colors }, () => bytesOf(50, 100, 200, 0)),
    rows ?? pixels,
    hidden,
  );
}

function bmpFile(image: Buffer, tableBytes: number): Buffer {
  return bytesOf('BM', u32(14 + image.length, true), u32(0), u32(54 + tableBytes, true), image);
}

t.test('a BMP of every depth and packing', async (t) => {
  const orange = [200, 100, 50, 255];
  const packed = bytesOf(...Array<number[]>(side).fill([side, 0, 0, 0]).flat(), 0, 1);
  const masked = { compression: 3, masks: [0xff0000, 0xff00, 0xff] };
  const files: Record<string, Buffer> = {
    '1 bit': bmpFile(bitmap(1), 8),
    '4 bits': bmpFile(bitmap(4), 64),
    '8 bits': bmpFile(bitmap(8), 1024),
    '24 bits': bmpFile(bitmap(24), 0),
    '24 bits from the top': bmpFile(bitmap(24, { fromTop: true }), 0),
    '32 bits': bmpFile(bitmap(32), 0),
    '32 bits with masks': bmpFile(bitmap(32, masked), 12),
    'run lengths': bmpFile(bitmap(8, { compression: 1, rows: packed }), 1024),
  };
  for (const [name, file] of Object.entries(files))
    t.same(await corners(file), { first: orange, last: orange }, name);
  const deep = bitmap(16, { rows: Buffer.alloc(side * 16, u16(0x7fff, true)) });
  t.same((await corners(bmpFile(deep, 0))).first, [255, 255, 255, 255], '16 bits');
});

t.test('an icon’s largest image is drawn, with its mask', async (t) => {
  for (const bits of [1, 4, 8, 24]) {
    const { first, last } = await corners(icoOf([bitmap(bits, { mask: true })]));
    t.same(first, [200, 100, 50, 255], `${bits} bits`);
    t.equal(last[3], 0, `${bits} bits, what the mask hides`);
  }
  const { last: lowest } = await corners(icoOf([bitmap(32, { mask: true })]));
  t.same(lowest, [200, 100, 50, 255], '32 bits have their own');
  const large = pngRows(8, 0, Array<number>(side).fill(7));
  const small = await sharp(large).resize(4, 4).png().toBuffer();
  t.same((await corners(icoOf([small, large, small]))).first, [7, 7, 7, 255]);
  const bitmaps = [bitmap(32, { mask: true }), await sharp(large).resize(9, 9).png().toBuffer()];
  const { first: smaller } = await corners(icoOf(bitmaps));
  t.same(smaller, [7, 7, 7, 255], 'a PNG of fewer bytes than a bitmap');
});

t.test('an icon of 32 bits without any alpha has that of its mask', async (t) => {
  const plain = Buffer.alloc(side * side * 4, bytesOf(50, 100, 200, 0));
  const { first, last } = await corners(icoOf([bitmap(32, { mask: true, rows: plain })]));
  t.same(first, [200, 100, 50, 255]);
  t.equal(last[3], 0, 'what the mask hides');
});

t.test('what the first frame of a GIF leaves free is transparent', async (t) => {
  const red = await sharp({ create: { width: 4, height: 4, channels: 3, background: '#f00' } })
    .gif()
    .toBuffer();
  const screen = (atStart: boolean): Buffer => {
    const file = Buffer.from(red);
    file.writeUInt16LE(side, 6);
    file.writeUInt16LE(side, 8);
    const frame = file.indexOf(Buffer.from([0x2c, 0, 0, 0, 0, 4, 0, 4, 0]));
    file.writeUInt16LE(atStart ? 0 : side - 4, frame + 1);
    file.writeUInt16LE(atStart ? 0 : side - 4, frame + 3);
    return file;
  };
  const [opaque, clear] = [
    [255, 0, 0, 255],
    [0, 0, 0, 0],
  ];
  t.same(await corners(screen(true)), { first: opaque, last: clear });
  t.same(await corners(screen(false)), { first: clear, last: opaque });
});

t.test('an SVG from a link has its own size in a template, and stays sharp', async (t) => {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"><rect width="10" height="10" fill="#f00"/></svg>';
  const src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  const loader = createImageLoader({ findAsset: () => undefined });
  t.teardown(() => loader.close());
  const requester = { organizationUid: 'org_a', templateUid: 'a' };
  const { image } = await loader.loadImage(src, requester, new AbortController().signal);
  /** The columns from `first` to `last` in which the middle row is red, and those beside them in which it is clear. */
  const isRed = async (fit: string, first: number, last: number): Promise<void> => {
    const layers = [aLayer('image', { width: 100, height: 100, src, fit })];
    const document = aTemplate({ background: 'none', layers });
    const { data } = await drawnPixels(document, { images: { [src]: image } });
    const row = data.subarray(50 * 400, 51 * 400);
    const pixelAt = (x: number): number[] => [...row.subarray(x * 4, x * 4 + 4)];
    for (const x of [first, last]) t.same(pixelAt(x), [255, 0, 0, 255], `${fit} at ${x}`);
    const clear = [first - 1, last + 3].filter((x) => x >= 0);
    for (const x of clear) t.same(pixelAt(x), [0, 0, 0, 0], `${fit} at ${x}`);
  };
  await isRed('none', 40, 48);
  await isRed('scale-down', 40, 48);
  await isRed('contain', 0, 48);
});
