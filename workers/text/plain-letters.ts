/**
 * Letters of a text that the paint engine draws as it draws each of them alone, and how far each moves the pen: what a
 * painter needs to put a text together from letters.
 */
import { isLocalized } from './drawn-parts.ts';
import type { FontRun } from './font-runs.ts';
import { isSmallFamily, mayTakeApart, splitByFamily } from './font-runs.ts';
import { hasKana, uniformCharacters } from './measure.ts';
import type { FontFace } from './style.ts';
import { shapedWord, unitAdvances } from './text-width.ts';

/** One UTF-16 unit. */
export interface PlainLetter {
  /** Letters of a face that have the same number look the same. */
  shape: number;
  /** Multiple of the font size, without spacings. */
  advance: number;
  /** Units of its font that the advance is a whole number of. */
  unitsPerEm: number;
}

/** Characters that belong to no script, of those that occur in texts of every one. */
const common = ' -@\\[-`{-~\\u00A0\\u00B7\\u2010-\\u2027\\u2030-\\u205E\\u20A0-\\u20C0';
/** Of one script and direction: the engine shapes each apart, without kerning between them. */
const scripts = [
  ...['Latin', 'Greek', 'Cyrillic'].map((script) => `[${common}\\p{Script=${script}}]+`),
  `[ ${uniformCharacters}]+`,
];
/** By direction: from right to left, brackets and the like are mirrored. */
const plainPatterns = {
  ltr: new RegExp(`^(?:${scripts.join('|')})$`, 'u'),
  rtl: /^[ \p{Script=Hebrew}]+$/u,
};
const uniformPattern = new RegExp(`^[${uniformCharacters}]+$`);
/** Features that may make one glyph of several such characters. */
const joiningFeatures = /"(?!(?:liga|clig)")[^" ,]/;
const spacesPattern = /^ +$/;
/** Of the bundled pan-CJK fonts. */
const uniformUnitsPerEm = 1000;
/** Glyphs of a font. */
const glyphsMax = 65_536;

/** In logical order. Undefined where a letter's look or position depends on others, or is known to the engine alone. */
export function plainLetters(
  face: FontFace,
  text: string,
  direction: 'ltr' | 'rtl',
): PlainLetter[] | undefined {
  if (face.kind !== 'letters' || face.axes.size > 0) return undefined;
  if (!plainPatterns[direction].test(text)) return undefined;
  if (hasKana(text) || isLocalized(face.lang, text)) return undefined;
  const letters: PlainLetter[] = [];
  const runs = splitByFamily(face.unspaced, text);
  if (mayTakeApart(text, runs)) return undefined;
  // The row of a letter depends on the fonts of its neighbours; that of spaces is known.
  const shown = runs.filter((run) => !spacesPattern.test(run.text));
  if (new Set(shown.map(({ family }) => family)).size > 1) return undefined;
  for (const run of runs) {
    const family = face.families.indexOf(run.family) * glyphsMax;
    const word = wordOf(face.unspaced, run);
    if (word === undefined) return undefined;
    const { glyphs, advances, unitsPerEm } = word;
    for (let index = 0; index < glyphs.length; index += 1) {
      const shape = family + glyphs.charCodeAt(index);
      letters.push({ shape, advance: advances[index] ?? 0, unitsPerEm });
    }
  }
  return letters.length === text.length ? letters : undefined;
}

function wordOf(
  face: FontFace,
  run: FontRun,
): { glyphs: string; advances: Float32Array; unitsPerEm: number } | undefined {
  if (isSmallFamily(run.family)) {
    const word = shapedWord(face, run);
    return word?.glyphs === undefined ? undefined : { ...word, glyphs: word.glyphs };
  }
  if (!uniformPattern.test(run.text) || joiningFeatures.test(face.features)) return undefined;
  // Each of these characters is a glyph of its own.
  const advances = unitAdvances(face, run.text);
  return { glyphs: run.text, advances, unitsPerEm: uniformUnitsPerEm };
}
