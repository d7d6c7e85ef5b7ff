/**
 * Shapes letters that carry marks, are spaced out by graphemes or look different in a language, and gives their outlines: skia-canvas 4.0.0-rc1
 * draws every mark where the pen stands and forgets where the font places it, so that the dots of Arabic letters,
 * points and vowel signs come out beside or inside their letters, adds letter spacing to every shape, and knows no
 * language. Needless once it draws with the offsets of its shaper, spaces graphemes and takes a language.
 */
import { readFileSync } from 'node:fs';
import { Blob, Buffer, Direction, Face, Feature, Font, shape, Variation } from 'harfbuzzjs';
import { LRUCache } from 'lru-cache';
import type { GlyphOutline } from '../display-list.ts';
import { findFontFile } from '../assets/font-files.ts';
import { readShapingFile } from '../assets/font-files.ts';
import { graphemeStarts, splitGraphemes } from './emoji.ts';
import type { FontRun } from './font-runs.ts';
import { familyCoverage, isSmallFamily, splitByFamily } from './font-runs.ts';
import { hasKana, splitKana } from './measure.ts';
import { markedPattern, wantsOutlines } from './drawn-parts.ts';
import type { Heights } from './measure.ts';
import { letterHeights, letterOutline, measureEm, referenceSize } from './measure.ts';
import type { FontFace } from './style.ts';

