/**
 * Reads a JPEG's entropy-coded scan symbol by symbol, and writes it with other Huffman codes, cut into restart
 * intervals.
 */
import type { JpegFile } from './file.ts';
import type { HuffmanCodes, HuffmanTable } from './huffman.ts';
import { fastBits, toLookup } from './huffman.ts';

/** Bit of AC tables in the key of a table (T.81, B.2.4.2). */
export const acClass = 16;
export const blockCoefficients = 64;

/** Codes for writing, by table key. */
export type CodesByTable = ReadonlyMap<number, HuffmanCodes>;

/** A block in the interleaved order of an MCU: its component and its tables. */
interface McuBlock {
  component: number;
  dcLookup: Uint16Array;
  acLookup: Uint16Array;
  /** Kinds of the block's tokens. */
  dcKind: number;
  acKind: number;
}

/** MCUs of a row, rows of MCUs for an image of this size, and the pixels of an MCU. */
export function mcuGrid(file: JpegFile): { columns: number; rows: number; widthPx: number } {
  const horizontal = Math.max(...file.components.map((c) => c.horizontal));
  const vertical = Math.max(...file.components.map((c) => c.vertical));
  return {
    columns: Math.ceil(file.width / (8 * horizontal)),
    rows: Math.ceil(file.height / (8 * vertical)),
    // The height equals the width in every subsampling that this encoder uses.
    widthPx: 8 * horizontal,
  };
}

/** Look-up tables of the tables that libjpeg-turbo writes: without optimisation always the same four (T.81, K.3). */
const lookups = new Map<string, Uint16Array>();
const lookupsMax = 16;

function cachedLookup(table: HuffmanTable): Uint16Array {
  const key = `${table.counts.join()} ${table.symbols.join()}`;
  const known = lookups.get(key);
  if (known !== undefined) return known;
  if (lookups.size >= lookupsMax) lookups.clear();
  const lookup = toLookup(table);
  lookups.set(key, lookup);
  return lookup;
}

function listBlocks(file: JpegFile): McuBlock[] {
  return file.components.flatMap((c, component) => {
    const dc = file.tables.get(c.dcTable);
    const ac = file.tables.get(acClass + c.acTable);
    if (dc === undefined || ac === undefined) throw new Error('the JPEG lacks a Huffman table');
    const block: McuBlock = {
      component,
      dcLookup: cachedLookup(dc),
      acLookup: cachedLookup(ac),
      dcKind: component,
      acKind: firstAcKind + c.acTable,
    };
    return Array.from({ length: c.horizontal * c.vertical }, () => block);
  });
}

/** Bits of a scan, most significant first, without the stuffed zero bytes. */
class BitReader {
  readonly #bytes: Uint8Array;
  #offset = 0;
  #bits = 0;
  #count = 0;

  constructor(scan: Uint8Array) {
    // Zeros after the end allow the last look-up to read past it.
    const bytes = new Uint8Array(scan.length + 4);
    let length = 0;
    for (let index = 0; index < scan.length; index += 1) {
      const byte = scan[index] ?? 0;
      bytes[length] = byte;
      length += 1;
      if (byte === 0xff) index += 1;
    }
    this.#bytes = bytes;
  }

