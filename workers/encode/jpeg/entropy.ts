/**
 * Entropy coding of JPEG (ITU-T T.81, Annexes F and G): symbol counts, Huffman tables for these counts, and restart
 * intervals in the codes of these tables. The loops over tokens are WebAssembly (`wasm/entropy.as`).
 */
import { kernels, reserve } from '../kernels.ts';
import type { JpegFile } from './file.ts';
import { optimalTable, toCodes } from './huffman.ts';
import { blockEndSymbols, scanCount } from './progressive.ts';

/**
 * Coefficients as numbers, in the order of an interleaved scan: `kind << 28 | symbol << 16 | bits`. Kinds 0 … 2 are the
 * DC value of that component; their bits are the value plus 2^15, not a difference, so that any MCU may follow any
 * other. Kinds 3 and 4 are AC codes of luminance and of both colours, with `extraBitsOf` the symbol as extra bits.
 */
export interface ScanTokens {
  tokens: Uint32Array;
  /** Index after the last token of each MCU. */
  mcuEnds: Uint32Array;
}

/** Returns the tokens of the MCUs from `first` to before `end`. Shares the memory. */
export function mcuTokens(
  { tokens, mcuEnds }: ScanTokens,
  first: number,
  end: number,
): Uint32Array {
  const start = first === 0 ? 0 : mcuEnds[first - 1];
  return tokens.subarray(start, end === 0 ? 0 : mcuEnds[end - 1]);
}

/** Whether an MCU of one scan has the same coefficients as one of another. */
export function hasEqualTokens(a: ScanTokens, mcuA: number, b: ScanTokens, mcuB: number): boolean {
  const startA = mcuA === 0 ? 0 : (a.mcuEnds[mcuA - 1] ?? 0);
  const startB = mcuB === 0 ? 0 : (b.mcuEnds[mcuB - 1] ?? 0);
  const length = (a.mcuEnds[mcuA] ?? 0) - startA;
  if ((b.mcuEnds[mcuB] ?? 0) - startB !== length) return false;
  for (let index = 0; index < length; index += 1) {
    if (a.tokens[startA + index] !== b.tokens[startB + index]) return false;
  }
  return true;
}

/** Bit of AC tables in the key of a table (T.81, B.2.4.2). */
const acClass = 16;
/** Keys of the tables in the order of the counts; luminance uses the first of each class, both colours the second. */
const tableKeys = [0, 1, acClass, acClass + 1] as const;
/** Index in `tableKeys` of each kind of token. */
const tableOfKind = [0, 1, 1, 2, 3] as const;
const symbolCount = 256;
const countsLength = tableKeys.length * symbolCount;
const codesLength = tableOfKind.length * symbolCount;
/** 0xF0, sixteen zeros (T.81, F.1.2.2). */
const sixteenZeros = 0xf0;
/** Upper bound of the bytes of a token: 16 bits of code and 15 extra bits, with a stuffed zero after each byte. */
const tokenBytesMax = 8;

/** Extra bits of a symbol: its low half, or the high half where a run of blocks ends (T.81, G.1.2.2). */
function extraBitsOf(symbol: number): number {
  const size = symbol & 15;
  return size > 0 || symbol === sixteenZeros ? size : symbol >> 4;
}

/** Frequency of each symbol in each of the four tables. */
export type SymbolCounts = Int32Array;

/** Starts to count symbols, beginning with these counts; without an argument, with zeros. */
export function startCounts(counts?: SymbolCounts): void {
  const kept = new Int32Array(kernels.memory.buffer, kernels.jpegCounts(), countsLength);
  if (counts === undefined) kept.fill(0);
  else kept.set(counts);
}

/** Pairs of a symbol, as its index in the counts, and its count, for all symbols that occur. */
export type CountPairs = Uint32Array;

export function toPairs(counts: SymbolCounts): CountPairs {
  const pairs: number[] = [];
  for (const [index, count] of counts.entries()) if (count > 0) pairs.push(index, count);
  return Uint32Array.from(pairs);
}

/** Subtracts these counts from the current ones. */
export function subtractPairs(pairs: CountPairs): void {
  const kept = new Int32Array(kernels.memory.buffer, kernels.jpegCounts(), countsLength);
  for (let at = 0; at < pairs.length; at += 2) {
    const index = pairs[at] ?? 0;
    kept[index] = (kept[index] ?? 0) - (pairs[at + 1] ?? 0);
  }
}

