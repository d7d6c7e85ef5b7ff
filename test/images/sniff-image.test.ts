/** What the sniffer reads from the headers of the eight formats, and how it names everything else. */
import sharp from 'sharp';
import t from 'tap';
import { toSourceImage } from '../../src/images/admit-image.ts';
import { resolveImageLoaderOptions } from '../../src/images/config.ts';
import type { ImageHeader } from '../../src/images/sniff/header.ts';
import {
  describeContent,
  readImageHeader,
  sniffFormat,
} from '../../src/images/sniff/sniff-image.ts';
import * as files from '../fixtures/images-files.ts';

const { avifOf, bmpOf, bytesOf, exifOf, gifOf, icoOf, jpegOf, pngOf, tiffOf, webpOf } = files;
const { u16, u32 } = files;

const wide = { widthPx: 300, heightPx: 200 };
const [whole, part] = [{ truncated: false }, { truncated: true }];
const square = gifOf([9, 9], [[0, 0, 9, 9]]);
const twoFrames = [0, 1].map((at): [number, number, number, number] => [at, at, 2, 2]);
const icons = [pngOf({ widthPx: 16, heightPx: 16 }), pngOf({ widthPx: 256, heightPx: 255 })];
const withPrefix = bytesOf('Exif\0\0', exifOf(7));
/** An AVIF whose first box says that it has so many bytes. */
const longBox = (bytes: number): Buffer => bytesOf(u32(bytes), avifOf(wide).subarray(4));
const plain = { width: 1500, height: 1000, channels: 3, background: '#123' } as const;
const plainGif = await sharp({ create: plain }).gif().toBuffer();

/** A JPEG with one EXIF block behind the other. */
function twoExif(first: number, second: number): Buffer {
  const block = (orientation: number): Buffer =>
    bytesOf('\xff\xe1', u16(34), 'Exif\0\0', exifOf(orientation));
  return bytesOf('\xff\xd8', block(first), block(second), jpegOf(wide).subarray(2));
}

