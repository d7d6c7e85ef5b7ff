/** Deflate in Huffman codes alone, in codes that are made once (RFC 1951, 3.2.7): on photographs looking for repeats wins nothing. */
import type { Bits } from './deflate-bits.ts';
import { BitWriter, codeLengthMax, endOfBlock, reverseBits, toCodes } from './deflate-bits.ts';
import { codeLengths } from '../huffman-lengths.ts';
import { kernels, lendBytes } from '../kernels.ts';

/** Codes for the bytes of one stretch and of others like it. */
export interface LiteralCode {
  /** Code of each byte and of the block's end, as `toCodes` makes them. */
  entries: Uint32Array;
  /** What stands before the codes in a block. */
  header: Bits;
}

/** The most bytes that stand before and behind the codes: 17 bits, 19 × 3, 259 × 4, and 60 at the end; and eight of room. */
const frameBytesMax = 168;

/** The best codes for these bytes, with one for every other byte that may take their place. */
export function createLiteralCode(bytes: Uint8Array): LiteralCode {
  const frequencies = new Uint32Array(endOfBlock + 1).fill(1);
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index] ?? 0;
    frequencies[byte] = (frequencies[byte] ?? 0) + 1;
  }
  const lengths = codeLengths(frequencies, codeLengthMax);
  return { entries: toCodes(lengths), header: blockHeader(lengths) };
}

/** Bytes of memory behind those to be deflated that `deflateLiterals` writes to. */
export function literalBytesMax(length: number): number {
  return Math.ceil((length * codeLengthMax) / 8) + frameBytesMax;
}

/**
 * One block of `bytes` in these codes and an empty stored one behind it, which ends on a whole byte; none of them
 * is the last. The caller owns the result.
 */
export function deflateLiterals(bytes: Uint8Array, { entries, header }: LiteralCode): Uint8Array {
  const { address, memory } = lendBytes(bytes, literalBytesMax(bytes.length));
  const start = Math.ceil((address + bytes.length) / 8) * 8;
  new Uint32Array(memory, kernels.pngCodes(), endOfBlock).set(entries.subarray(0, endOfBlock));
  new Uint16Array(memory, start, header.words.length).set(header.words);
  const { words, pending, pendingCount } = header;
  const at = start + words.length * 2;
  const end = kernels.writePngLiterals(address, bytes.length, at, pending, pendingCount);
  const waiting = new BitWriter(kernels.pngPendingBits(), kernels.pngPendingCount());
  waiting.writeCode(entries[endOfBlock]);
  const tail = waiting.endOnByte();
  new Uint8Array(memory, end, tail.length).set(tail);
  return new Uint8Array(memory.slice(start, end + tail.length));
}

/**
 * What stands before a block's codes (RFC 1951, 3.2.7): 257 lengths of literals and two of distances, which nothing
 * uses but every decoder knows, all as four plain bits.
 */
function blockHeader(lengths: Uint8Array): Bits {
  const dynamicBlock = 2;
  const writer = new BitWriter();
  writer.write(dynamicBlock << 1, 3);
  writer.write(0, 5);
  writer.write(1, 5);
  writer.write(15, 4);
  // Lengths 16, 17 and 18, which repeat others, come first and are not used; the sixteen others take four bits each.
  for (let place = 0; place < 19; place += 1) writer.write(place < 3 ? 0 : 4, 3);
  for (const length of [...lengths, 1, 1]) writer.write(reverseBits(length, 4), 4);
  return writer;
}
