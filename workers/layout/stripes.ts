/** Where the backgrounds, underlines and strikes of a text lie above and below its baseline. */
import type { ColorFill } from '#language/schema/paint.ts';
import { fontHeights, underlineEm } from '../text/measure.ts';
import type { Piece } from '../text/paragraphs.ts';

/** Underline and strike as parts of the font size: the middle of what common fonts say of themselves. */
const ruleThickness = 0.06;
const underlineOffsetMin = 0.1;
const strikeOffset = -0.3;

/** A stripe along a baseline, design pixels, y downwards from it. */
export interface Stripe {
  top: number;
  bottom: number;
  fill: ColorFill;
}

/** The background of a piece at a font size in design pixels: as high as its font. */
export function backgroundStripe({ style, face }: Piece, size: number): Stripe | undefined {
  if (style.background === undefined) return undefined;
  const { ascent, descent } = fontHeights(face, 'x');
  return { top: -ascent * size, bottom: descent * size, fill: style.background };
}

/** The underline and the strike of a piece at a font size in design pixels, as far as its style has them. */
export function ruleStripes({ style, face }: Piece, size: number): Stripe[] {
  const rule = (offset: number): Stripe => {
    const top = offset * size;
    return { top, bottom: top + ruleThickness * size, fill: style.fill };
  };
  // Fonts that set it lower have lower letters.
  const underline = style.underline ? [rule(Math.max(underlineOffsetMin, underlineEm(face)))] : [];
  return style.strike ? [...underline, rule(strikeOffset)] : underline;
}
