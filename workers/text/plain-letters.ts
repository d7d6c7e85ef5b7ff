/**
 * Finds texts whose letters the paint engine draws as it draws each letter alone, and their advances. Such a text can
 * be composed from letters.
 */
import { isLocalized } from './drawn-parts.ts';
import type { FontRun } from './font-runs.ts';
import { isSmallFamily, mayTakeApart, splitByFamily } from './font-runs.ts';
import { uniformCharacters } from './measure.ts';
import type { FontFace } from './style.ts';
import { shapedWord, unitAdvances } from './text-width.ts';

/** A letter of one UTF-16 unit. */
export interface PlainLetter {
  /** Letters of a face with the same number look the same. */
  shape: number;
  /** The number of the letter's family in the face. */
  family: number;
  /** Multiple of the font size, without spacings. */
  advance: number;
  /** Units per em of the letter's font; the advance is an integer number of units. */
  unitsPerEm: number;
}

/** Characters of no script that occur in texts of all scripts. */
const common = ' -@\\[-`{-~\\u00A0\\u00B7\\u2010-\\u2027\\u2030-\\u205E\\u20A0-\\u20C0';
/** The engine shapes each script separately, without kerning between them. Other characters join the script before. */
const scripts = ['Latin', 'Greek', 'Cyrillic']
  .map((script) => `\\p{Script=${script}}`)
  .concat(uniformCharacters);
const stretchPattern = new RegExp(
  `[${common}]*(?:${scripts.map((script) => `[${script}][${common}${script}]*`).join('|')}|$)`,
  'gu',
);
/** By direction; from right to left, brackets and similar characters are mirrored. */
const plainPatterns = {
  ltr: new RegExp(`^[${common}${scripts.join('')}]+$`, 'u'),
  rtl: /^[ \p{Script=Hebrew}]+$/u,
};
const uniformPattern = new RegExp(`^[${uniformCharacters}]+$`);
/** Features that may join several such characters to one glyph. */
const joiningFeatures = /"(?!(?:liga|clig)")[^" ,]/;
/** Units per em of the bundled pan-CJK fonts. */
const uniformUnitsPerEm = 1000;
/** Maximum number of glyphs of a font. */
const glyphsMax = 65_536;

/** Returns letters in logical order; undefined if a letter depends on others, or only the engine knows its shape. */
export function plainLetters(
  face: FontFace,
  text: string,
  direction: 'ltr' | 'rtl',
): PlainLetter[] | undefined {
  if (face.kind !== 'letters' || face.axes.size > 0) return undefined;
  if (!plainPatterns[direction].test(text)) return undefined;
  if (isLocalized(face.lang, text)) return undefined;
  const stretches = direction === 'rtl' ? [text] : (text.match(stretchPattern) ?? []);
  const runs = stretches.flatMap((stretch) => splitByFamily(face.unspaced, stretch));
  if (mayTakeApart(text, runs)) return undefined;
  const letters: PlainLetter[] = [];
  for (const run of runs) {
    const family = face.families.indexOf(run.family);
    const word = wordOf(face.unspaced, run);
    if (word === undefined) return undefined;
    const { glyphs, advances, unitsPerEm } = word;
    for (let index = 0; index < glyphs.length; index += 1) {
      const shape = family * glyphsMax + glyphs.charCodeAt(index);
      letters.push({ shape, family, advance: advances[index] ?? 0, unitsPerEm });
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
  // Each of these characters is one glyph.
  const advances = unitAdvances(face, run.text);
  return { glyphs: run.text, advances, unitsPerEm: uniformUnitsPerEm };
}