const headers: [title: string, bytes: Uint8Array, expected: Partial<ImageHeader> | undefined][] = [
  ['a PNG', pngOf(wide), { ...wide, format: 'png', bitDepth: 8, channels: 3, interlaced: false }],
  ['a 16-bit PNG', pngOf({ ...wide, bitDepth: 16, colorType: 6 }), { bitDepth: 16, channels: 4 }],
  ['an interlaced PNG', pngOf({ ...wide, interlaced: true }), { interlaced: true }],
  ['a PNG with EXIF', pngOf({ ...wide, exif: exifOf(6) }), { ...wide, orientation: 6 }],
  ['an animated PNG', pngOf({ ...wide, frames: 3 }), { frames: 3 }],
  ['a PNG of no width', pngOf({ widthPx: 0, heightPx: 1 }), undefined],
  ['a PNG wider than the format', pngOf({ widthPx: 2 ** 31, heightPx: 1 }), undefined],
  ['a PNG without its end', pngOf(wide).subarray(0, -12), { ...wide, truncated: true }],
  ['a PNG cut inside of a chunk', pngOf(wide).subarray(0, -20), { ...wide, truncated: true }],
  ['a PNG cut in its header', pngOf(wide).subarray(0, 20), undefined],

  ['a JPEG', jpegOf(wide), { ...wide, format: 'jpeg', orientation: 1, channels: 3 }],
  ['a progressive JPEG', jpegOf({ ...wide, frame: 0xc2 }), { ...wide, interlaced: true }],
  ['a JPEG turned left', jpegOf({ ...wide, exif: exifOf(8) }), { ...wide, orientation: 8 }],
  ['a JPEG with two EXIF blocks', twoExif(1, 6), { orientation: 1 }],
  ['a JPEG with big-endian EXIF', jpegOf({ ...wide, exif: exifOf(3, false) }), { orientation: 3 }],
  ['an EXIF value that is none', jpegOf({ ...wide, exif: exifOf(9) }), { orientation: 1 }],
  ['EXIF cut short', jpegOf({ ...wide, exif: exifOf(6).subarray(0, 12) }), { orientation: 1 }],
  ['a grey JPEG', jpegOf({ ...wide, channels: 1 }), { channels: 1 }],
  ['a lossless JPEG, which nothing draws', jpegOf({ ...wide, frame: 0xc3 }), undefined],
  ['a JPEG of no height', jpegOf({ widthPx: 5, heightPx: 0 }), undefined],
  ['a JPEG without its end', jpegOf(wide).subarray(0, -2), { ...wide, truncated: true }],
  ['a JPEG with bytes behind its end', bytesOf(jpegOf(wide), 'MP4'), { ...wide, ...whole }],
  ['a JPEG with filling', bytesOf('\xff\xd8\xff\xff\xff', jpegOf(wide).subarray(3)), wide],
  ['a JPEG without a frame', bytesOf('\xff\xd8\xff\xd9'), undefined],

  ['a WebP', webpOf(wide), { ...wide, format: 'webp', frames: 1 }],
  ['an animated WebP', webpOf({ ...wide, frames: 4 }), { frames: 4 }],
  ['a WebP with EXIF', webpOf({ ...wide, exif: exifOf(5) }), { orientation: 5 }],
  ['a WebP with a prefix in its EXIF', webpOf({ ...wide, exif: withPrefix }), { orientation: 7 }],
  ['a WebP cut short', webpOf(wide).subarray(0, -4), { ...wide, truncated: true }],
  ['a WebP of an unknown kind', bytesOf('RIFF\x0c\0\0\0WEBPVP9 \0\0\0\0'), undefined],

  ['a GIF', gifOf([300, 200], [[0, 0, 2, 1]]), { ...wide, format: 'gif', channels: 4 }],
  ['an animated GIF', gifOf([9, 9], twoFrames), { frames: 2 }],
  ['a GIF frame outside of the screen', gifOf([9, 9], [[100, 0, 200, 200]]), wide],
  ['an interlaced GIF', gifOf([9, 9], [[0, 0, 9, 9]], true), { interlaced: true }],
  ['a GIF without frames, which nothing draws', gifOf([300, 200], []), undefined],
  ['a GIF with less data than its frame needs', gifOf([300, 200], [[0, 0, 300, 200]]), part],
  ['a GIF of one colour, as small as one can be', plainGif, { widthPx: 1500, ...whole }],
  ['a GIF cut in its first frame', square.subarray(0, -3), part],

  [
    'a TIFF',
    tiffOf({ ...wide, orientation: 4 }),
    { ...wide, format: 'tiff', orientation: 4, bitDepth: 16, channels: 4 },
  ],
  ['a big-endian TIFF', tiffOf(wide, false), wide],
  ['a TIFF of pages', tiffOf({ ...wide, pages: 3 }), { frames: 3 }],
  ['a TIFF without directory', bytesOf('II*\0', u16(8, true), u16(0), 'xx'), undefined],

  ['a BMP', bmpOf(30, 20), { format: 'bmp', widthPx: 30, heightPx: 20, truncated: false }],
  ['a BMP from the top', bmpOf(30, -20), { widthPx: 30, heightPx: 20 }],
  ['a BMP of negative width', bmpOf(30, 20).fill(0xff, 18, 22), undefined],
  ['a BMP cut short', bmpOf(30, 20).subarray(0, -1), { truncated: true }],

  ['an icon', icoOf(icons), { format: 'ico', widthPx: 256, heightPx: 255, frames: 2 }],
  ['an icon whose image lies outside', icoOf([pngOf(wide)]).subarray(0, -1), undefined],

  ['an AVIF, not its thumbnail', avifOf(wide), { ...wide, format: 'avif', bitDepth: 8 }],
  [
    'an AVIF turned by its format',
    avifOf({ ...wide, quarterTurns: 3 }),
    { widthPx: 200, heightPx: 300, orientation: 1 },
  ],
  ['an AVIF upside down', avifOf({ ...wide, quarterTurns: 2 }), wide],
  ['an AVIF whose first box is longer than the file', longBox(0x7fffffff), undefined],
  ['an AVIF whose first box is the whole file', longBox(0), undefined],
  ['a 10-bit AVIF', avifOf({ ...wide, deep: true }), { bitDepth: 10 }],
];

