/** Reads the headers of PNG, BMP and ICO files. */
import { ByteView } from './header.ts';
import type { ImageHeader } from './header.ts';
import { readOrientation } from './tiff.ts';

// PNG (W3C PNG, third edition).

export const pngSignature = '\x89PNG\r\n\x1a\n';

/** Chunks read; encoders write IDATs of 8 KiB and more, so a file of 10 MiB has some 1,300. */
const chunksMax = 65_536;

const channelsByColorType: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 3, 4: 2, 6: 4 };

/** The header of a PNG; undefined when its IHDR is missing or impossible. */
export function readPngHeader(view: ByteView): ImageHeader | undefined {
  if (view.text(12, 4) !== 'IHDR' || view.u32(8) !== 13) return undefined;
  const widthPx = view.u32(16);
  const heightPx = view.u32(20);
  const bitDepth = view.u8(24);
  const channels = channelsByColorType[view.u8(25)];
  // Section 11.2.1: sides are 1 … 2^31 - 1.
  if (widthPx === 0 || heightPx === 0 || widthPx > 0x7fffffff || heightPx > 0x7fffffff)
    return undefined;
  if (channels === undefined || ![1, 2, 4, 8, 16].includes(bitDepth)) return undefined;
  const rest = readChunks(view);
  return {
    format: 'png',
    widthPx,
    heightPx,
    orientation: rest.orientation,
    frames: Math.max(1, rest.frames),
    bitDepth,
    channels: channels + (rest.transparent && channels !== 4 ? 1 : 0),
    interlaced: view.u8(28) === 1,
    truncated: !rest.ended,
  };
}

function readChunks(view: ByteView): {
  orientation: number;
  frames: number;
  transparent: boolean;
  ended: boolean;
} {
  let orientation = 1;
  let frames = 0;
  let transparent = false;
  let hasData = false;
  let hasExif = false;
  let offset = 8;
  for (let chunk = 0; chunk < chunksMax && view.has(offset, 12); chunk++) {
    const length = view.u32(offset);
    const type = view.text(offset + 4, 4);
    if (!view.has(offset + 8, length + 4)) break;
    if (type === 'IEND') return { orientation, frames, transparent, ended: hasData };
    if (type === 'IDAT') hasData = true;
    if (type === 'fcTL') frames++;
    if (type === 'tRNS') transparent = true;
    // The first of several EXIF chunks counts, as in the decoder.
    if (type === 'eXIf' && !hasExif) {
      hasExif = true;
      orientation = readOrientation(
        new ByteView(view.bytes.subarray(offset + 8, offset + 8 + length)),
      );
    }
    offset += 12 + length;
  }
  return { orientation, frames, transparent, ended: false };
}

// BMP, and ICO, which contains images of either format.

/** Images read of one icon; real icons have at most some 20. */
const iconsMax = 256;

/** The header of a BMP; undefined if its info header has an unknown size or invalid values. */
export function readBmpHeader(view: ByteView): ImageHeader | undefined {
  const infoBytes = view.u32(14, true);
  // OS/2 1.x has 16-bit sides; all others start like BITMAPINFOHEADER.
  const old = infoBytes === 12;
  if (!old && (infoBytes < 40 || infoBytes > 256)) return undefined;
  const widthPx = old ? view.u16(18, true) : view.i32(18, true);
  // A negative height means rows from the top.
  const heightPx = Math.abs(old ? view.u16(20, true) : view.i32(22, true));
  const bitsPerPixel = view.u16(old ? 24 : 28, true);
  const compression = old ? 0 : view.u32(30, true);
  if (widthPx <= 0 || heightPx === 0) return undefined;
  if (![1, 2, 4, 8, 16, 24, 32].includes(bitsPerPixel)) return undefined;
  // Compressions 0 and 3 have plain rows, padded to four bytes, so the length of the data is known.
  const plain = compression === 0 || compression === 3;
  const rowBytes = Math.ceil((widthPx * bitsPerPixel) / 32) * 4;
  return {
    format: 'bmp',
    widthPx,
    heightPx,
    orientation: 1,
    frames: 1,
    bitDepth: 8,
    channels: bitsPerPixel === 32 ? 4 : 3,
    interlaced: false,
    truncated: plain && !view.has(view.u32(10, true), rowBytes * heightPx),
  };
}

/** The header of an icon, with the sides of its largest image; undefined when it has none. */
export function readIcoHeader(view: ByteView): ImageHeader | undefined {
  const entries = Math.min(view.u16(4, true), iconsMax);
  let largest: ImageHeader | undefined;
  let frames = 0;
  for (let entry = 0; entry < entries; entry++) {
    const header = readIconEntry(view, 6 + entry * 16);
    if (header === undefined) continue;
    frames++;
    if (
      largest === undefined ||
      header.widthPx * header.heightPx > largest.widthPx * largest.heightPx
    )
      largest = header;
  }
  return largest === undefined ? undefined : { ...largest, format: 'ico', frames };
}

function readIconEntry(view: ByteView, at: number): ImageHeader | undefined {
  const length = view.u32(at + 8, true);
  const offset = view.u32(at + 12, true);
  if (!view.has(at, 16) || length === 0 || !view.has(offset, length)) return undefined;
  const image = new ByteView(view.bytes.subarray(offset, offset + length));
  if (image.text(0, 8) === pngSignature) return readPngHeader(image);
  // A bitmap without its file header. Its height includes the mask below the image.
  const widthPx = image.i32(4, true);
  const heightPx = Math.floor(Math.abs(image.i32(8, true)) / 2);
  if (image.u32(0, true) !== 40 || widthPx <= 0 || heightPx === 0) return undefined;
  return {
    format: 'ico',
    widthPx,
    heightPx,
    orientation: 1,
    frames: 1,
    bitDepth: 8,
    channels: 4,
    interlaced: false,
    truncated: false,
  };
}
