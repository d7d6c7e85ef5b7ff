/** Deflate for PNG (RFC 1951): with repeats, or in literals alone. */
import type { Bits } from './deflate-bits.ts';
import {
  BitWriter,
  codeLengthMax,
  endOfBlock,
  toCodes,
  reverseBits,
  wordBits,
} from './deflate-bits.ts';
import { codeLengths } from '../huffman-lengths.ts';
import { kernels, loadBytes } from '../kernels.ts';

/** Numbers of symbols (RFC 1951, 3.2.5 and 3.2.7). */
const literalSymbols = 286;
const distanceSymbols = 30;
/** Index of the first distance symbol in the kernel's counts, after those of literals and lengths. */
const firstDistance = 288;
const tableSymbols = 320;

/** The order of the lengths of code-length codes, and their maximum (RFC 1951, 3.2.7). */
const lengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
const lengthLengthMax = 7;

/**
 * Each block but the last has at least this many tokens (`tokensMax` of `wasm/repeats.as`). A token represents one
 * byte or more.
 */
const blockTokens = 32_768;
/**
 * Upper bound of the bytes before and after the codes of a block: 17 bits, 19 × 3, 316 × 14, 15 for the end and 50 of
 * an empty block; and some spare bytes.
 */
const frameBytesMax = 600;
/** Upper bound of the growth: a literal takes 15 bits, and the shortest repeat, of three bytes, takes 48. */
const growthMax = 2;

/** Bytes that `deflateRepeats` needs after the bytes to be deflated. */
export function repeatBytesMax(length: number): number {
  const blocks = Math.ceil(length / blockTokens) + 1;
  return length * growthMax + blocks * frameBytesMax;
}

/** The shape of the rows in which repeats are searched. */
export interface RepeatForm {
  /** Bytes of a row with its filter type: the pixel above is a repeat at this distance. */
  rowBytes: number;
  pixelBytes: number;
  /**
   * Minimum length of a repeat: 3 if a pixel has three bytes, otherwise 4. Distant repeats of three bytes take more
   * bits than they save.
   */
  shortest: 3 | 4;
}

/**
 * Returns blocks of `bytes` and an empty stored block that ends on a whole byte. No block is the last of the
 * stream, and none refers to data before `bytes`. The result belongs to the kernels and is valid until their next use.
 */
export function deflateRepeats(
  bytes: Uint8Array,
  { rowBytes, pixelBytes, shortest }: RepeatForm,
): Uint8Array {
  const { address, memory } = loadBytes(bytes, repeatBytesMax(bytes.length));
  const end = address + bytes.length;
  // Repeats are compared sixteen bytes at a time, so the input and the output must be 16 bytes apart.
  const start = Math.ceil(end / 16) * 16 + 16;
  kernels.beginPngRepeats(address, rowBytes, pixelBytes, shortest);
  let to = start;
  let waiting = new BitWriter();
  for (let at = address; at < end;) {
    at = kernels.findPngRepeats(at, end);
    const { header, entries } = nextBlock(memory, waiting);
    new Uint16Array(memory, to, header.words.length).set(header.words);
    new Uint32Array(memory, kernels.pngRepeatCodes(), tableSymbols).set(entries);
    to += header.words.length * 2;
    to = kernels.writePngRepeats(to, header.pending, header.pendingCount);
    waiting = new BitWriter(kernels.pngPendingBits(), kernels.pngPendingCount());
    waiting.writeCode(entries[endOfBlock]);
  }
  const tail = waiting.endOnByte();
  new Uint8Array(memory, to, tail.length).set(tail);
  return new Uint8Array(memory, start, to + tail.length - start);
}

