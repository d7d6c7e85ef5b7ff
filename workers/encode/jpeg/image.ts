/** A JPEG in bands: each MCU row is a restart interval of each scan, in which blocks of pixels can be replaced. */
import { dotsPerInch } from '../../pixels.ts';
import type { Pixels } from '../../pixels.ts';
import type { Rect } from '../../display-list.ts';
import { encodeAllBlocks } from './blocks.ts';
import type { BandedImage, PixelPatch } from '../banded-image.ts';
import { joinBytes } from '../banded-image.ts';
import {
  codedBits,
  countRow,
  fittingTables,
  leastBits,
  loadRow,
  mcuTokens,
  readCounts,
  spliceRow,
  startCounts,
  subtractPairs,
  toPairs,
  toSpliceable,
  writeRow,
} from './entropy.ts';
import type { CountPairs, FileTables, ScanTokens, SpliceableRow, SymbolCounts } from './entropy.ts';
import { endOfImage, mcuGrid, restartMarker, writeHeader } from './file.ts';
import type { JpegFile } from './file.ts';
import { headOf } from './head.ts';
import type { Chroma } from './head.ts';
import { changedColumns, placePatches } from './patches.ts';
import type { Columns, McuPatch } from './patches.ts';
import { scanCount, scanHeaders } from './progressive.ts';

/**
 * Share of replaced blocks above which the whole image is encoded. This takes as long as replacing them, and new tables
 * make the file 1 % smaller (new photographs in `welcome-banner`). Replacing 60 to 94 % takes 0.5 to 0.7 of this time.
 */
const replacedShareMax = 0.95;
/** Upper bound of the size of a file with the base render's tables, relative to the file with optimal tables. */
const fittingRatio = 1.02;

/**
 * Encodes a whole image in bands; transparent pixels are blended with white. The coefficients are those of
 * libjpeg-turbo. The Huffman tables are optimal for this image, with a code for every symbol that another image could
 * need. The file decodes bit for bit like that of libjpeg-turbo.
 */
export async function createJpegImage(
  pixels: Pixels,
  quality: number,
  chroma: Chroma = '4:2:0',
): Promise<BandedImage> {
  const head = await headOf(quality, chroma);
  const file = { ...head, width: pixels.widthPx, height: pixels.heightPx };
  return new JpegImage(tabled(file, encodeAllBlocks(pixels, file)));
}

/** The tokens of an image, and its bytes with the tables that fit it. */
export interface JpegImageData {
  file: JpegFile;
  scan: ScanTokens;
  counts: SymbolCounts;
  fileTables: FileTables;
  bytes: Uint8Array;
  /** Start and end offsets of each restart interval in `bytes`: scan by scan, row by row. */
  intervals: Uint32Array;
}

export function jpegImageOf(data: JpegImageData): BandedImage {
  return new JpegImage(data);
}

/** Estimated bytes of the symbols of a row and their counts: photographs have 60 to 150 of them. */
const pairsBytes = 1024;

/** The bytes of a row of units, in each scan of the file. */
type CodedRow = readonly Uint8Array[];

/** Chooses the tables of an image, and writes its bytes. */
function tabled(file: JpegFile, scan: ScanTokens): JpegImageData {
  const { columns, rows } = mcuGrid(file);
  startCounts();
  for (let row = 0; row < rows; row += 1) {
    countRow(loadRow([mcuTokens(scan, row * columns, (row + 1) * columns)]), file, 1);
  }
  const counts = readCounts();
  const fileTables = fittingTables(counts, file);
  const intervals = new Uint32Array(2 * rows * scanCount(file.isProgressive));
  const untabled = { file, scan, counts, fileTables, bytes: empty, intervals };
  const bytes = new JpegImage(untabled).join(fileTables, [], intervals);
  return { ...untabled, bytes };
}

