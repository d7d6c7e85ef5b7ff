/** Joins encoded bands to a PNG file (PNG 3, ISO/IEC 15948). */
import { crc32 } from 'node:zlib';
import type { PngBand } from './png-bands.ts';
import { combineAdler } from './png-bands.ts';
import type { PngRows } from './png-colors.ts';

/** 96 dots an inch in dots a metre, as pHYs wants it (PNG 3, 11.3.4.3). */
const dotsPerMetre = 3780;
/** Colour types of IHDR (PNG 3, 11.2.1). */
const colorTypes = { palette: 3, rgb: 2, rgba: 6 } as const;
const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
/** zlib header: deflate, 32 KiB window, no dictionary (RFC 1950, 2.2). */
const zlibHeader = Uint8Array.of(0x78, 0x01);
/** A last, empty block in fixed codes (RFC 1951, 3.2.6). */
const lastBlock = Uint8Array.of(0x03, 0x00);

type Chunk = [type: string, parts: Uint8Array[]];

/** Joins the bands of a whole picture to a PNG file at 96 dpi. `rows` says what the picture is. */
export function joinPng(
  { widthPx, heightPx, colorType, palette }: Omit<PngRows, 'data'>,
  bands: readonly PngBand[],
): Uint8Array<ArrayBuffer> {
  const header = new DataView(new ArrayBuffer(13));
  header.setUint32(0, widthPx);
  header.setUint32(4, heightPx);
  header.setUint8(8, 8);
  header.setUint8(9, colorTypes[colorType]);
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
    ...paletteChunks(palette?.words ?? []),
    ...bands.map(({ deflated }, index): Chunk => [
      'IDAT',
      index === 0 ? [zlibHeader, deflated] : [deflated],
    ]),
    ['IDAT', [lastBlock, new Uint8Array(checksum.buffer)]],
    ['IEND', []],
  ]);
}

/** PLTE, and tRNS when a colour is see-through. */
function paletteChunks(words: readonly number[]): Chunk[] {
  if (words.length === 0) return [];
  const colors = words.flatMap((word) => [word & 255, (word >>> 8) & 255, (word >>> 16) & 255]);
  const alphas = words.map((word) => word >>> 24);
  const chunks: Chunk[] = [['PLTE', [Uint8Array.from(colors)]]];
  if (alphas.some((alpha) => alpha < 255)) chunks.push(['tRNS', [Uint8Array.from(alphas)]]);
  return chunks;
}

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