t.test('an animated AVIF is refused as what it is', async (t) => {
  const bytes = avifOf({ widthPx: 8, heightPx: 8 });
  bytes.write('avis', 8, 'latin1');
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  t.throws(() => toSourceImage(shared, resolveImageLoaderOptions({})), {
    reason: 'not_image',
    message: /^is an animated AVIF, which is not supported/,
  });
});

for (const [title, bytes, expected] of headers) {
  t.test(`the header of ${title}`, async (t) => {
    const header = readImageHeader(bytes);
    if (expected === undefined) t.equal(header, undefined, 'is no image');
    else t.match(header, expected, 'is read');
  });
}

t.test('real encoders and decoders agree with the sniffer', async (t) => {
  const raw = { width: 40, height: 24, channels: 4 } as const;
  const source = sharp(Buffer.alloc(40 * 24 * 4, 120), { raw });
  const encoded = {
    png: source.clone().png(),
    'indexed png': source.clone().png({ palette: true }),
    'interlaced png': source.clone().withMetadata({ orientation: 5 }).png({ progressive: true }),
    jpeg: source.clone().jpeg(),
    'progressive jpeg': source.clone().withMetadata({ orientation: 6 }).jpeg({ progressive: true }),
    webp: source.clone().removeAlpha().webp(),
    'lossless webp': source.clone().webp({ lossless: true }),
    'extended webp': source.clone().withMetadata({ orientation: 8 }).webp(),
    gif: source.clone().gif(),
    tiff: source.clone().withMetadata({ orientation: 3 }).tiff(),
    avif: source.clone().avif({ effort: 0 }),
    'turned avif': source.clone().withMetadata({ orientation: 6 }).avif({ effort: 0 }),
  };
  for (const [name, image] of Object.entries(encoded)) {
    const bytes = await image.toBuffer();
    const truth = await sharp(bytes).metadata();
    const { width: widthPx, height: heightPx, orientation = 1, channels } = truth;
    const format = name.split(' ').at(-1) ?? '';
    const expected = { format, widthPx, heightPx, orientation, channels, truncated: false };
    t.match(readImageHeader(bytes), expected, name);
  }
});

t.test('of two EXIF blocks the decoder takes the same as the sniffer', async (t) => {
  const white = sharp({ create: { width: 8, height: 4, channels: 3, background: '#fff' } });
  const jpeg = await white.jpeg().toBuffer();
  const file = bytesOf(twoExif(6, 1).subarray(0, 74), jpeg.subarray(2));
  t.equal(readImageHeader(file)?.orientation, 6);
  t.equal((await sharp(file).metadata()).orientation, 6);
});

t.test('an unsupported image has a name', async (t) => {
  const contents: [string | Uint8Array, string][] = [
    ['', 'empty'],
    ['<!DOCTYPE html><title>Sign in</title>', 'HTML'],
    ['\xef\xbb\xbf \n<html lang="en">', 'HTML'],
    ['<!-- cached --><html>', 'HTML'],
    ['<svg xmlns="http://www.w3.org/2000/svg"/>', 'SVG'],
    ['<?xml version="1.0"?><!-- made by hand --><svg width="1">', 'SVG'],
    ['<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>', 'XML'],
    ['{"error":"gone"}', 'JSON'],
    ['not found', 'text'],
    ['%PDF-1.7', 'a PDF'],
    ['BM is how this text starts, and it is no bitmap', 'text'],
    [bytesOf(0, 0, 0, 24, 'ftypheic', 0, 0, 0, 0, 'mif1heic'), 'HEIC'],
    [bytesOf(0, 0, 0, 16, 'ftypisom', 0, 0, 0, 0), 'a video'],
    ['\xff\x0a\xfa\x1f', 'JPEG XL'],
    [bytesOf(0x1f, 0x8b, 8, 0), 'gzip data'],
    [bytesOf(1, 2, 3, 0xfe), 'data of an unknown kind'],
  ];
  for (const [content, noun] of contents) {
    const bytes = bytesOf(content);
    t.equal(sniffFormat(bytes), undefined);
    t.equal(describeContent(bytes), noun);
  }
});
