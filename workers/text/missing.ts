/** Finds the characters that no font can draw, and puts a box in their place. */
import { covers } from '../assets/font-coverage.ts';
import { fallbackFamilies } from '../assets/fonts.ts';
import { familyCoverage } from './font-runs.ts';
import { drawsBox } from './measure.ts';
import type { TextStyle } from './style.ts';
import { fontFace } from './style.ts';

/** What stands for a character without a shape (U+25A1); the default family has it. */
const box = '\u25A1';
/** White space, marks that only steer (joiners, variation selectors) and controls are never missing. */
const invisiblePattern = /[\p{Z}\p{Cc}\p{Default_Ignorable_Code_Point}]/u;
/** Characters of one text that the engine is asked about; each takes up to 0.1 ms. */
const askedMax = 50;

/** A text that can be drawn, and what of it cannot. */
export interface DrawableText {
  text: string;
  /** Each code point once, in order. */
  missing: string[];
}

/**
 * Replaces each character for which no font of the style has a shape with a box. The engine would
 * search all fonts for it whenever it is measured or drawn, 50 µs each time.
 */
export function replaceMissing(text: string, style: TextStyle, lang: string): DrawableText {
  // The default family has all of ASCII.
  if (/^\p{ASCII}*$/u.test(text)) return { text, missing: [] };
  const families = [...style.families, ...fallbackFamilies(lang)].map(familyCoverage);
  const known = families.filter((one) => one !== undefined);
  const asksEngine = known.length < families.length;
  const missing = new Set<string>();
  const found = new Set<string>();
  let asked = 0;
  const isMissing = (character: string): boolean => {
    if (found.has(character)) return false;
    if (missing.has(character)) return true;
    const codePoint = character.codePointAt(0) ?? 0;
    if (known.some((coverage) => covers(coverage, codePoint))) return false;
    asked += asksEngine ? 1 : 0;
    const isDrawn =
      asksEngine && asked <= askedMax && !drawsBox(fontFace(style, lang, 'letters'), character);
    (isDrawn ? found : missing).add(character);
    return !isDrawn;
  };
  const drawable = text.replace(/\P{ASCII}/gu, (character) => {
    if (invisiblePattern.test(character)) return character;
    return isMissing(character) ? box : character;
  });
  return { text: drawable, missing: [...missing] };
}
