/** Reads the tables of an untrusted font file, and rejects anything that a decoder may handle badly. */
import type { FontRefusal } from '#wire/font-facts.ts';

/** A rejected font; `message` continues a sentence that starts with "The font". */
export class FontProblem extends Error {
  override name = 'FontProblem';
  readonly reason: FontRefusal;

  constructor(message: string, reason: FontRefusal = 'unusable') {
    super(message);
    this.reason = reason;
  }
}

/** The tables of a font by their tags; each lies inside the file. */
export type FontTables = ReadonlyMap<string, DataView>;

/** A font has some twenty tables; the format allows 65,535. */
const tablesMax = 64;
const glyphsMax = 65_535;
/** Upper bound of the axes: twice the largest number in known real fonts. */
const axesMax = 16;
const cmapSubtablesMax = 32;
const codePointEnd = 0x110000;

/**
 * Tables that shaping and drawing need. All others (bitmaps, SVG, programs of other shapers, signatures) are removed,
 * so that no decoder reads them.
 */
const keptTables: ReadonlySet<string> = new Set(
  (
    'cmap head hhea hmtx maxp name OS/2 post glyf loca CFF  CFF2 VORG cvt  fpgm prep gasp GDEF GSUB GPOS BASE kern ' +
    'fvar gvar avar HVAR MVAR VVAR STAT cvar vhea vmtx'
  ).match(/\S{4}|CFF |cvt /g) ?? [],
);

const neededTables = ['cmap', 'head', 'hhea', 'hmtx', 'maxp', 'name', 'OS/2'];

/**
 * Returns the tables of an uncompressed TrueType or OpenType file (OpenType 1.9, "Font file"). Throws a `FontProblem`
 * for any other file, for a table that exceeds the file, and for a missing table. Views share the memory of `bytes`.
 */
export function readTables(bytes: Uint8Array): FontTables {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.byteLength < 12) throw new FontProblem('is no TTF, OTF or WOFF2 file', 'format');
  const version = view.getUint32(0);
  if (version === 0x74746366) throw new FontProblem('is a collection: upload its fonts one by one');
  if (version === 0x774f4646) throw new FontProblem('is WOFF 1: convert it to WOFF2, TTF or OTF');
  if (version !== 0x00010000 && version !== 0x4f54544f && version !== 0x74727565) {
    throw new FontProblem('is no TTF, OTF or WOFF2 file', 'format');
  }
  const count = view.getUint16(4);
  if (count < 1 || count > tablesMax || view.byteLength < 12 + count * 16) {
    throw damaged('its table directory');
  }
  const tables = new Map<string, DataView>();
  for (let entry = 12; entry < 12 + count * 16; entry += 16) {
    const tag = readTag(view, entry);
    const offset = view.getUint32(entry + 8);
    const length = view.getUint32(entry + 12);
    if (offset + length > view.byteLength || offset < 12 + count * 16) throw damaged(tag);
    if (tables.has(tag)) throw damaged('its table directory');
    tables.set(tag, new DataView(view.buffer, view.byteOffset + offset, length));
  }
  for (const tag of neededTables) {
    if (!tables.has(tag)) throw new FontProblem(`has no table "${tag}": export it as a whole font`);
  }
  // A COLR table of 4 KB can hold a graph whose nodes are painted twice each: the engine takes 14 s for a letter. Each
  // layer may be as large as the glyph.
  if (tables.has('COLR')) {
    throw new FontProblem(
      'has color glyphs, which are not supported: export it without table "COLR"',
    );
  }
  if (!(tables.has('glyf') && tables.has('loca')) && !tables.has('CFF ') && !tables.has('CFF2')) {
    throw new FontProblem('has no outlines: fonts of bitmaps or SVG alone are not supported');
  }
  return tables;
}

/**
 * Checks the counts, the offsets and the character map, on which reading the other tables depends. The map must be in
 * order, so that the time to read it is proportional to its size. Returns the number of glyphs. Throws a `FontProblem`.
 */
