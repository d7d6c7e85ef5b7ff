/** A JPEG in bands: each MCU row is a restart interval of each scan, in which blocks of pixels can be replaced. */
import sharp from 'sharp';
import { dotsPerInch } from '../../pixels.ts';
import type { Pixels } from '../../pixels.ts';
import { encodeBlocks, encodeEvenColor } from './blocks.ts';
import type { BandedImage, PixelPatch } from '../banded-image.ts';
import { joinBytes } from '../banded-image.ts';
import { endOfImage, parseJpeg, restartMarker, writeHeader } from './file.ts';
import type { JpegFile } from './file.ts';
import { optimalTable, toCodes } from './huffman.ts';
import { blockEndSymbols, scanHeaders, splitRow } from './progressive.ts';
import { acClass, countSymbols, extraBitsOf, mcuGrid, readTokens, writeInterval } from './scan.ts';
import type { CodesByTable, ScanTokens, SymbolCounts } from './scan.ts';
import { toRgb } from '../../pixels.ts';

/**
 * Colour resolution: full, or half in each direction. `4:4:4-even` is full resolution in a JPEG that is hardly larger
 * than at half resolution (`blocks.ts`). WebP stores half resolution only: for the other two values, its encoder
 * searches for the samples closest to full resolution, in images of at most `sharpWebpPixelsMax`.
 */
export type Chroma = '4:4:4' | '4:4:4-even' | '4:2:0';

/**
 * Weight of a symbol of the image, relative to a symbol that only other images may need: every symbol must have a code.
 */
const seenWeight = 64;

/**
 * Share of replaced blocks above which a whole encode is cheaper, because it codes no block twice (measured at 1200 ×
 * 630).
 */
const replacedShareMax = 0.6;

/**
 * Share of changed units, or of added bytes, above which the image may be so different that other tables are better.
 */
const likeShareMax = 0.1;
/** The base render's tables serve a file that they make at most this much larger than tables of its own would. */
const fittingRatio = 1.02;

const empty = new Uint8Array(0);

/**
 * Encodes a whole image in bands; transparent pixels are blended with white. The coefficients are those of
 * libjpeg-turbo. The Huffman tables are optimal for this image, with a code for every symbol that another image could
 * need. Decodes bit for bit like the whole-image encode of the same pixels.
 */
export async function createJpegImage(
  pixels: Pixels,
  quality: number,
  chroma: Chroma = '4:2:0',
): Promise<BandedImage> {
  const { file, scan } =
    chroma === '4:4:4-even'
      ? await encodeEvenColor(pixels, quality)
      : await encodeBaseline(pixels, quality, chroma);
  const { columns, rows: rowCount, widthPx: blockPx } = mcuGrid(file);
  const all = range(0, rowCount);
  const rowOf = (row: number): Uint32Array => spliceRow(scan, columns, row, []);
  const { tables, codes } = makeTables(countRows(all, rowOf, file), file);
  const header = writeHeader({ ...file, tables }, columns, dotsPerInch);
  const rows = all.map((row) => writeRow(rowOf(row), file, codes));
  const rowBytes = sumOf(rows);
  const blocks = (length: number): number => Math.ceil(length / blockPx);
  return {
    blockPx,
    sizeBytes: rowBytes + scan.tokens.byteLength + scan.mcuEnds.byteLength,
    pays(regions) {
      const changed = regions.reduce(
        (sum, { width, height }) => sum + blocks(width) * blocks(height),
        0,
      );
      return changed <= columns * rowCount * replacedShareMax;
    },
    toFile(patches) {
      const changed = placePatches(patches, file, blockPx);
      const crossed = [...new Set(changed.flatMap(({ top, end }) => range(top, end)))];
      const tokensOf = (row: number): Uint32Array => spliceRow(scan, columns, row, changed);
      const patched = new Map(
        crossed.map((row) => [row, writeRow(tokensOf(row), file, codes)] as const),
      );
      const grownBytes = sumOf(patched.values()) - sumOf(crossed.map((row) => rows[row] ?? []));
      const units = changed.reduce(
        (sum, { left, right, top, end }) => sum + (right - left) * (end - top),
        0,
      );
      const isMuch =
        units > columns * rowCount * likeShareMax || grownBytes > rowBytes * likeShareMax;
      const own = isMuch ? fittingTables(countRows(all, tokensOf, file), file, codes) : undefined;
      if (own === undefined) return joinRows(header, file, rows, patched);
      const ownHeader = writeHeader({ ...file, tables: own.tables }, columns, dotsPerInch);
      const ownRows = all.map((row) => writeRow(tokensOf(row), file, own.codes));
      return joinRows(ownHeader, file, ownRows, new Map());
    },
  };
}

/** The bytes of a row of units, in each scan of the file. */
type CodedRow = readonly Uint8Array[];

function sumOf(rows: Iterable<CodedRow>): number {
  let sum = 0;
  for (const row of rows) {
    for (const { length } of row) sum += length;
  }
  return sum;
}

/** The scans of one row. The tokens are valid until the next row. */
function scansOf(row: Uint32Array, { isProgressive }: JpegFile): readonly Uint32Array[] {
  return isProgressive ? splitRow(row) : [row];
}