/** Writes the optimal codes for the tokens found, with the block header, after the pending bits. */
function nextBlock(
  memory: ArrayBuffer,
  waiting: BitWriter,
): { header: Bits; entries: Uint32Array } {
  const frequencies = new Uint32Array(memory, kernels.pngFrequencies(), tableSymbols);
  const literals = codeLengths(frequencies.subarray(0, literalSymbols), codeLengthMax);
  const distances = codeLengths(
    atLeastTwo(frequencies.subarray(firstDistance, firstDistance + distanceSymbols)),
    codeLengthMax,
  );
  const entries = new Uint32Array(tableSymbols);
  entries.set(toCodes(literals));
  entries.set(toCodes(distances), firstDistance);
  writeHeader(waiting, withoutTail(literals, endOfBlock + 1), withoutTail(distances, 1));
  return { header: waiting, entries };
}

/** Gives at least two symbols a frequency, in place, because some decoders reject a code of fewer symbols. */
function atLeastTwo(frequencies: Uint32Array): Uint32Array {
  for (let symbol = 0; symbol < 2; symbol += 1) {
    frequencies[symbol] = Math.max(1, frequencies[symbol] ?? 0);
  }
  return frequencies;
}

/** Removes the symbols without a code from the end, but keeps `least` symbols. */
function withoutTail(lengths: Uint8Array, least: number): Uint8Array {
  let count = lengths.length;
  while (count > least && lengths[count - 1] === 0) count -= 1;
  return lengths.subarray(0, count);
}

/** A code length, or a run of one: its symbol, and extra bits of a given length (RFC 1951, 3.2.7). */
type LengthRun = [symbol: number, more: number, bits: number];

/** Writes the header of a block: the lengths of all codes, themselves coded. */
function writeHeader(writer: BitWriter, literals: Uint8Array, distances: Uint8Array): void {
  const dynamicBlock = 2;
  const both = new Uint8Array(literals.length + distances.length);
  both.set(literals);
  both.set(distances, literals.length);
  const runs = toRuns(both);
  const frequencies = new Uint32Array(lengthOrder.length);
  for (const [symbol] of runs) frequencies[symbol] = (frequencies[symbol] ?? 0) + 1;
  const lengths = codeLengths(atLeastTwo(frequencies), lengthLengthMax);
  const entries = toCodes(lengths);
  const ordered = withoutTail(
    Uint8Array.from(lengthOrder, (symbol) => lengths[symbol] ?? 0),
    4,
  );
  writer.write(dynamicBlock << 1, 3);
  writer.write(literals.length - 257, 5);
  writer.write(distances.length - 1, 5);
  writer.write(ordered.length - 4, 4);
  for (const length of ordered) writer.write(length, 3);
  for (const [symbol, more, bits] of runs) {
    writer.writeCode(entries[symbol]);
    writer.write(more, bits);
  }
}

/** Run-length coding of lengths: 16 repeats the previous one 3 … 6 times, 17 and 18 are 3 … 10 and 11 … 138 zeros. */
function toRuns(lengths: Uint8Array): LengthRun[] {
  const runs: LengthRun[] = [];
  for (let at = 0; at < lengths.length;) {
    const length = lengths[at] ?? 0;
    let end = at + 1;
    while (end < lengths.length && lengths[end] === length) end += 1;
    const count = end - at;
    if (length === 0 && count >= 11) {
      const run = Math.min(count, 138);
      runs.push([18, run - 11, 7]);
      at += run;
    } else if (length === 0 && count >= 3) {
      runs.push([17, count - 3, 3]);
      at += count;
    } else if (at > 0 && lengths[at - 1] === length && count >= 3) {
      const run = Math.min(count, 6);
      runs.push([16, run - 3, 2]);
      at += run;
    } else {
      runs.push([length, 0, 0]);
      at += 1;
    }
  }
  return runs;
}

// Literals only, in Huffman codes that are made once (RFC 1951, 3.2.7): in photographs, repeats save nothing.

/** Codes for the bytes of one band and of similar ones. */
export interface LiteralCode {
  /** Codes of each byte and of the end of the block, from `toCodes`. */
  entries: Uint32Array;
  /** The bits of a block before its first code. */
  header: Bits;
}

/**
 * Upper bound of the bytes before and after the codes: 17 bits, 19 × 3, 259 × 4, and 60 at the end; and eight spare
 * bytes.
 */
