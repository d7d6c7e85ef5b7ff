/** Estimates what the paint engine takes to draw letters, on lines and along paths. */
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

/** Where letters are drawn. */
export interface LetterGround {
  matrix: Matrix;
  target: Target;
  /** Device pixels a design pixel. */
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
  /** How many are on the canvas, of all. */
  seen: number;
  letters: number;
  /** Of shapes that are drawn in place of the engine's letters. */
  outlinesUs: number;
}

/** The engine keeps masks of letters up to this size, device pixels; larger ones it draws as paths. */
const maskPxMax = 256;
/** Letters reach so far above their baseline, and all in all; parts of the font size. */
const ascent = 1.2;
const lineHeight = 1.7;
/** Length of a segment of an outline, parts of the font size: an upper bound for letters of few segments. */
const segmentEm = 0.3;
const emojiPattern = /\p{Extended_Pictographic}/u;
/** Recording and quickly rejecting a letter that is outside. */
const rejectedLetterUs = 0.2;

/** Microseconds of the letters of a text layer. */
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
  // Letters that are outside are drawn all the same where their stroke may reach the canvas, mitered corners included.
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

/** Letters, filled and stroked. */
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
  // The stroke is twice as wide as what of it shows.
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

/** Microseconds of making the path of outlines, wherever they lie. Paths are recorded, with some 60 bytes a segment. */
function priceOutlines(glyphs: readonly GlyphOutline[] = []): number {
  let us = 0;
  for (const { data } of glyphs) us += Math.max(outlineGlyphUs, data.length * outlineCharacterUs);
  return us;
}

interface GlyphWork {
  /** Side of one letter with its stroke, device pixels. */
  reachPx: number;
  seen: number;
  /** Of all seen. */
  edges: number;
  paintNs: number;
}

/** The pixels of letters and, where these are strokes or too large for a mask, their edges. */
function glyphsUs(
  { reachPx, seen, edges, paintNs }: GlyphWork,
  { target, clipEdges }: LetterGround,
): number {
  const width = Math.min(target.width, reachPx);
  const rows = Math.min(target.height, reachPx);
  const isMask = reachPx <= maskPxMax;
  const runNs = isMask ? clippedLetterRunNs : clippedRunNs;
  const ns = width * rows * paintNs + rows * clipEdges * runNs;
  // A mask is made of the whole letter, wherever the canvas ends; a path is cut to the canvas.
  const edgeNs = isMask
    ? reachPx * letterEdgeRowNs + maskEdgeUs * 1000
    : rows * letterEdgeRowNs + letterEdgeUs * 1000;
  return (seen * ns + edges * edgeNs) / 1000;
}

/** Microseconds of letters and stripes along a path of at most `length` design pixels. */
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
    // Stripes end with the path, but for what a pill reaches over its text.
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

/** Upper bound of the points on a side of a stripe, their least distance, and those of its corners. */
const bandPointsMax = 2000;
const bandStepPx = 2;
const cornerPoints = 32;

/** Fonts at their sizes that an item draws with, in CSS, those of what is in it too. */
export function fontsOf(item: DisplayItem): string[] {
  const fonts = new Set<string>();
  for (const { content } of walkItems([item])) {
    if (content.kind === 'text') for (const { font } of content.runs) fonts.add(font.css);
    if (content.kind === 'path-text') for (const { font } of content.glyphs) fonts.add(font.css);
  }
  return [...fonts];
}

/** What fonts take that the engine draws with for the first time. */
export function fontsUs(fonts: ReadonlySet<string>): number {
  let us = 0;
  for (const css of fonts) us += newFontUs + fontFamilyUs * css.split(',').length;
  return us;
}

// Counts the segments of letters' outlines: what stroking and filling large letters costs.

const ruler = new Canvas(1, 1).getContext('2d');
/** Of one character in one bundled font, or of a run in one of the organization's. Measuring a character takes 0.2 ms. */
const known = new LRUCache<string, number>(entryLimit(5000));
/** Characters of one run that are measured. */
const measuredMax = 400;
/** Segments of any other character: more than all but a few ligatures of the bundled fonts have. */
const denseEdges = 300;
/** Segments of a run's beginning from which on the rest counts as what was measured. */
const enoughEdges = 50_000;

/** Whether a font is the organization's, whose glyphs may have any shape. */
function isOrganizationFont({ css }: FontSetting): boolean {
  return css.includes(organizationFontPrefix);
}

/**
 * Segments of all letters of a text, whatever its size. The ligatures and joined letters of bundled fonts have about
 * those of their parts; an organization's font may make any glyph of any letters, so its runs are measured whole.
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
 * Of a run from its beginning: twice as much of it each time, up to its end or to `enoughEdges`. The first character is
 * measured alone, because a font may draw thousands of points for it.
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

/** Throws as `checkWork` does. */
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

/** Commands of path data. A list of its edges would take ten times the memory. */
function countCommands(data: string): number {
  let commands = 0;
  for (let index = 0; index < data.length; index += 1) {
    const code = data.charCodeAt(index);
    // Capital letters; the engine writes no others, and exponents in small ones.
    if (code >= 0x41 && code <= 0x5a) commands += 1;
  }
  return commands;
}
