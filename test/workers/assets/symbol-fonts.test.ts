/** Symbol fonts, whose character map has private code points only, draw letters as in browsers. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Blob, Buffer as Shaped, Face, Font, shape } from 'harfbuzzjs';
import t from 'tap';
import { covers, tableCoverage } from '../../../workers/assets/font-coverage.ts';
import { inspectFont } from '../../../workers/assets/font-inspection.ts';
import { readTables, tableOf, writeFont } from '../../../workers/assets/font-tables.ts';

const path = import.meta.resolve('@expo-google-fonts/lobster/400Regular/Lobster_400Regular.ttf');
const lobster = new Uint8Array(readFileSync(fileURLToPath(path)));

/** Glyph ids of a text. */
function glyphsOf(file: Uint8Array, text: string): number[] {
  const font = new Font(new Face(new Blob(file)));
  const buffer = new Shaped();
  buffer.addText(text);
  buffer.guessSegmentProperties();
  shape(font, buffer, []);
  return buffer.getGlyphInfos().map(({ codepoint }) => codepoint);
}

/** The font with one subtable of format 4: its codes from `start` on have the glyphs from `glyph` on. */
function withMap(encoding: number, start: number, end: number, glyph: number): Uint8Array {
  const subtable = [4, 32, 0, 4, 0, 0, 0, end, 0xffff, 0, start, 0xffff];
  const deltas = [(glyph - start) & 0xffff, 1, 0, 0];
  const words = [0, 1, 3, encoding, 0, 12, ...subtable, ...deltas];
  const cmap = new DataView(new ArrayBuffer(words.length * 2));
  for (const [at, word] of words.entries()) cmap.setUint16(at * 2, word);
  return writeFont(lobster, new Map([...readTables(lobster), ['cmap', cmap]]));
}

t.test('letters of a symbol font have the glyphs of U+F020 to U+F0FF', async (t) => {
  const [glyph = 0] = glyphsOf(lobster, 'A');
  const { file } = inspectFont(withMap(0, 0xf041, 0xf05a, glyph));
  t.same(glyphsOf(file, 'AB\uF041'), [glyph, glyph + 1, glyph]);
  const { buffer, byteOffset, byteLength } = tableOf(readTables(file), 'cmap');
  const coverage = tableCoverage(new Uint8Array(buffer, byteOffset, byteLength));
  t.same(
    ['@', 'A', 'Z', '[', '\uF041'].map((letter) => covers(coverage, letter.charCodeAt(0))),
    [false, true, true, false, true],
  );
});

t.test('a font whose map has no characters is refused in words', async (t) => {
  t.throws(() => inspectFont(withMap(0, 0xf141, 0xf15a, 5)), {
    name: 'FontProblem',
    message: 'has no character map of Unicode: export it with one',
  });
});

t.test('private code points of a Unicode map mean no letters', async (t) => {
  const { file } = inspectFont(withMap(1, 0xf041, 0xf05a, 5));
  t.same(glyphsOf(file, '\uF041'), [5]);
  t.same(glyphsOf(file, 'A'), [0]);
});
