/** Styles of text, and the font strings of the paint engine. */
import { LRUCache } from 'lru-cache';
import type { ColorFill } from '#language/schema/paint.ts';
import type { FontSetting } from '../display-list.ts';
import { chooseFonts } from '../assets/font-axes.ts';
import { emojiFamily, fallbackFamilies, outlineEmojiFamily } from '../assets/fonts.ts';

/** The style of a stretch of text. Lengths are design pixels at size ratio 1. */
export interface TextStyle {
  /** Installed families, in the order in which glyphs are searched. */
  families: readonly string[];
  size: number;
  /** 1 … 1000. */
  weight: number;
  italic: boolean;
  lineHeight: number;
  letterSpacing: number;
  wordSpacing: number;
  /** CSS `font-feature-settings` and `font-variation-settings`; empty if there are none. */
  features: string;
  variations: string;
  fill: ColorFill;
  underline: boolean;
  strike: boolean;
  background: string | undefined;
}

/** A part of a text with one style, before layout. */
export interface StyledText {
  text: string;
  style: TextStyle;
}

/**
 * The content of a stretch of text: letters; letters of a script that joins them, which must not have letter
 * spacing; color emoji; monochrome emoji; or tabs with stops.
 */
export type GlyphKind = 'letters' | 'joined' | 'emoji' | 'plain-emoji' | 'tab';

/**
 * A font without its size, for which measured widths are cached. The face includes spacings as
 * multiples of the size, so that every width is proportional to the size.
 */
export interface FontFace {
  key: string;
  /** CSS shorthand before the size: `italic 700 `. */
  before: string;
  /** Families in the order in which glyphs are searched. */
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
  /** The same face without spacings; the face itself if it has none. */
  unspaced: FontFace;
}

/** Cache of the recently used faces of this process. */
const faces = new LRUCache<string, FontFace>({ max: 2000 });

/**
 * Returns the face of a style's letters, or of its emoji, which are never slanted and whose font comes
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
  // Letters with letter spacing must not form ligatures (CSS Text 3, 8.2).
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

/**
 * Puts the font of color emoji first for them. The font of plain emoji is between the text fonts and the color font.
 */
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
 * Returns the CSS font shorthand of a face at a size in design pixels. The engine searches each family for a new size,
 * which takes 7 ms for all twelve: `families` are the families that the text needs.
 */
export function fontAt(face: FontFace, size: number, families = face.families): string {
  return `${face.before}${size}px ${families.map((family) => JSON.stringify(family)).join(', ')}`;
}

/** Faces of the font settings of layout, because a display list has no faces. */
const facesOfSettings = new WeakMap<FontSetting, FontFace>();

export function rememberFace(font: FontSetting, face: FontFace): FontSetting {
  facesOfSettings.set(font, face);
  return font;
}

/** Returns the face of a setting from `rememberFace`. */
export function faceOfSetting(font: FontSetting): FontFace | undefined {
  return facesOfSettings.get(font);
}
