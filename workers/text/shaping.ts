/** Shapes text from font files with HarfBuzz, without the paint engine: advances, ink and glyphs. */
import { readFileSync } from 'node:fs';
import { Blob, Buffer, Direction, Face, Feature, Font, shape, Variation } from 'harfbuzzjs';
import type { GlyphExtents } from 'harfbuzzjs';
import { LRUCache } from 'lru-cache';
import { templateLimits } from '#language/limits/template-limits.ts';
import type { Ink } from '../display-list.ts';
import { isVariableForm } from '../assets/font-axes.ts';
import { findFontFile, readShapingFile } from '../assets/font-files.ts';
import { isSmallFamily } from './font-runs.ts';
import { hasKana, splitKana } from './measure.ts';
import type { FontFace } from './style.ts';
import { leftMs, readProcessorMs, requireMs } from '../work-limit.ts';

/** A font for shaping, with caches of its outlines and extents of glyphs. */
export interface ShapedFont {
  /** Identifies the family, weight and style, and the position on the axes. */
  key: string;
  font: Font;
  unitsPerEm: number;
  /** Horizontal shear, for a family without italic letters. */
  slant: number;
  /** Maximum ink of the engine above and below the glyphs of the file, as a share of the font size. */
  inkMargin: number;
  /** Whether the engine draws the glyphs of the file as they are. */
  isExact: boolean;
  outlines: Map<number, string>;
  extents: Map<number, GlyphExtents | 'none'>;
}

/** Files in the shaper's memory: small ones as a whole, under 1 MB each; of larger ones only the shaping tables. */
const faces = new LRUCache<string, Face>({ max: 24 });
/** Fonts by `ShapedFont.key`; `none` if there is no file for shaping. */
const fonts = new LRUCache<string, ShapedFont | 'none'>({ max: 60 });
/** The slant that the paint engine gives to upright letters instead of italic ones. */
const syntheticSlant = 0.25;
/** Margins above and below letters in em: for unchanged fonts, and for slanted or emboldened fonts. */
const plainMargin = 0.04;
const syntheticMargin = 0.1;

/** The last text that `shapeGroup` shaped. */
export const shapedText = new Buffer();
let shapings = 0;

/** Shapes text of one family into `shapedText`; returns undefined if the family's file is not known. */
export function shapeGroup(
  family: string,
  face: FontFace,
  text: string,
  direction: 'ltr' | 'rtl' | undefined,
): ShapedFont | undefined {
  const font = openFont(family, face);
  if (font === undefined) return undefined;
  const shapePart = (part: string): void => {
    shapedText.clearContents();
    shapedText.addText(part);
    if (face.lang !== '') shapedText.setLanguage(face.lang);
    shapedText.guessSegmentProperties();
    if (direction !== undefined) {
      shapedText.setDirection(direction === 'rtl' ? Direction.RTL : Direction.LTR);
    }
    shape(font.font, shapedText, toFeatures(face));
  };
  if (text.length >= estimatedLengthMin) requireShapingMs(text, shapePart);
  shapings += 1;
  shapePart(text);
  return font;
}

/**
 * Shaping cannot be interrupted, and a font may compare each letter with 20,000 rules: 2,500 letters of such a font
 * take 1 to 2.5 s. A sample gives an estimate for a long text on this machine.
 */
const sampleLength = 100;
const estimatedLengthMin = 500;

/** Throws as `requireMs` if the text takes too long. The faster of two samples counts: one may be slow by chance. */
function requireShapingMs(text: string, shapePart: (part: string) => void): void {
  const sample = text.slice(0, sampleLength);
  const estimate = (): number => {
    const startedMs = readProcessorMs();
    shapePart(sample);
    return ((readProcessorMs() - startedMs) * text.length) / sampleLength;
  };
  const expectedMs = estimate();
  const leastMs = expectedMs < leftMs() ? expectedMs : Math.min(expectedMs, estimate());
  // A sample is measured, so only a text that is too long at any moment is too expensive.
  requireMs(leastMs, 'shape a text', templateLimits.longRenderMsMax);
}

/** Returns the number of shapings of the process: a measure of layout work, like `measurementCount`. */
export function shapingCount(): number {
  return shapings;
}

/** The results of shaping that layout needs. */
export interface ShapedWord {
  /**
   * Advance of each UTF-16 unit, in multiples of the font size and without spacings. The first unit of a cluster has
   * the advance of the whole cluster. The direction is that of the text's script.
   */
  advances: Float32Array;
  /** The ink without spacings. */
  ink: Ink;
  /**
   * Glyph ids as the units of a string in logical order, if each UTF-16 unit is one glyph that the engine draws at its
   * pen. Otherwise undefined, as for fonts that the engine slants, emboldens or varies.
   */
  glyphs: string | undefined;
  unitsPerEm: number;
}

