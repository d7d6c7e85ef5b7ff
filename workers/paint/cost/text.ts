/** Estimates the time in which the paint engine draws letters, on lines and along paths. */
import type { Stroke, ColorFill } from '#language/schema/paint.ts';
import type {
  DisplayContent,
  DisplayItem,
  FontSetting,
  GlyphOutline,
  TextRun,
} from '../../display-list.ts';
import { walkItems } from '../../display-list.ts';
import type { Matrix } from '../geometry.ts';
import { transformRect } from '../geometry.ts';
import { countDashes, scanUs, visibleRect } from './path.ts';
import type { Target } from './path.ts';
import { fillNs } from './shape.ts';
import {
  clippedLetterRunNs,
  clippedRunNs,
  dashUs,
  emojiUs,
  fontFamilyUs,
  letterEdgeRowNs,
  letterEdgeUs,
  letterUs,
  maskEdgeUs,
  newFontUs,
  outlineCharacterUs,
  outlineGlyphUs,
  organizationMaskEdgeUs,
  pathPointUs,
  strokedEdgeUs,
  strokedPixelNs,
} from './units.ts';
import { textMiterLimit } from '../paint-text.ts';
import { LRUCache } from 'lru-cache';
import { entryLimit } from '#language/limits/entry-limit.ts';
import { Canvas } from 'skia-canvas';
import { organizationFontPrefix } from '#wire/render-job.ts';
import { checkWork } from '../../work-limit.ts';

/** The target canvas of letters, and the state in which they are drawn. */
export interface LetterGround {
  matrix: Matrix;
  target: Target;
  /** Device pixels per design pixel. */
  scale: number;
  /** Edges of all clips in one row. */
  clipEdges: number;
  /** Nanoseconds that the blend mode adds to a pixel. */
  blendNs: number;
}

/** Letters in one font that are drawn with one fill. */
interface LetterSetting {
  text: string;
  font: FontSetting;
  fill: ColorFill;
  /** Letters on the canvas, of all `letters`. */
  seen: number;
  letters: number;
  /** Microseconds of the outlines that replace the engine's letters. */
  outlinesUs: number;
}

/** The engine keeps masks of letters up to this size in device pixels, and draws larger letters as paths. */
const maskPxMax = 256;
/** Height of letters above their baseline, and in total, as shares of the font size. */
const ascent = 1.2;
const lineHeight = 1.7;
/** Length of a segment of an outline as a share of the font size: an upper bound for letters of few segments. */
const segmentEm = 0.3;
const emojiPattern = /\p{Extended_Pictographic}/u;
/** Time to record and reject a letter outside of the canvas. */
const rejectedLetterUs = 0.2;

/** Returns the microseconds of the letters of a text layer. */
export function textUs(
  { runs, stroke }: DisplayContent & { kind: 'text' },
  ground: LetterGround,
): number {
  let us = 0;
  for (const run of runs) us += runUs(run, stroke, ground);
  return us;
}

function runUs(run: TextRun, stroke: Stroke | undefined, ground: LetterGround): number {
  const { text, font, fill, glyphs } = run;
  const { size } = font;
  const device = transformRect(ground.matrix, {
    x: run.x - size / 2,
    y: run.y - size * ascent,
    width: run.width + size,
    height: size * lineHeight,
  });
  // Letters outside of the canvas are drawn if their stroke, with mitered corners, may reach the canvas.
  const reach = stroke?.join === 'miter' ? textMiterLimit : 2;
  const reachPx = (stroke?.width ?? 0) * reach * ground.scale;
  const near = visibleRect(
    { ...device, x: device.x + reachPx, y: device.y + reachPx },
    { width: ground.target.width + 2 * reachPx, height: ground.target.height + 2 * reachPx },
  );
  const letters = text.length;
  if (near.width === 0 || near.height === 0)
    return letters * rejectedLetterUs + priceOutlines(glyphs);
  const share = Math.max(near.width / device.width, near.height / device.height);
  const seen = Math.min(letters, letters * share + 2);
  const setting = { text, font, fill, letters, seen, outlinesUs: priceOutlines(glyphs) };
  return lettersUs(setting, stroke, ground);
}

