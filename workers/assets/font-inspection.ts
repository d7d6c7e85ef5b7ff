/**
 * Validates a font file before native code reads it: its tables, its names, its characters, and a trial of its
 * outlines.
 */
import { Blob, Buffer, Face, Feature, Font, shape } from 'harfbuzzjs';
import type { FontFacts, ScriptSample } from '#wire/font-facts.ts';
import { coveredCharacters, covers, tableCoverage } from './font-coverage.ts';
import { checkShapingWork } from './font-shaping-work.ts';
import type { FontTables } from './font-tables.ts';
import {
  checkTables,
  FontProblem,
  readAxes,
  readTables,
  readTag,
  tableOf,
  writeFont,
} from './font-tables.ts';
import type { Coverage } from './font-coverage.ts';
import { withUnicodeMap } from './symbol-cmap.ts';

/** Size limit of an uncompressed font: twice the limit of an upload; pan-CJK files have 5 to 17 MB. */
export const fontBytesMax = 20 * 1024 * 1024;

const textCharactersMax = 500;
/** Limit of one glyph's outline, in characters of path data; the most complex glyphs have 20,000. */
const outlineCharactersMax = 60_000;
/** Upper bound of the glyphs whose outlines are tried, 10 µs each. Of a larger font, every nth glyph is tried. */
const triedGlyphsMax = 10_000;
/**
 * Upper bound of the glyphs of one character: real fonts make up to 4 (1,834 files of Debian's Noto, SIL and Amiri
 * packages). The paint engine ends its process at 32,768 glyphs in a run. A layer has 2,500 characters, of which upper
 * case makes 7,500.
 */
const characterGlyphsMax = 4;
/** Upper bound of the features of a font; the largest fonts have 60. */
const featuresMax = 200;
/** Characters that are shaped together, 10 µs each. `checkGrowth` halves texts that become too many glyphs. */
const shapedTogether = 64;

/** Returns the facts of a valid font, and the file with the tables that rendering needs. Throws a `FontProblem`. */
export function inspectFont(bytes: Uint8Array): {
  facts: FontFacts;
  file: Uint8Array<ArrayBuffer>;
} {
  if (bytes.byteLength > fontBytesMax) {
    throw new FontProblem(`has over ${fontBytesMax / 1024 / 1024} MiB uncompressed, the limit`);
  }
  const written = readTables(bytes);
  const glyphs = checkTables(written);
  try {
    const tables = withUnicodeMap(written);
    const file = writeFont(bytes, tables);
    const { buffer, byteOffset, byteLength } = tableOf(tables, 'cmap');
    const coverage = tableCoverage(new Uint8Array(buffer, byteOffset, byteLength));
    if (coverage.every((bits) => bits === 0)) {
      throw new FontProblem('has no character map of Unicode: export it with one');
    }
    const facts = readFacts(tables, glyphs, coverage);
    checkShapingWork(tables);
    tryShapes(file, facts, coverage, featuresOf(tables));
    return { facts, file };
  } catch (error) {
    if (error instanceof RangeError) throw new FontProblem('is damaged: a table ends too early');
    throw error;
  }
}

function readFacts(tables: FontTables, glyphs: number, coverage: Coverage): FontFacts {
  const names = readNames(tableOf(tables, 'name'));
  const os2 = tableOf(tables, 'OS/2');
  const axes = readAxes(tables);
  const styles = os2.getUint16(62);
  const isItalic = (styles & 0x201) !== 0 || (tableOf(tables, 'head').getUint16(44) & 2) !== 0;
  const stated = os2.getUint16(4);
  // Fonts of the 1990s number the weight classes 1 to 9.
  const weight = stated < 10 ? stated * 100 : stated;
  return {
    family: names.get(16) ?? names.get(1) ?? '',
    fullName: names.get(4) ?? '',
    weight: Math.round(Math.min(Math.max(axes['wght']?.initial ?? weight, 1), 1000)),
    italic: isItalic,
    axes,
    scripts: coveredScripts(coverage),
    glyphs,
    embedding: embeddingOf(os2.getUint16(8)),
    license: names.get(13) ?? '',
    licenseUrl: names.get(14) ?? '',
  };
}

/** The least restrictive bit decides (OpenType 1.9, `fsType`). */
function embeddingOf(type: number): FontFacts['embedding'] {
  if ((type & 0xf) === 0) return 'installable';
  if ((type & 8) !== 0) return 'editable';
  return (type & 4) !== 0 ? 'preview-and-print' : 'restricted';
}

/** Returns names by their ids, as plain text of a bounded length. Prefers English names for Windows. */
function readNames(table: DataView): Map<number, string> {
  const names = new Map<number, string>();
  const storage = table.getUint16(4);
  const count = Math.min(table.getUint16(2), Math.floor((table.byteLength - 6) / 12));
  for (let index = 0; index < count; index += 1) {
    const at = 6 + index * 12;
    const [platform, language, id] = [0, 4, 6].map((offset) => table.getUint16(at + offset));
    const [length = 0, offset = 0] = [8, 10].map((each) => table.getUint16(at + each));
    const isPreferred = platform === 3 && language === 0x409;
    if (id === undefined || (names.has(id) && !isPreferred)) continue;
    if (storage + offset + length > table.byteLength)
      throw new FontProblem('is damaged: table "name"');
    const bytes = new Uint8Array(table.buffer, table.byteOffset + storage + offset, length);
    const text = new TextDecoder(platform === 1 ? 'macintosh' : 'utf-16be').decode(bytes);
    const plain = text.replaceAll(/[\p{C}\s]+/gu, ' ').trim();
    if (plain !== '') names.set(id, Array.from(plain).slice(0, textCharactersMax).join(''));
  }
  return names;
}

