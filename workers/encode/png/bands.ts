/** Filters and deflates bands of PNG rows so that each stands alone in the file: nothing in it refers to another. */
import { constants, deflateRawSync, crc32 } from 'node:zlib';
import type { LiteralCode, RepeatForm } from './deflate.ts';
import { kernels, lendBytes, reserve } from '../kernels.ts';
import { deflateLiterals, literalBytesMax, deflateRepeats, repeatBytesMax } from './deflate.ts';
import { joinBytes } from '../banded-image.ts';

/** PNG filter types (PNG 3, 9.2) that bands use. `up` and `paeth` look at the row above. */
export type PngFilter = 'none' | 'sub' | 'up' | 'paeth';

/**
 * How a band is compressed, chosen once from its own pixels: by zlib at a level 1 … 9, by our own loops with repeats that
 * are looked for in rows of so many bytes, or byte by byte in codes made for it.
 */
export type PngCoding = { filter: PngFilter } & (
  | { level: number }
  | { repeats: RepeatForm }
  | { code: LiteralCode }
);

/** Rows of unfiltered bytes: `stride` bytes a row, `pixelBytes` a pixel. */
export interface RawRows {
  data: Uint8Array;
  stride: number;
  pixelBytes: number;
}

/** One encoded band: an IDAT chunk, and what the checksum of the whole needs to know. */
export interface PngBand {
  chunk: Uint8Array;
  adler: number;
  rawBytes: number;
}

const filterTypes: Record<PngFilter, number> = { none: 0, sub: 1, up: 2, paeth: 4 };
/** Adler-32's modulus (RFC 1950). */
const adlerModulus = 65_521;

/**
 * Filters whole rows from `firstRow` to before `endRow` as one band; its first row does not look up, so that the
 * band does not depend on the one above. The bytes are lent: they are good until the kernels are used again.
 */
export function filterBand(
  { data, stride, pixelBytes }: RawRows,
  firstRow: number,
  endRow: number,
  filter: PngFilter,
): Uint8Array {
  const rows = endRow - firstRow;
  const length = rows * (stride + 1);
  const { heap, memory } = reserve(rows * stride + length + roomFor(length) + 7);
  new Uint8Array(memory, heap).set(data.subarray(firstRow * stride, endRow * stride));
  const address = heap + rows * stride;
  kernels.filterPngRows(rows, stride, pixelBytes, filterTypes[filter], address);
  return new Uint8Array(memory, address, length);
}

/** Rows like these with repeats that our own loops find: about as small as by zlib's level 6, in half of its time or less. */
export function repeatCoding(filter: PngFilter, { stride, pixelBytes }: RawRows): PngCoding {
  // A colour that comes again is worth a repeat of its own; of differences to neighbours most are small and short.
  const shortest = filter === 'none' && pixelBytes === 3 ? 3 : 4;
  return { filter, repeats: { rowBytes: stride + 1, pixelBytes, shortest } };
}

/** Room behind filtered bytes for what they are deflated to, so that memory does not grow and move them. */
function roomFor(length: number): number {
  return Math.max(literalBytesMax(length), repeatBytesMax(length));
}

/** Compresses a band's filtered bytes, flushed to a whole byte without a last block. */
export function deflateBand(filtered: Uint8Array, coding: PngCoding): PngBand {
  const adler = adler32(filtered);
  return { chunk: pngChunk('IDAT', [deflate(filtered, coding)]), adler, rawBytes: filtered.length };
}

function deflate(filtered: Uint8Array, coding: PngCoding): Uint8Array {
  if ('code' in coding) return deflateLiterals(filtered, coding.code);
  if ('repeats' in coding) return deflateRepeats(filtered, coding.repeats);
  const { level } = coding;
  return deflateRawSync(filtered, { level, memLevel: 9, finishFlush: constants.Z_SYNC_FLUSH });
}

function adler32(bytes: Uint8Array): number {
  const { address } = lendBytes(bytes, roomFor(bytes.length));
  // As a number without a sign, which WebAssembly does not have.
  return kernels.adler32(address, bytes.length) >>> 0;
}

/** Adler-32 of two stretches joined, from their own and the second's length (zlib's adler32_combine). */
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

/** One chunk: its length, type, content and checksum (PNG 3, 5.3). The caller owns it. */
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
