/**
 * Shapes runs that skia-canvas 4.0.0-rc1 draws wrongly, and gives their outlines:
 * - letters with marks: it draws each mark at the pen and ignores the offset of the font. Arabic dots, points and vowel
 *   signs are then beside or inside their letters;
 * - letter spacing: it adds the space to every shape, not to every grapheme;
 * - forms of a language: it has no language setting.
 * Unnecessary once skia-canvas supports these three.
 */
import { LRUCache } from 'lru-cache';
import { entryLimit } from '#language/limits/entry-limit.ts';
import type { GlyphOutline } from '../display-list.ts';
import { markedPattern, wantsOutlines } from './drawn-parts.ts';
import { graphemeStarts, splitGraphemes } from './emoji.ts';
import { referenceSize } from './engine.ts';
import type { FontRun } from './font-runs.ts';
import { familyCoverage, isSmallFamily, splitByFamily } from './font-runs.ts';
import type { Heights } from './measure.ts';
import { letterHeights, letterOutline, measureEm, uniformCharacters } from './measure.ts';
import type { Reach } from './outline-band.ts';
import { reachInBand } from './outline-band.ts';
import { kanaAdvances, shapedText, shapeGroup } from './shaping.ts';
import type { ShapedFont } from './shaping.ts';
import type { FontFace } from './style.ts';

const visiblePattern = /[^\s\p{Default_Ignorable_Code_Point}]/u;

/** Cache by face and text; `none` if `outlineHeights` is undefined. */
const heights = new LRUCache<string, Heights | 'none'>({ max: 2000 });

/**
 * Returns the glyphs of a run from left to right, with lengths in multiples of the font size and y downwards from the
 * baseline. Letter spacing is a multiple of the font size, too. Undefined if the engine can draw the run: no letter has
 * marks, needs spacing by graphemes or has forms of the language. Also undefined if the file of a font is not known.
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
  const edges = leftEdges(shaped, text, letterSpacingEm);
  const outlines: GlyphOutline[] = [];
  for (const [index, { font, glyphId, letters, left, up }] of shaped.entries()) {
    const data = font === undefined ? letterOutline(face, letters).data : outlineOf(font, glyphId);
    // Images have no outline, and invisible characters, such as a zero-width space, have none either.
    if (font === undefined && data === '' && visiblePattern.test(letters)) return undefined;
    const scale = 1 / (font?.unitsPerEm ?? referenceSize);
    if (data !== '') {
      const x = (edges[index] ?? 0) + left;
      outlines.push({ data, x, y: -up, scale, slant: font?.slant ?? 0 });
    }
  }
  return outlines;
}

/** Returns the left edges of the advances of glyphs, with letter spacing between graphemes. */
function leftEdges(
  shaped: readonly ShapedGlyph[],
  text: string,
  letterSpacingEm: number,
): number[] {
  const graphemes = letterSpacingEm === 0 ? undefined : numberGraphemes(text);
  let x = 0;
  return shaped.map(({ advance, offset }, index) => {
    const edge = x;
    x += advance;
    if (graphemes !== undefined) {
      // The spaces of all graphemes of a ligature follow it.
      const next = graphemes[shaped[index + 1]?.offset ?? offset] ?? 0;
      x += letterSpacingEm * Math.abs(next - (graphemes[offset] ?? 0));
    }
    return edge;
  });
}

/** Cache of the reach of glyphs in the band of an underline, in em; `none` for a glyph without ink there. */
const crossings = new LRUCache<string, Reach | 'none'>(entryLimit(10_000));
const squarePattern = new RegExp(`[${uniformCharacters}]`);

/**
 * Returns the intervals in which letters of a run have ink in a band below the baseline, one per glyph, from left to
 * right in multiples of the font size. Ideographs, kana, Hangul and emoji have no intervals, as in browsers, and
 * neither has a font without a known file.
 */
export function inkAcross(
  face: FontFace,
  text: string,
  direction: 'ltr' | 'rtl',
  letterSpacingEm: number,
  band: { top: number; bottom: number },
): Reach[] {
  const shaped = shapeRun(face, text, direction) ?? [];
  const edges = leftEdges(shaped, text, letterSpacingEm);
  return shaped.flatMap((glyph, index) => {
    if (squarePattern.test(text.charAt(glyph.offset))) return [];
    const reach = crossingOf(face, glyph, band);
    if (reach === 'none') return [];
    const x = (edges[index] ?? 0) + glyph.left;
    return [[x + reach[0], x + reach[1]]];
  });
}

function crossingOf(
  face: FontFace,
  { font, glyphId, letters, up }: ShapedGlyph,
  { top, bottom }: { top: number; bottom: number },
): Reach | 'none' {
  const glyph = font === undefined ? `${face.key}\n${letters}` : `${font.key}\n${glyphId}`;
  const key = `${glyph}\n${top}\n${up}`;
  const known = crossings.get(key);
  if (known !== undefined) return known;
  const data = font === undefined ? letterOutline(face, letters).data : outlineOf(font, glyphId);
  const units = font?.unitsPerEm ?? referenceSize;
  const found = reachInBand(data, (-bottom - up) * units, (-top - up) * units);
  // A slanted glyph leans to the left below the baseline.
  const lean = (font?.slant ?? 0) * ((top + bottom) / 2);
  const reach: Reach | undefined = found && [found[0] / units - lean, found[1] / units - lean];
  crossings.set(key, reach ?? 'none');
  return reach ?? 'none';
}

/** Returns the reach of the ink of a text with marks; undefined without marks or without a known font file. */
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

/** One glyph of a run. Lengths are multiples of the font size, y is upwards. */
interface ShapedGlyph {
  /** Undefined for letters of a large font and for images, which only the engine can draw. */
  font: ShapedFont | undefined;
  glyphId: number;
  letters: string;
  advance: number;
  left: number;
  up: number;
  /** Offset of the glyph's letters in the run, in UTF-16 units. */
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
    const positions = shapedText.getGlyphPositions();
    for (const [index, { codepoint: glyphId, cluster }] of shapedText.getGlyphInfos().entries()) {
      const position = positions[index];
      if (position === undefined) break;
      const scale = 1 / font.unitsPerEm;
      glyphs.push({
        font,
        glyphId,
        letters: '',
        advance: position.xAdvance * scale,
        left: position.xOffset * scale,
        up: position.yOffset * scale,
        offset: group.start + cluster,
      });
    }
  }
  return glyphs;
}

/** Returns emoji, or letters of a pan-CJK font, for the engine to draw: only kana are kerned. Reads no outlines. */
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
    const position = { advance, left: 0, up: 0, offset };
    offset += letters.length;
    return { font: undefined, glyphId: 0, letters, ...position };
  });
}

/** Returns for each UTF-16 unit the number of its grapheme in the text. */
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

function outlineOf({ font, outlines }: ShapedFont, glyphId: number): string {
  let outline = outlines.get(glyphId);
  if (outline === undefined) outlines.set(glyphId, (outline = font.glyphToPath(glyphId)));
  return outline;
}
