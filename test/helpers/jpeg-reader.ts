/** Reads the entropy-coded scan of a baseline JPEG (ITU-T T.81, Annex F): the tokens that a file of libjpeg-turbo holds. */
import type { ScanTokens } from '../../workers/encode/jpeg/entropy.ts';
import type { JpegFile } from '../../workers/encode/jpeg/file.ts';
import { mcuGrid } from '../../workers/encode/jpeg/file.ts';
import type { HuffmanTable } from '../../workers/encode/jpeg/huffman.ts';
import { toCodes } from '../../workers/encode/jpeg/huffman.ts';

const acClass = 16;
const blockCoefficients = 64;
const firstAcKind = 3;
const dcBias = 1 << 15;
const codeLengthMax = 16;
const symbolCount = 256;
const fastBits = 9;

/** A block in the interleaved order of an MCU: its component and its tables. */
interface McuBlock {
  component: number;
  dcLookup: Uint16Array;
  acLookup: Uint16Array;
  /** Kinds of the block's tokens. */
  dcKind: number;
  acKind: number;
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

/**
 * Returns a look-up table by the next 16 bits: `length << 8 | symbol`. Its first 512 entries are indexed by the first 9
 * bits, and 0 for longer codes; the others are indexed by all 16 bits.
 */
function toLookup(table: HuffmanTable): Uint16Array {
  const { codes, lengths } = toCodes(table);
  const lookup = new Uint16Array((1 << fastBits) + (1 << codeLengthMax));
  for (let symbol = 0; symbol < symbolCount; symbol += 1) {
    const length = lengths[symbol] ?? 0;
    if (length === 0) continue;
    const entry = (length << 8) | symbol;
    const code = codes[symbol] ?? 0;
    if (length <= fastBits) {
      const first = code << (fastBits - length);
      lookup.fill(entry, first, first + (1 << (fastBits - length)));
    }
    const first = (1 << fastBits) + (code << (codeLengthMax - length));
    lookup.fill(entry, first, first + (1 << (codeLengthMax - length)));
  }
  return lookup;
}

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

/** Decodes a value from its extra bits (T.81, F.2.2.1). */
function extend(bits: number, size: number): number {
  return size > 0 && bits < 1 << (size - 1) ? bits - (1 << size) + 1 : bits;
}
