/**
 * Letters of a text that the paint engine draws as it draws each of them alone, and how far each moves the pen: what a
 * painter needs to put a text together from letters.
 */
import { isLocalized } from './drawn-parts.ts';
import type { FontRun } from './font-runs.ts';
import { isSmallFamily, mayTakeApart, splitByFamily } from './font-runs.ts';
import { uniformCharacters } from './measure.ts';
import type { FontFace } from './style.ts';
import { shapedWord, unitAdvances } from './text-width.ts';

/** One UTF-16 unit. */
export interface PlainLetter {
  /** Letters of a face that have the same number look the same. */
  shape: number;
  /** The number of its family in the face. */
  family: number;
  /** Multiple of the font size, without spacings. */
  advance: number;
  /** Units of its font that the advance is a whole number of. */
  unitsPerEm: number;
}

/** Characters that belong to no script, of those that occur in texts of every one. */
const common = ' -@\\[-`{-~\\u00A0\\u00B7\\u2010-\\u2027\\u2030-\\u205E\\u20A0-\\u20C0';
/** The engine shapes each script apart, without kerning between them; characters of no script join the one before. */
const scripts = ['Latin', 'Greek', 'Cyrillic']
  .map((script) => `\\p{Script=${script}}`)
  .concat(uniformCharacters);
const stretchPattern = new RegExp(
  `[${common}]*(?:${scripts.map((script) => `[${script}][${common}${script}]*`).join('|')}|$)`,
  'gu',
);
/** By direction: from right to left, brackets and the like are mirrored. */
const plainPatterns = {
  ltr: new RegExp(`^[${common}${scripts.join('')}]+$`, 'u'),
  rtl: /^[ \p{Script=Hebrew}]+$/u,
};
const uniformPattern = new RegExp(`^[${uniformCharacters}]+$`);
/** Features that may make one glyph of several such characters. */
const joiningFeatures = /"(?!(?:liga|clig)")[^" ,]/;
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
  // Each of these characters is a glyph of its own.
  const advances = unitAdvances(face, run.text);
  return { glyphs: run.text, advances, unitsPerEm: uniformUnitsPerEm };
}