  #fill(): void {
    while (this.#count <= 16) {
      this.#bits = (this.#bits << 8) | (this.#bytes[this.#offset] ?? 0);
      this.#offset += 1;
      this.#count += 8;
    }
  }

  symbol(lookup: Uint16Array): number {
    if (this.#count < 16) this.#fill();
    const peek = (this.#bits >>> (this.#count - 16)) & 0xffff;
    const fast = lookup[peek >>> (16 - fastBits)] ?? 0;
    const entry = fast === 0 ? (lookup[(1 << fastBits) + peek] ?? 0) : fast;
    if (entry === 0) throw new Error('the JPEG scan has a code that no table has');
    this.#count -= entry >>> 8;
    return entry & 0xff;
  }

  bits(count: number): number {
    if (count === 0) return 0;
    if (this.#count < count) this.#fill();
    this.#count -= count;
    return (this.#bits >>> this.#count) & ((1 << count) - 1);
  }
}

/** Bits of one write: with up to 7 pending bits they must fit into 32. */
const bitsMax = 24;

/** Bytes of a token at most: 16 bits of code and 14 extra bits, with a stuffed zero after each byte. */
const tokenBytesMax = 8;

/** Reused between intervals, to spare the garbage collector. 2.4 MB at most, for 12,288 pixels. */
let intervalBytes = new Uint8Array(1 << 16);

/** Collects the bits of one restart interval, with a stuffed zero after each 0xFF. */
class BitWriter {
  readonly #bytes: Uint8Array;
  #length = 0;
  #bits = 0;
  #count = 0;

  /** `capacity` bytes must hold the longest interval. Only one writer may be in use at a time. */
  constructor(capacity: number) {
    if (intervalBytes.length < capacity) intervalBytes = new Uint8Array(capacity);
    this.#bytes = intervalBytes;
  }

  /** A code and its extra bits. */
  writeCode(code: number, length: number, bits: number, extraBits: number): void {
    if (length + extraBits <= bitsMax) {
      this.#write((code << extraBits) | bits, length + extraBits);
    } else {
      this.#write(code, length);
      this.#write(bits, extraBits);
    }
  }

  /** At most `bitsMax` bits at once. */
  #write(value: number, count: number): void {
    this.#bits = (this.#bits << count) | value;
    this.#count += count;
    while (this.#count >= 8) {
      this.#count -= 8;
      const byte = (this.#bits >>> this.#count) & 0xff;
      this.#bytes[this.#length] = byte;
      this.#length += 1;
      if (byte === 0xff) {
        this.#bytes[this.#length] = 0;
        this.#length += 1;
      }
    }
  }

  /** Returns the bytes of the interval, padded with ones (T.81, F.1.2.3). */
  finish(): Uint8Array<ArrayBuffer> {
    if (this.#count > 0) this.#write((1 << (8 - this.#count)) - 1, 8 - this.#count);
    return new Uint8Array(this.#bytes.subarray(0, this.#length));
  }
}

/**
 * A scan as numbers, in order: `kind << 28 | symbol << 16 | bits`. Kinds 0 … 2 are the DC value of that component.
 * Their bits are the value plus `dcBias`, not a difference, so that any MCU may follow any other. Kinds 3 and 4 are AC
 * codes of tables 0 and 1, with `extraBitsOf` the symbol extra bits.
 */
export interface ScanTokens {
  tokens: Uint32Array;
  /** Index after the last token of each MCU. */
  mcuEnds: Uint32Array;
}

export const firstAcKind = 3;
/** Makes DC values, which are at least -2^15, unsigned. */
const dcBias = 1 << 15;
const tableKeys = [0, 1, acClass, acClass + 1] as const;
/** Index in `tableKeys` of each kind of token: luminance uses the first tables, both colour components the second. */
const tableOfKind = [0, 1, 1, 2, 3] as const;

/** Reads a scan that libjpeg-turbo wrote; throws for codes that its tables do not have. */
export function readTokens(file: JpegFile): ScanTokens {
  const blocks = listBlocks(file);
  const { columns, rows } = mcuGrid(file);
  const reader = new BitReader(file.scan);
  // Every token takes at least two bits. Pages that are never written take no memory.
  const tokens = new Uint32Array(file.scan.length * 4 + 4);
  const values = new Int32Array(file.components.length);
  const mcuEnds = new Uint32Array(columns * rows);
  let length = 0;
  for (let mcu = 0; mcu < mcuEnds.length; mcu += 1) {
    for (const { component, dcLookup, acLookup, dcKind, acKind } of blocks) {
      const size = reader.symbol(dcLookup);
      const value = (values[component] ?? 0) + extend(reader.bits(size), size);
      values[component] = value;
      tokens[length] = (dcKind << 28) | (value + dcBias);
      length += 1;
      for (let index = 1; index < blockCoefficients;) {
        const symbol = reader.symbol(acLookup);
        tokens[length] = (acKind << 28) | (symbol << 16) | reader.bits(symbol & 15);
        length += 1;
        // 0x00 ends the block; 0xF0 stands for sixteen zeros.
        index = symbol === 0 ? blockCoefficients : index + (symbol >> 4) + 1;
      }
    }
    mcuEnds[mcu] = length;
  }
  return { tokens: tokens.slice(0, length), mcuEnds };
}

/** Returns the code of a DC value's difference from the previous one: its size, and its bits (T.81, F.1.2.1). */
function codeDifference(difference: number): { size: number; bits: number } {
  const size = 32 - Math.clz32(Math.abs(difference));
  return { size, bits: difference < 0 ? difference + (1 << size) - 1 : difference };
}

/** 0xF0, sixteen zeros (T.81, F.1.2.2). */
const sixteenZeros = 0xf0;

/**
 * Extra bits after a symbol's code: the low half of the symbol, or the high half where a run of blocks ends (T.81,
 * G.1.2.2).
 */
export function extraBitsOf(symbol: number): number {
  const size = symbol & 15;
  return size > 0 || symbol === sixteenZeros ? size : symbol >> 4;
}

/** Frequency of each symbol in a file, by table key. */
export type SymbolCounts = ReadonlyMap<number, Uint32Array>;

/** Counts the symbols of restart intervals. */
export function countSymbols(intervals: Iterable<Uint32Array>): SymbolCounts {
  const frequencies = tableKeys.map(() => new Uint32Array(256));
  const predictions = new Int32Array(firstAcKind);
  for (const tokens of intervals) {
    predictions.fill(0);
    // By index: an iterator takes several times as long.
    for (let index = 0; index < tokens.length; index += 1) {
      const token = tokens[index] ?? 0;
      const kind = token >>> 28;
      const table = frequencies[tableOfKind[kind] ?? 0];
      if (table === undefined) continue;
      let symbol = (token >>> 16) & 0xff;
      if (kind < firstAcKind) {
        const value = (token & 0xffff) - dcBias;
        symbol = codeDifference(value - (predictions[kind] ?? 0)).size;
        predictions[kind] = value;
      }
      table[symbol] = (table[symbol] ?? 0) + 1;
    }
  }
  return new Map(tableKeys.map((key, index) => [key, frequencies[index] ?? new Uint32Array(256)]));
}

/**
 * Writes the tokens of a restart interval in these Huffman codes, without its marker. The coefficients do not change.
 * Throws if a table lacks a symbol.
 */
export function writeInterval(tokens: Uint32Array, codes: CodesByTable): Uint8Array<ArrayBuffer> {
  const tables = tableOfKind.map((index) => codes.get(tableKeys[index]));
  const writer = new BitWriter(tokens.length * tokenBytesMax);
  const predictions = new Int32Array(firstAcKind);
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index] ?? 0;
    const kind = token >>> 28;
    const table = tables[kind];
    let symbol = (token >>> 16) & 0xff;
    let bits = token & 0xffff;
    if (kind < firstAcKind) {
      const value = bits - dcBias;
      ({ size: symbol, bits } = codeDifference(value - (predictions[kind] ?? 0)));
      predictions[kind] = value;
    }
    const length = table?.lengths[symbol] ?? 0;
    if (table === undefined || length === 0) throw new Error('the table lacks a symbol');
    writer.writeCode(table.codes[symbol] ?? 0, length, bits, extraBitsOf(symbol));
  }
  return writer.finish();
}

/** Decodes a value from its extra bits (T.81, F.2.2.1). */
function extend(bits: number, size: number): number {
  return size > 0 && bits < 1 << (size - 1) ? bits - (1 << size) + 1 : bits;
}
