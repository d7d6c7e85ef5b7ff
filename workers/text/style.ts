/** How a stretch of text looks, and the strings by which the paint engine knows a font. */
import type { ColorFill } from '#shared/paint-schemas.ts';
import { emojiFamily, fallbackFamilies } from '../assets/fonts.ts';

/** The look of a stretch of text. Lengths are design pixels at the layer's own font size. */
export interface TextStyle {
  /** Installed families, in the order in which a character looks for its shape. */
  families: readonly string[];
  size: number;
  /** 1 … 1000. */
  weight: number;
  italic: boolean;
  lineHeight: number;
  letterSpacing: number;
  wordSpacing: number;
  /** CSS `font-feature-settings` and `font-variation-settings`; empty when none. */
  features: string;
  variations: string;
  fill: ColorFill;
  underline: boolean;
  strike: boolean;
  background: string | undefined;
}

/**
 * A font without its size: what measured widths are kept by. The spacings are part of it, as
 * multiples of the size, so that every width grows in proportion to the size.
 */
export interface FontFace {
  key: string;
  /** CSS shorthand before the size (`italic 700 `) and after it (`px "Inter", …`). */
  before: string;
  after: string;
  features: string;
  variations: string;
  letterSpacingEm: number;
  wordSpacingEm: number;
}

/** Faces of all templates that a worker has seen; a flood of templates starts the map afresh. */
const facesMax = 2000;
const faces = new Map<string, FontFace>();

/** The face of a style's letters, or of its emoji: those are never slanted, and their font comes first. */
export function fontFace(style: TextStyle, lang: string, emoji: boolean): FontFace {
  const letterSpacingEm = style.letterSpacing / style.size;
  const wordSpacingEm = style.wordSpacing / style.size;
  const italic = style.italic && !emoji;
  const key = `${style.families.join()}|${style.weight}|${italic}|${letterSpacingEm}|${wordSpacingEm}|${style.features}|${style.variations}|${lang}|${emoji}`;
  const known = faces.get(key);
  if (known !== undefined) return known;
  const families = [...style.families, ...fallbackFamilies(lang)];
  const ordered = emoji ? [emojiFamily, ...families] : families;
  // Letters that are spaced out must not be joined to ligatures (CSS Text 3, 8.2).
  const spaced = letterSpacingEm === 0 ? [] : ['"liga" 0', '"clig" 0'];
  const features = [...spaced, ...(style.features === '' ? [] : [style.features])];
  const face: FontFace = {
    key,
    before: `${italic ? 'italic ' : ''}${style.weight} `,
    after: `px ${[...new Set(ordered)].map((family) => JSON.stringify(family)).join(', ')}`,
    features: features.length === 0 ? 'normal' : features.join(', '),
    variations: style.variations === '' ? 'normal' : style.variations,
    letterSpacingEm,
    wordSpacingEm,
  };
  if (faces.size >= facesMax) faces.clear();
  faces.set(key, face);
  return face;
}

/** CSS font shorthand of a face at a size in design pixels. */
export function fontAt(face: FontFace, size: number): string {
  return `${face.before}${size}${face.after}`;
}