export function checkTables(tables: FontTables): number {
  try {
    const head = tableOf(tables, 'head');
    if (head.getUint32(12) !== 0x5f0f3cf5) throw damaged('head');
    const unitsPerEm = head.getUint16(18);
    const longOffsets = head.getInt16(50);
    if (unitsPerEm < 16 || unitsPerEm > 16_384 || longOffsets < 0 || longOffsets > 1) {
      throw damaged('head');
    }
    const glyphs = tableOf(tables, 'maxp').getUint16(4);
    if (glyphs < 1 || glyphs > glyphsMax) throw damaged('maxp');
    const metrics = tableOf(tables, 'hhea').getUint16(34);
    const metricBytes = metrics * 4 + (glyphs - metrics) * 2;
    if (metrics < 1 || metrics > glyphs || tableOf(tables, 'hmtx').byteLength < metricBytes) {
      throw damaged('hmtx');
    }
    checkLocations(tables, glyphs, longOffsets === 1);
    checkCharacters(tableOf(tables, 'cmap'));
    return glyphs;
  } catch (error) {
    // A read past the end of a view.
    if (error instanceof RangeError) throw damaged('a table that ends too early');
    throw error;
  }
}

/** Returns the axes of a variable font by their tags; none for a static font. Throws a `FontProblem`. */
export function readAxes(
  tables: FontTables,
): Record<string, { min: number; max: number; initial: number }> {
  const fvar = tables.get('fvar');
  if (fvar === undefined) return {};
  const start = fvar.getUint16(4);
  const [count, size] = [fvar.getUint16(8), fvar.getUint16(10)];
  if (count > axesMax || size < 20 || start + count * size > fvar.byteLength) throw damaged('fvar');
  const axes: Record<string, { min: number; max: number; initial: number }> = {};
  for (let index = 0; index < count; index += 1) {
    const at = start + index * size;
    const fixed = (offset: number): number => fvar.getInt32(at + offset) / 65_536;
    const axis = { min: fixed(4), initial: fixed(8), max: fixed(12) };
    const tag = readTag(fvar, at);
    if (axis.min > axis.initial || axis.initial > axis.max || !/^\w{4}$/.test(tag)) {
      throw damaged('fvar');
    }
    axes[tag] = axis;
  }
  return axes;
}

/** Returns a file of the kept tables, sorted by tag and without gaps. `bytes` starts with the version. */
export function writeFont(bytes: Uint8Array, tables: FontTables): Uint8Array<ArrayBuffer> {
  const kept = [...tables]
    .filter(([tag]) => keptTables.has(tag))
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  const headBytes = 12 + kept.length * 16;
  const size = kept.reduce((sum, [, table]) => sum + padded(table.byteLength), headBytes);
  const file = new Uint8Array(size);
  const view = new DataView(file.buffer);
  file.set(bytes.subarray(0, 4));
  const power = 2 ** Math.floor(Math.log2(kept.length));
  view.setUint16(4, kept.length);
  view.setUint16(6, power * 16);
  view.setUint16(8, Math.log2(power));
  view.setUint16(10, (kept.length - power) * 16);
  let offset = headBytes;
  for (const [index, [tag, table]] of kept.entries()) {
    const entry = 12 + index * 16;
    for (let letter = 0; letter < 4; letter += 1)
      view.setUint8(entry + letter, tag.charCodeAt(letter));
    file.set(new Uint8Array(table.buffer, table.byteOffset, table.byteLength), offset);
    view.setUint32(entry + 4, checksum(view, offset, padded(table.byteLength)));
    view.setUint32(entry + 8, offset);
    view.setUint32(entry + 12, table.byteLength);
    offset += padded(table.byteLength);
  }
  return file;
}

/** Returns a table that must exist. */
export function tableOf(tables: FontTables, tag: string): DataView {
  const table = tables.get(tag);
  if (table === undefined) throw damaged(tag);
  return table;
}

/** Checks that each glyph's data lies inside `glyf`, in order. */
function checkLocations(tables: FontTables, glyphs: number, isLong: boolean): void {
  const loca = tables.get('loca');
  const glyf = tables.get('glyf');
  if (loca === undefined || glyf === undefined) return;
  let last = 0;
  for (let index = 0; index <= glyphs; index += 1) {
    const offset = isLong ? loca.getUint32(index * 4) : loca.getUint16(index * 2) * 2;
    if (offset < last || offset > glyf.byteLength) throw damaged('loca');
    last = offset;
  }
}

