/** Measures widths, heights and outlines of text with the paint engine. */
import { LRUCache } from 'lru-cache';
import { entryLimit } from '#language/limits/entry-limit.ts';
import { FontLibrary, Path2D } from 'skia-canvas';
import { organizationFontPrefix } from '#wire/render-job.ts';
import { isVariableForm } from '../assets/font-axes.ts';
import { engineContext, measureText, referenceSize } from './engine.ts';
import { neededFamilies } from './font-runs.ts';
import type { FontFace } from './style.ts';

/** Heights above and below the baseline, as multiples of the font size. */
export interface Heights {
  ascent: number;
  descent: number;
}

/** Letters as the engine draws them. */
export interface LetterOutline extends Heights {
  /** SVG path data in hundredths of the font size, y upwards from the baseline; empty for images. */
  data: string;
}

/** Bytes of an entry and its share of the maps, without its key. */
const widthBytes = 150;
/** A measurement takes 35 µs for a new text and 7 µs for a known one; the words of a campaign repeat. */
const widths = new LRUCache<string, number>({
  maxSize: 8 * 1024 * 1024,
  sizeCalculation: (_, key) => key.length * 2 + widthBytes,
});
interface TextHeights {
  font: Heights;
  ink: Heights;
  underline: number;
}

const heights = new LRUCache<string, TextHeights>({ max: 2000 });
const boxes = new LRUCache<string, boolean>(entryLimit(10_000));
/** An ideograph takes 3 KB. */
const letterOutlines = new LRUCache<string, LetterOutline>({ max: 1000 });
const families = new Set<string>();
const pathLengths = new LRUCache<string, number>({ max: 200 });

/** Ideographs, kana and their punctuation, which fill a square. */
const squares =
  '\\u3001-\\u3029\\u3030\\u3041-\\u3096\\u309B-\\u30FF\\u3105-\\u312F\\u3400-\\u4DBF\\u4E00-\\u9FFF\\uF900-\\uFAD9\\uFF01-\\uFF60';
/**
 * Characters of equal width in every font, for a character class: squares, and Hangul syllables. The glyph of each
 * would have to be read from a file of 10 MB.
 */
export const uniformCharacters = `${squares}\\uAC00-\\uD7A3`;
const uniformPattern = new RegExp(`^[${uniformCharacters}]+$`);
const syllablePattern = /[\uAC00-\uD7A3]/g;
const square = '\u4E00';
const syllable = '\uAC00';
/** Font features that reduce the widths of such characters. */
const proportionalPattern = /"(?:palt|pkna|pwid|halt|hwid|chws)" [1-9]/;

/** Spaces that word spacing and justification widen (CSS Text 3, 7.1). */
export const wordSpacePattern = /[ \u00A0]/g;

/**
 * Returns the advance width of `text` as a multiple of the font size, shaped as one piece, with spacings.
 * `text` must not contain line breaks and is at most one value long.
 */
export function measureEm(face: FontFace, text: string): number {
  if (text === '') return 0;
  if (face.wordSpacingEm === 0) return measureUnspaced(face, text);
  // The engine widens only single spaces between two words.
  const spaces = text.match(wordSpacePattern)?.length ?? 0;
  return measureUnspaced(face, text) + spaces * face.wordSpacingEm;
}

function measureUnspaced(face: FontFace, text: string): number {
  const isKerned = text.length > 1 && hasKana(text);
  if (isKerned || !uniformPattern.test(text) || proportionalPattern.test(face.features)) {
    return measureKnown(face, text);
  }
  const syllables = text.match(syllablePattern)?.length ?? 0;
  const squareCount = text.length - syllables;
  return (
    (squareCount === 0 ? 0 : squareCount * measureKnown(face, square)) +
    (syllables === 0 ? 0 : syllables * measureKnown(face, syllable))
  );
}

function measureKnown(face: FontFace, text: string): number {
  const key = `${face.key}\n${text}`;
  const known = widths.get(key);
  if (known !== undefined) return known;
  const width = measureText(face, text, neededFamilies(face, text)).width / referenceSize;
  widths.set(key, width);
  return width;
}

/** Returns the designed heights of the fonts in which the face draws `text`; the tallest counts. */
export function fontHeights(face: FontFace, text: string): Heights {
  return heightsOf(face, text).font;
}