/** Shapes a text in one family once for all results; undefined if the family's file is not known. */
export function shapeWord(face: FontFace, family: string, text: string): ShapedWord | undefined {
  const font = shapeGroup(family, face, text, undefined);
  if (font === undefined) return undefined;
  const { unitsPerEm, slant, inkMargin } = font;
  const advances = new Float32Array(text.length);
  let [pen, left, right, ascent, descent] = [0, 0, -Infinity, 0, 0];
  const infos = shapedText.getGlyphInfos();
  const positions = shapedText.getGlyphPositions();
  const last = infos.length - 1;
  const isReversed = (infos[0]?.cluster ?? 0) > 0;
  let glyphs = font.isExact && infos.length === text.length ? '' : undefined;
  for (const [index, { codepoint: glyphId, cluster }] of infos.entries()) {
    const { xAdvance = 0, xOffset = 0, yOffset = 0 } = positions[index] ?? {};
    // The engine ignores the horizontal offset, which occurs in right-to-left kerning.
    const isPlain = cluster === (isReversed ? last - index : index) && yOffset === 0;
    const glyph = String.fromCharCode(glyphId);
    if (!isPlain) glyphs = undefined;
    else if (glyphs !== undefined) glyphs = isReversed ? glyph + glyphs : glyphs + glyph;
    advances[cluster] = (advances[cluster] ?? 0) + xAdvance / unitsPerEm;
    const extents = extentsOf(font, glyphId);
    if (extents !== 'none') {
      const start = pen + xOffset + extents.xBearing;
      const top = yOffset + extents.yBearing;
      left = Math.max(left, -start);
      right = Math.max(right, start + extents.width);
      ascent = Math.max(ascent, top);
      descent = Math.max(descent, -(top + extents.height));
    }
    pen += xAdvance;
  }
  const ink = {
    left: (left + slant * descent) / unitsPerEm,
    right: Math.max(0, right - pen + slant * ascent) / unitsPerEm,
    ascent: ascent / unitsPerEm,
    descent: descent / unitsPerEm,
    marginAbove: inkMargin,
  };
  return { advances, ink, glyphs, unitsPerEm };
}

/** Returns the extents of a glyph's ink, cached in its font; `none` for a glyph without ink. */
function extentsOf({ font, extents }: ShapedFont, glyphId: number): GlyphExtents | 'none' {
  let known = extents.get(glyphId);
  if (known === undefined) {
    const found = font.glyphExtents(glyphId);
    known = found === undefined || found.width === 0 ? 'none' : found;
    extents.set(glyphId, known);
  }
  return known;
}

/** Returns only the advances of `shapeWord`. */
export function shapeAdvances(
  face: FontFace,
  family: string,
  text: string,
): Float32Array | undefined {
  return shapeWord(face, family, text)?.advances;
}

/**
 * Returns the blank space on both sides of a character that the feature `halt` removes, in multiples of the font size;
 * undefined if the family's file is not known. Ignores the language, as the paint engine does.
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

/**
 * Returns advances as `shapeAdvances` does for a text with kana in a large font, kerned as the engine draws it. Returns
 * undefined for a text without kana, which has no kerning.
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
  // The shaper cannot read WOFF2.
  if (file === undefined || file.path.endsWith('.woff2')) return undefined;
  let face = faces.get(file.path);
  if (face === undefined) {
    const bytes = isSmallFamily(family) ? readFileSync(file.path) : readShapingFile(file);
    faces.set(file.path, (face = new Face(new Blob(bytes))));
  }
  const font = new Font(face);
  // A font without axes needs no variations.
  if (axes.size > 0) font.setVariations(Array.from(axes, (axis) => new Variation(...axis)));
  const slant = italic && !file.italic ? syntheticSlant : 0;
  const isPlain = slant === 0 && (file.weight === weight || isVariableForm(family));
  const inkMargin = isPlain ? plainMargin : syntheticMargin;
  const isExact = isPlain && axes.size === 0;
  const fresh = { key, font, unitsPerEm: face.upem, slant, inkMargin, isExact };
  return { ...fresh, outlines: new Map(), extents: new Map() };
}

function toFeatures({ features }: FontFace): Feature[] {
  if (features === 'normal') return [];
  return Array.from(
    features.matchAll(/"(\w{4})" (\d+)/g),
    ([, tag = '', value]) => new Feature(tag, Number(value)),
  );
}
