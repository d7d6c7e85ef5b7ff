/**
 * Widths of text of every script: shaped from the fonts' files where that gives what the paint engine draws, asked
 * of the engine where not.
 */
import { splitGraphemes } from './emoji.ts';
import type { FontRun } from './font-runs.ts';
import { familyCoverage, isSmallFamily, mayTakeApart, splitByFamily } from './font-runs.ts';
import { isLocalized } from './drawn-parts.ts';
import { measureEm, uniformCharacters, wordSpacePattern } from './measure.ts';
import type { Ink } from '../display-list.ts';
import { kanaAdvances, shapeWord } from './shaping.ts';
import type { ShapedWord } from './shaping.ts';
import type { FontFace } from './style.ts';

/**
 * Alphabets whose letters stand side by side. The engine measures a line of them in 50 µs; of other scripts, for
 * which it looks into one font after the other, in up to 500.
 */
export const pairedPattern =
  /^[\u0020-\u007E\u00A0-\u024F\u0370-\u03FF\u0400-\u0482\u048A-\u052F\u1E00-\u1FFF\u2010-\u2027\u2030-\u205E\u20A0-\u20C0\u2190-\u21FF]+$/;
/** Emoji of one code point, which are all as wide as one of them. */
const emojiPattern = /^(?:\p{Emoji_Presentation}|[\u{1F000}-\u{1FAFF}]\uFE0F?|\p{Emoji}\uFE0F)$/u;
const someEmoji = '\u{1F600}';
/** Fill a square, as those that measure.ts knows do. */
const squarePattern = /^[\u{20000}-\u{3FFFF}]$/u;
const someSquare = '\u4E00';
const markPattern = /\p{M}/u;

/** Advances of words, by face and text; a typed array takes about 200 bytes beside its numbers. */
let words = new WeakMap<FontFace, Map<string, Float32Array>>();
let wordsKept = 0;
const wordsMax = 30_000;
/** UTF-16 units of a word that is shaped in 5 to 20 µs, where the engine would take 50. */
const shapedUnitsMax = 16;
/** UTF-16 units of a word that is kept: longer stretches do not come again. */
const keptUnitsMax = 64;

/**
 * Advance width of a text as a multiple of the font size, spacings included: a letter space after every grapheme.
 * Shaped widths differ from the engine's by at most 0.005 px at 100 px (six scripts, 300 random words each).
 */
export function textWidthEm(face: FontFace, text: string): number {
  const isLine = text.length > shapedUnitsMax && face.kind !== 'emoji' && pairedPattern.test(text);
  if (isLine && !isLocalized(face.lang, text)) return measureEm(face, text);
  return shapedWidthEm(face, text);
}

/** As `textWidthEm`, but never asked of the engine where a file can answer. */
export function shapedWidthEm(face: FontFace, text: string): number {
  let width = 0;
  for (const advance of unitAdvances(face, text)) width += advance;
  return width;
}

const uniformPattern = new RegExp(`^[${uniformCharacters}]+$`);
/** More than any of the uniform characters of the bundled fonts reaches. */
const uniformInk: Ink = { left: 0.05, right: 0.05, ascent: 0.95, descent: 0.2, marginAbove: 0.1 };
/** No bundled font has slanted ones: the engine slants the upright. */
const slantedInk: Ink = { ...uniformInk, right: 0.1 };

/** Of spaces, which show nothing. */
const noInk: Ink = { left: 0, right: 0, ascent: 0, descent: 0, marginAbove: 0 };
/** Words that were shaped, by their advances. */
const shapedWords = new WeakMap<Float32Array, ShapedWord>();
/** UTF-16 units from which a text has ink of its own: of pairs, which a spaced text has by the thousand, none is asked for. */
const inkUnitsMin = 3;

/**
 * Ink of a text, of the widest reach of its families, shaped from their files; undefined where only the engine knows it,
 * and for pairs of letters, of which a spaced text has thousands.
 */
export function textInk(face: FontFace, text: string): Ink | undefined {
  if (face.kind !== 'letters' || text.length < inkUnitsMin) return undefined;
  const ink = { ...noInk };
  const runs = splitByFamily(face.unspaced, text);
  if (mayTakeApart(text, runs)) return undefined;
  for (const run of runs) {
    const runExtent = runInk(face.unspaced, run);
    if (runExtent === undefined) return undefined;
    ink.left = Math.max(ink.left, runExtent.left);
    ink.right = Math.max(ink.right, runExtent.right);
    ink.ascent = Math.max(ink.ascent, runExtent.ascent);
    ink.descent = Math.max(ink.descent, runExtent.descent);
    ink.marginAbove = Math.max(ink.marginAbove, runExtent.marginAbove);
  }
  return ink;
}

