/** Filters and deflates bands of PNG rows so that each stands alone in the file: nothing in it refers to another. */
import { constants, deflateRawSync } from 'node:zlib';

/** PNG filter types (PNG 3, 9.2) that bands use. `up` and `paeth` look at the row above. */
export type PngFilter = 'none' | 'sub' | 'up' | 'paeth';

/** How a band is compressed: chosen once from the band's own pixels. */
export interface PngCoding {
  filter: PngFilter;
  /** zlib level 1 … 9. */
  level: number;
  /** Huffman codes only: on photographs, looking for repeats costs time and wins nothing. */
  huffmanOnly: boolean;
}

/** Rows of unfiltered bytes: `stride` bytes a row, `pixelBytes` a pixel. */
export interface RawRows {
  data: Uint8Array;
  stride: number;
  pixelBytes: number;
}

/** One encoded band: an IDAT chunk's content, and what the checksum of the whole needs to know. */
export interface PngBand {
  deflated: Uint8Array;
  adler: number;
  rawBytes: number;
}

const filterTypes: Record<PngFilter, number> = { none: 0, sub: 1, up: 2, paeth: 4 };
/** Adler-32's modulus (RFC 1950). */
const adlerModulus = 65_521;
/** Bytes that can be summed before 32 bits overflow (zlib's NMAX). */
const adlerRunMax = 5552;

/**
 * Filters bytes `from` to before `to` of one row into `out`, a row with its filter type in front. The
 * first row of a band is filtered without looking up, so that the band does not depend on the one above.
 */
export function filterRow(
  { data, stride, pixelBytes }: RawRows,
  row: number,
  isFirst: boolean,
  filter: PngFilter,
  from: number,
  to: number,
  out: Uint8Array,
): void {
  const own: PngFilter = isFirst && filter !== 'none' ? 'sub' : filter;
  const start = row * stride;
  const pixels = data.subarray(start, start + stride);
  out[0] = filterTypes[own];
  const target = out.subarray(1);
  if (own === 'none') {
    target.set(pixels.subarray(from, to), from);
  } else if (own === 'sub') {
    for (let index = from; index < to; index += 1) {
      const left = index < pixelBytes ? 0 : (pixels[index - pixelBytes] ?? 0);
      target[index] = (pixels[index] ?? 0) - left;
    }
  } else {
    const above = data.subarray(start - stride, start);
    if (own === 'up') filterUp(pixels, above, from, to, target);
    else filterPaeth(pixels, above, pixelBytes, from, to, target);
  }
}

function filterUp(
  pixels: Uint8Array,
  above: Uint8Array,
  from: number,
  to: number,
  target: Uint8Array,
): void {
  for (let index = from; index < to; index += 1) {
    target[index] = (pixels[index] ?? 0) - (above[index] ?? 0);
  }
}

function filterPaeth(
  pixels: Uint8Array,
  above: Uint8Array,
  pixelBytes: number,
  from: number,
  to: number,
  target: Uint8Array,
): void {
  for (let index = from; index < Math.min(to, pixelBytes); index += 1) {
    // With nothing on the left the predictor is the byte above (PNG 3, 9.4).
    target[index] = (pixels[index] ?? 0) - (above[index] ?? 0);
  }
  for (let index = Math.max(from, pixelBytes); index < to; index += 1) {
    const left = pixels[index - pixelBytes] ?? 0;
    const up = above[index] ?? 0;
    const corner = above[index - pixelBytes] ?? 0;
    const toLeft = Math.abs(up - corner);
    const toUp = Math.abs(left - corner);
    const toCorner = Math.abs(left + up - 2 * corner);
    const predicted = toLeft <= toUp && toLeft <= toCorner ? left : toUp <= toCorner ? up : corner;
    target[index] = (pixels[index] ?? 0) - predicted;
  }
}

/** Filters whole rows from `firstRow` to before `endRow` as one band. The caller owns the bytes. */
export function filterBand(
  rows: RawRows,
  firstRow: number,
  endRow: number,
  filter: PngFilter,
): Uint8Array<ArrayBuffer> {
  const rowBytes = rows.stride + 1;
  const out = new Uint8Array((endRow - firstRow) * rowBytes);
  for (let row = firstRow; row < endRow; row += 1) {
    const target = out.subarray((row - firstRow) * rowBytes, (row - firstRow + 1) * rowBytes);
    filterRow(rows, row, row === firstRow, filter, 0, rows.stride, target);
  }
  return out;
}

/** Compresses a band's filtered bytes, flushed to a whole byte without a last block. */
export function deflateBand(filtered: Uint8Array, { level, huffmanOnly }: PngCoding): PngBand {
  const deflated = deflateRawSync(filtered, {
    level,
    memLevel: 9,
    strategy: huffmanOnly ? constants.Z_HUFFMAN_ONLY : constants.Z_DEFAULT_STRATEGY,
    finishFlush: constants.Z_SYNC_FLUSH,
  });
  return { deflated, adler: adler32(filtered), rawBytes: filtered.length };
}

function adler32(bytes: Uint8Array): number {
  let low = 1;
  let high = 0;
  for (let start = 0; start < bytes.length; start += adlerRunMax) {
    const end = Math.min(bytes.length, start + adlerRunMax);
    for (let index = start; index < end; index += 1) {
      low += bytes[index] ?? 0;
      high += low;
    }
    low %= adlerModulus;
    high %= adlerModulus;
  }
  return high * 65_536 + low;
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
