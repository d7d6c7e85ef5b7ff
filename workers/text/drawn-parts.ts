/** Tells which letters the paint engine must not draw by itself: outlines.ts says why. */
import { uniformCharacters } from './measure.ts';
import type { FontFace } from './style.ts';

/** Marks, and letters whose dots are marks to their fonts; not the selectors of emoji and variants. */
export const markedPattern =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Nko}]|(?![\uFE00-\uFE0F\u20D0-\u20F0])\p{M}/u;

/** Scripts whose letters the engine tears apart when it spaces them out, because it adds the space to every shape. */
const clusteredPattern =
  /[\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u;

/** Characters that are all as wide as one of them, but for one that has a mark of its own. */
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
 * Parts of a text that are painted separately, because some letters are drawn from their outlines. Ideographs, kana and
 * Hangul beside them stay with the engine, which draws a line of them in the time of one outline. The parts are as wide
 * as the whole: of these characters only kana are kerned, and only with other kana.
 */
export function splitDrawn(face: FontFace, text: string, letterSpacingEm: number): string[] {
  if (!uniformStretches.test(text) || !wantsOutlines(face, text, letterSpacingEm)) return [text];
  return text.split(uniformStretches).filter((part) => part !== '');
}

// Tells which letters look different in one language: their fonts have forms of it (OpenType feature `locl`).

/** By language: what of its text the bundled fonts draw in its own way. */
const localized: ReadonlyMap<string, RegExp> = new Map([
  // Italic б г д п т.
  ['sr', /\p{Script=Cyrillic}/u],
  ['mk', /\p{Script=Cyrillic}/u],
  // ल and श; digits and झ; conjuncts.
  ['mr', /\p{Script=Devanagari}/u],
  ['ne', /\p{Script=Devanagari}/u],
  ['sa', /\p{Script=Devanagari}/u],
  // Cedillas that ought to be commas.
  ['ro', /[ŞşŢţ]/],
  // The older code of Romanian as it is written in Moldova.
  ['mo', /[ŞşŢţ]/],
  // The dot between two l.
  ['ca', /l·l/i],
  // Accents that stand steeper.
  ['pl', /[ćńóśź]/i],
  // The dot of i is a letter of its own, which no ligature may swallow.
  ['tr', /f[fij]/],
  ['az', /f[fij]/],
]);

/** Whether a text of a language (BCP 47) has such letters: the paint engine, which knows no language, draws others. */
export function isLocalized(lang: string, text: string): boolean {
  return localized.get(lang.split('-', 1)[0]?.toLowerCase() ?? '')?.test(text) === true;
}