/** Returns a copy of the current counts. */
export function readCounts(): SymbolCounts {
  return new Int32Array(kernels.memory.buffer, kernels.jpegCounts(), countsLength).slice();
}

/**
 * Tokens of a part of a row of MCUs in the kernels' memory, from `start` to `end`, valid until the next call of
 * `loadRow`. The tokens of the MCU before the part are from `from` to `start`.
 */
export interface LoadedRow {
  from: number;
  start: number;
  end: number;
}

/** Copies a part of a row, after the MCU before it, into the kernels' memory, with space for its file. */
export function loadRow(parts: readonly Uint32Array[], before: Uint32Array = none): LoadedRow {
  const length = parts.reduce((sum, part) => sum + part.length, before.length);
  // Capacity for all tokens, the tokens of one scan with the ends of its runs, and the bytes of this scan.
  const { heap: from, memory } = reserve((length + 1) * (4 + 4 + tokenBytesMax));
  const words = new Uint32Array(memory, from, length);
  words.set(before);
  let end = before.length;
  for (const part of parts) {
    words.set(part, end);
    end += part.length;
  }
  return { from, start: from + before.length * 4, end: from + length * 4 };
}

const none = new Uint32Array(0);

/** Adds the symbols of a part of a row to the counts, `by` times each. A progressive file needs the whole row. */
export function countRow(row: LoadedRow, { isProgressive }: JpegFile, by: 1 | -1): void {
  for (let scan = 0; scan < scanCount(isProgressive); scan += 1) {
    const { from, start, end } = isProgressive ? selectScan(row, scan) : row;
    kernels.countJpegSymbols(from, start, end, by);
  }
}

/** Codes of the tables by kind of token and symbol, as `wasm/entropy.as` reads them. */
export type PackedCodes = Uint32Array;

/**
 * Returns the bytes of a row in each scan of a file: restart intervals without their markers. Counts its symbols as
 * well. The caller owns the bytes. Throws if a table lacks a symbol.
 */
export function writeRow(
  row: LoadedRow,
  { isProgressive }: JpegFile,
  codes: PackedCodes,
): Uint8Array[] {
  setCodes(codes);
  return Array.from({ length: scanCount(isProgressive) }, (_, scan) => {
    const { from, start, end } = isProgressive ? selectScan(row, scan) : row;
    kernels.countJpegSymbols(from, start, end, 1);
    const until = kernels.writeJpegInterval(from, end, end);
    if (until === 0) throw new Error('the Huffman table lacks a symbol');
    return new Uint8Array(kernels.memory.buffer, end, until - end).slice();
  });
}

function setCodes(codes: PackedCodes): void {
  new Uint32Array(kernels.memory.buffer, kernels.jpegCodes(), codesLength).set(codes);
}

function selectScan({ from, end }: LoadedRow, scan: number): LoadedRow {
  return { from: end, start: end, end: kernels.selectJpegScan(from, end, scan, end) };
}

/** A row of a baseline file: its bytes without stuffing, and the bit after the last code of each MCU. */
export interface SpliceableRow {
  bytes: Uint8Array;
  mcuBits: Uint32Array;
}

/** Returns a row from its bytes in a file and the tokens of its MCUs. */
export function toSpliceable(
  coded: Uint8Array,
  scan: ScanTokens,
  [first, end]: readonly [number, number],
  codes: PackedCodes,
): SpliceableRow {
  const bytes = coded.filter((byte, index) => byte !== 0 || coded[index - 1] !== 0xff);
  const { from } = loadRow([mcuTokens(scan, first, end)]);
  setCodes(codes);
  const mcuBits = new Uint32Array(end - first);
  let [before, start, bits] = [from, from, 0];
  for (const mcu of mcuBits.keys()) {
    const next = start + mcuTokens(scan, first + mcu, first + mcu + 1).length * 4;
    bits += kernels.countJpegBits(before, start, next);
    mcuBits[mcu] = bits;
    [before, start] = [start, next];
  }
  return { bytes, mcuBits };
}

