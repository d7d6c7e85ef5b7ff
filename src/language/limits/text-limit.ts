/** Limits the text of one layer and estimates the cost of its layout, which cannot be interrupted. */
import { templateLimits } from './template-limits.ts';
import type { TextLayer, TextSpan } from '../schema/text.ts';

/**
 * CPU time of a code point of text that was never laid out before, in µs. Measured on one busy core with random
 * letters, 2,000 to a layer that shrinks: 2 to 5 for each alphabet, 4 to 18 for other scripts and mixtures. Prose costs
 * less, because its words repeat.
 */
const alphabetUs = 5;
/** The same for any other script, and for a value, whose script is unknown. */
const otherUs = 18;
const alphabets = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u;
/** The same along a path, where every letter is measured with its neighbour. */
const pathUs = 45;
/** Mixed scripts with letter spacing take twice as long. */
const spacedFactor = 2;
/** Balancing lines counts them at about twelve widths. */
const balancedFactor = 1.25;
/** Number of alphabet letters after a letter of another script that cost as much as that script. */
const mixedReach = 32;

/** Cost of a layer without its letters, in µs: 0.1 to 0.5 ms for a name that is new. */
export const layerUs = 300;
/** Cost of a span without its letters, in µs. */
export const spanUs = 100;

/** Cost of a layer's letters, in µs per code point. */
export interface TextWeight {
  alphabetUs: number;
  otherUs: number;
}

/** The cost of a layer's letters. Bound properties count as if they were set. */
export function textWeight(layer: TextLayer): TextWeight {
  if (layer.path !== undefined) return { alphabetUs: pathUs, otherUs: pathUs };
  const looks = [layer, ...spansOf(layer)];
  const isSpaced = looks.some(({ letterSpacing = 0 }) => letterSpacing !== 0);
  const isBalanced = layer.balance ?? false;
  const looksFactor = (isSpaced ? spacedFactor : 1) * (isBalanced ? balancedFactor : 1);
  const factor = looksFactor * layoutsOf(layer);
  return { alphabetUs: alphabetUs * factor, otherUs: otherUs * factor };
}

/**
 * Number of layouts of a text in one render, as an upper bound. A text whose size follows its content is measured
 * before it is laid out, and more often if texts shrink together. This takes 1.5 to 3 times the work of one layout
 * (measured with 1,900 random letters).
 */
export function layoutsOf({ width, height }: TextLayer): number {
  return typeof width === 'number' && typeof height === 'number' ? 1 : 3;
}

/**
 * Maximum code points that a text layer draws. A plain count, because an estimate of time must not decide the result.
 */
export function layerTextMax({ path }: Pick<TextLayer, 'path'>): number {
  return path === undefined ? templateLimits.layerCodePointsMax : templateLimits.pathCodePointsMax;
}

/** The spans of a text layer; a single span for a plain text. */
export function spansOf({ spans, text = '' }: TextLayer): TextSpan[] {
  return spans ?? [{ text }];
}

/** The texts that a layer may draw: its text or joined spans, and its alternatives. */
export function textsOf(layer: TextLayer): string[] {
  const texts = spansOf(layer).map(({ text }) => text);
  return [texts.join(''), ...(layer.alternatives ?? [])];
}

/** CPU time of laying out a text, in µs. Linear time. */
export function textUs(text: string, weight: TextWeight): number {
  let us = 0;
  let sinceOther = mixedReach;
  for (const character of text) {
    const isOther = character >= '\u0080' && !alphabets.test(character);
    sinceOther = isOther ? 0 : sinceOther + 1;
    us += sinceOther < mixedReach ? weight.otherUs : weight.alphabetUs;
  }
  return us;
}

// Counts code points and line breaks.

/** Mandatory line breaks (Unicode UAX #14: BK, CR, LF, NL); CR LF counts as one. */
// oxlint-disable-next-line no-control-regex -- vertical tab and form feed are among them
export const lineBreakPattern = /\r\n|[\n\r\u000B\u000C\u0085\u2028\u2029]/g;

export function countLineBreaks(text: string): number {
  return text.match(lineBreakPattern)?.length ?? 0;
}

/**
 * UTF-16 units of the first `codePoints` code points of a text, or of all if it has fewer. Isolates (U+2066 to U+2069),
 * which draw nothing, do not count. Linear in the result.
 */
export function unitsOf(text: string, codePoints: number): number {
  let units = 0;
  let left = codePoints;
  for (const character of text) {
    const isCounted = character < '\u2066' || character > '\u2069';
    if (isCounted && left <= 0) break;
    if (isCounted) left -= 1;
    units += character.length;
  }
  return units;
}

export function countCodePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
