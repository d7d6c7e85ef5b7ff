/** Decodes BMP and ICO with the paint engine, because libvips does not read them. Strips files before decoding. */
import { Canvas, loadImage } from 'skia-canvas';
import type { SourceImage } from '#wire/render-job.ts';
import { colorChunks, profileChunk } from './png-profile.ts';

/** RGBA, four bytes a pixel, not premultiplied. */
export interface Bitmap {
  data: Buffer;
  width: number;
  height: number;
}

/** Upper bound of the images examined in an icon; real icons have about 20. */
const iconsMax = 256;
const iconHeadBytes = 6;
const iconEntryBytes = 16;
/** BITMAPINFOHEADER, the only header of bitmaps in icons. */
const bitmapHeadBytes = 40;

/**
 * Returns the largest image of an icon: a PNG unchanged, a bitmap as an icon with this image alone, so that its mask
 * still applies. Returns undefined for an icon without images. The engine would choose the image with the most bytes,
 * which in most icons is a small bitmap and not the large PNG.
 */
export function largestIcon(bytes: Uint8Array): Buffer | undefined {
  const file = Buffer.from(bytes);
  const entries = file.length < iconHeadBytes ? 0 : Math.min(file.readUInt16LE(4), iconsMax);
  let largest: { image: Buffer; pixels: number } | undefined;
  for (let entry = 0; entry < entries; entry += 1) {
    const image = readEntry(file, iconHeadBytes + entry * iconEntryBytes);
    const pixels = image === undefined ? 0 : pixelsOf(image);
    if (image !== undefined && pixels > (largest?.pixels ?? 0)) largest = { image, pixels };
  }
  if (largest === undefined || isPng(largest.image)) return largest?.image;
  const image = withMask(largest.image);
  const head = Buffer.alloc(iconHeadBytes + iconEntryBytes);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(1, 4);
  head.writeUInt32LE(image.length, 14);
  head.writeUInt32LE(head.length, 18);
  return Buffer.concat([head, image]);
}

/**
 * Old programs wrote 32-bit bitmaps in icons with all alpha bytes 0. Returns such a bitmap with the alpha of its mask,
 * as Windows draws it: a set bit is transparent. Any other bitmap is returned unchanged.
 */
function withMask(image: Buffer): Buffer {
  const isPlain = image.readUInt16LE(14) === 32 && image.readUInt32LE(16) === 0;
  const width = image.readInt32LE(4);
  const height = Math.floor(Math.abs(image.readInt32LE(8)) / 2);
  const maskStart = bitmapHeadBytes + width * height * 4;
  // One bit a pixel, rows padded to four bytes.
  const maskRowBytes = Math.ceil(width / 32) * 4;
  if (!isPlain || width <= 0 || image.length < maskStart + maskRowBytes * height) return image;
  for (let at = bitmapHeadBytes + 3; at < maskStart; at += 4) if (image[at] !== 0) return image;
  const copy = Buffer.from(image);
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const bits = copy[maskStart + row * maskRowBytes + (column >> 3)] ?? 0;
      const isHidden = (bits >> (7 - (column & 7))) & 1;
      copy[bitmapHeadBytes + (row * width + column) * 4 + 3] = isHidden ? 0 : 255;
    }
  }
  return copy;
}

export function isPng(file: Uint8Array): boolean {
  return Buffer.from(file.subarray(0, 8)).toString('latin1') === '\x89PNG\r\n\x1a\n';
}

/**
 * Decodes a BMP or an icon of one bitmap; format and size come from its header. Returns undefined for a damaged file.
 * The engine decodes a damaged file to a transparent image. A BMP without an alpha channel is therefore damaged if it
 * has a transparent pixel, and any image if it has no visible pixel. An image is also damaged if its size differs from
 * its header, because the limits were checked by the header.
 */
export async function decodeBitmap(
  file: Buffer,
  { format, widthPx: width, heightPx: height }: SourceImage,
): Promise<Bitmap | undefined> {
  const image = await loadImage(file).catch(() => undefined);
  if (image?.width !== width || image.height !== height) return undefined;
  const canvas = new Canvas(width, height);
  canvas.gpu = false;
  canvas.getContext('2d').drawImage(image, 0, 0);
  const data = canvas.toBufferSync('raw');
  canvas.dispose();
  // Bytes 28 and 29 of the header (BITMAPINFOHEADER) hold the bits per pixel; 32 may include alpha.
  const isOpaque = format === 'bmp' && file.length > 30 && file.readUInt16LE(28) < 32;
  let transparent = 0;
  for (let index = 3; index < data.length; index += 4) if (data[index] === 0) transparent += 1;
  if ((isOpaque && transparent > 0) || transparent === width * height) return undefined;
  return { data, width, height };
}