/** Returns the bytes of a row in which a loaded part replaces the MCUs from `left` to before `right`. */
export function spliceRow(
  { from, start, end }: LoadedRow,
  { bytes, mcuBits }: SpliceableRow,
  [left, right]: readonly [number, number],
  codes: PackedCodes,
): Uint8Array {
  const to = end + bytes.length + 8;
  const spaceBytes = 2 * bytes.length + ((end - start) / 4 + 1) * tokenBytesMax;
  const { memory } = reserve(to + spaceBytes - kernels.heapStart());
  new Uint8Array(memory, end, bytes.length).set(bytes);
  setCodes(codes);
  const before = left === 0 ? 0 : (mcuBits[left - 1] ?? 0);
  const after = mcuBits[right - 1] ?? 0;
  const rowBits = mcuBits.at(-1) ?? 0;
  const until = kernels.spliceJpegInterval(end, before, after, rowBits, from, start, end, to);
  if (until === 0) throw new Error('the Huffman table lacks a symbol');
  return new Uint8Array(kernels.memory.buffer, to, until - to).slice();
}

/** Huffman tables of a file, and their codes. */
export interface FileTables {
  tables: JpegFile['tables'];
  codes: PackedCodes;
}

/** Weight of a symbol of this image, relative to a symbol of other images only: every symbol must have a code. */
const seenWeight = 64;

/** Returns the optimal tables for these symbol counts, with a code for every other symbol that an image could need. */
export function fittingTables(
  counts: SymbolCounts,
  { tables: standard, isProgressive }: JpegFile,
): FileTables {
  const tables: JpegFile['tables'] = new Map();
  for (const [index, key] of tableKeys.entries()) {
    const weights = Uint32Array.from(countsOf(counts, index), (count) => count * seenWeight);
    const others = isProgressive && key >= acClass ? blockEndSymbols : [];
    for (const symbol of [...(standard.get(key)?.symbols ?? []), ...others]) {
      weights[symbol] = (weights[symbol] ?? 0) + 1;
    }
    tables.set(key, optimalTable(weights));
  }
  return { tables, codes: packCodes(tables) };
}

/** Returns the codes of a file's tables. */
export function packCodes(tables: JpegFile['tables']): PackedCodes {
  const packed = new Uint32Array(codesLength);
  for (const [kind, index] of tableOfKind.entries()) {
    const table = tables.get(tableKeys[index]);
    if (table === undefined) throw new Error('the JPEG lacks a Huffman table');
    const { codes, lengths } = toCodes(table);
    for (const [symbol, length] of lengths.entries()) {
      const code = codes[symbol] ?? 0;
      packed[kind * symbolCount + symbol] = code | (length << 16) | (extraBitsOf(symbol) << 24);
    }
  }
  return packed;
}

/** Returns the bits of counted symbols in these codes, with the extra bits of each symbol. */
export function codedBits(counts: SymbolCounts, codes: PackedCodes): number {
  let bits = 0;
  // The loops here and below use an index: an iterator takes several times as long.
  for (let index = 0; index < counts.length; index += 1) {
    const count = counts[index] ?? 0;
    if (count === 0) continue;
    // Both colour components share a table, and their DC values are two kinds.
    const kind = index < 2 * symbolCount ? 0 : symbolCount;
    const entry = codes[index + kind] ?? 0;
    bits += count * (((entry >>> 16) & 0xff) + (entry >>> 24));
  }
  return bits;
}

/** Returns the entropy of these symbols in bits (Shannon 1948), with their extra bits: a lower bound of any code. */
export function leastBits(counts: SymbolCounts): number {
  let bits = 0;
  for (let index = 0; index < tableKeys.length; index += 1) {
    const frequencies = countsOf(counts, index);
    let total = 0;
    for (let symbol = 0; symbol < symbolCount; symbol += 1) total += frequencies[symbol] ?? 0;
    for (let symbol = 0; symbol < symbolCount; symbol += 1) {
      const count = frequencies[symbol] ?? 0;
      if (count > 0) bits += count * (Math.log2(total / count) + extraBitsOf(symbol));
    }
  }
  return bits;
}

function countsOf(counts: SymbolCounts, index: number): Int32Array {
  return counts.subarray(index * symbolCount, (index + 1) * symbolCount);
}
