/** Finds letters that must be drawn from their outlines instead of by the paint engine; outlines.ts has the reasons. */
import { uniformCharacters } from './measure.ts';
import type { FontFace } from './style.ts';

/** Marks, and letters whose dots are marks in their fonts; without the selectors of emoji and variants. */
export const markedPattern =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Nko}]|(?![\uFE00-\uFE0F\u20D0-\u20F0])\p{M}/u;

/** Scripts whose graphemes the engine splits with letter spacing, because it adds the space to every shape. */
const clusteredPattern =
  /[\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u;

/** Sequences of characters of equal width, without characters that have a mark. */
const uniformStretches = new RegExp(
  `((?:[${uniformCharacters}](?![\\p{M}\\p{Default_Ignorable_Code_Point}]))+)`,
  'u',
);

/**
 * Whether letters of a text must be drawn from their outlines: they have marks, are spaced out by graphemes or have
 * forms of their language. Letter spacing is a multiple of the font size.
 */
export function wantsOutlines(face: FontFace, text: string, letterSpacingEm: number): boolean {
  const isClustered = letterSpacingEm !== 0 && clusteredPattern.test(text);
  return isClustered || markedPattern.test(text) || isLocalized(face.lang, text);
}

/**
 * Parts of a text that are painted separately, because some letters are drawn from their outlines. The engine draws
 * ideographs, kana and Hangul, a line of them in the time of one outline. The parts are as wide
 * as the whole: of these characters only kana are kerned, and only with other kana.
 */
export function splitDrawn(face: FontFace, text: string, letterSpacingEm: number): string[] {
  if (!uniformStretches.test(text) || !wantsOutlines(face, text, letterSpacingEm)) return [text];
  return text.split(uniformStretches).filter((part) => part !== '');
}

// Finds letters that look different in one language, because their fonts have forms for it (OpenType feature `locl`).

/** Letters by language for which the bundled fonts have forms of this language. */
const localized: ReadonlyMap<string, RegExp> = new Map([
  // Italic б г д п т.
  ['sr', /\p{Script=Cyrillic}/u],
  ['mk', /\p{Script=Cyrillic}/u],
  // ल and श; digits and झ; conjuncts.
  ['mr', /\p{Script=Devanagari}/u],
  ['ne', /\p{Script=Devanagari}/u],
  ['sa', /\p{Script=Devanagari}/u],
  // Cedillas that should be commas.
  ['ro', /[ŞşŢţ]/],
  // The older language code of Romanian in Moldova.
  ['mo', /[ŞşŢţ]/],
  // The dot between two l.
  ['ca', /l·l/i],
  // Steeper accents.
  ['pl', /[ćńóśź]/i],
  // The dot of i distinguishes two letters, so no ligature may remove it.
  ['tr', /f[fij]/],
  ['az', /f[fij]/],
]);

/** Whether a text of a language (BCP 47) has such letters: the paint engine ignores languages and draws other forms. */
export function isLocalized(lang: string, text: string): boolean {
  return localized.get(lang.split('-', 1)[0]?.toLowerCase() ?? '')?.test(text) === true;
}