class JpegImage implements BandedImage {
  readonly data: JpegImageData;
  readonly blockPx: number;
  readonly #columns: number;
  readonly #rowCount: number;
  /** Bits of the tokens relative to their entropy: whole bits and codes for absent symbols make it larger than 1. */
  readonly #codingRatio: number;
  /** Cache of the symbols of changed rows of a progressive file. */
  readonly #rowCounts = new Map<number, CountPairs>();
  /** Cache of the changed rows of a baseline file. */
  readonly #spliceables = new Map<number, SpliceableRow>();

  constructor(data: JpegImageData) {
    const { columns, rows, widthPx } = mcuGrid(data.file);
    this.data = data;
    this.blockPx = widthPx;
    this.#columns = columns;
    this.#rowCount = rows;
    const { counts, fileTables } = data;
    this.#codingRatio = codedBits(counts, fileTables.codes) / Math.max(1, leastBits(counts));
  }

  get sizeBytes(): number {
    const { file, scan, bytes, intervals } = this.data;
    const changedBytes = file.isProgressive
      ? this.#rowCount * pairsBytes
      : bytes.length + scan.mcuEnds.byteLength;
    const { tokens, mcuEnds } = scan;
    return (
      bytes.length + changedBytes + tokens.byteLength + mcuEnds.byteLength + intervals.byteLength
    );
  }

  pays(regions: readonly Rect[]): boolean {
    const blocks = (length: number): number => Math.ceil(length / this.blockPx);
    const changed = regions.reduce(
      (sum, { width, height }) => sum + blocks(width) * blocks(height),
      0,
    );
    return changed <= this.#columns * this.#rowCount * replacedShareMax;
  }

