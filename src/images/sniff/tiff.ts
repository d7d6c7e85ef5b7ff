/** Reads TIFF 6.0 structures: TIFF files, and the EXIF orientation of other formats, which is a TIFF block. */
import { ByteView } from './header.ts';
import type { ImageHeader } from './header.ts';

/** Entries read of one directory; EXIF has some 60 tags. */
const entriesMax = 512;
/** Pages counted. Renders use the first page only. */
const pagesMax = 1000;

const tags = {
  width: 256,
  height: 257,
  bitsPerSample: 258,
  orientation: 274,
  samplesPerPixel: 277,
} as const;

interface Directory {
  /** First value of each tag that is a BYTE, SHORT or LONG. */
  values: ReadonlyMap<number, number>;
  nextOffset: number;
}

/** The EXIF orientation 1 … 8 of a TIFF block (with or without `Exif\0\0` before it); 1 if it has none. */
export function readOrientation(view: ByteView): number {
  const start = view.text(0, 6) === 'Exif\0\0' ? 6 : 0;
  const tiff = start === 0 ? view : new ByteView(view.bytes.subarray(start));
  const littleEndian = byteOrder(tiff);
  if (littleEndian === undefined) return 1;
  const directory = readDirectory(tiff, tiff.u32(4, littleEndian), littleEndian);
  const value = directory?.values.get(tags.orientation) ?? 1;
  return value >= 1 && value <= 8 ? value : 1;
}

/** The header of a TIFF's first page; undefined when its directory is unreadable. BigTIFF is not read. */
export function readTiffHeader(view: ByteView): ImageHeader | undefined {
  const littleEndian = byteOrder(view);
  if (littleEndian === undefined) return undefined;
  const first = readDirectory(view, view.u32(4, littleEndian), littleEndian);
  const widthPx = first?.values.get(tags.width) ?? 0;
  const heightPx = first?.values.get(tags.height) ?? 0;
  if (first === undefined || widthPx === 0 || heightPx === 0) return undefined;
  const channels = first.values.get(tags.samplesPerPixel) ?? 1;
  const bitDepth = first.values.get(tags.bitsPerSample) ?? 1;
  if (channels === 0 || bitDepth === 0 || bitDepth > 64) return undefined;
  const orientation = first.values.get(tags.orientation) ?? 1;
  return {
    format: 'tiff',
    widthPx,
    heightPx,
    orientation: orientation >= 1 && orientation <= 8 ? orientation : 1,
    frames: countPages(view, first, littleEndian),
    bitDepth,
    channels,
    interlaced: false,
    truncated: false,
  };
}

/** Whether numbers are little-endian; undefined when this is no TIFF header. */
function byteOrder(view: ByteView): boolean | undefined {
  const order = view.text(0, 2);
  if (order !== 'II' && order !== 'MM') return undefined;
  const littleEndian = order === 'II';
  return view.u16(2, littleEndian) === 42 ? littleEndian : undefined;
}

function readDirectory(
  view: ByteView,
  offset: number,
  littleEndian: boolean,
): Directory | undefined {
  const entries = view.u16(offset, littleEndian);
  // A truncated block (EXIF of some cameras) still gives the entries that it has.
  if (offset < 8 || entries === 0 || entries > entriesMax) return undefined;
  const values = new Map<number, number>();
  for (let entry = 0; entry < entries; entry++) {
    const at = offset + 2 + entry * 12;
    const value = firstValue(view, at, littleEndian);
    if (value !== undefined) values.set(view.u16(at, littleEndian), value);
  }
  return { values, nextOffset: view.u32(offset + 2 + entries * 12, littleEndian) };
}

function firstValue(view: ByteView, at: number, littleEndian: boolean): number | undefined {
  if (!view.has(at, 12)) return undefined;
  const type = view.u16(at + 2, littleEndian);
  const count = view.u32(at + 4, littleEndian);
  const size = { 1: 1, 3: 2, 4: 4 }[type];
  if (size === undefined || count === 0) return undefined;
  // For values of more than four bytes in total, the field holds their offset.
  const position = count * size > 4 ? view.u32(at + 8, littleEndian) : at + 8;
  if (!view.has(position, size)) return undefined;
  if (size === 1) return view.u8(position);
  return size === 2 ? view.u16(position, littleEndian) : view.u32(position, littleEndian);
}

function countPages(view: ByteView, first: Directory, littleEndian: boolean): number {
  const seen = new Set<number>();
  let next = first.nextOffset;
  while (next !== 0 && !seen.has(next) && seen.size < pagesMax) {
    const directory = readDirectory(view, next, littleEndian);
    if (directory === undefined) break;
    seen.add(next);
    next = directory.nextOffset;
  }
  return 1 + seen.size;
}
