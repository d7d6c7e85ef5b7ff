/** Maps the characters of symbol fonts, whose `cmap` has private code points only, as browsers do. */
import type { FontTables } from './font-tables.ts';
import { tableOf } from './font-tables.ts';

/** Code points of a symbol font, which letters of U+0020 to U+00FF mean (OpenType 1.9, `cmap`, encoding 3.0). */
const [symbolStart, symbolEnd, symbolOffset] = [0xf020, 0xf0ff, 0xf000];
const windows = 3;
const macintosh = 1;

/**
 * Returns the tables, with a map of Unicode for a symbol font: U+0020–00FF have the glyphs of U+F020–F0FF, which stay.
 * The tables were checked. Throws a `RangeError` for a map that ends too early.
 */
export function withUnicodeMap(tables: FontTables): FontTables {
  const cmap = tableOf(tables, 'cmap');
  const records = Array.from({ length: cmap.getUint16(2) }, (_, index) => {
    const at = 4 + index * 8;
    const [platform, encoding] = [cmap.getUint16(at), cmap.getUint16(at + 2)];
    return { platform, encoding, offset: cmap.getUint32(at + 4) };
  });
  const symbol = records.find(({ platform, encoding }) => platform === windows && encoding === 0);
  const hasUnicode = records.some((each) => each !== symbol && each.platform !== macintosh);
  if (symbol === undefined || hasUnicode || cmap.getUint16(symbol.offset) !== 4) return tables;
  const glyphs: [code: number, glyph: number][] = [];
  for (let code = symbolStart; code <= symbolEnd; code += 1) {
    const glyph = glyphOf(cmap, symbol.offset, code);
    if (glyph !== 0) glyphs.push([code, glyph]);
  }
  const letters = glyphs.map(([code, glyph]): [number, number] => [code - symbolOffset, glyph]);
  return new Map([...tables, ['cmap', mapOf([...letters, ...glyphs])]]);
}

/** Returns the glyph of a code in a subtable of format 4; 0 is none. */
function glyphOf(cmap: DataView, offset: number, code: number): number {
  const size = cmap.getUint16(offset + 6);
  const ends = offset + 14;
  for (let at = 0; at < size; at += 2) {
    if (cmap.getUint16(ends + at) < code) continue;
    const start = cmap.getUint16(ends + size + 2 + at);
    if (start > code) return 0;
    const delta = cmap.getUint16(ends + 2 * size + 2 + at);
    const rangeAt = ends + 3 * size + 2 + at;
    const range = cmap.getUint16(rangeAt);
    if (range === 0) return (code + delta) & 0xffff;
    const glyph = cmap.getUint16(rangeAt + range + (code - start) * 2);
    return glyph === 0 ? 0 : (glyph + delta) & 0xffff;
  }
  return 0;
}

/** Returns a `cmap` of one subtable, of format 12. The codes are in order. */
function mapOf(glyphs: readonly [code: number, glyph: number][]): DataView {
  const headBytes = 12;
  const view = new DataView(new ArrayBuffer(headBytes + 16 + glyphs.length * 12));
  view.setUint16(2, 1);
  view.setUint16(4, windows);
  view.setUint16(6, 10);
  view.setUint32(8, headBytes);
  view.setUint16(headBytes, 12);
  view.setUint32(headBytes + 4, view.byteLength - headBytes);
  view.setUint32(headBytes + 12, glyphs.length);
  for (const [index, [code, glyph]] of glyphs.entries()) {
    const group = headBytes + 16 + index * 12;
    view.setUint32(group, code);
    view.setUint32(group + 4, code);
    view.setUint32(group + 8, glyph);
  }
  return view;
}