  toFile(patches: readonly PixelPatch[]): Uint8Array<ArrayBuffer> {
    const file = this.data.file;
    const changed = placePatches(patches, file, this.blockPx);
    const crossed = [...new Set(changed.flatMap(({ top, end }) => range(top, end)))];
    const rows = new Map<number, CodedRow>();
    startCounts(this.data.counts);
    for (const row of crossed.toSorted((a, b) => a - b)) {
      const columns = changedColumns(row, changed, this.data.scan, this.#columns);
      if (columns !== undefined) rows.set(row, this.#codeRow(row, changed, columns));
    }
    const counts = readCounts();
    const bits = codedBits(counts, this.data.fileTables.codes);
    if (bits <= leastBits(counts) * this.#codingRatio * fittingRatio) return this.#splice(rows);
    return this.join(fittingTables(counts, file), changed);
  }

  /** Returns the symbols of a row of a progressive file, and caches them. Does not change the current counts. */
  #pairsOf(row: number): CountPairs {
    const kept = this.#rowCounts.get(row);
    if (kept !== undefined) return kept;
    const current = readCounts();
    startCounts();
    countRow(loadRow(this.#partsOf(row, [])), this.data.file, 1);
    const made = toPairs(readCounts());
    startCounts(current);
    this.#rowCounts.set(row, made);
    return made;
  }

  /**
   * Codes a row with its patches. A progressive file needs the whole row, because one code ends a run of blocks.
   */
  #codeRow(row: number, patches: readonly McuPatch[], columns: Columns): CodedRow {
    if (!this.data.file.isProgressive) return this.#spliceRow(row, patches, columns);
    subtractPairs(this.#pairsOf(row));
    return writeRow(
      loadRow(this.#partsOf(row, patches)),
      this.data.file,
      this.data.fileTables.codes,
    );
  }

  /**
   * Codes some columns of a row with its patches, and copies the other codes. The unit after these columns is coded
   * too: its mean values are stored as differences from the unit before.
   */
  #spliceRow(row: number, patches: readonly McuPatch[], [left, until]: Columns): CodedRow {
    const { codes } = this.data.fileTables;
    const right = Math.min(this.#columns, until + 1);
    const first = row * this.#columns;
    const kept = this.#spliceable(row);
    const before = left > 0 ? mcuTokens(this.data.scan, first + left - 1, first + left) : undefined;
    countRow(loadRow(this.#partsOf(row, [], left, right), before), this.data.file, -1);
    const loaded = loadRow(this.#partsOf(row, patches, left, right), before);
    countRow(loaded, this.data.file, 1);
    return [spliceRow(loaded, kept, [left, right], codes)];
  }

  /** Returns the codes of a row of a baseline file, and caches them. */
  #spliceable(row: number): SpliceableRow {
    const kept = this.#spliceables.get(row);
    if (kept !== undefined) return kept;
    const coded = this.data.bytes.subarray(
      this.data.intervals[2 * row],
      this.data.intervals[2 * row + 1],
    );
    const first = row * this.#columns;
    const units = [first, first + this.#columns] as const;
    const made = toSpliceable(coded, this.data.scan, units, this.data.fileTables.codes);
    this.#spliceables.set(row, made);
    return made;
  }

  /** Returns the tokens of some columns of one row, in parts, with the patches that cross it. */
  #partsOf(
    row: number,
    patches: readonly McuPatch[],
    from = 0,
    until = this.#columns,
  ): Uint32Array[] {
    const first = row * this.#columns;
    const parts: Uint32Array[] = [];
    let column = from;
    for (const { left, right, top, end, scan } of patches) {
      const start = Math.max(left, from);
      const stop = Math.min(right, until);
      if (row < top || row >= end || start >= stop) continue;
      parts.push(mcuTokens(this.data.scan, first + column, first + start));
      const offset = (row - top) * (right - left) - left;
      parts.push(mcuTokens(scan, offset + start, offset + stop));
      column = stop;
    }
    parts.push(mcuTokens(this.data.scan, first + column, first + until));
    return parts;
  }

  /** Returns the file of the image in which `rows` replace rows. */
  #splice(rows: ReadonlyMap<number, CodedRow>): Uint8Array<ArrayBuffer> {
    const parts: Uint8Array[] = [];
    let from = 0;
    for (let scan = 0; scan < scanCount(this.data.file.isProgressive); scan += 1) {
      for (const [row, coded] of rows) {
        const at = 2 * (scan * this.#rowCount + row);
        parts.push(this.data.bytes.subarray(from, this.data.intervals[at]), coded[scan] ?? empty);
        from = this.data.intervals[at + 1] ?? 0;
      }
    }
    parts.push(this.data.bytes.subarray(from));
    return joinBytes(parts);
  }

  /** Writes a whole file with these tables. Reports the start and end of each restart interval in `intervals`. */
  join(
    { tables, codes }: FileTables,
    patches: readonly McuPatch[],
    intervals?: Uint32Array,
  ): Uint8Array<ArrayBuffer> {
    const rows = range(0, this.#rowCount).map((row) =>
      writeRow(loadRow(this.#partsOf(row, patches)), this.data.file, codes),
    );
    const parts: Uint8Array[] = [];
    let length = 0;
    const push = (part: Uint8Array): void => {
      parts.push(part);
      length += part.length;
    };
    push(writeHeader({ ...this.data.file, tables }, this.#columns, dotsPerInch));
    for (const [scan, header] of scanHeaders(this.data.file).entries()) {
      push(header);
      for (const [row, coded] of rows.entries()) {
        // Restart markers count 0 … 7. They are between intervals, not after the last one (T.81, B.2.1).
        if (row > 0) push(Uint8Array.of(0xff, restartMarker + ((row - 1) % 8)));
        const start = length;
        push(coded[scan] ?? empty);
        intervals?.set([start, length], 2 * (scan * this.#rowCount + row));
      }
    }
    push(endOfImage);
    return joinBytes(parts);
  }
}

const empty = new Uint8Array(0);

function range(first: number, end: number): number[] {
  return Array.from({ length: end - first }, (_, index) => first + index);
}
