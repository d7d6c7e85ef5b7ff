/**
 * Replaces pixels of a photographic band: only their bytes are filtered and coded. The codes of all other bytes are
 * copied, bit by bit. The result is the same as that of coding the whole band again.
 */
import type { Rect } from '../../display-list.ts';
import { kernels, loadBytes, reserve } from '../kernels.ts';
import type { PngBand, RawRows } from './bands.ts';
import { filterTypes, idatChunk } from './bands.ts';
import type { LiteralCode } from './deflate.ts';
import { headerBits, literalBytesMax, loadCodes, writeBlockEnd } from './deflate.ts';

/** Pixels of a row between two positions: smaller steps take more memory, larger steps code more pixels again. */
export const stepPx = 64;
/** Adler-32's modulus (RFC 1950). */
const adlerModulus = 65_521;
const filterType = filterTypes.paeth;

/**
 * The bit of a deflated band at which the codes of each step of each row begin, and the bit after the last code. The
 * first step of a row includes its filter type.
 */
export type LiteralPositions = Uint32Array;

/** Returns the positions of a band from its filtered bytes. */
export function findPositions(
  filtered: Uint8Array,
  code: LiteralCode,
  { stride, pixelBytes }: RawRows,
): LiteralPositions {
  const { address, memory } = loadBytes(filtered, 0);
  loadCodes(memory, code);
  const rowBytes = stride + 1;
  const steps = Math.ceil(stride / pixelBytes / stepPx);
  const positions = new Uint32Array((filtered.length / rowBytes) * steps + 1);
  let bit = headerBits(code);
  for (let index = 0; index < positions.length - 1; index += 1) {
    positions[index] = bit;
    const step = index % steps;
    const start = firstByte(step * stepPx, pixelBytes);
    const end = Math.min(rowBytes, firstByte((step + 1) * stepPx, pixelBytes));
    const row = address + Math.floor(index / steps) * rowBytes;
    bit += kernels.countPngBits(row + start, end - start);
  }
  positions[positions.length - 1] = bit;
  return positions;
}

/** Index of a pixel's first byte in a filtered row; the filter type belongs to the first pixel. */
function firstByte(column: number, pixelBytes: number): number {
  return column === 0 ? 0 : 1 + column * pixelBytes;
}

/**
 * The part of a band whose filtered bytes change with the pixels of a region, in whole steps. It includes the row above
 * and the column to the left, which the filter reads.
 */
export interface SpliceWindow {
  /** Columns of the image, and rows of the band, from `left` and `top` to before `right` and `end`. */
  left: number;
  right: number;
  top: number;
  end: number;
  /** Column and row at which the pixels begin. */
  fromColumn: number;
  fromRow: number;
}

/** Returns the window of regions that touch a band; their rows count from the top of the band. */
export function windowOf(
  regions: readonly Rect[],
  widthPx: number,
  rowCount: number,
): SpliceWindow {
  const x = Math.min(...regions.map((region) => region.x));
  // The filter of the pixel to the right and of the row below reads changed pixels.
  const rightmost = Math.max(...regions.map((region) => region.x + region.width)) + 1;
  const left = Math.floor(x / stepPx) * stepPx;
  const right = Math.min(widthPx, Math.ceil(rightmost / stepPx) * stepPx);
  const top = Math.max(0, Math.min(...regions.map((region) => region.y)));
  const end = Math.min(rowCount, Math.max(...regions.map(({ y, height }) => y + height)) + 1);
  return {
    left,
    right,
    top,
    end,
    fromColumn: Math.max(0, left - 1),
    fromRow: Math.max(0, top - 1),
  };
}

/** A band whose bytes are coded as literals. */
export interface LiteralBand {
  band: PngBand;
  code: LiteralCode;
  positions: LiteralPositions;
  stride: number;
}

/** Returns a band in which the pixels `after` of a window replace `before`. */
export function spliceBand(
  { band, code, positions, stride }: LiteralBand,
  window: SpliceWindow,
  before: RawRows,
  after: RawRows,
): PngBand {
  const { pixelBytes } = before;
  const rows = window.end - window.fromRow;
  const filteredRowBytes = before.stride + 1;
  const filteredBytes = rows * filteredRowBytes;
  const deflated = band.chunk.subarray(8, -4);
  const outputBytes = deflated.length + literalBytesMax(filteredBytes);
  const rawBytes = rows * before.stride;
  const { heap, memory } = reserve(
    rawBytes + 2 * filteredBytes + deflated.length + 16 + outputBytes,
  );
  const old = heap + rawBytes;
  const payload = old + filteredBytes;
  const from = payload + filteredBytes;
  const start = from + deflated.length + 8;
  const bytes = new Uint8Array(memory);
  for (const [{ data }, to] of [
    [before, old],
    [after, payload],
  ] as const) {
    bytes.set(data, heap);
    kernels.filterPngRows(rows, before.stride, pixelBytes, filterType, to);
  }
  bytes.set(deflated, from);
  loadCodes(memory, code);

  const steps = Math.ceil(stride / pixelBytes / stepPx);
  const first = firstByte(window.left, pixelBytes);
  const skipped = firstByte(window.left - window.fromColumn, pixelBytes);
  const length = firstByte(window.right, pixelBytes) - first;
  let to = start;
  let bit = 0;
  let [pending, count] = [0, 0];
  let low = band.adler % 65_536;
  let high = Math.floor(band.adler / 65_536);
  const copyUntil = (end: number): void => {
    to = kernels.copyPngBits(from, bit, end, to, pending, count);
    [pending, count] = [kernels.pngPendingBits(), kernels.pngPendingCount()];
  };
  for (let row = window.top; row < window.end; row += 1) {
    const at = (row - window.fromRow) * filteredRowBytes + skipped;
    copyUntil(positions[row * steps + window.left / stepPx] ?? 0);
    bit = positions[row * steps + Math.ceil(window.right / stepPx)] ?? 0;
    to = kernels.writePngLiterals(payload + at, length, to, pending, count);
    [pending, count] = [kernels.pngPendingBits(), kernels.pngPendingCount()];
    const was = kernels.adler32(old + at, length) >>> 0;
    const is = kernels.adler32(payload + at, length) >>> 0;
    // Every byte counts once in the low sum. In the high sum it counts once for itself and for each byte after it.
    const lowMore = (is % 65_536) - (was % 65_536);
    const bytesAfter = band.rawBytes - row * (stride + 1) - first - length;
    low = modulo(low + lowMore);
    high = modulo(high + Math.floor(is / 65_536) - Math.floor(was / 65_536) + bytesAfter * lowMore);
  }
  copyUntil(positions.at(-1) ?? 0);
  const end = writeBlockEnd(memory, to, code);
  const chunk = idatChunk(bytes.subarray(start, end));
  return { chunk, adler: high * 65_536 + low, rawBytes: band.rawBytes };
}

function modulo(value: number): number {
  return ((value % adlerModulus) + adlerModulus) % adlerModulus;
}
