/** Reads the headers of the two Windows formats, BMP and ICO. */
import { ByteView } from './header.ts';
import type { ImageHeader } from './header.ts';
import { pngSignature, readPngHeader } from './png.ts';

/** Pictures looked at in one icon; real ones have at most some 20. */
const iconsMax = 256;

/** The header of a BMP; undefined when its info header is none of the known sizes. */
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
  // 0 and 3 are plain rows, padded to four bytes: their length is known.
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

/** The header of an icon, with the sides of its largest picture; undefined when it has none. */
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
  const picture = new ByteView(view.bytes.subarray(offset, offset + length));
  if (picture.text(0, 8) === pngSignature) return readPngHeader(picture);
  // A bitmap without its file header; its height counts the mask below the picture too.
  const widthPx = picture.i32(4, true);
  const heightPx = Math.floor(Math.abs(picture.i32(8, true)) / 2);
  if (picture.u32(0, true) !== 40 || widthPx <= 0 || heightPx === 0) return undefined;
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