/** Returns the reach of the ink of `text` in the face. */
export function letterHeights(face: FontFace, text: string): Heights {
  return heightsOf(face, text).ink;
}

/** Returns the underline's designed distance below the baseline, from the font of Latin letters, in em. */
export function underlineEm(face: FontFace): number {
  return heightsOf(face, 'x').underline;
}

function heightsOf(face: FontFace, text: string): TextHeights {
  const key = `${face.key}\n${text}`;
  const known = heights.get(key);
  if (known !== undefined) return known;
  const measured = measureText(face, text, neededFamilies(face, text));
  const [line] = measured.lines;
  const underline = (line?.runs[0]?.underline ?? 0) - (line?.alphabeticBaseline ?? 0);
  const found = {
    underline: underline / referenceSize,
    font: {
      ascent: measured.fontBoundingBoxAscent / referenceSize,
      descent: measured.fontBoundingBoxDescent / referenceSize,
    },
    ink: {
      ascent: measured.actualBoundingBoxAscent / referenceSize,
      descent: measured.actualBoundingBoxDescent / referenceSize,
    },
  };
  heights.set(key, found);
  return found;
}

/** A noncharacter, which no font has, so that the first family draws its box. */
const noncharacter = '\u{10FFFF}';

/** Whether the engine finds no glyph for a code point in any font. */
export function drawsBox(face: FontFace, codePoint: string): boolean {
  const key = `${face.key}\n${codePoint}`;
  const known = boxes.get(key);
  if (known !== undefined) return known;
  const context = engineContext(face, face.families);
  const found = context.outlineText(codePoint)?.d === context.outlineText(noncharacter)?.d;
  boxes.set(key, found);
  return found;
}

/** Returns the outline of letters without marks, and the reach of its ink; a new outline takes 0.5 ms. */
export function letterOutline(face: FontFace, letters: string): LetterOutline {
  const key = `${face.key}\n${letters}`;
  const known = letterOutlines.get(key);
  if (known !== undefined) return known;
  const path = engineContext(face, neededFamilies(face, letters))
    .outlineText(letters)
    ?.transform([1, 0, 0, -1, 0, 0]);
  const outline = {
    data: path?.d ?? '',
    ascent: (path?.bounds.bottom ?? 0) / referenceSize,
    descent: -(path?.bounds.top ?? 0) / referenceSize,
  };
  letterOutlines.set(key, outline);
  return outline;
}

/** Whether a font family of this name is installed and templates may use it. */
export function hasFamily(family: string): boolean {
  // A look-up takes 12 µs. Only installed families are cached, because a caller may pass any name.
  if (families.has(family)) return true;
  // With the alias of a family, one organization could use the font of another organization.
  if (isVariableForm(family) || family.toLowerCase().includes(organizationFontPrefix)) return false;
  const has = FontLibrary.has(family);
  if (has) families.add(family);
  return has;
}

/** Returns the length of SVG path data in its units; 0 if it draws nothing. */
export function pathLength(data: string): number {
  const known = pathLengths.get(data);
  if (known !== undefined) return known;
  const { length } = new Path2D(data);
  pathLengths.set(data, length);
  return length;
}

// Finds kana that may be kerned: pan-CJK fonts kern pairs of kana, and no other squares.

const hiragana = '\\u3041-\\u3096\\u309D-\\u309F';
const katakana = '\\u30A1-\\u30FA\\u30FD-\\u30FF';
/** Belongs to both scripts (Script Common), and is kerned before a comma and a full stop after any character. */
const prolongedSound = '\\u30FC';
const kanaPattern = new RegExp(`[${hiragana}${katakana}${prolongedSound}]`, 'u');
/** Maximum characters between two kana that the look-behind passes: kana further apart are no pair. */
const betweenMax = 8;
const between = `[^${hiragana}${katakana}]{0,${betweenMax}}`;
const scriptChange = new RegExp(
  `(?=[${katakana}])(?<=[${hiragana}]${between})|(?=[${hiragana}])(?<=[${katakana}]${between})`,
  'u',
);

/** Whether a text has kana or their prolonged sound mark, which its font may kern. */
export function hasKana(text: string): boolean {
  return kanaPattern.test(text);
}

/** Splits a text between hiragana and katakana, which the paint engine shapes separately, without kerning. */
export function splitKana(text: string): string[] {
  return text.split(scriptChange);
}
