/**
 * Shapes letters that carry marks, and gives their outlines: skia-canvas 4.0.0-rc1 draws every mark where the
 * pen stands and forgets where the font places it, so that the dots of Arabic letters, points and vowel signs
 * come out beside or inside their letters. Needless once it draws with the offsets of its shaper.
 */
import { readFileSync } from 'node:fs';
import { Blob, Buffer, Direction, Face, Feature, Font, shape } from 'harfbuzzjs';
import type { GlyphOutline } from '../display-list.ts';
import { findFontFile } from '../assets/font-files.ts';
import { splitGraphemes } from './emoji.ts';
import type { Heights } from './measure.ts';
import { familyOf } from './measure.ts';
import type { FontFace } from './style.ts';

/** Marks, and letters whose dots are marks to their fonts; not the selectors of emoji and variants. */
const markedPattern =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Nko}]|(?![\uFE00-\uFE0F\u20D0-\u20F0])\p{M}/u;

/** A font that shapes, and its outlines so far. */
interface ShapedFont {
  font: Font;
  unitsPerEm: number;
  /** Horizontal shear, for a family without italic letters. */
  slant: number;
  outlines: Map<number, string>;
}

/** Fonts are copied into the shaper's memory: of the bundled ones with marks none is over 1 MB. */
const fontsMax = 24;
const fonts = new Map<string, ShapedFont | undefined>();
/** The slant that the paint engine gives to upright letters that ought to be italic. */
const syntheticSlant = 0.25;

const buffer = new Buffer();

const heights = new Map<string, Heights | undefined>();
const heightsMax = 2000;

/**
 * The glyphs of a run from left to right, lengths in multiples of the font size, y downwards from the
 * baseline. Letter spacing is a multiple of the font size, too. Undefined when the engine may draw the run by
 * itself: nothing in it has marks, or a character's font has no file here (a family that an organization
 * added).
 */
export function outlineRun(
  face: FontFace,
  text: string,
  direction: 'ltr' | 'rtl',
  letterSpacingEm: number,
): GlyphOutline[] | undefined {
  const shaped = shapeRun(face, text, direction);
  if (shaped === undefined) return undefined;
  const outlines: GlyphOutline[] = [];
  let x = 0;
  for (const [index, { font, glyphId, advance, left, up, letter }] of shaped.entries()) {
    const { unitsPerEm, slant } = font;
    const data = outlineOf(font, glyphId);
    if (data !== '') outlines.push({ data, x: x + left, y: -up, scale: 1 / unitsPerEm, slant });
    x += advance;
    if (shaped[index + 1]?.letter !== letter) x += letterSpacingEm;
  }
  return outlines;
}

/** How far the ink of a text with marks reaches; undefined where `outlineRun` is. */
export function outlineHeights(face: FontFace, text: string): Heights | undefined {
  const key = `${face.key}\n${text}`;
  if (heights.has(key)) return heights.get(key);
  const shaped = shapeRun(face, text, 'ltr');
  let found: Heights | undefined;
  if (shaped !== undefined) {
    found = { ascent: 0, descent: 0 };
    for (const { font, glyphId, up } of shaped) {
      const extents = font.font.glyphExtents(glyphId);
      if (extents === undefined) continue;
      const top = up + extents.yBearing / font.unitsPerEm;
      found.ascent = Math.max(found.ascent, top);
      found.descent = Math.max(found.descent, -(top + extents.height / font.unitsPerEm));
    }
  }
  if (heights.size >= heightsMax) heights.clear();
  heights.set(key, found);
  return found;
}

/** One glyph of a run, lengths in multiples of the font size, y upwards. */
interface ShapedGlyph {
  font: ShapedFont;
  glyphId: number;
  advance: number;
  left: number;
  up: number;
  /** Glyphs of one letter share it. */
  letter: string;
}

function shapeRun(
  face: FontFace,
  text: string,
  direction: 'ltr' | 'rtl',
): ShapedGlyph[] | undefined {
  if (face.kind === 'emoji' || !markedPattern.test(text)) return undefined;
  const groups = groupByFamily(face, text);
  if (direction === 'rtl') groups.reverse();
  const glyphs: ShapedGlyph[] = [];
  for (const [order, group] of groups.entries()) {
    const font = openFont(group.family, face);
    if (font === undefined) return undefined;
    buffer.clearContents();
    buffer.addText(group.text);
    buffer.guessSegmentProperties();
    buffer.setDirection(direction === 'rtl' ? Direction.RTL : Direction.LTR);
    shape(font.font, buffer, toFeatures(face));
    const positions = buffer.getGlyphPositions();
    for (const [index, { codepoint: glyphId, cluster }] of buffer.getGlyphInfos().entries()) {
      const place = positions[index];
      if (place === undefined) break;
      const scale = 1 / font.unitsPerEm;
      glyphs.push({
        font,
        glyphId,
        advance: place.xAdvance * scale,
        left: place.xOffset * scale,
        up: place.yOffset * scale,
        letter: `${order} ${cluster}`,
      });
    }
  }
  return glyphs;
}

/** Stretches that the engine takes from one family, so that both agree on fonts and widths. */
function groupByFamily(face: FontFace, text: string): { family: string; text: string }[] {
  const groups: { family: string; text: string }[] = [];
  for (const grapheme of splitGraphemes(text)) {
    const family = familyOf(face.unspaced, grapheme);
    const last = groups.at(-1);
    if (last !== undefined && last.family === family) last.text += grapheme;
    else groups.push({ family, text: grapheme });
  }
  return groups;
}

function openFont(family: string, face: FontFace): ShapedFont | undefined {
  const key = `${family}|${face.weight}|${face.italic}`;
  if (fonts.has(key)) return fonts.get(key);
  if (fonts.size >= fontsMax) fonts.clear();
  const opened = readFont(family, face);
  fonts.set(key, opened);
  return opened;
}

function readFont(family: string, { weight, italic }: FontFace): ShapedFont | undefined {
  const file = findFontFile(family, weight, italic);
  if (file === undefined) return undefined;
  const face = new Face(new Blob(readFileSync(file.path)));
  const slant = italic && !file.italic ? syntheticSlant : 0;
  return { font: new Font(face), unitsPerEm: face.upem, slant, outlines: new Map() };
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
