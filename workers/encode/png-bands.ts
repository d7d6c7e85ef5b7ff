/** Encodes bands of rows so that each stands alone inside one PNG: filtered, deflated and flushed to a whole byte. */
import { constants, crc32, deflateRawSync } from 'node:zlib';

/** PNG filter types (PNG 3, 9.2) that bands use. `up` and `paeth` look at the row above. */
export type PngFilter = 'none' | 'sub' | 'up' | 'paeth';

/** How a band is compressed: chosen once from the band's own pixels, when a plan is made. */
export interface PngCoding {
  filter: PngFilter;
  /** zlib level 1 … 9. */
  level: number;
  /** Huffman codes only: on photographs, looking for repeats costs time and wins nothing. */
  huffmanOnly: boolean;
}

/** Pixels of a whole picture: `channels` bytes a pixel, rows without padding. */
export interface PngPixels {
  data: Uint8Array;
  widthPx: number;
  heightPx: number;
  /** 3 for RGB, 4 for RGBA. */
  channels: 3 | 4;
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
/** 96 dots an inch in dots a metre, as pHYs wants it (PNG 3, 11.3.4.3). */
const dotsPerMetre = 3780;
const colorTypes = { 3: 2, 4: 6 } as const;

/**
 * Encodes the rows from `firstRow` to before `endRow`. The first row is filtered without looking up,
 * so that the band does not depend on the one above.
 */
export function encodePngBand(
  pixels: PngPixels,
  firstRow: number,
  endRow: number,
  coding: PngCoding,
): PngBand {
  const filtered = filterRows(pixels, firstRow, endRow, coding.filter);
  const deflated = deflateRawSync(filtered, {
    level: coding.level,
    memLevel: 9,
    strategy: coding.huffmanOnly ? constants.Z_HUFFMAN_ONLY : constants.Z_DEFAULT_STRATEGY,
    finishFlush: constants.Z_SYNC_FLUSH,
  });
  return { deflated, adler: adler32(filtered), rawBytes: filtered.length };
}

function filterRows(
  { data, widthPx, channels }: PngPixels,
  firstRow: number,
  endRow: number,
  filter: PngFilter,
): Uint8Array {
  const stride = widthPx * channels;
  const out = new Uint8Array((endRow - firstRow) * (stride + 1));
  for (let row = firstRow; row < endRow; row += 1) {
    const own: PngFilter = row === firstRow && filter !== 'none' ? 'sub' : filter;
    const start = row * stride;
    const target = (row - firstRow) * (stride + 1);
    out[target] = filterTypes[own];
    if (own === 'none') out.set(data.subarray(start, start + stride), target + 1);
    else if (own === 'up') filterUp(data, start, stride, out, target + 1);
    else if (own === 'sub') filterSub(data, start, stride, channels, out, target + 1);
    else filterPaeth(data, start, stride, channels, out, target + 1);
  }
  return out;
}

function filterUp(
  data: Uint8Array,
  start: number,
  stride: number,
  out: Uint8Array,
  target: number,
): void {
  for (let index = 0; index < stride; index += 1) {
    out[target + index] = (data[start + index] ?? 0) - (data[start - stride + index] ?? 0);
  }
}

function filterSub(
  data: Uint8Array,
  start: number,
  stride: number,
  channels: number,
  out: Uint8Array,
  target: number,
): void {
  for (let index = 0; index < channels; index += 1) out[target + index] = data[start + index] ?? 0;
  for (let index = channels; index < stride; index += 1) {
    out[target + index] = (data[start + index] ?? 0) - (data[start + index - channels] ?? 0);
  }
}

function filterPaeth(
  data: Uint8Array,
  start: number,
  stride: number,
  channels: number,
  out: Uint8Array,
  target: number,
): void {
  const above = start - stride;
  for (let index = 0; index < channels; index += 1) {
    // With nothing on the left the predictor is the byte above (PNG 3, 9.4).
    out[target + index] = (data[start + index] ?? 0) - (data[above + index] ?? 0);
  }
  for (let index = channels; index < stride; index += 1) {
    const left = data[start + index - channels] ?? 0;
    const up = data[above + index] ?? 0;
    const corner = data[above + index - channels] ?? 0;
    const toLeft = Math.abs(up - corner);
    const toUp = Math.abs(left - corner);
    const toCorner = Math.abs(left + up - 2 * corner);
    const predicted = toLeft <= toUp && toLeft <= toCorner ? left : toUp <= toCorner ? up : corner;
    out[target + index] = (data[start + index] ?? 0) - predicted;
  }
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

const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
/** zlib header: deflate, 32 KiB window, no dictionary (RFC 1950, 2.2). */
const zlibHeader = Uint8Array.of(0x78, 0x01);
/** A last, empty block in fixed codes (RFC 1951, 3.2.6). */
const lastBlock = Uint8Array.of(0x03, 0x00);

/** Joins the bands of a whole picture to a PNG file at 96 dpi. */
export function joinPng(
  { widthPx, heightPx, channels }: Omit<PngPixels, 'data'>,
  bands: readonly PngBand[],
): Uint8Array<ArrayBuffer> {
  const header = new DataView(new ArrayBuffer(13));
  header.setUint32(0, widthPx);
  header.setUint32(4, heightPx);
  header.setUint8(8, 8);
  header.setUint8(9, colorTypes[channels]);
  const density = new DataView(new ArrayBuffer(9));
  density.setUint32(0, dotsPerMetre);
  density.setUint32(4, dotsPerMetre);
  density.setUint8(8, 1);
  let adler = 1;
  for (const band of bands) adler = combineAdler(adler, band.adler, band.rawBytes);
  const checksum = new DataView(new ArrayBuffer(4));
  checksum.setUint32(0, adler);
  return joinChunks([
    ['IHDR', [new Uint8Array(header.buffer)]],
    ['pHYs', [new Uint8Array(density.buffer)]],
    ...bands.map(({ deflated }, index): Chunk => [
      'IDAT',
      index === 0 ? [zlibHeader, deflated] : [deflated],
    ]),
    ['IDAT', [lastBlock, new Uint8Array(checksum.buffer)]],
    ['IEND', []],
  ]);
}

type Chunk = [type: string, parts: Uint8Array[]];

function joinChunks(chunks: readonly Chunk[]): Uint8Array<ArrayBuffer> {
  const sizes = chunks.map(([, parts]) => parts.reduce((sum, part) => sum + part.length, 0));
  const total = sizes.reduce((sum, size) => sum + size + 12, signature.length);
  const file = new Uint8Array(total);
  const view = new DataView(file.buffer);
  file.set(signature);
  let offset = signature.length;
  for (const [index, [type, parts]] of chunks.entries()) {
    view.setUint32(offset, sizes[index] ?? 0);
    const start = offset + 4;
    offset = start;
    for (const character of type) {
      file[offset] = character.charCodeAt(0);
      offset += 1;
    }
    for (const part of parts) {
      file.set(part, offset);
      offset += part.length;
    }
    view.setUint32(offset, crc32(file.subarray(start, offset)));
    offset += 4;
  }
  return file;
}