/** A font that shapes, and its outlines so far. */
interface ShapedFont {
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

const visiblePattern = /[^\s\p{Default_Ignorable_Code_Point}]/u;

const buffer = new Buffer();
let shapings = 0;

/** By face and text; `none` where `outlineHeights` is undefined. */
const heights = new LRUCache<string, Heights | 'none'>({ max: 2000 });

/**
 * The glyphs of a run from left to right, lengths in multiples of the font size, y downwards from the
 * baseline. Letter spacing is a multiple of the font size, too. Undefined when the engine may draw the run by
 * itself: nothing in it has marks, is spaced out by graphemes or has forms of its language, or a character's font has no file here (a family that an organization
 * added).
 */
export function outlineRun(
  face: FontFace,
  text: string,
  direction: 'ltr' | 'rtl',
  letterSpacingEm: number,
): GlyphOutline[] | undefined {
  if (!wantsOutlines(face, text, letterSpacingEm)) return undefined;
  const shaped = shapeRun(face, text, direction);
  if (shaped === undefined) return undefined;
  const graphemes = letterSpacingEm === 0 ? undefined : numberGraphemes(text);
  const outlines: GlyphOutline[] = [];
  let x = 0;
  for (const [index, glyph] of shaped.entries()) {
    const { font, glyphId, letters, advance, left, up, offset } = glyph;
    const data = font === undefined ? letterOutline(face, letters).data : outlineOf(font, glyphId);
    // A picture has no outline, and neither has what is invisible, such as a zero-width space.
    if (font === undefined && data === '' && visiblePattern.test(letters)) return undefined;
    const scale = 1 / (font?.unitsPerEm ?? referenceSize);
    if (data !== '') {
      outlines.push({ data, x: x + left, y: -up, scale, slant: font?.slant ?? 0 });
    }
    x += advance;
    if (graphemes === undefined) continue;
    // A ligature has the spaces of all its graphemes behind it.
    const next = graphemes[shaped[index + 1]?.offset ?? offset] ?? 0;
    x += letterSpacingEm * Math.abs(next - (graphemes[offset] ?? 0));
  }
  return outlines;
}

/** How far the ink of a text with marks reaches; undefined where `outlineRun` is. */
export function outlineHeights(face: FontFace, text: string): Heights | undefined {
  const key = `${face.key}\n${text}`;
  const known = heights.get(key);
  if (known !== undefined) return known === 'none' ? undefined : known;
  const shaped = markedPattern.test(text) ? shapeRun(face, text, 'ltr') : undefined;
  let found: Heights | undefined;
  if (shaped !== undefined) {
    found = { ascent: 0, descent: 0 };
    for (const glyph of shaped) {
      const { ascent, descent } = glyphHeights(face, glyph);
      found.ascent = Math.max(found.ascent, ascent);
      found.descent = Math.max(found.descent, descent);
    }
  }
  heights.set(key, found ?? 'none');
  return found;
}

function glyphHeights(face: FontFace, { font, glyphId, letters, up }: ShapedGlyph): Heights {
  if (font === undefined) {
    const outline = letterOutline(face, letters);
    return outline.data === '' ? letterHeights(face, letters) : outline;
  }
  const extents = font.font.glyphExtents(glyphId);
  if (extents === undefined) return { ascent: 0, descent: 0 };
  const top = up + extents.yBearing / font.unitsPerEm;
  return { ascent: top, descent: -(top + extents.height / font.unitsPerEm) };
}

/** One glyph of a run, lengths in multiples of the font size, y upwards. */
interface ShapedGlyph {
  /** Undefined for letters of a large font and for pictures, which only the engine has. */
  font: ShapedFont | undefined;
  glyphId: number;
  letters: string;
  advance: number;
  left: number;
  up: number;
  /** Where its letters begin in the run, UTF-16 units. */
  offset: number;
}

function shapeRun(
  face: FontFace,
  text: string,
  direction: 'ltr' | 'rtl',
): ShapedGlyph[] | undefined {
  if (face.kind === 'emoji') return undefined;
  let start = 0;
  const groups = splitByFamily(face.unspaced, text).map((run) => {
    const group = { ...run, start };
    start += run.text.length;
    return group;
  });
  if (direction === 'rtl') groups.reverse();
  const glyphs: ShapedGlyph[] = [];
  for (const group of groups) {
    if (familyCoverage(group.family) !== undefined && !isSmallFamily(group.family)) {
      glyphs.push(...engineGlyphs(face.unspaced, group));
      continue;
    }
    const font = shapeGroup(group.family, face, group.text, direction);
    if (font === undefined) return undefined;
    const positions = buffer.getGlyphPositions();
    for (const [index, { codepoint: glyphId, cluster }] of buffer.getGlyphInfos().entries()) {
      const place = positions[index];
      if (place === undefined) break;
      const scale = 1 / font.unitsPerEm;
      glyphs.push({
        font,
        glyphId,
        letters: '',
        advance: place.xAdvance * scale,
        left: place.xOffset * scale,
        up: place.yOffset * scale,
        offset: group.start + cluster,
      });
    }
  }
  return glyphs;
}

/** Emoji, and letters of a pan-CJK font: but for kana they stand side by side, and 10 MB stay where the engine has them. */
function engineGlyphs(
  face: FontFace,
  { family, text, start }: FontRun & { start: number },
): ShapedGlyph[] {
  const kerned = kanaAdvances(face, family, text);
  let offset = start;
  return splitGraphemes(text).map((letters) => {
    const from = offset - start;
    const advance =
      kerned?.subarray(from, from + letters.length).reduce((sum, one) => sum + one, 0) ??
      measureEm(face, letters);
    const place = { advance, left: 0, up: 0, offset };
    offset += letters.length;
    return { font: undefined, glyphId: 0, letters, ...place };
  });
}

/** Of each UTF-16 unit, which grapheme of the text holds it. */
function numberGraphemes(text: string): Uint32Array {
  const starts = graphemeStarts(text);
  const numbers = new Uint32Array(text.length);
  let number = -1;
  for (let index = 0; index < text.length; index += 1) {
    if (starts.has(index)) number += 1;
    numbers[index] = number;
  }
  return numbers;
}

/** Shapes text of one family into the shared buffer; undefined where the family's file is not known. */
function shapeGroup(
  family: string,
  face: FontFace,
  text: string,
  direction: 'ltr' | 'rtl' | undefined,
): ShapedFont | undefined {
  const font = openFont(family, face);
  if (font === undefined) return undefined;
  shapings += 1;
  buffer.clearContents();
  buffer.addText(text);
  if (face.lang !== '') buffer.setLanguage(face.lang);
  buffer.guessSegmentProperties();
  if (direction !== undefined) {
    buffer.setDirection(direction === 'rtl' ? Direction.RTL : Direction.LTR);
  }
  shape(font.font, buffer, toFeatures(face));
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
  const positions = buffer.getGlyphPositions();
  for (const [index, { cluster }] of buffer.getGlyphInfos().entries()) {
    advances[cluster] =
      (advances[cluster] ?? 0) + (positions[index]?.xAdvance ?? 0) / font.unitsPerEm;
  }
  return advances;
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
  const opened = readFont(family, face);
  fonts.set(key, opened ?? 'none');
  return opened;
}

function readFont(family: string, { weight, italic, axes }: FontFace): ShapedFont | undefined {
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
  return { font, unitsPerEm: face.upem, slant, outlines: new Map() };
}

function outlineOf({ font, outlines }: ShapedFont, glyphId: number): string {
  let outline = outlines.get(glyphId);
  if (outline === undefined) outlines.set(glyphId, (outline = font.glyphToPath(glyphId)));
  return outline;
}

function toFeatures({ features }: FontFace): Feature[] {
  if (features === 'normal') return [];
  return Array.from(
    features.matchAll(/"(\w{4})" (\d+)/g),
    ([, tag = '', value]) => new Feature(tag, Number(value)),
  );
}