/** Returns the microseconds of letters with fill and stroke. */
function lettersUs(
  { text, font, fill, letters, seen, outlinesUs }: LetterSetting,
  stroke: Stroke | undefined,
  ground: LetterGround,
): number {
  const sizePx = font.size * ground.scale;
  const hasStroke = stroke !== undefined && stroke.width > 0;
  const share = seen / Math.max(1, letters);
  const isOutlined = hasStroke || sizePx > maskPxMax;
  const edges = isOutlined ? countEdges(text, font) * share : 0;
  const one = letterUs + (emojiPattern.test(text) ? emojiUs : 0);
  let us = seen * one + letters * rejectedLetterUs + outlinesUs;
  us += glyphsUs({ reachPx: sizePx, seen, edges, paintNs: fillNs(fill) + ground.blendNs }, ground);
  if (!isOutlined && isOrganizationFont(font))
    us += countEdges(text, font) * share * organizationMaskEdgeUs;
  if (!hasStroke) return us;
  // The stroke is twice as wide as its visible part.
  const widthPx = 2 * stroke.width * ground.scale;
  const reachPx = sizePx + widthPx;
  const paintNs = strokedPixelNs + ground.blendNs;
  us += seen * letterUs + glyphsUs({ reachPx, seen, edges, paintNs }, ground);
  us += edges * widthPx * widthPx * strokedEdgeUs;
  if (stroke.dash === undefined) return us;
  const rows = Math.min(ground.target.height, reachPx);
  const dashes = countDashes(segmentEm * font.size * (edges / Math.max(1, seen)), stroke.dash);
  const dashRows = Math.min(rows, widthPx + Math.max(...stroke.dash) * ground.scale);
  return us + seen * (dashes * dashUs + scanUs(dashes * dashRows, rows));
}

/**
 * Returns the microseconds to make the path of outlines, also outside of the canvas. A segment takes about 60 bytes.
 */
function priceOutlines(glyphs: readonly GlyphOutline[] = []): number {
  let us = 0;
  for (const { data } of glyphs) us += Math.max(outlineGlyphUs, data.length * outlineCharacterUs);
  return us;
}

interface GlyphWork {
  /** Side of one letter with its stroke, device pixels. */
  reachPx: number;
  seen: number;
  /** Edges of all letters on the canvas. */
  edges: number;
  paintNs: number;
}

/** Returns the time of the pixels of letters, and of the edges of strokes and of letters too large for a mask. */
function glyphsUs(
  { reachPx, seen, edges, paintNs }: GlyphWork,
  { target, clipEdges }: LetterGround,
): number {
  const width = Math.min(target.width, reachPx);
  const rows = Math.min(target.height, reachPx);
  const isMask = reachPx <= maskPxMax;
  const runNs = isMask ? clippedLetterRunNs : clippedRunNs;
  const ns = width * rows * paintNs + rows * clipEdges * runNs;
  // A mask contains the whole letter, also outside of the canvas; a path is cut to the canvas.
  const edgeNs = isMask
    ? reachPx * letterEdgeRowNs + maskEdgeUs * 1000
    : rows * letterEdgeRowNs + letterEdgeUs * 1000;
  return (seen * ns + edges * edgeNs) / 1000;
}

/** Returns the microseconds of letters and stripes along a path of at most `length` design pixels. */
export function pathTextUs(
  { glyphs, stroke, backgrounds, lines, goesOn }: DisplayContent & { kind: 'path-text' },
  length: number,
  ground: LetterGround,
): number {
  const { target, scale } = ground;
  let us = 0;
  for (const { font, fill, text, glyphs: outlines } of glyphs) {
    const setting = { text, font, fill, letters: 1, seen: 1, outlinesUs: priceOutlines(outlines) };
    us += pathPointUs + lettersUs(setting, stroke, ground);
  }
  for (const { start, end, top, bottom, fill } of [...backgrounds, ...lines]) {
    // Stripes end with the path, except for the padding of a pill.
    const longest = goesOn ? Infinity : length + 2 * Math.max(0, -start);
    const width = Math.min(end - start, longest);
    const points = Math.min(bandPointsMax, width / bandStepPx) + cornerPoints;
    const heightPx = Math.abs(bottom - top) * scale;
    const area = Math.min(target.width * target.height, width * scale * heightPx);
    const ns = fillNs(fill) + ground.blendNs;
    const rows = Math.min(target.height, heightPx + bandStepPx * scale);
    us += points * 2 * pathPointUs + (area * ns) / 1000;
    us += scanUs(2 * points * rows, target.height);
  }
  return us;
}

