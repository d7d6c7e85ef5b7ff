/**
 * The parts that all our deflate blocks share (RFC 1951): bits, prefix codes, and the empty block that ends on a whole
 * byte.
 */

/** Bits in 16-bit words, the lowest first (RFC 1951, 3.1.1), and the rest that does not fill a word. */
export interface Bits {
  words: readonly number[];
  pending: number;
  pendingCount: number;
}

/** Bits of the longest code (RFC 1951, 3.2.7). */
export const codeLengthMax = 15;
/** The end-of-block symbol (RFC 1951, 3.2.5). */
export const endOfBlock = 256;
/** An entry holds a code, its first bit lowest, and the code's length from this bit on. */
const lengthShift = 16;
const codeMask = (1 << lengthShift) - 1;
export const wordBits = 16;

/** Writes bits, after any initial ones. */
export class BitWriter implements Bits {
  readonly words: number[] = [];
  pending: number;
  pendingCount: number;

  constructor(pending = 0, pendingCount = 0) {
    this.pending = pending;
    this.pendingCount = pendingCount;
  }

  /** Writes at most 16 bits, the lowest first. */
  write(value: number, count: number): void {
    this.pending |= value << this.pendingCount;
    this.pendingCount += count;
    if (this.pendingCount < wordBits) return;
    this.words.push(this.pending & 0xffff);
    this.pending >>>= wordBits;
    this.pendingCount -= wordBits;
  }

  /** Writes an entry of `toCodes`; nothing for a symbol without a code. */
  writeCode(entry = 0): void {
    this.write(entry & codeMask, entry >>> lengthShift);
  }

  /**
   * Writes an empty stored block (RFC 1951, 3.2.4) that is not the last and ends on a whole byte. Returns all bytes.
   */
  endOnByte(): Uint8Array {
    this.write(0, 3);
    this.write(0, (8 - (this.pendingCount % 8)) % 8);
    this.write(0, wordBits);
    this.write(0xffff, wordBits);
    const bytes = this.words.flatMap((word) => [word & 255, word >>> 8]);
    return Uint8Array.from(this.pendingCount > 0 ? [...bytes, this.pending] : bytes);
  }
}

/**
 * Returns the canonical codes of these lengths by symbol, 0 for symbols without a code. The bits are reversed: the
 * first bit of a code comes first in the file (RFC 1951, 3.1.1 and 3.2.2).
 */
export function toCodes(lengths: Uint8Array): Uint32Array {
  const next = firstCodes(lengths);
  const entries = new Uint32Array(lengths.length);
  for (let symbol = 0; symbol < lengths.length; symbol += 1) {
    const length = lengths[symbol] ?? 0;
    if (length === 0) continue;
    const code = next[length] ?? 0;
    next[length] = code + 1;
    entries[symbol] = (length << lengthShift) | reverseBits(code, length);
  }
  return entries;
}

/** Returns the first code of each length. */
function firstCodes(lengths: Uint8Array): Uint16Array {
  const counts = new Uint16Array(codeLengthMax + 1);
  for (const length of lengths) if (length > 0) counts[length] = (counts[length] ?? 0) + 1;
  const first = new Uint16Array(codeLengthMax + 2);
  for (let length = 1; length <= codeLengthMax; length += 1) {
    first[length + 1] = ((first[length] ?? 0) + (counts[length] ?? 0)) << 1;
  }
  return first;
}

/** Reverses the lowest `length` bits of a number. */
export function reverseBits(code: number, length: number): number {
  let reversed = 0;
  for (let bit = 0; bit < length; bit += 1) reversed |= ((code >>> bit) & 1) << (length - 1 - bit);
  return reversed;
}
