/** How a stretch of text looks, and the strings by which the paint engine knows a font. */
import { LRUCache } from 'lru-cache';
import type { ColorFill } from '#language/schema/paint.ts';
import type { FontSetting } from '../display-list.ts';
import { chooseFonts } from '../assets/font-axes.ts';
import { emojiFamily, fallbackFamilies, outlineEmojiFamily } from '../assets/fonts.ts';

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

/** A stretch of text with one look, before anything is laid out. */
export interface StyledText {
  text: string;
  style: TextStyle;
}

/**
 * What a stretch of text is made of: letters; letters of a script that joins them, which must not be
 * spaced out; color emoji; emoji of one color; or tabs that move on to stops.
 */
export type GlyphKind = 'letters' | 'joined' | 'emoji' | 'plain-emoji' | 'tab';

/**
 * A font without its size: what measured widths are kept by. The spacings are part of it, as
 * multiples of the size, so that every width grows in proportion to the size.
 */
export interface FontFace {
  key: string;
  /** CSS shorthand before the size: `italic 700 `. */
  before: string;
  /** Families in the order in which a character looks for its shape. */
  families: readonly string[];
  features: string;
  variations: string;
  /** The values in `variations`. */
  axes: ReadonlyMap<string, number>;
  letterSpacingEm: number;
  wordSpacingEm: number;
  kind: GlyphKind;
  /** BCP 47. */
  lang: string;
  weight: number;
  italic: boolean;
  /** The same face without spacings: itself where it has none. */
  unspaced: FontFace;
}

/** Faces of the templates that this process drew last. */
const faces = new LRUCache<string, FontFace>({ max: 2000 });

/**
 * The face of a style's letters, or of its emoji: those are never slanted, and their font comes
 * first. Equal styles get the same object.
 */
export function fontFace(style: TextStyle, lang: string, kind: GlyphKind): FontFace {
  const letterSpacingEm = kind === 'joined' ? 0 : style.letterSpacing / style.size;
  const wordSpacingEm = style.wordSpacing / style.size;
  const italic = style.italic && kind !== 'emoji' && kind !== 'plain-emoji';
  const font = `${style.families.join()}|${style.weight}|${italic}|${style.features}|${style.variations}|${lang}|${kind}`;
  const key = `${font}|${letterSpacingEm}|${wordSpacingEm}`;
  const known = faces.get(key);
  if (known !== undefined) return known;
  const families = [...style.families, ...fallbackFamilies(lang)];
  const ordered = [...new Set(orderFamilies(families, kind))];
  const fonts = chooseFonts(ordered, style.weight, parseSettings(style.variations));
  // Letters that are spaced out must not be joined to ligatures (CSS Text 3, 8.2).
  const spaced = letterSpacingEm === 0 ? [] : ['"liga" 0', '"clig" 0'];
  const features = [...spaced, ...(style.features === '' ? [] : [style.features])];
  const bare = {
    before: `${italic ? 'italic ' : ''}${fonts.weight} `,
    families: fonts.families,
    features: features.length === 0 ? 'normal' : features.join(', '),
    variations: fonts.axes.size === 0 ? 'normal' : toSettings(fonts.axes),
    axes: fonts.axes,
    kind,
    lang,
    weight: fonts.weight,
    italic,
  };
  const face = toFace(bare, key, letterSpacingEm, wordSpacingEm);
  if (letterSpacingEm !== 0 || wordSpacingEm !== 0) {
    face.unspaced = toFace(bare, `${font}|${bare.features}`, 0, 0);
  }
  faces.set(key, face);
  return face;
}

/** The font of color emoji comes first for them, and that of plain ones before it, behind every text font that has them. */
function orderFamilies(families: readonly string[], kind: GlyphKind): readonly string[] {
  if (kind === 'emoji') return [emojiFamily, ...families];
  if (kind !== 'plain-emoji') return families;
  return families.flatMap((family) =>
    family === emojiFamily ? [outlineEmojiFamily, emojiFamily] : family,
  );
}

function toFace(
  bare: Omit<FontFace, 'key' | 'letterSpacingEm' | 'wordSpacingEm' | 'unspaced'>,
  key: string,
  letterSpacingEm: number,
  wordSpacingEm: number,
): FontFace {
  const face = { ...bare, key, letterSpacingEm, wordSpacingEm } as FontFace;
  face.unspaced = face;
  return face;
}

function parseSettings(settings: string): Map<string, number> {
  const matches = settings.matchAll(/"(\w{4})" ([^,]+)/g);
  return new Map(Array.from(matches, ([, tag = '', value]) => [tag, Number(value)]));
}

function toSettings(axes: ReadonlyMap<string, number>): string {
  return Array.from(axes, ([tag, value]) => `"${tag}" ${value}`).join(', ');
}

/**
 * CSS font shorthand of a face at a size in design pixels. The engine looks for each family when a size is new, which
 * takes 7 ms for all twelve: `families` are those that the text needs.
 */
export function fontAt(face: FontFace, size: number, families = face.families): string {
  return `${face.before}${size}px ${families.map((family) => JSON.stringify(family)).join(', ')}`;
}

/** Faces of the font settings that layout made: a display list has no face. */
const facesOfSettings = new WeakMap<FontSetting, FontFace>();

export function rememberFace(font: FontSetting, face: FontFace): FontSetting {
  facesOfSettings.set(font, face);
  return font;
}

/** The face of a setting of `rememberFace`. */
export function faceOfSetting(font: FontSetting): FontFace | undefined {
  return facesOfSettings.get(font);
}
