/** Reads the code points for which a font file has glyphs from its `cmap` table (OpenType 1.9). */
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import type { FontFile } from '#wire/font-facts.ts';
import { readDirectory } from './font-collection.ts';

/** One bit a code point, 136 KB. */
export type Coverage = Uint32Array;

const codePointEnd = 0x110000;
/** Size limit of a `cmap` table; the tables of pan-CJK fonts have 200 KB. */
const tableBytesMax = 4 * 1024 * 1024;
/** Index of `cmap` among the tables that WOFF2 knows by number (WOFF2, 4.1). */
const woff2Cmap = 0;
const woff2ArbitraryTag = 63;
/** Tables that WOFF2 stores transformed: `glyf` and `loca`. */
const woff2Transformed = new Set([10, 11]);

/** Reads a TrueType, OpenType or WOFF2 file. Throws for other formats; bundled and stored files are valid. */
export function readCoverage(file: FontFile): Coverage {
  return tableCoverage(
    file.path.endsWith('.woff2') ? readWoff2Cmap(file.path) : readSfntCmap(file),
  );
}

/** Returns the code points of a `cmap` table. Throws if the table is truncated. */
export function tableCoverage(table: Uint8Array): Coverage {
  const coverage = new Uint32Array(codePointEnd / 32);
  const view = new DataView(table.buffer, table.byteOffset, table.byteLength);
  const offsets = new Set<number>();
  for (let index = 0; index < view.getUint16(2); index += 1) {
    offsets.add(view.getUint32(4 + index * 8 + 4));
  }
  for (const offset of offsets) addSubtable(coverage, view, offset);
  return coverage;
}

/** The characters of a coverage, by their code points. */
export function coveredCharacters(coverage: Coverage): string[] {
  const characters: string[] = [];
  for (const [word, bits] of coverage.entries()) {
    for (let left = bits; left !== 0; left &= left - 1)
      characters.push(String.fromCodePoint(word * 32 + 31 - Math.clz32(left & -left)));
  }
  return characters;
}

/** Whether a font with this coverage has a glyph for a code point. */
export function covers(coverage: Coverage, codePoint: number): boolean {
  return (((coverage[codePoint >>> 5] ?? 0) >>> (codePoint & 31)) & 1) === 1;
}

/** Reads only the `cmap` table, because the file of a CJK font has 10 MB. */
function readSfntCmap(font: FontFile): Uint8Array {
  const { path } = font;
  const file = openSync(path, 'r');
  try {
    const read = (position: number, length: number): DataView => {
      if (length > tableBytesMax) throw new Error(`${path}: its cmap has ${length} bytes`);
      const bytes = new Uint8Array(length);
      readSync(file, bytes, 0, length, position);
      return new DataView(bytes.buffer);
    };
    const cmap = readDirectory(font, read).tables.get('cmap');
    if (cmap === undefined) throw new Error(`${path} has no cmap`);
    return new Uint8Array(read(cmap.offset, cmap.length).buffer);
  } finally {
    closeSync(file);
  }
}

function readWoff2Cmap(path: string): Uint8Array {
  const file = readFileSync(path);
  const tables = file.readUInt16BE(12);
  const compressedBytes = file.readUInt32BE(20);
  let position = 48;
  const readNumber = (): number => {
    let value = 0;
    for (;;) {
      const byte = file.readUInt8(position);
      position += 1;
      value = value * 128 + (byte & 127);
      if (byte < 128) return value;
    }
  };
  let offset = 0;
  let found: [start: number, length: number] | undefined;
  for (let index = 0; index < tables; index += 1) {
    const flags = file.readUInt8(position);
    const kind = flags & 63;
    const version = flags >>> 6;
    position += kind === woff2ArbitraryTag ? 5 : 1;
    const length = readNumber();
    const isTransformed = woff2Transformed.has(kind) ? version === 0 : version !== 0;
    const stored = isTransformed ? readNumber() : length;
    if (kind === woff2Cmap) found = [offset, length];
    offset += stored;
  }
  if (found === undefined) throw new Error(`${path} has no cmap`);
  const data = brotliDecompressSync(file.subarray(position, position + compressedBytes));
  return data.subarray(found[0], found[0] + found[1]);
}

/** Adds a subtable of format 4 or 12; other formats repeat these or describe variants. */
function addSubtable(coverage: Coverage, view: DataView, offset: number): void {
  const format = view.getUint16(offset);
  if (format === 4) addSegments(coverage, view, offset);
  if (format !== 12) return;
  for (let index = 0; index < view.getUint32(offset + 12); index += 1) {
    const group = offset + 16 + index * 12;
    const end = Math.min(view.getUint32(group + 4), codePointEnd - 1);
    for (let code = view.getUint32(group); code <= end; code += 1) add(coverage, code);
  }
}

function addSegments(coverage: Coverage, view: DataView, offset: number): void {
  const size = view.getUint16(offset + 6);
  const ends = offset + 14;
  const starts = ends + size + 2;
  const deltas = starts + size;
  const ranges = deltas + size;
  for (let at = 0; at < size; at += 2) {
    const end = view.getUint16(ends + at);
    const start = view.getUint16(starts + at);
    const range = view.getUint16(ranges + at);
    for (let code = start; code <= end && code < 0xffff; code += 1) {
      const position = ranges + at + range + (code - start) * 2;
      const glyph = range === 0 ? code : view.getUint16(position);
      // Glyph 0 is the replacement box.
      const hasGlyph = glyph !== 0 && ((glyph + view.getUint16(deltas + at)) & 0xffff) !== 0;
      if (hasGlyph) add(coverage, code);
    }
  }
}

function add(coverage: Coverage, code: number): void {
  const word = code >>> 5;
  coverage[word] = (coverage[word] ?? 0) | (1 << (code & 31));
}
