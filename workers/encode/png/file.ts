/** Joins encoded bands to a PNG file (PNG 3, ISO/IEC 15948). */
import { dotsPerInch } from '../../pixels.ts';
import { joinBytes } from '../banded-image.ts';
import type { PngBand } from './bands.ts';
import { combineAdler, pngChunk } from './bands.ts';
import type { PngColorType, PngRows } from './colors.ts';

/** 96 dots per inch in dots per metre, for pHYs (PNG 3, 11.3.4.3). */
const dotsPerMetre = Math.round(dotsPerInch / 0.0254);
/** Colour types of IHDR (PNG 3, 11.2.1). */
const colorTypes = { palette: 3, rgb: 2, rgba: 6 } as const;
export const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
/** zlib header: deflate, 32 KiB window, no dictionary (RFC 1950, 2.2). */
const zlibHeader = Uint8Array.of(0x78, 0x01);
/** An empty last block with fixed codes (RFC 1951, 3.2.6). */
const lastBlock = Uint8Array.of(0x03, 0x00);

/** Joins the bands of a whole image to a PNG file at 96 dpi. The caller owns the bytes. */
export function joinPng(
  { widthPx, heightPx, colorType, palette }: Omit<PngRows, 'data'>,
  bands: readonly PngBand[],
): Uint8Array<ArrayBuffer> {
  let adler = 1;
  for (const band of bands) adler = combineAdler(adler, band.adler, band.rawBytes);
  const checksum = new DataView(new ArrayBuffer(4));
  checksum.setUint32(0, adler);
  return joinBytes([
    signature,
    headerChunk(widthPx, heightPx, colorType),
    densityChunk(),
    ...paletteChunks(palette?.words ?? []),
    pngChunk('IDAT', [zlibHeader]),
    ...bands.map(({ chunk }) => chunk),
    pngChunk('IDAT', [lastBlock, new Uint8Array(checksum.buffer)]),
    pngChunk('IEND', []),
  ]);
}

/** IHDR: samples of 8 bits, without interlacing. */
export function headerChunk(
  widthPx: number,
  heightPx: number,
  colorType: PngColorType,
): Uint8Array {
  const header = new DataView(new ArrayBuffer(13));
  header.setUint32(0, widthPx);
  header.setUint32(4, heightPx);
  header.setUint8(8, 8);
  header.setUint8(9, colorTypes[colorType]);
  return pngChunk('IHDR', [new Uint8Array(header.buffer)]);
}

/** pHYs: 96 dpi. */
export function densityChunk(): Uint8Array {
  const density = new DataView(new ArrayBuffer(9));
  density.setUint32(0, dotsPerMetre);
  density.setUint32(4, dotsPerMetre);
  density.setUint8(8, 1);
  return pngChunk('pHYs', [new Uint8Array(density.buffer)]);
}

/** PLTE, and tRNS if a colour is transparent. */
function paletteChunks(words: readonly number[]): Uint8Array[] {
  if (words.length === 0) return [];
  const colors = new Uint8Array(words.length * 3);
  const alphas = new Uint8Array(words.length);
  // The loop uses an index: iterators and arrays of three take ten times as long.
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? 0;
    colors[index * 3] = word & 255;
    colors[index * 3 + 1] = (word >>> 8) & 255;
    colors[index * 3 + 2] = (word >>> 16) & 255;
    alphas[index] = word >>> 24;
  }
  const chunks = [pngChunk('PLTE', [colors])];
  if (alphas.some((alpha) => alpha < 255)) chunks.push(pngChunk('tRNS', [alphas]));
  return chunks;
}