/**
 * Checks that segments and groups do not overlap: a decoder would read overlapping ones repeatedly, up to four million
 * times all of Unicode.
 */
function checkCharacters(cmap: DataView): void {
  const count = cmap.getUint16(2);
  if (count < 1 || count > cmapSubtablesMax) throw damaged('cmap');
  for (let index = 0; index < count; index += 1) {
    const offset = cmap.getUint32(4 + index * 8 + 4);
    const format = cmap.getUint16(offset);
    if (format === 4) checkSegments(cmap, offset);
    if (format === 12) checkGroups(cmap, offset);
  }
}

function checkSegments(cmap: DataView, offset: number): void {
  const size = cmap.getUint16(offset + 6);
  if (size % 2 !== 0) throw damaged('cmap');
  let last = -1;
  for (let at = 0; at < size; at += 2) {
    const end = cmap.getUint16(offset + 14 + at);
    const start = cmap.getUint16(offset + 14 + size + 2 + at);
    if (start > end || start <= last) throw damaged('cmap');
    last = end;
  }
}

function checkGroups(cmap: DataView, offset: number): void {
  let last = -1;
  for (let index = 0; index < cmap.getUint32(offset + 12); index += 1) {
    const group = offset + 16 + index * 12;
    const [start, end] = [cmap.getUint32(group), cmap.getUint32(group + 4)];
    if (start > end || start <= last || end >= codePointEnd) throw damaged('cmap');
    last = end;
  }
}

/** The four characters of a tag. */
export function readTag(view: DataView, offset: number): string {
  return String.fromCharCode(...[0, 1, 2, 3].map((index) => view.getUint8(offset + index)));
}

/** Tables start at multiples of four bytes. */
function padded(length: number): number {
  return Math.ceil(length / 4) * 4;
}

function checksum(view: DataView, offset: number, length: number): number {
  let sum = 0;
  for (let at = offset; at < offset + length; at += 4) sum = (sum + view.getUint32(at)) >>> 0;
  return sum;
}

function damaged(part: string): FontProblem {
  return new FontProblem(`is damaged: ${part.length === 4 ? `table "${part}"` : part}`);
}

// Computes the unpacked size of a WOFF2 file from its header (WOFF2, 4 and 5.1).

const woff2Signature = 0x774f4632;
/** Tables that may be stored transformed: `glyf` and `loca`. */
const transformedTables = new Set([10, 11]);
const arbitraryTag = 63;

export function isWoff2(bytes: Uint8Array): boolean {
  return bytes.byteLength >= 48 && viewOf(bytes).getUint32(0) === woff2Signature;
}

/**
 * Returns the largest of three sizes: the announced one, the stored tables and the restored tables, in bytes. Throws a
 * `FontProblem` for a damaged header.
 */
export function declaredBytes(bytes: Uint8Array): number {
  const view = viewOf(bytes);
  const tables = view.getUint16(12);
  if (view.getUint32(4) === 0x74746366) {
    throw new FontProblem('is a collection: upload its fonts one by one');
  }
  if (tables < 1 || tables > tablesMax) throw new FontProblem('is a damaged WOFF2 file');
  let position = 48;
  const readByte = (): number => {
    if (position >= view.byteLength) throw new FontProblem('is a damaged WOFF2 file');
    position += 1;
    return view.getUint8(position - 1);
  };
  const readNumber = (): number => {
    let value = 0;
    for (let digit = 0; digit < 5; digit += 1) {
      const byte = readByte();
      value = value * 128 + (byte & 127);
      if (byte < 128) return value;
    }
    throw new FontProblem('is a damaged WOFF2 file');
  };
  const announced = view.getUint32(16);
  let stored = 0;
  let restored = 0;
  for (let index = 0; index < tables; index += 1) {
    const flags = readByte();
    const kind = flags & 63;
    if (kind === arbitraryTag) position += 4;
    const length = readNumber();
    const isTransformed = transformedTables.has(kind) ? flags >>> 6 === 0 : flags >>> 6 !== 0;
    restored += length;
    stored += isTransformed ? readNumber() : length;
  }
  return Math.max(announced, stored, restored);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