function writeRow(row: Uint32Array, file: JpegFile, codes: CodesByTable): CodedRow {
  return scansOf(row, file).map((tokens) => writeInterval(tokens, codes));
}

function countRows(
  rows: readonly number[],
  tokensOf: (row: number) => Uint32Array,
  file: JpegFile,
): SymbolCounts {
  function* intervals(): Generator<Uint32Array> {
    for (const row of rows) yield* scansOf(tokensOf(row), file);
  }
  return countSymbols(intervals());
}

/** Returns the optimal tables for these symbol counts, with a code for every other symbol that an image could need. */
function makeTables(
  counts: SymbolCounts,
  file: JpegFile,
): { tables: JpegFile['tables']; codes: CodesByTable } {
  const tables = new Map(
    [...counts].map(([key, frequencies]) => {
      const weights = frequencies.map((count) => count * seenWeight);
      const others = file.isProgressive && key >= acClass ? blockEndSymbols : [];
      for (const symbol of [...(file.tables.get(key)?.symbols ?? []), ...others]) {
        weights[symbol] = (weights[symbol] ?? 0) + 1;
      }
      return [key, optimalTable(weights)] as const;
    }),
  );
  const codes = new Map([...tables].map(([key, table]) => [key, toCodes(table)]));
  return { tables, codes };
}

/** Returns tables made for a file with these symbols; undefined if those of the base render are nearly as good. */
function fittingTables(
  counts: SymbolCounts,
  file: JpegFile,
  baseCodes: CodesByTable,
): ReturnType<typeof makeTables> | undefined {
  const own = makeTables(counts, file);
  const baseBits = codedBits(counts, baseCodes);
  return baseBits > codedBits(counts, own.codes) * fittingRatio ? own : undefined;
}

/** Bits of a file's symbols in these codes, with the extra bits of each symbol. */
function codedBits(counts: SymbolCounts, codes: CodesByTable): number {
  let bits = 0;
  for (const [key, frequencies] of counts) {
    const lengths = codes.get(key)?.lengths;
    for (const [symbol, count] of frequencies.entries()) {
      bits += count * ((lengths?.[symbol] ?? 0) + extraBitsOf(symbol));
    }
  }
  return bits;
}

/** The MCUs of a strip of one patch: `left` and `top` are inclusive, `right` and `end` exclusive. */
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
    .flatMap(({ region, pixels }) => {
      const { columns } = mcuGrid({ ...model, width: region.width });
      const left = region.x / blockPx;
      let end = region.y / blockPx;
      return encodeBlocks(pixels, model).map((scan): McuPatch => {
        const top = end;
        end += scan.mcuEnds.length / columns;
        return { left, right: left + columns, top, end, scan };
      });
    })
    .toSorted((a, b) => a.left - b.left);
}

/** Reused between rows, to spare the garbage collector. */
let splicedTokens = new Uint32Array(1 << 14);

/** Returns one row of the image with the patches that cross it. The tokens are valid until the next row. */
function spliceRow(
  scan: ScanTokens,
  columns: number,
  row: number,
  patches: readonly McuPatch[],
): Uint32Array {
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
  return splicedTokens.subarray(0, length);
}

function mcuTokens({ tokens, mcuEnds }: ScanTokens, first: number, end: number): Uint32Array {
  const start = first === 0 ? 0 : mcuEnds[first - 1];
  return tokens.subarray(start, end === 0 ? 0 : mcuEnds[end - 1]);
}

/**
 * Encodes a baseline JPEG with the standard Huffman tables, in a third of the time that libjpeg-turbo takes for
 * optimised ones: the tables are replaced afterwards.
 */
async function encodeBaseline(
  { data, widthPx: width, heightPx: height }: Pixels,
  quality: number,
  chromaSubsampling: '4:4:4' | '4:2:0',
): Promise<{ file: JpegFile; scan: ScanTokens }> {
  const bytes = await sharp(toRgb(data), { raw: { width, height, channels: 3 } })
    .jpeg({ quality, chromaSubsampling, optimizeCoding: false })
    .toBuffer();
  const encoded = parseJpeg(bytes);
  // The scan is a view of the whole file, which it would keep in memory as long as this image.
  return { file: { ...encoded, scan: empty }, scan: readTokens(encoded) };
}

function joinRows(
  header: Uint8Array,
  file: JpegFile,
  rows: readonly CodedRow[],
  patched: ReadonlyMap<number, CodedRow>,
): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [header];
  for (const [scan, scanHeader] of scanHeaders(file).entries()) {
    parts.push(scanHeader);
    for (const [index, kept] of rows.entries()) {
      // Restart markers count 0 … 7 and stand between intervals, not after the last (T.81, B.2.1).
      if (index > 0) parts.push(Uint8Array.of(0xff, restartMarker + ((index - 1) % 8)));
      parts.push((patched.get(index) ?? kept)[scan] ?? empty);
    }
  }
  parts.push(endOfImage);
  return joinBytes(parts);
}

function range(first: number, end: number): number[] {
  return Array.from({ length: end - first }, (_, index) => first + index);
}
