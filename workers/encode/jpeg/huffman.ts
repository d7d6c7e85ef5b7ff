/**
 * Huffman tables of JPEG (ITU-T T.81, Annexes C, F and K): codes, and tables of optimal lengths.
 */

import { codeLengths } from '../huffman-lengths.ts';

/** A table as DHT stores it: the number of codes of each length 1 … 16, and the symbols in order of code. */
export interface HuffmanTable {
  counts: Uint8Array;
  symbols: Uint8Array;
}

/** Code and length of each symbol; length 0 for a symbol without a code. */
export interface HuffmanCodes {
  codes: Uint16Array;
  lengths: Uint8Array;
}

const codeLengthMax = 16;
const symbolCount = 256;

/** Returns the codes of a table in canonical order (T.81, Annex C). */
export function toCodes({ counts, symbols }: HuffmanTable): HuffmanCodes {
  const codes = new Uint16Array(symbolCount);
  const lengths = new Uint8Array(symbolCount);
  let code = 0;
  let index = 0;
  for (let length = 1; length <= codeLengthMax; length += 1) {
    for (let left = counts[length - 1] ?? 0; left > 0; left -= 1) {
      const symbol = symbols[index] ?? 0;
      codes[symbol] = code;
      lengths[symbol] = length;
      code += 1;
      index += 1;
    }
    code <<= 1;
  }
  return { codes, lengths };
}

/**
 * Returns the table that codes these symbol frequencies in the fewest bits. No code is longer than 16 bits, and none
 * has only ones (T.81, K.2). Symbols with frequency 0 get no code.
 */
export function optimalTable(frequencies: Uint32Array): HuffmanTable {
  // An additional symbol, rarer than all others, gets the code of all ones, which is the last of the longest codes.
  const scaled = Array.from(frequencies, (frequency) => frequency * 2);
  const lengths = codeLengths([...scaled, 1], codeLengthMax).subarray(0, frequencies.length);
  const counts = new Uint8Array(codeLengthMax);
  for (const length of lengths) {
    if (length > 0) counts[length - 1] = (counts[length - 1] ?? 0) + 1;
  }
  const used = Array.from(frequencies.keys()).filter((symbol) => (frequencies[symbol] ?? 0) > 0);
  const symbols = used.toSorted((a, b) => (lengths[a] ?? 0) - (lengths[b] ?? 0) || a - b);
  return { counts, symbols: Uint8Array.from(symbols) };
}
