/** Reads a JPEG's entropy-coded scan symbol by symbol and writes it again in other Huffman codes, cut into restart intervals. */
import type { JpegFile } from './jpeg-file.ts';
import type { HuffmanCodes, HuffmanTable } from './jpeg-huffman.ts';
import { fastBits, toLookup } from './jpeg-huffman.ts';

/** Class of AC tables in a table's key (T.81, B.2.4.2). */
export const acClass = 16;
const blockCoefficients = 64;

/** Codes to write with, by table key. */
export type CodesByTable = ReadonlyMap<number, HuffmanCodes>;

/** A block's place in the interleaved order of a minimum coded unit: its component and tables. */
interface BlockPlan {
  component: number;
  dcLookup: Uint16Array;
  acLookup: Uint16Array;
  dcTable: number;
  acTable: number;
}

/** MCUs in a row, and rows of them, for a picture of this size. */
export function mcuGrid(file: JpegFile): { columns: number; rows: number; heightPx: number } {
  const horizontal = Math.max(...file.components.map((c) => c.horizontal));
  const vertical = Math.max(...file.components.map((c) => c.vertical));
  return {
    columns: Math.ceil(file.width / (8 * horizontal)),
    rows: Math.ceil(file.height / (8 * vertical)),
    heightPx: 8 * vertical,
  };
}

/** Look-ups of the tables that libjpeg-turbo writes: without optimisation always the same four (T.81, K.3). */
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

function planBlocks(file: JpegFile): BlockPlan[] {
  return file.components.flatMap((c, component) => {
    const dc = file.tables.get(c.dcTable);
    const ac = file.tables.get(acClass + c.acTable);
    if (dc === undefined || ac === undefined) throw new Error('the JPEG lacks a Huffman table');
    const plan: BlockPlan = {
      component,
      dcLookup: cachedLookup(dc),
      acLookup: cachedLookup(ac),
      dcTable: c.dcTable,
      acTable: 2 + c.acTable,
    };
    return Array.from({ length: c.horizontal * c.vertical }, () => plan);
  });
}

/** Bits of a scan, most significant first, without the stuffed zero bytes. */
class BitReader {
  readonly #bytes: Uint8Array;
  #offset = 0;
  #bits = 0;
  #count = 0;

  constructor(scan: Uint8Array) {
    // Zeros behind the end let the last look-up read over it.
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

/** Bits written at once: with up to 7 that wait for a whole byte they must fit into 32. */
const bitsMax = 24;

/** Collects the bits of one restart interval, stuffing a zero behind each 0xFF. */
class BitWriter {
  readonly #bytes: Uint8Array;
  #length = 0;
  #bits = 0;
  #count = 0;

  /** `capacity` bytes must hold the longest interval. */
  constructor(capacity: number) {
    this.#bytes = new Uint8Array(capacity);
  }

  /** At most `bitsMax` bits at once. */
  write(value: number, count: number): void {
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

  /** The interval's bytes, padded with ones (T.81, F.1.2.3); the writer starts anew. */
  finish(): Uint8Array<ArrayBuffer> {
    if (this.#count > 0) this.write((1 << (8 - this.#count)) - 1, 8 - this.#count);
    const bytes = new Uint8Array(this.#bytes.subarray(0, this.#length));
    this.#length = 0;
    this.#bits = 0;
    this.#count = 0;
    return bytes;
  }
}

/**
 * A scan as numbers, in order: `table << 28 | symbol << 16 | extra bits`, where `table` is 0 … 3 for
 * DC 0, DC 1, AC 0, AC 1 and the symbol's low half says how many extra bits there are. DC values are
 * differences from zero at the start of each MCU row.
 */
export interface ScanTokens {
  tokens: Uint32Array;
  /** Index behind each MCU row's last token. */
  rowEnds: number[];
}

const tableKeys = [0, 1, acClass, acClass + 1] as const;

/** Reads a scan that libjpeg-turbo wrote for us; throws for codes that its tables do not have. */
export function readTokens(file: JpegFile): ScanTokens {
  const blocks = planBlocks(file);
  const { columns, rows } = mcuGrid(file);
  const reader = new BitReader(file.scan);
  // Every token takes at least two bits.
  const tokens = new Uint32Array(file.scan.length * 4);
  const values = new Int32Array(file.components.length);
  const predictions = new Int32Array(file.components.length);
  const rowEnds: number[] = [];
  let length = 0;
  for (let row = 0; row < rows; row += 1) {
    predictions.fill(0);
    for (let column = 0; column < columns; column += 1) {
      for (const { component, dcLookup, acLookup, dcTable, acTable } of blocks) {
        const size = reader.symbol(dcLookup);
        const value = (values[component] ?? 0) + extend(reader.bits(size), size);
        const difference = value - (predictions[component] ?? 0);
        values[component] = value;
        predictions[component] = value;
        const newSize = 32 - Math.clz32(Math.abs(difference));
        const bits = difference < 0 ? difference + (1 << newSize) - 1 : difference;
        tokens[length] = (dcTable << 28) | (newSize << 16) | bits;
        length += 1;
        for (let index = 1; index < blockCoefficients;) {
          const symbol = reader.symbol(acLookup);
          tokens[length] = (acTable << 28) | (symbol << 16) | reader.bits(symbol & 15);
          length += 1;
          // 0x00 ends the block; 0xF0 stands for sixteen zeros.
          index = symbol === 0 ? blockCoefficients : index + (symbol >> 4) + 1;
        }
      }
    }
    rowEnds.push(length);
  }
  return { tokens: tokens.subarray(0, length), rowEnds };
}

/** How often each symbol stands in a scan, by table key. */
export function countSymbols({ tokens }: ScanTokens): Map<number, Uint32Array> {
  const frequencies = tableKeys.map(() => new Uint32Array(256));
  for (const token of tokens) {
    const table = frequencies[token >>> 28];
    const symbol = (token >>> 16) & 0xff;
    if (table !== undefined) table[symbol] = (table[symbol] ?? 0) + 1;
  }
  return new Map(tableKeys.map((key, index) => [key, frequencies[index] ?? new Uint32Array(256)]));
}

/**
 * Writes each MCU row in these Huffman codes as a restart interval of its own, without its marker.
 * Coefficients stay as they are, so the picture does. Throws when a table lacks a symbol.
 */
export function writeRows(
  { tokens, rowEnds }: ScanTokens,
  codes: CodesByTable,
): Uint8Array<ArrayBuffer>[] {
  const tables = tableKeys.map((key) => codes.get(key));
  const rows: Uint8Array<ArrayBuffer>[] = [];
  const writer = new BitWriter(tokens.length * 4 + 64);
  let index = 0;
  for (const end of rowEnds) {
    for (; index < end; index += 1) {
      const token = tokens[index] ?? 0;
      const table = tables[token >>> 28];
      const symbol = (token >>> 16) & 0xff;
      const length = table?.lengths[symbol] ?? 0;
      if (table === undefined || length === 0) throw new Error('the table lacks a symbol');
      const code = table.codes[symbol] ?? 0;
      const extraBits = symbol & 15;
      if (length + extraBits <= bitsMax) {
        writer.write((code << extraBits) | (token & 0xffff), length + extraBits);
      } else {
        writer.write(code, length);
        writer.write(token & 0xffff, extraBits);
      }
    }
    rows.push(writer.finish());
  }
  return rows;
}

/** A value from its extra bits (T.81, F.2.2.1). */
function extend(bits: number, size: number): number {
  return size > 0 && bits < 1 << (size - 1) ? bits - (1 << size) + 1 : bits;
}
