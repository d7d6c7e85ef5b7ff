/** Shapes text from the files of its fonts with HarfBuzz: advances, ink and glyphs, without asking the paint engine. */
import { readFileSync } from 'node:fs';
import { Blob, Buffer, Direction, Face, Feature, Font, shape, Variation } from 'harfbuzzjs';
import { LRUCache } from 'lru-cache';
import type { Ink } from '../display-list.ts';
import { findFontFile, readShapingFile } from '../assets/font-files.ts';
import { isSmallFamily } from './font-runs.ts';
import { hasKana, splitKana } from './measure.ts';
import type { FontFace } from './style.ts';

/** A font that shapes, and its outlines so far. */
export interface ShapedFont {
  /** Of the file and the position on its axes. */
  key: string;
  font: Font;
  unitsPerEm: number;
  /** Horizontal shear, for a family without italic letters. */
  slant: number;
  outlines: Map<number, string>;
}

/** Files are copied into the shaper's memory: whole ones under 1 MB each, of larger ones the shaping tables alone. */
const faces = new LRUCache<string, Face>({ max: 24 });
/** A file at a position on its axes; `none` where no file can be shaped with. */
const fonts = new LRUCache<string, ShapedFont | 'none'>({ max: 60 });
/** The slant that the paint engine gives to upright letters that ought to be italic. */
const syntheticSlant = 0.25;

/** The text that `shapeGroup` shaped last. */
export const shapedText = new Buffer();
let shapings = 0;

/** Shapes text of one family into the shared buffer; undefined where the family's file is not known. */
export function shapeGroup(
  family: string,
  face: FontFace,
  text: string,
  direction: 'ltr' | 'rtl' | undefined,
): ShapedFont | undefined {
  const font = openFont(family, face);
  if (font === undefined) return undefined;
  shapings += 1;
  shapedText.clearContents();
  shapedText.addText(text);
  if (face.lang !== '') shapedText.setLanguage(face.lang);
  shapedText.guessSegmentProperties();
  if (direction !== undefined) {
    shapedText.setDirection(direction === 'rtl' ? Direction.RTL : Direction.LTR);
  }
  shape(font.font, shapedText, toFeatures(face));
  return font;
}

/** How often text was shaped here since the process began: work of a layout, as `measurementCount` is. */
export function shapingCount(): number {
  return shapings;
}

/**
 * How far each UTF-16 unit of a text in one family moves the pen on, in multiples of the font size and without
 * spacings: the first unit of a cluster for all of it, in the direction of the text's script. Undefined where the
 * family's file is not known.
 */
export function shapeAdvances(
  face: FontFace,
  family: string,
  text: string,
): Float32Array | undefined {
  const font = shapeGroup(family, face, text, undefined);
  if (font === undefined) return undefined;
  const advances = new Float32Array(text.length);
  const positions = shapedText.getGlyphPositions();
  for (const [index, { cluster }] of shapedText.getGlyphInfos().entries()) {
    advances[cluster] =
      (advances[cluster] ?? 0) + (positions[index]?.xAdvance ?? 0) / font.unitsPerEm;
  }
  return advances;
}

/**
 * The blank space at both sides of a character that the feature `halt` of its font takes away, multiples of the font size;
 * undefined where the family's file is not known. In no language: the paint engine knows none.
 */
export function blankSides(
  face: FontFace,
  family: string,
  character: string,
): { before: number; after: number } | undefined {
  const bare = { ...face, lang: '' };
  const whole = shapeAdvances(bare, family, character)?.[0];
  const features = face.features === 'normal' ? '"halt" 1' : `${face.features}, "halt" 1`;
  const font = shapeGroup(family, { ...bare, features }, character, undefined);
  const [half] = shapedText.getGlyphPositions();
  if (font === undefined || whole === undefined || half === undefined) return undefined;
  const before = -half.xOffset / font.unitsPerEm;
  return { before, after: whole - half.xAdvance / font.unitsPerEm - before };
}

/** Ink of a text in one family, without spacings; undefined where the family's file is not known. */
export function shapeInk(face: FontFace, family: string, text: string): Ink | undefined {
  const font = shapeGroup(family, face, text, undefined);
  if (font === undefined) return undefined;
  const ink = { left: 0, right: -Infinity, ascent: 0, descent: 0 };
  const positions = shapedText.getGlyphPositions();
  let pen = 0;
  for (const [index, { codepoint: glyphId }] of shapedText.getGlyphInfos().entries()) {
    const { xAdvance = 0, xOffset = 0, yOffset = 0 } = positions[index] ?? {};
    const extents = font.font.glyphExtents(glyphId);
    if (extents !== undefined && extents.width !== 0) {
      const left = pen + xOffset + extents.xBearing;
      const top = yOffset + extents.yBearing;
      ink.left = Math.max(ink.left, -left);
      ink.right = Math.max(ink.right, left + extents.width);
      ink.ascent = Math.max(ink.ascent, top);
      ink.descent = Math.max(ink.descent, -(top + extents.height));
    }
    pen += xAdvance;
  }
  const { unitsPerEm, slant } = font;
  return {
    left: (ink.left + slant * ink.descent) / unitsPerEm,
    right: Math.max(0, ink.right - pen + slant * ink.ascent) / unitsPerEm,
    ascent: ink.ascent / unitsPerEm,
    descent: ink.descent / unitsPerEm,
  };
}

/**
 * Advances as of `shapeAdvances` of a text with kana in a large font, kerned as the engine draws it; undefined where
 * the text has no kana, and so no kerning.
 */
export function kanaAdvances(
  face: FontFace,
  family: string,
  text: string,
): Float32Array | undefined {
  if (!hasKana(text) || openFont(family, face) === undefined) return undefined;
  const advances = new Float32Array(text.length);
  let start = 0;
  for (const part of splitKana(text)) {
    advances.set(shapeAdvances(face, family, part) ?? [], start);
    start += part.length;
  }
  return advances;
}

function openFont(family: string, face: FontFace): ShapedFont | undefined {
  const key = `${family}|${face.weight}|${face.italic}|${face.variations}`;
  const known = fonts.get(key);
  if (known !== undefined) return known === 'none' ? undefined : known;
  const opened = readFont(family, face, key);
  fonts.set(key, opened ?? 'none');
  return opened;
}

function readFont(
  family: string,
  { weight, italic, axes }: FontFace,
  key: string,
): ShapedFont | undefined {
  const file = findFontFile(family, weight, italic);
  // The shaper reads no WOFF2.
  if (file === undefined || file.path.endsWith('.woff2')) return undefined;
  let face = faces.get(file.path);
  if (face === undefined) {
    const bytes = isSmallFamily(family) ? readFileSync(file.path) : readShapingFile(file.path);
    faces.set(file.path, (face = new Face(new Blob(bytes))));
  }
  const font = new Font(face);
  // A font without axes stays as it is.
  if (axes.size > 0) font.setVariations(Array.from(axes, (axis) => new Variation(...axis)));
  const slant = italic && !file.italic ? syntheticSlant : 0;
  return { key, font, unitsPerEm: face.upem, slant, outlines: new Map() };
}

function toFeatures({ features }: FontFace): Feature[] {
  if (features === 'normal') return [];
  return Array.from(
    features.matchAll(/"(\w{4})" (\d+)/g),
    ([, tag = '', value]) => new Feature(tag, Number(value)),
  );
}