const literalFrameBytesMax = 168;

/** Returns the optimal codes for these bytes, with a code for every other byte that a patch may contain. */
export function createLiteralCode(bytes: Uint8Array): LiteralCode {
  const frequencies = new Uint32Array(endOfBlock + 1).fill(1);
  for (const [byte, count] of countBytes(bytes).entries()) frequencies[byte] = count + 1;
  const lengths = codeLengths(frequencies, codeLengthMax);
  return { entries: toCodes(lengths), header: blockHeader(lengths) };
}

/** Returns the frequency of each byte value. The counts are valid until the next call. */
function countBytes(bytes: Uint8Array): Uint32Array {
  const { address, memory } = loadBytes(bytes, literalBytesMax(bytes.length));
  return new Uint32Array(memory, kernels.countPngBytes(address, bytes.length), 256);
}

/** Returns the entropy of literals in bytes (Shannon 1948), without the header of a block: a lower bound. */
export function leastLiteralBytes(bytes: Uint8Array): number {
  let bits = 0;
  for (const count of countBytes(bytes)) {
    if (count > 0) bits += count * Math.log2(bytes.length / count);
  }
  return bits / 8;
}

/** Bytes that `deflateLiterals` needs after the bytes to be deflated. */
export function literalBytesMax(length: number): number {
  return Math.ceil((length * codeLengthMax) / 8) + literalFrameBytesMax;
}

/**
 * Returns one block of `bytes` in these codes, and an empty stored block that ends on a whole byte. Neither is the
 * last. The result belongs to the kernels and is valid until their next use.
 */
export function deflateLiterals(bytes: Uint8Array, code: LiteralCode): Uint8Array {
  const { address, memory } = loadBytes(bytes, literalBytesMax(bytes.length));
  const start = Math.ceil((address + bytes.length) / 8) * 8;
  loadCodes(memory, code);
  const { words, pending, pendingCount } = code.header;
  new Uint16Array(memory, start, words.length).set(words);
  const at = start + words.length * 2;
  const end = kernels.writePngLiterals(address, bytes.length, at, pending, pendingCount);
  return new Uint8Array(memory, start, writeBlockEnd(memory, end, code) - start);
}

/** Copies the codes for `writePngLiterals` into the kernels' memory. */
export function loadCodes(memory: ArrayBuffer, { entries }: LiteralCode): void {
  new Uint32Array(memory, kernels.pngCodes(), endOfBlock).set(entries.subarray(0, endOfBlock));
}

/** Bits of a block before its first code. */
export function headerBits({ header }: LiteralCode): number {
  return header.words.length * wordBits + header.pendingCount;
}

/** Ends a block on a whole byte: writes the kernels' pending bits and the end at `to`. Returns the address after it. */
export function writeBlockEnd(memory: ArrayBuffer, to: number, { entries }: LiteralCode): number {
  const waiting = new BitWriter(kernels.pngPendingBits(), kernels.pngPendingCount());
  waiting.writeCode(entries[endOfBlock]);
  const tail = waiting.endOnByte();
  new Uint8Array(memory, to, tail.length).set(tail);
  return to + tail.length;
}

/**
 * Writes the bits of a block before its first code (RFC 1951, 3.2.7): 257 lengths of literals and two of distances,
 * which no token uses but every decoder accepts, all as plain 4-bit numbers.
 */
function blockHeader(lengths: Uint8Array): Bits {
  const dynamicBlock = 2;
  const writer = new BitWriter();
  writer.write(dynamicBlock << 1, 3);
  writer.write(0, 5);
  writer.write(1, 5);
  writer.write(15, 4);
  // Symbols 16, 17 and 18, which repeat lengths, come first and are not used. The other sixteen take four bits each.
  for (let position = 0; position < 19; position += 1) writer.write(position < 3 ? 0 : 4, 3);
  for (const length of [...lengths, 1, 1]) writer.write(reverseBits(length, 4), 4);
  return writer;
}