function runInk(face: FontFace, run: FontRun): Ink | undefined {
  const { family, text } = run;
  if (text.trim() === '') return noInk;
  if (!isSmallFamily(family)) {
    const isKnown = familyCoverage(family) !== undefined && uniformPattern.test(text);
    if (!isKnown) return undefined;
    return face.italic ? slantedInk : uniformInk;
  }
  return shapedWord(face, run)?.ink;
}

/** The shape of a text of one small family, kept as its advances are. */
export function shapedWord(face: FontFace, run: FontRun): ShapedWord | undefined {
  const advances = keepWord(face, run.text, () => runAdvances(face, run));
  return shapedWords.get(advances) ?? shapeWord(face, run.family, run.text);
}

/**
 * How far each UTF-16 unit of a text in logical order moves the pen on, in multiples of the font size, spacings
 * included. What is one shape (a ligature, a grapheme) has all of it at its first unit.
 */
export function unitAdvances(face: FontFace, text: string): Float32Array {
  const bare = keepWord(face.unspaced, text, bareAdvances);
  if (face.letterSpacingEm === 0 && face.wordSpacingEm === 0) return bare;
  return keepWord(face, text, () => addSpacings(face, text, bare.slice()));
}

/** Advances of a text that was not met before: of its words, which may have been. */
function bareAdvances(face: FontFace, text: string): Float32Array {
  if (face.kind === 'emoji') return emojiAdvances(face, text);
  const runs = splitByFamily(face, text);
  const [first] = runs;
  if (runs.length === 1 && first !== undefined) return runAdvances(face, first);
  const advances = new Float32Array(text.length);
  let start = 0;
  for (const run of runs) {
    const wordAdvances = keepWord(face, run.text, () => runAdvances(face, run));
    advances.set(wordAdvances, start);
    start += run.text.length;
  }
  return advances;
}

function keepWord(
  face: FontFace,
  text: string,
  measure: (face: FontFace, text: string) => Float32Array,
): Float32Array {
  if (text.length > keptUnitsMax) return measure(face, text);
  let wordAdvances = words.get(face);
  const known = wordAdvances?.get(text);
  if (known !== undefined) return known;
  const advances = measure(face, text);
  if (wordsKept >= wordsMax) {
    words = new WeakMap();
    wordsKept = 0;
    wordAdvances = undefined;
  }
  if (wordAdvances === undefined) words.set(face, (wordAdvances = new Map()));
  wordAdvances.set(text, advances);
  wordsKept += 1;
  return advances;
}

function addSpacings(face: FontFace, text: string, advances: Float32Array): Float32Array {
  const add = (index: number, space: number): void => {
    advances[index] = (advances[index] ?? 0) + space;
  };
  if (face.letterSpacingEm !== 0) {
    let start = 0;
    for (const grapheme of splitGraphemes(text)) {
      add(start, face.letterSpacingEm);
      start += grapheme.length;
    }
  }
  if (face.wordSpacingEm === 0) return advances;
  for (const { index } of text.matchAll(wordSpacePattern)) add(index, face.wordSpacingEm);
  return advances;
}

function runAdvances(face: FontFace, { family, text }: FontRun): Float32Array {
  if (isSmallFamily(family)) {
    const shaped = shapeWord(face, family, text);
    if (shaped === undefined) return new Float32Array(text.length);
    shapedWords.set(shaped.advances, shaped);
    return shaped.advances;
  }
  const advances = new Float32Array(text.length);
  if (familyCoverage(family) === undefined) {
    // A font of an organization's own: only the engine has it.
    advances[0] = measureEm(face, text);
    return advances;
  }
  const kerned = kanaAdvances(face, family, text);
  if (kerned !== undefined) return kerned;
  // A large file, whose other squares and syllables are not kerned.
  const parts = markPattern.test(text) ? splitGraphemes(text) : Array.from(text);
  let start = 0;
  for (const [index, part] of parts.entries()) {
    const next = parts[index + 1] ?? '';
    // Latin letters of such a font are kerned.
    const pair = pairedPattern.test(part + next) ? next : '';
    const shown = squarePattern.test(part) ? someSquare : part;
    advances[start] = measureEm(face, shown + pair) - measureEm(face, pair);
    start += part.length;
  }
  return advances;
}

/** Emoji stand side by side without kerning. */
function emojiAdvances(face: FontFace, text: string): Float32Array {
  const advances = new Float32Array(text.length);
  let start = 0;
  for (const grapheme of splitGraphemes(text)) {
    advances[start] = measureEm(face, emojiPattern.test(grapheme) ? someEmoji : grapheme);
    start += grapheme.length;
  }
  return advances;
}
