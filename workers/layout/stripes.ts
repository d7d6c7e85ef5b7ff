/** Backgrounds, underlines and strikes of a text: stripes along its baseline, and the gaps that underlines leave. */
import type { ColorFill } from '#language/schema/paint.ts';
import { fontHeights, underlineEm } from '../text/measure.ts';
import { inkAcross } from '../text/outlines.ts';
import type { Piece } from '../text/paragraphs.ts';

/** Thickness and positions of underline and strike in em: the average of common fonts. */
const ruleThickness = 0.06;
const underlineOffsetMin = 0.1;
const strikeOffset = -0.3;
/** Distance of two stripes that counts as a rounding error. */
const seamPx = 0.01;

/** A stripe along a baseline in design pixels; y is downwards from the baseline. */
export interface Stripe {
  start: number;
  end: number;
  top: number;
  bottom: number;
  fill: ColorFill;
}

/** A part of a line, in design pixels. */
export interface Interval {
  start: number;
  end: number;
}

/** Returns the background of a piece at a font size in design pixels: as high as its font. */
export function backgroundStripe(
  { style, face }: Piece,
  size: number,
  { start, end }: Interval,
): Stripe | undefined {
  if (style.background === undefined) return undefined;
  const { ascent, descent } = fontHeights(face, 'x');
  return { start, end, top: -ascent * size, bottom: descent * size, fill: style.background };
}

/**
 * Returns the underline and the strike of a piece at a font size in design pixels, if its style has them. `inks` are
 * the letters that cross the underline, from `underlineInks`; the underline leaves gaps for them, as
 * `text-decoration-skip-ink` of CSS. `strokeWidth` is the extent of letters outside their outlines.
 */
export function ruleStripes(
  { style, face }: Piece,
  size: number,
  { start, end }: Interval,
  inks: readonly Interval[],
  strokeWidth: number,
): Stripe[] {
  const thickness = ruleThickness * size;
  const rule = (offset: number, along: Interval): Stripe => {
    const top = offset * size;
    return { start: along.start, end: along.end, top, bottom: top + thickness, fill: style.fill };
  };
  const whole = { start, end };
  const parts = style.underline ? partsBetween(whole, inks, thickness, strokeWidth) : [];
  const underline = parts.map((part) => rule(underlineOffset(face), part));
  return style.strike ? [...underline, rule(strikeOffset, whole)] : underline;
}

/** Joins stripes of one line, sorted from left to right, that touch and look alike. */
export function joinStripes(stripes: readonly Stripe[]): Stripe[] {
  const joined: Stripe[] = [];
  const lastByTop = new Map<number, Stripe>();
  for (const stripe of stripes) {
    const last = lastByTop.get(stripe.top);
    const isOne =
      last !== undefined &&
      last.bottom === stripe.bottom &&
      last.fill === stripe.fill &&
      Math.abs(stripe.start - last.end) < seamPx;
    if (isOne) last.end = stripe.end;
    else {
      const copy = { ...stripe };
      joined.push(copy);
      lastByTop.set(stripe.top, copy);
    }
  }
  return joined;
}

/** Returns the offset of an underline in em. A font with lower letters has a lower underline. */
function underlineOffset(face: Piece['face']): number {
  return Math.max(underlineOffsetMin, underlineEm(face));
}

/** Returns the parts of a rule between letters, one thickness away from them. Omits parts shorter than two: dots. */
function partsBetween(
  { start, end }: Interval,
  inks: readonly Interval[],
  thickness: number,
  strokeWidth: number,
): Interval[] {
  if (inks.length === 0) return [{ start, end }];
  const margin = thickness + strokeWidth;
  const parts: Interval[] = [];
  let from = start;
  for (const ink of inks.toSorted((a, b) => a.start - b.start)) {
    parts.push({ start: from, end: Math.min(end, ink.start - margin) });
    from = Math.max(from, ink.end + margin);
  }
  parts.push({ start: from, end });
  return parts.filter((part) => part.end - part.start >= 2 * thickness);
}

/**
 * Returns the intervals in which letters cross the underline of their piece, in design pixels. `left` is the left edge
 * of the text, `letterSpacing` the space after each grapheme.
 */
export function underlineInks(
  { text, face, style, level }: Piece,
  size: number,
  left: number,
  letterSpacing: number,
): Interval[] {
  if (!style.underline) return [];
  const top = underlineOffset(face);
  const direction = level % 2 === 1 ? 'rtl' : 'ltr';
  const band = { top, bottom: top + ruleThickness };
  return inkAcross(face, text, direction, letterSpacing / size, band).map(([from, to]) => ({
    start: left + from * size,
    end: left + to * size,
  }));
}
