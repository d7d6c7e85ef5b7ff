/** Says how much of a text one layer draws, and what laying it out costs: a layout cannot be interrupted. */
import { templateLimits } from './template-limits.ts';
import type { TextLayer, TextSpan } from '../schema/text.ts';

/**
 * Microseconds a code point of text that was never laid out before: measured with random letters, 2,000 to a
 * layer that shrinks, on one busy core (2 to 5 for each alphabet, 4 to 18 for other scripts and their
 * mixtures). Prose, whose words repeat, costs less.
 */
const alphabetUs = 5;
/** Of any other script, and of a value, which may be written in any. */
const otherUs = 18;
const alphabets = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u;
/** Every letter along a path is measured with its neighbour. */
const pathUs = 45;
/** Mixed scripts take twice as long with spaces between their letters. */
const spacedFactor = 2;
/** Lines of about equal length are counted at a dozen widths. */
const balancedFactor = 1.25;
/** Letters of an alphabet cost what another script does for so long after one of its letters. */
const mixedReach = 32;

/** A layer beside its letters, microseconds: 0.1 to 0.5 ms for a name that is new. */
export const layerUs = 300;
/** A span beside its letters, microseconds. */
export const spanUs = 100;

/** What a layer's letters cost, microseconds a code point. */
export interface TextWeight {
  alphabetUs: number;
  otherUs: number;
}

/** The weight of a layer's letters; what is bound counts as if it were set. */
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
 * Layouts of a text in one render. A text whose size follows its content is measured before it is laid out, and more often
 * where texts shrink together: 1.5 to 3 times the work of one layout (measured with 1,900 random letters).
 */
export function layoutsOf({ width, height }: TextLayer): number {
  return typeof width === 'number' && typeof height === 'number' ? 1 : 3;
}

/** Code points that a text layer draws at most: a plain count, because an estimate of time must not decide what is drawn. */
export function layerTextMax({ path }: Pick<TextLayer, 'path'>): number {
  return path === undefined ? templateLimits.layerCodePointsMax : templateLimits.pathCodePointsMax;
}

/** A layer's stretches: its spans, or its one text. */
export function spansOf({ spans, text = '' }: TextLayer): TextSpan[] {
  return spans ?? [{ text }];
}

/** Each text that a layer may draw, its spans joined: its text, and its alternatives. */
export function textsOf(layer: TextLayer): string[] {
  const texts = spansOf(layer).map(({ text }) => text);
  return [texts.join(''), ...(layer.alternatives ?? [])];
}

/** Microseconds that laying out a text takes. Linear time. */
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

// Counts what limits a text: its code points and its lines.

/** What ends a line for certain (Unicode UAX #14: BK, CR, LF, NL); CR LF ends one. */
// oxlint-disable-next-line no-control-regex -- vertical tab and form feed are among them
export const lineBreakPattern = /\r\n|[\n\r\u000B\u000C\u0085\u2028\u2029]/g;

/** How many lines end in a text. Linear time. */
export function countLineBreaks(text: string): number {
  return text.match(lineBreakPattern)?.length ?? 0;
}

/** UTF-16 units of the first `codePoints` code points of a text, of all if it has fewer. Linear in what it takes. */
export function unitsOf(text: string, codePoints: number): number {
  let units = 0;
  let left = codePoints;
  for (const character of text) {
    if (left <= 0) break;
    left -= 1;
    units += character.length;
  }
  return units;
}

/** How many Unicode code points a text has. Linear time. */
export function countCodePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
