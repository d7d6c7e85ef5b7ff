/** Filters and deflates bands of PNG rows. Each band is independent: no data in it refers to another band. */
import { constants, deflateRawSync, crc32 } from 'node:zlib';
import type { LiteralCode, RepeatForm } from './deflate.ts';
import { kernels, loadBytes, reserve } from '../kernels.ts';
import { deflateLiterals, literalBytesMax, deflateRepeats, repeatBytesMax } from './deflate.ts';
import { joinBytes } from '../banded-image.ts';

/** PNG filter types (PNG 3, 9.2) of bands. `up` and `paeth` read the row above. */
export type PngFilter = 'none' | 'sub' | 'up' | 'paeth';

/**
 * The compression of a band, chosen by its pixels: zlib at a level 1 … 9, our deflate with repeats, or Huffman codes
 * alone.
 */
export type PngCoding = { filter: PngFilter } & (
  | { level: number }
  | { repeats: RepeatForm }
  | { code: LiteralCode }
);

/** Rows of unfiltered bytes: `stride` bytes per row, `pixelBytes` per pixel. */
export interface RawRows {
  data: Uint8Array;
  stride: number;
  pixelBytes: number;
}

/** One encoded band: an IDAT chunk, and its part of the checksum of the file. */
export interface PngBand {
  chunk: Uint8Array;
  adler: number;
  rawBytes: number;
}

export const filterTypes: Record<PngFilter, number> = { none: 0, sub: 1, up: 2, paeth: 4 };
/** Adler-32's modulus (RFC 1950). */
const adlerModulus = 65_521;

/**
 * Filters the rows from `firstRow` to before `endRow` as one band. Its first row does not read the row above, so that
 * the band is independent of the previous one. The bytes belong to the kernels and are valid until their next use.
 */
export function filterBand(
  { data, stride, pixelBytes }: RawRows,
  firstRow: number,
  endRow: number,
  filter: PngFilter,
): Uint8Array {
  const rows = endRow - firstRow;
  const length = rows * (stride + 1);
  const { heap, memory } = reserve(rows * stride + length + spareBytesFor(length) + 7);
  new Uint8Array(memory, heap).set(data.subarray(firstRow * stride, endRow * stride));
  const address = heap + rows * stride;
  kernels.filterPngRows(rows, stride, pixelBytes, filterTypes[filter], address);
  return new Uint8Array(memory, address, length);
}

/**
 * Returns the coding of such rows by our deflate with repeats: about as small as zlib's level 6, in at most half of its
 * time.
 */
export function repeatCoding(filter: PngFilter, { stride, pixelBytes }: RawRows): PngCoding {
  // A single repeated colour is worth a repeat. Most differences from neighbours are small and have short codes.
  const shortest = filter === 'none' && pixelBytes === 3 ? 3 : 4;
  return { filter, repeats: { rowBytes: stride + 1, pixelBytes, shortest } };
}

/** Returns the bytes to reserve after filtered bytes for their deflated form, so that the memory does not move. */
function spareBytesFor(length: number): number {
  return Math.max(literalBytesMax(length), repeatBytesMax(length));
}

/** Compresses the filtered bytes of a band, flushed to a whole byte and without a last block. */
export function deflateBand(filtered: Uint8Array, coding: PngCoding): PngBand {
  const adler = adler32(filtered);
  return { chunk: idatChunk(deflate(filtered, coding)), adler, rawBytes: filtered.length };
}

/** Returns the chunk of a band's deflated bytes. The caller owns it. */
export function idatChunk(deflated: Uint8Array): Uint8Array {
  return pngChunk('IDAT', [deflated]);
}

function deflate(filtered: Uint8Array, coding: PngCoding): Uint8Array {
  if ('code' in coding) return deflateLiterals(filtered, coding.code);
  if ('repeats' in coding) return deflateRepeats(filtered, coding.repeats);
  const { level } = coding;
  return deflateRawSync(filtered, { level, memLevel: 9, finishFlush: constants.Z_SYNC_FLUSH });
}

function adler32(bytes: Uint8Array): number {
  const { address } = loadBytes(bytes, spareBytesFor(bytes.length));
  // WebAssembly integers are signed; the checksum is unsigned.
  return kernels.adler32(address, bytes.length) >>> 0;
}

/** Adler-32 of two concatenated parts, from their checksums and the length of the second (zlib's adler32_combine). */
export function combineAdler(first: number, second: number, secondBytes: number): number {
  const firstLow = first % 65_536;
  const firstHigh = Math.floor(first / 65_536);
  const secondLow = second % 65_536;
  const secondHigh = Math.floor(second / 65_536);
  const low = (firstLow + secondLow - 1 + adlerModulus) % adlerModulus;
  const shift = ((secondBytes % adlerModulus) * (firstLow - 1 + adlerModulus)) % adlerModulus;
  const high = (firstHigh + secondHigh + shift) % adlerModulus;
  return high * 65_536 + low;
}

// Chunks of a PNG file.

/** Returns one PNG chunk: its length, type, content and checksum (PNG 3, 5.3). The caller owns it. */
export function pngChunk(type: string, parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const chunk = joinBytes([
    new Uint8Array(4),
    Buffer.from(type, 'latin1'),
    ...parts,
    new Uint8Array(4),
  ]);
  const view = new DataView(chunk.buffer);
  view.setUint32(0, length);
  view.setUint32(length + 8, crc32(chunk.subarray(4, length + 8)));
  return chunk;
}