/**
 * Shapes a text of each script and every character, and draws the glyphs, as the paint engine will. Throws a
 * `FontProblem`.
 */
function tryShapes(
  file: Uint8Array,
  { glyphs, scripts }: FontFacts,
  coverage: Coverage,
  features: readonly Feature[],
): void {
  const face = new Face(new Blob(file));
  if (face.upem < 16) throw new FontProblem('is damaged: table "head"');
  const font = new Font(face);
  for (const { sample } of scripts) shapeText(font, sample);
  const characters = coveredCharacters(coverage);
  for (let start = 0; start < characters.length; start += shapedTogether) {
    const together = characters.slice(start, start + shapedTogether);
    checkGrowth(font, together);
    // A text may turn on any feature of the font.
    if (features.length > 0) checkGrowth(font, together, features);
  }
  const step = Math.ceil(glyphs / triedGlyphsMax);
  let drawn = 0;
  for (let glyph = 0; glyph < glyphs; glyph += step) {
    const outline = font.glyphToPath(glyph);
    if (outline.length > outlineCharactersMax) {
      throw new FontProblem('has a glyph with too many points to be drawn');
    }
    if (outline !== '') drawn += 1;
  }
  if (drawn === 0) throw new FontProblem('has no outlines that can be drawn');
}

/** Throws a `FontProblem` for a character that becomes too many glyphs. Finds it by halving the text. */
function checkGrowth(
  font: Font,
  characters: readonly string[],
  features?: readonly Feature[],
): void {
  const [first = ''] = characters;
  const count = shapeText(font, characters.join(''), features);
  if (count < characters.length + characterGlyphsMax) return;
  if (characters.length === 1) {
    const codePoint = first.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
    throw new FontProblem(
      `makes ${count} glyphs of the character U+${codePoint}, at most ${characterGlyphsMax} can be drawn`,
    );
  }
  const half = characters.length >>> 1;
  checkGrowth(font, characters.slice(0, half), features);
  checkGrowth(font, characters.slice(half), features);
}

/** All features of a font (OpenType 1.9, "FeatureList table"). */
function featuresOf(tables: FontTables): Feature[] {
  const table = tables.get('GSUB');
  if (table === undefined) return [];
  const list = table.getUint16(6);
  const count = table.getUint16(list);
  if (count > featuresMax * 20) throw new FontProblem('has too many features of its scripts');
  const tags = new Set(
    Array.from({ length: count }, (_, index) => readTag(table, list + 2 + index * 6)),
  );
  if (tags.size > featuresMax) throw new FontProblem(`has more than ${featuresMax} features`);
  return Array.from(tags, (tag) => new Feature(tag, 1));
}

/** Returns how many glyphs a text becomes. */
function shapeText(font: Font, text: string, features: readonly Feature[] = []): number {
  const buffer = new Buffer();
  buffer.addText(text);
  buffer.guessSegmentProperties();
  shape(font, buffer, [...features]);
  return buffer.getGlyphInfos().length;
}

// Derives the scripts of a font from the code points of its character map.

/** Common letters of each script, some of which fonts of other scripts lack. They are also the sample text. */
const scriptLetters: readonly (readonly [script: string, letters: string])[] = [
  ['Latin', 'AaBbGgQqRrÄäÉéÑñØøß'],
  ['Latin Extended', 'ĄąĆćĐđĞğŁłŐőŘřŠšŻż'],
  ['Vietnamese', 'ẠạẢảẤấƠơƯưỲỳ'],
  ['Greek', 'ΑαΒβΓγΘθΛλΨψΩω'],
  ['Cyrillic', 'АаБбЖжДдЩщЫыЯя'],
  ['Armenian', 'ԱաԲբԳգՀհ'],
  ['Georgian', 'აბგდევზ'],
  ['Hebrew', 'אבגדהלםמשת'],
  ['Arabic', 'ابتثجحسشعغقكلمنهوي'],
  ['Devanagari', 'अआइकखगतनमयरलसह'],
  ['Bengali', 'অআইকখগতনমযরলসহ'],
  ['Gurmukhi', 'ਅਆਇਕਖਗਤਨਮਰਲਸਹ'],
  ['Gujarati', 'અઆઇકખગતનમરલસહ'],
  ['Tamil', 'அஆஇகஙசதநமரலவ'],
  ['Telugu', 'అఆఇకఖగతనమరలసహ'],
  ['Kannada', 'ಅಆಇಕಖಗತನಮರಲಸಹ'],
  ['Malayalam', 'അആഇകഖഗതനമരലസഹ'],
  ['Sinhala', 'අආඉකගතනමරලසහ'],
  ['Thai', 'กขคงจชตนมรลสอ'],
  ['Lao', 'ກຂຄງຈຊຕນມລສອ'],
  ['Khmer', 'កខគងចឆតនមរលស'],
  ['Myanmar', 'ကခဂငစဆတနမရလသ'],
  ['Ethiopic', 'ሀለመሠረሰቀበ'],
  ['Hiragana', 'あいうかさたなはまん'],
  ['Katakana', 'アイウカサタナハマン'],
  ['Hangul', '가나다라마한글'],
  ['Han', '一人大中国水火山日月'],
  ['Emoji', '😀🎉🚀🌍🐶'],
];

/** Returns the scripts of which a font has all letters, in the order of this list. */
export function coveredScripts(coverage: Coverage): ScriptSample[] {
  return scriptLetters
    .filter(([, letters]) =>
      Array.from(letters).every((letter) => covers(coverage, letter.codePointAt(0) ?? 0)),
    )
    .map(([script, letters]) => ({ script, sample: letters }));
}
