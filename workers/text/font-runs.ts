/** Splits text into runs of one font family as the paint engine would, but by the coverage of font files. */
import { statSync } from 'node:fs';
import { LRUCache } from 'lru-cache';
import type { Coverage } from '../assets/font-coverage.ts';
import { covers, readCoverage } from '../assets/font-coverage.ts';
import { findFontFile } from '../assets/font-files.ts';
import { splitGraphemes } from './emoji.ts';
import { familyOf } from './engine.ts';
import type { FontFace } from './style.ts';

/** A part of a text with glyphs of one family. */
export interface FontRun {
  family: string;
  text: string;
}

/** Coverage of a font, and whether its file is usable for shaping: not compressed, and small. */
interface FamilyFont {
  coverage: Coverage;
  /** Pan-CJK files have 5 to 11 MB, all other bundled files less than 1 MB. */
  isSmall: boolean;
}
const smallBytesMax = 2 * 1024 * 1024;

/** Recently used families; `missing` if this process knows no file. A coverage has 136 KB. */
const families = new LRUCache<string, FamilyFont | 'missing'>({ max: 100 });

/** Families of the code points and graphemes that a face has drawn. */
const partFamilies = new WeakMap<FontFace, Map<string, string | undefined>>();
/** Upper bound per face. Not an `lru-cache`, which would allocate all entries for each of thousands of faces. */
const partsMax = 20_000;

/** Characters drawn with the letter before them: marks, joiners, selectors. */
const extendingPattern = /[\p{M}\p{Default_Ignorable_Code_Point}]/u;
const ignorablePattern = /\p{Default_Ignorable_Code_Point}/gu;

/** Returns the code points for which a family has glyphs; undefined for a family without a known file. */
export function familyCoverage(family: string): Coverage | undefined {
  return openFamily(family)?.coverage;
}

/** Whether a family's file is known and small. */
export function isSmallFamily(family: string): boolean {
  return openFamily(family)?.isSmall === true;
}

/**
 * Returns runs of text in logical order, each as long as possible. A grapheme is drawn in the first of the face's
 * families that has all of its characters. If there is none, each character is drawn in the first family that has it.
 */
export function splitByFamily(face: FontFace, text: string): FontRun[] {
  let found = partFamilies.get(face);
  if (found === undefined || found.size > partsMax) partFamilies.set(face, (found = new Map()));
  const familyOfPart = (part: string): string | undefined => {
    let family = found.get(part);
    if (family === undefined && !found.has(part)) {
      found.set(part, (family = findFamily(face, part)));
    }
    return family;
  };
  // Finding graphemes is the slowest step, and only marks make graphemes longer than a character.
  const parts = extendingPattern.test(text) ? splitGraphemes(text) : text;
  const runs: FontRun[] = [];
  // Joiners and similar characters have no glyph, but affect the glyphs of their neighbours.
  let steering = '';
  const add = (part: string, family: string): void => {
    const last = runs.at(-1);
    if (last !== undefined && (family === last.family || family === '')) last.text += part;
    else if (family === '') steering += part;
    else {
      runs.push({ family, text: steering + part });
      steering = '';
    }
  };
  for (const part of parts) {
    const family = familyOfPart(part);
    if (family !== undefined) add(part, family);
    else for (const one of part) add(one, familyOfPart(one) ?? face.families[0] ?? '');
  }
  if (steering !== '') runs.push({ family: face.families[0] ?? '', text: steering });
  return runs;
}

/** Matches letters with two marks, after NFD. */
const markedTwicePattern = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]\p{M}{2}/u;

/**
 * Whether the engine may draw a letter with two marks in another family than that of its run: in an earlier family that
 * has the letter with the first mark, and the second mark separately.
 */
export function mayTakeApart(text: string, runs: readonly FontRun[]): boolean {
  if (runs.length < 2 && !extendingPattern.test(text)) return false;
  return markedTwicePattern.test(text.normalize('NFD'));
}

/** Scripts whose marks one font draws with the letters before them. */
const scriptsWithMarks = [
  'Arabic',
  'Bengali',
  'Devanagari',
  'Ethiopic',
  'Gujarati',
  'Gurmukhi',
  'Hebrew',
  'Kannada',
  'Khmer',
  'Lao',
  'Malayalam',
  'Myanmar',
  'Sinhala',
  'Tamil',
  'Telugu',
  'Thai',
  'Tibetan',
];
/** Marks after a letter or mark of their script. */
const ordinaryMarks = new RegExp(
  scriptsWithMarks.map((name) => `(?<=\\p{scx=${name}})(?=\\p{M})\\p{scx=${name}}`).join('|'),
  'gu',
);

/**
 * Returns the families of a face that the engine needs for a text, in their order. The first use of a size with all 26
 * families takes 11 to 16 ms, with two 2 ms. Returns all of them if no family is known to have a character, and if the
 * engine chooses by more than code points: for joiners, and for marks on letters of another script.
 */
export function neededFamilies(face: FontFace, text: string): readonly string[] {
  const isEmoji = face.kind === 'emoji' || face.kind === 'plain-emoji';
  if (!isEmoji && extendingPattern.test(text)) {
    if (extendingPattern.test(text.replace(ordinaryMarks, ''))) return face.families;
  }
  const needed = new Set<string>();
  for (const { family } of splitByFamily(face, text)) {
    if (familyCoverage(family) === undefined) return face.families;
    needed.add(family);
  }
  return needed.size === 1 ? [...needed] : face.families.filter((family) => needed.has(family));
}

/** Returns the first family with all of a grapheme; empty if it is invisible, undefined if there is no such family. */
function findFamily(face: FontFace, grapheme: string): string | undefined {
  const shown = grapheme.replace(ignorablePattern, '');
  if (shown === '') return '';
  // The engine's shaper composes and decomposes letters depending on the font.
  const forms = [...new Set([shown, shown.normalize('NFC'), shown.normalize('NFD')])].map((form) =>
    Array.from(form, (one) => one.codePointAt(0) ?? 0),
  );
  return face.families.find((family) => {
    const font = openFamily(family);
    // Only the engine knows the coverage of a font without a known file.
    if (font === undefined) return familyOf(face, grapheme) === family;
    return forms.some((codePoints) => codePoints.every((one) => covers(font.coverage, one)));
  });
}

/** Whether a file is usable for shaping: the shaper cannot read WOFF2. */
function isShapeable(path: string): boolean {
  return !path.endsWith('.woff2') && statSync(path).size <= smallBytesMax;
}

function openFamily(family: string): FamilyFont | undefined {
  const known = families.get(family);
  if (known !== undefined) return known === 'missing' ? undefined : known;
  const file = findFontFile(family, 400, false);
  const font =
    file === undefined
      ? undefined
      : { coverage: readCoverage(file), isSmall: isShapeable(file.path) };
  families.set(family, font ?? 'missing');
  return font;
}
