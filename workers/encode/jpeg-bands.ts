/** A JPEG in bands: each MCU row is a restart interval, so that rows can be replaced in the file. */
import sharp from 'sharp';
import type { Band, BandedImage } from './banded-image.ts';
import { endOfImage, parseJpeg, restartMarker, writeHeader } from './jpeg-file.ts';
import { optimalTable, toCodes } from './jpeg-huffman.ts';
import { countSymbols, mcuGrid, readTokens, writeRows } from './jpeg-scan.ts';

/** Contract section 1: anything else makes Outlook rescale the picture. */
const dotsPerInch = 96;
/** Times that every symbol counts beside those in the default picture: no table may lack one. */
const unseenWeight = 1;

/** From this quality on colour keeps its full resolution: coloured letters blur without it, and a designer asks for it. */
const fullChromaQuality = 90;

/** How much colour resolution a JPEG of this quality keeps. */
export function chromaSubsampling(quality: number): '4:2:0' | '4:4:4' {
  return quality >= fullChromaQuality ? '4:4:4' : '4:2:0';
}

/**
 * Encodes a whole RGB picture in bands. libjpeg-turbo makes the coefficients; the Huffman tables are
 * the best ones for this picture, with a code for every symbol that another picture could need. Decodes
 * bit for bit like the whole-image encode of the same pixels.
 */
export async function createJpegBands(
  rgb: Uint8Array,
  widthPx: number,
  heightPx: number,
  quality: number,
): Promise<BandedImage> {
  const file = parseJpeg(await encodeBaseline(rgb, widthPx, heightPx, quality));
  const scan = readTokens(file);
  const tables = new Map(
    [...countSymbols(scan)].map(([key, frequencies]) => {
      const known = file.tables.get(key)?.symbols ?? new Uint8Array();
      // Weighed up first, so that the symbols nobody has seen cost the others nothing.
      const weights = frequencies.map((count) => count * 64);
      for (const symbol of known) weights[symbol] = (weights[symbol] ?? 0) + unseenWeight;
      return [key, optimalTable(weights)] as const;
    }),
  );
  const codes = new Map([...tables].map(([key, table]) => [key, toCodes(table)]));
  const { columns, heightPx: bandRows } = mcuGrid(file);
  const header = writeHeader({ ...file, tables: new Map(tables) }, columns, dotsPerInch);
  const rows = writeRows(scan, codes);
  return {
    bandRows,
    channels: 3,
    sizeBytes: rows.reduce((sum, row) => sum + row.length, header.length),
    async encodeBands(pixels) {
      const height = pixels.length / (widthPx * 3);
      const part = parseJpeg(await encodeBaseline(pixels, widthPx, height, quality));
      return writeRows(readTokens(part), codes);
    },
    toFile: (changed) => joinRows(header, rows, changed),
  };
}

/**
 * Baseline JPEG with the standard Huffman tables, which take libjpeg-turbo a third of the time of
 * optimised ones: the tables are changed afterwards.
 */
function encodeBaseline(
  rgb: Uint8Array,
  width: number,
  height: number,
  quality: number,
): Promise<Buffer> {
  return sharp(rgb, { raw: { width, height, channels: 3 } })
    .jpeg({ quality, chromaSubsampling: chromaSubsampling(quality), optimizeCoding: false })
    .toBuffer();
}

function joinRows(
  header: Uint8Array,
  rows: readonly Uint8Array[],
  changed: ReadonlyMap<number, Band>,
): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [header];
  for (const [index, kept] of rows.entries()) {
    const row = changed.get(index) ?? kept;
    if (!(row instanceof Uint8Array)) throw new TypeError('a JPEG is joined from its own bands');
    // Markers count 0 … 7 and stand between intervals, not behind the last (T.81, B.2.1).
    if (index > 0) parts.push(Uint8Array.of(0xff, restartMarker + ((index - 1) % 8)));
    parts.push(row);
  }
  parts.push(endOfImage);
  const file = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    file.set(part, offset);
    offset += part.length;
  }
  return file;
}
