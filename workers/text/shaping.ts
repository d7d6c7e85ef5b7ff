/** Shapes text from the files of its fonts with HarfBuzz: advances, ink and glyphs, without asking the paint engine. */
import { readFileSync } from 'node:fs';
import { Blob, Buffer, Direction, Face, Feature, Font, shape, Variation } from 'harfbuzzjs';
import type { GlyphExtents } from 'harfbuzzjs';
import { LRUCache } from 'lru-cache';
import type { Ink } from '../display-list.ts';
import { isVariableForm } from '../assets/font-axes.ts';
import { findFontFile, readShapingFile } from '../assets/font-files.ts';
import { isSmallFamily } from './font-runs.ts';
import { hasKana, splitKana } from './measure.ts';
import type { FontFace } from './style.ts';
import { leftMs, readProcessorMs, requireMs } from '../work-limit.ts';

/** A font that shapes, and its outlines and boxes of glyphs so far. */
export interface ShapedFont {
  /** Of the file and the position on its axes. */
  key: string;
  font: Font;
  unitsPerEm: number;
  /** Horizontal shear, for a family without italic letters. */
  slant: number;
  /** How far the engine may draw above and below the glyphs of the file, parts of the font size. */
  inkMargin: number;
  /** Whether the engine draws the glyphs of the file as they are. */
  isExact: boolean;
  outlines: Map<number, string>;
  extents: Map<number, GlyphExtents | 'none'>;
}

/** Files are copied into the shaper's memory: whole ones under 1 MB each, of larger ones the shaping tables alone. */
const faces = new LRUCache<string, Face>({ max: 24 });
/** A file at a position on its axes; `none` where no file can be shaped with. */
const fonts = new LRUCache<string, ShapedFont | 'none'>({ max: 60 });
/** The slant that the paint engine gives to upright letters that ought to be italic. */
const syntheticSlant = 0.25;
/** Space above and below letters, parts of the font size: of fonts that are drawn as they are, and of slanted or emboldened ones. */
const plainMargin = 0.04;
const syntheticMargin = 0.1;

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
 * Shaping cannot be interrupted, and a font may compare each letter with 20,000 rules: 2,500 letters of one take 1 to 2.5
 * s. A sample tells what a long text takes on this machine.
 */
const sampleLength = 100;
const estimatedLengthMin = 500;

/** Throws as `requireMs` if the text takes too long. A sample may be slow for other reasons, so the faster of two counts. */
function requireShapingMs(text: string, shapePart: (part: string) => void): void {
  const sample = text.slice(0, sampleLength);
  const estimate = (): number => {
    const startedMs = readProcessorMs();
    shapePart(sample);
    return ((readProcessorMs() - startedMs) * text.length) / sampleLength;
  };
  const expectedMs = estimate();
  requireMs(expectedMs < leftMs() ? expectedMs : Math.min(expectedMs, estimate()), 'shape a text');
}

/** How often text was shaped here since the process began: work of a layout, as `measurementCount` is. */
export function shapingCount(): number {
  return shapings;
}

/** What the shape of a text says to layout. */
export interface ShapedWord {
  /**
   * How far each UTF-16 unit moves the pen on, in multiples of the font size and without spacings: the first unit of a
   * cluster for all of it, in the direction of the text's script.
   */
  advances: Float32Array;
  /** Without spacings. */
  ink: Ink;
  /**
   * The glyphs of a text in which each UTF-16 unit is one glyph that the engine draws at its pen, as the units of a string in logical order.
   * Absent where they are not, and in fonts that the engine slants, emboldens or varies.
   */
  glyphs: string | undefined;
  unitsPerEm: number;
}

/** Shapes a text in one family once for all questions; undefined where the family's file is not known. */
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
    // The engine ignores the horizontal offset, which kerning from right to left has.
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

/** The box of a glyph's ink, kept by its font; `none` where it has no ink. */
function extentsOf({ font, extents }: ShapedFont, glyphId: number): GlyphExtents | 'none' {
  let known = extents.get(glyphId);
  if (known === undefined) {
    const found = font.glyphExtents(glyphId);
    known = found === undefined || found.width === 0 ? 'none' : found;
    extents.set(glyphId, known);
  }
  return known;
}

/** The advances alone of `shapeWord`. */
export function shapeAdvances(
  face: FontFace,
  family: string,
  text: string,
): Float32Array | undefined {
  return shapeWord(face, family, text)?.advances;
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
    const bytes = isSmallFamily(family) ? readFileSync(file.path) : readShapingFile(file);
    faces.set(file.path, (face = new Face(new Blob(bytes))));
  }
  const font = new Font(face);
  // A font without axes stays as it is.
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
