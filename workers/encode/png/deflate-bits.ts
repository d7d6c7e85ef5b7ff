/** What all deflate blocks of our own are made of: bits, prefix codes and the empty block that ends on a whole byte (RFC 1951). */

/** Bits in words of two bytes, the lowest first (RFC 1951, 3.1.1), and those that do not fill one. */
export interface Bits {
  words: readonly number[];
  pending: number;
  pendingCount: number;
}

/** RFC 1951, 3.2.7: bits of the longest code. */
export const codeLengthMax = 15;
/** The symbol behind a block's last one (RFC 1951, 3.2.5). */
export const endOfBlock = 256;
/** An entry holds a code, its first bit lowest, and its length from this bit on. */
const lengthShift = 16;
const codeMask = (1 << lengthShift) - 1;
const wordBits = 16;

/** Writes bits behind those that wait already. */
export class BitWriter implements Bits {
  readonly words: number[] = [];
  pending: number;
  pendingCount: number;

  constructor(pending = 0, pendingCount = 0) {
    this.pending = pending;
    this.pendingCount = pendingCount;
  }

  /** At most 16 bits, the lowest first. */
  write(value: number, count: number): void {
    this.pending |= value << this.pendingCount;
    this.pendingCount += count;
    if (this.pendingCount < wordBits) return;
    this.words.push(this.pending & 0xffff);
    this.pending >>>= wordBits;
    this.pendingCount -= wordBits;
  }

  /** A code of `toCodes`; nothing for a symbol that has none. */
  writeCode(entry = 0): void {
    this.write(entry & codeMask, entry >>> lengthShift);
  }

  /** An empty stored block (RFC 1951, 3.2.4) that is not the last, which ends on a whole byte. Gives all bytes. */
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
 * The canonical codes of these lengths by symbol, 0 where there is none. They are turned round: their first bit comes
 * first in the file (RFC 1951, 3.1.1 and 3.2.2).
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

/** The first code of each length. */
function firstCodes(lengths: Uint8Array): Uint16Array {
  const counts = new Uint16Array(codeLengthMax + 1);
  for (const length of lengths) if (length > 0) counts[length] = (counts[length] ?? 0) + 1;
  const first = new Uint16Array(codeLengthMax + 2);
  for (let length = 1; length <= codeLengthMax; length += 1) {
    first[length + 1] = ((first[length] ?? 0) + (counts[length] ?? 0)) << 1;
  }
  return first;
}

/** The lowest bits of a number the other way round. */
export function reverseBits(code: number, length: number): number {
  let reversed = 0;
  for (let bit = 0; bit < length; bit += 1) reversed |= ((code >>> bit) & 1) << (length - 1 - bit);
  return reversed;
}