function readEntry(file: Buffer, at: number): Buffer | undefined {
  if (at + iconEntryBytes > file.length) return undefined;
  const length = file.readUInt32LE(at + 8);
  const offset = file.readUInt32LE(at + 12);
  return offset + length > file.length ? undefined : file.subarray(offset, offset + length);
}

/** Pixels by the image's header, never by the icon's directory. The height of a bitmap includes its mask. */
function pixelsOf(image: Buffer): number {
  if (image.length < 40) return 0;
  if (isPng(image)) return image.readUInt32BE(16) * image.readUInt32BE(20);
  if (image.readUInt32LE(0) !== 40) return 0;
  return image.readInt32LE(4) * Math.floor(Math.abs(image.readInt32LE(8)) / 2);
}

// Removes the parts of image files that a decoder would read, unpack or keep although they are not drawn.

/**
 * PNG chunks that determine the pixels of the first image (W3C PNG section 5.6).
 */
const drawnChunks: ReadonlySet<string> = new Set([
  'IHDR',
  'PLTE',
  'tRNS',
  'IDAT',
  'IEND',
  'cHRM',
  'cICP',
  'gAMA',
  'iCCP',
  'sBIT',
  'sRGB',
  'eXIf',
]);

/**
 * Upper bound of the bytes of other chunks that a PNG keeps: removing a few lines of text is not worth a copy.
 * Compressed text chunks are always removed: 7.7 KB unpack to 8 MB, libpng's limit for a chunk. 100 of these chunks
 * took 2.4 GB (measured).
 */
const otherBytesMax = 4096;

const pngHeadBytes = 8;
/** Length, type and checksum. */
const chunkFrameBytes = 12;
const pngHeaderEnd = pngHeadBytes + chunkFrameBytes + 13;

/**
 * Returns the file itself if it has nothing to change, or a copy. The copy of a PNG has no text, animation or unknown
 * chunks, and a profile in place of `cICP` and `gAMA`. The copy of a TIFF has only its first page: libvips counts pages by reading all their tables (200 pages of
 * 4 MB in total took 4 s, measured). Accepts any bytes; a damaged file stays damaged.
 */
export function leanFile(bytes: Uint8Array): Uint8Array {
  if (isPng(bytes)) return leanPng(bytes);
  return isTiff(bytes) ? firstPage(bytes) : bytes;
}

function leanPng(bytes: Uint8Array): Uint8Array {
  const file = viewOf(bytes);
  const kept: Buffer[] = [];
  /** Data of the first colour chunk of each type before the pixels, where it has to be. */
  const colors = new Map<string, Buffer>();
  let otherBytes = 0;
  let isCompressed = false;
  let hasPixels = false;
  let keptFrom = 0;
  let offset = pngHeadBytes;
  while (offset + chunkFrameBytes <= file.length) {
    const end = offset + chunkFrameBytes + file.readUInt32BE(offset);
    const type = file.toString('latin1', offset + 4, offset + 8);
    hasPixels ||= type === 'IDAT';
    if (!hasPixels && colorChunks.has(type) && !colors.has(type))
      colors.set(type, file.subarray(offset + 8, end - 4));
    if (!drawnChunks.has(type)) {
      otherBytes += end - offset;
      isCompressed ||= type === 'zTXt' || type === 'iTXt';
      if (offset > keptFrom) kept.push(file.subarray(keptFrom, offset));
      keptFrom = end;
    }
    offset = end;
  }
  // Bit 1 of the colour type means red, green and blue.
  const profile = colors.size === 0 ? undefined : profileChunk(colors, ((file[25] ?? 0) & 2) === 0);
  if (profile === undefined && !isCompressed && otherBytes <= otherBytesMax) return bytes;
  const lean = Buffer.concat([...kept, file.subarray(keptFrom)]);
  return profile === undefined ? lean : withProfile(lean, profile);
}

/** Puts a profile before all other chunks that a decoder would take in its place: the first `iCCP` counts. */
function withProfile(file: Buffer, profile: Buffer): Buffer {
  return Buffer.concat([file.subarray(0, pngHeaderEnd), profile, file.subarray(pngHeaderEnd)]);
}

function isTiff(bytes: Uint8Array): boolean {
  return ['II*\0', 'MM\0*'].includes(viewOf(bytes.subarray(0, 4)).toString('latin1'));
}

function firstPage(bytes: Uint8Array): Uint8Array {
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isLittle = bytes[0] === 0x49;
  if (data.byteLength < 8) return bytes;
  const directory = data.getUint32(4, isLittle);
  if (directory + 2 > data.byteLength) return bytes;
  // A directory is a count, entries of twelve bytes, and the offset of the next page's directory (TIFF 6.0 section 2).
  const link = directory + 2 + 12 * data.getUint16(directory, isLittle);
  if (link + 4 > data.byteLength || data.getUint32(link) === 0) return bytes;
  const copy = Buffer.from(bytes);
  copy.writeUInt32BE(0, link);
  return copy;
}

function viewOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