/** Upper bound of the points on a side of a stripe, their least distance, and the points of its corners. */
const bandPointsMax = 2000;
const bandStepPx = 2;
const cornerPoints = 32;

/** Returns the fonts with their sizes that an item and its content draw with, in CSS. */
export function fontsOf(item: DisplayItem): string[] {
  const fonts = new Set<string>();
  for (const { content } of walkItems([item])) {
    if (content.kind === 'text') for (const { font } of content.runs) fonts.add(font.css);
    if (content.kind === 'path-text') for (const { font } of content.glyphs) fonts.add(font.css);
  }
  return [...fonts];
}

/** Returns the microseconds of fonts that the engine uses for the first time. */
export function fontsUs(fonts: ReadonlySet<string>): number {
  let us = 0;
  for (const css of fonts) us += newFontUs + fontFamilyUs * css.split(',').length;
  return us;
}

// Counts the segments of letters' outlines, which determine the cost of strokes and large letters.

const ruler = new Canvas(1, 1).getContext('2d');
/** Cache of segments of a character in a bundled font or a run in the organization's. A character takes 0.2 ms. */
const known = new LRUCache<string, number>(entryLimit(5000));
/** Upper bound of the characters of a run that are measured. */
const measuredMax = 400;
/** Assumed segments of other characters: only a few ligatures of the bundled fonts have more. */
const denseEdges = 300;
/** Segments of the start of a run from which the rest is extrapolated. */
const enoughEdges = 50_000;

/** Whether a font is the organization's, whose glyphs may have any shape. */
function isOrganizationFont({ css }: FontSetting): boolean {
  return css.includes(organizationFontPrefix);
}

/**
 * Returns the segments of all letters of a text, at any size. Ligatures and joined letters of bundled fonts have about
 * as many as their parts. An organization's font may make any glyph of any letters, so its runs are measured as a
 * whole.
 */
function countEdges(text: string, font: FontSetting): number {
  if (isOrganizationFont(font)) return edgesOfRun(text, font);
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  const face = font.css.replace(/[\d.]+px/, '');
  let [edges, measured] = [0, 0];
  for (const [character, count] of counts) {
    measured += 1;
    const key = `${character} ${face} ${font.variations}`;
    edges += count * (measured > measuredMax ? denseEdges : edgesOf(key, character, font));
  }
  return edges;
}

/**
 * Returns the segments of a run. Measures its start, twice as much each time, up to its end or to `enoughEdges`. The
 * first character is measured alone, because a font may draw thousands of points for it.
 */
function edgesOfRun(text: string, font: FontSetting): number {
  const { css, features, variations } = font;
  for (let length = 1; ; length *= 2) {
    const part = text.slice(0, length);
    const edges = edgesOf(`${part} ${css} ${features} ${variations}`, part, font);
    if (length >= text.length) return edges;
    if (edges > enoughEdges) return (edges * text.length) / length;
  }
}

/** Returns the cached segments of a text, or measures them. Throws as `checkWork` does. */
function edgesOf(key: string, text: string, { css, features, variations }: FontSetting): number {
  let edges = known.get(key);
  if (edges === undefined) {
    checkWork();
    ruler.font = css;
    ruler.fontFeatureSettings = features;
    ruler.fontVariationSettings = variations;
    edges = countCommands(ruler.outlineText(text)?.d ?? '');
    known.set(key, edges);
  }
  return edges;
}

/** Counts the commands of path data. A list of its edges would take ten times the memory. */
function countCommands(data: string): number {
  let commands = 0;
  for (let index = 0; index < data.length; index += 1) {
    const code = data.charCodeAt(index);
    // The engine writes commands as capital letters, and exponents as small letters.
    if (code >= 0x41 && code <= 0x5a) commands += 1;
  }
  return commands;
}
