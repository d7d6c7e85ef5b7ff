/** A JPEG in bands: each MCU row is a restart interval, in which blocks of pixels can be replaced. */
import sharp from 'sharp';
import type { Pixels } from '../pixels.ts';
import { encodeBlocks } from './jpeg-blocks.ts';
import type { BandedImage, PixelPatch } from './banded-image.ts';
import { joinBytes } from './join-bytes.ts';
import { endOfImage, parseJpeg, restartMarker, writeHeader } from './jpeg-file.ts';
import type { JpegFile } from './jpeg-file.ts';
import { optimalTable, toCodes } from './jpeg-huffman.ts';
import { countSymbols, mcuGrid, readTokens, writeRows } from './jpeg-scan.ts';
import type { ScanTokens } from './jpeg-scan.ts';
import { toRgb } from '../pixels.ts';

/** Contract section 1: anything else makes Outlook rescale the picture. */
const dotsPerInch = 96;
/** A symbol of the picture counts this many times one that only another picture may need: no table may lack one. */
const seenWeight = 64;

/** Part of the blocks above which a whole encode is cheaper, which need not be coded twice (measured at 1200 × 630). */
const replacedShareMax = 0.6;

/** From this quality on colour keeps its full resolution: coloured letters blur without it, and a designer asks for it. */
const fullChromaQuality = 90;

/** How much colour resolution a JPEG of this quality keeps. */
export function chromaSubsampling(quality: number): '4:2:0' | '4:4:4' {
  return quality >= fullChromaQuality ? '4:4:4' : '4:2:0';
}

/**
 * Encodes a whole picture in bands; transparent pixels are laid on white. libjpeg-turbo makes the
 * coefficients; the Huffman tables are the best ones for this picture, with a code for every symbol
 * that another picture could need. Decodes bit for bit like the whole-image encode of the same pixels.
 */
export async function createJpegImage(pixels: Pixels, quality: number): Promise<BandedImage> {
  const file = await encodeBaseline(pixels, quality);
  const scan = readTokens(file);
  const tables = new Map(
    [...countSymbols(scan)].map(([key, frequencies]) => {
      const weights = frequencies.map((count) => count * seenWeight);
      for (const symbol of file.tables.get(key)?.symbols ?? []) {
        weights[symbol] = (weights[symbol] ?? 0) + 1;
      }
      return [key, optimalTable(weights)] as const;
    }),
  );
  const codes = new Map([...tables].map(([key, table]) => [key, toCodes(table)]));
  const { columns, rows: rowCount, widthPx: blockPx } = mcuGrid(file);
  const header = writeHeader({ ...file, tables }, columns, dotsPerInch);
  const rows = writeRows(scan, columns, codes);
  const blocks = (length: number): number => Math.ceil(length / blockPx);
  return {
    blockPx,
    sizeBytes: rows.reduce((sum, row) => sum + row.length, scan.tokens.byteLength),
    pays(regions) {
      const changed = regions.reduce(
        (sum, { width, height }) => sum + blocks(width) * blocks(height),
        0,
      );
      return changed <= columns * rowCount * replacedShareMax;
    },
    toFile(patches) {
      const changed = placePatches(patches, file, blockPx);
      const patched = new Map<number, Uint8Array>();
      for (const row of new Set(changed.flatMap(({ top, end }) => range(top, end)))) {
        const spliced = spliceRow(scan, columns, row, changed);
        const [bytes] = writeRows(spliced, columns, codes);
        if (bytes !== undefined) patched.set(row, bytes);
      }
      return joinRows(header, rows, patched);
    },
  };
}

/** Minimum coded units of one patch, from the left and top to before the right and the end. */
interface McuPatch {
  left: number;
  right: number;
  top: number;
  end: number;
  scan: ScanTokens;
}

function placePatches(
  patches: readonly PixelPatch[],
  model: JpegFile,
  blockPx: number,
): McuPatch[] {
  return patches
    .map(({ region, pixels }) => {
      const { columns, rows } = mcuGrid({ ...model, width: region.width, height: region.height });
      const left = region.x / blockPx;
      const top = region.y / blockPx;
      return {
        left,
        right: left + columns,
        top,
        end: top + rows,
        scan: encodeBlocks(pixels, model),
      };
    })
    .toSorted((a, b) => a.left - b.left);
}

/** Reused between rows: memory that is not asked for need not be collected. */
let splicedTokens = new Uint32Array(1 << 14);

/** One row of the picture with the patches that cross it in their places. The tokens are good until the next row. */
function spliceRow(
  scan: ScanTokens,
  columns: number,
  row: number,
  patches: readonly McuPatch[],
): ScanTokens {
  const parts: Uint32Array[] = [];
  let column = 0;
  for (const { left, right, top, end, scan: own } of patches) {
    if (row < top || row >= end) continue;
    parts.push(mcuTokens(scan, row * columns + column, row * columns + left));
    const first = (row - top) * (right - left);
    parts.push(mcuTokens(own, first, first + right - left));
    column = right;
  }
  parts.push(mcuTokens(scan, row * columns + column, (row + 1) * columns));
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  if (splicedTokens.length < length) splicedTokens = new Uint32Array(length);
  let end = 0;
  for (const part of parts) {
    splicedTokens.set(part, end);
    end += part.length;
  }
  // Where the units end is not asked of a row: it is written as one.
  const mcuEnds = new Uint32Array(columns).fill(length);
  return { tokens: splicedTokens.subarray(0, length), mcuEnds };
}

function mcuTokens({ tokens, mcuEnds }: ScanTokens, first: number, end: number): Uint32Array {
  const start = first === 0 ? 0 : mcuEnds[first - 1];
  return tokens.subarray(start, end === 0 ? 0 : mcuEnds[end - 1]);
}

/**
 * Baseline JPEG with the standard Huffman tables, which take libjpeg-turbo a third of the time of
 * optimised ones: the tables are changed afterwards.
 */
async function encodeBaseline(
  { data, widthPx: width, heightPx: height }: Pixels,
  quality: number,
): Promise<JpegFile> {
  const bytes = await sharp(toRgb(data), { raw: { width, height, channels: 3 } })
    .jpeg({ quality, chromaSubsampling: chromaSubsampling(quality), optimizeCoding: false })
    .toBuffer();
  return parseJpeg(bytes);
}

function joinRows(
  header: Uint8Array,
  rows: readonly Uint8Array[],
  patched: ReadonlyMap<number, Uint8Array>,
): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [header];
  for (const [index, kept] of rows.entries()) {
    // Markers count 0 … 7 and stand between intervals, not behind the last (T.81, B.2.1).
    if (index > 0) parts.push(Uint8Array.of(0xff, restartMarker + ((index - 1) % 8)));
    parts.push(patched.get(index) ?? kept);
  }
  parts.push(endOfImage);
  return joinBytes(parts);
}

function range(first: number, end: number): number[] {
  return Array.from({ length: end - first }, (_, index) => first + index);
}
