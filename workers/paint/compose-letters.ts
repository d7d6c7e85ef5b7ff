/**
 * Paints solid text over opaque pixels without the paint engine: from masks of letters that the engine drew before,
 * with the engine's arithmetic. The result has exactly the engine's pixels. If this is not certain, there is no result.
 */
import { toRgba } from '#wire/color.ts';
import { organizationFontPrefix } from '#wire/render-job.ts';
import type { DisplayItem, Rect, TextRun } from '../display-list.ts';
import type { Pixels } from '../pixels.ts';
import { plainLetters } from '../text/plain-letters.ts';
import { faceOfSetting } from '../text/style.ts';
import { runBounds } from './bounds.ts';
import { antiAliasPx, growRect, overlap } from './geometry.ts';
import { columnParts, isFrequent, learnLetters, letterPxMax, styleOf } from './letter-masks.ts';
import type { CanvasSize, LetterMask, LetterStyle, PlacedLetter } from './letter-masks.ts';

/** Opaque pixels of a part of an image, each as one number: red lowest, alpha highest. */
export interface Ground {
  rect: Rect;
  words: Uint32Array;
}

/** The pixels of a region of whole device pixels. */
export interface PaintedRegion {
  region: Rect;
  pixels: Pixels;
}

/** A run and its letters, each of which looks as if drawn alone. */
export interface PlacedRun {
  run: TextRun;
  style: LetterStyle;
  letters: PlacedLetter[];
}

/** The engine's font sizes are multiples of 1/64 px, whose sums are exact. It rounds others in more than one way. */
const sizeSteps = 64;
/** Minimum distance of a letter from the next quarter, in quarters of a pixel: the engine's sums are rounded. */
const certainParts = 1 / 512;
/** The smallest letter spacing of a text of several fonts, in font sizes. */
const tightestEm = -0.1;

/**
 * Returns the runs that items paint into these regions; undefined if items paint anything but solid letters, or if a
 * position is not certain.
 */
export function placeRuns(
  items: readonly DisplayItem[],
  regions: readonly Rect[],
  scale: number,
  size: CanvasSize,
): PlacedRun[] | undefined {
  const placed: PlacedRun[] = [];
  for (const run of solidRuns(items) ?? [undefined]) {
    if (run === undefined) return undefined;
    const bounds = runBounds(run, 0);
    const deviceBounds = {
      x: bounds.x * scale,
      y: bounds.y * scale,
      width: bounds.width * scale,
      height: bounds.height * scale,
    };
    const reach = growRect(deviceBounds, antiAliasPx);
    if (!regions.some((region) => overlap(region, reach))) continue;
    const { fill } = run;
    if (typeof fill !== 'string' || toRgba(fill)[3] !== 1) return undefined;
    const letters = placeLetters(run, scale);
    if (letters === undefined) return undefined;
    const families = [...new Set(letters.map(({ family }) => family))].join();
    placed.push({ run, style: styleOf(run, families, fill, scale, size), letters });
  }
  return placed;
}

/** Returns the runs of items in paint order; undefined if items have more than plain letters. */
function solidRuns(items: readonly DisplayItem[]): TextRun[] | undefined {
  const runs: TextRun[] = [];
  for (const item of items) {
    if (!isPlain(item)) return undefined;
    const { content } = item;
    if (content.kind === 'group') {
      const inner = solidRuns(content.items);
      if (inner === undefined) return undefined;
      runs.push(...inner);
    } else if (content.kind !== 'text' || content.clips || content.stroke !== undefined) {
      return undefined;
    } else if (content.backgrounds.length + content.lines.length > 0) {
      return undefined;
    } else runs.push(...content.runs);
  }
  return runs;
}

function isPlain(item: DisplayItem): boolean {
  const { opacity, blendMode, rotation, blur, shadows } = item;
  if (opacity !== 1 || blendMode !== 'normal' || rotation !== 0 || blur > 0) return false;
  if (shadows.length > 0 || item.filter !== undefined || item.mask !== undefined) return false;
  return item.clip === undefined && item.frame === undefined && item.border === undefined;
}

function placeLetters(run: TextRun, scale: number): PlacedLetter[] | undefined {
  const { font, text, x, direction, glyphs } = run;
  const face = faceOfSetting(font);
  if (face === undefined || glyphs !== undefined) return undefined;
  // Letters of an uploaded font may have their own colours.
  if (font.css.includes(organizationFontPrefix)) return undefined;
  if (font.size * scale > letterPxMax || !isExactPx(font.size)) return undefined;
  const plain = plainLetters(face, text, direction);
  if (plain === undefined) return undefined;
  const placed: PlacedLetter[] = [];
  let pen = x;
  // The engine does not round sums of such numbers.
  let isExact = scale === 1 && isExactPx(x) && isExactPx(font.letterSpacing);
  for (let step = 0; step < text.length; step += 1) {
    const index = direction === 'rtl' ? text.length - 1 - step : step;
    const { shape, family, advance, unitsPerEm } = plain[index] ?? noLetter;
    const parts = pen * scale * columnParts + 1 / 2;
    const whole = Math.floor(parts);
    const isNear = parts - whole < certainParts || whole + 1 - parts < certainParts;
    if (isNear && !isExact) return undefined;
    const column = Math.floor(whole / columnParts);
    const part = whole - column * columnParts;
    const widthPx = advance * toEmPx(font.size, unitsPerEm);
    const letter = text.charAt(index);
    placed.push({
      key: shape * columnParts + part,
      family,
      letter,
      column,
      part,
      widthPx: widthPx * scale,
    });
    pen += widthPx + font.letterSpacing;
    isExact &&= isExactPx(widthPx);
  }
  const shown = new Set(placed.filter(({ letter }) => letter !== ' ').map(({ family }) => family));
  // The mask of a letter can contain letters of other fonts of the run if the spaces between them have no width.
  if (shown.size > 1 && font.letterSpacing < tightestEm * font.size) return undefined;
  return placed;
}

function isExactPx(length: number): boolean {
  return Number.isInteger(length * sizeSteps);
}

const noLetter = { shape: 0, family: 0, advance: 0, unitsPerEm: 1 };
const fixedPoint = 65_536;

/** The engine multiplies font units by a factor with 16 fractional bits (FreeType, FT_Request_Size). */
function toEmPx(size: number, unitsPerEm: number): number {
  const factor = Math.round((size * sizeSteps * fixedPoint) / unitsPerEm);
  return (factor * unitsPerEm) / (sizeSteps * fixedPoint);
}

/** Number of successful comparisons with the engine after which a style needs no more. */
const proofsMin = 2;
/** Number of letters without a mask above which the engine draws the whole text faster than these letters. */
const unknownMax = 10;
/** The same bound for a comparison: every render would otherwise draw a text of thousands of ideographs twice. */
const unknownInProofMax = 100;

/**
 * Returns an image of placed runs over the ground for each region. Returns undefined if the masks of a style were not
 * compared with the engine yet, or if too many masks are missing.
 */
export function composeRuns(
  runs: readonly PlacedRun[],
  regions: readonly Rect[],
  ground: Ground,
  scale: number,
  size: CanvasSize,
): PaintedRegion[] | undefined {
  if (!runs.every(({ style }) => (style.proofs ?? 0) >= proofsMin)) return undefined;
  const unknown = runs.map(({ style, letters }) =>
    letters.filter(({ key }) => !style.masks.has(key)),
  );
  const count = unknown.reduce((sum, { length }) => sum + length, 0);
  if (count > unknownMax) return undefined;
  if (count > 0 && !runs.every(({ style }) => isFrequent(style))) return undefined;
  for (const [index, { run, style }] of runs.entries()) {
    learnAlone(style, run, unknown[index] ?? [], scale, size);
  }
  return composeKnown(runs, regions, ground);
}

/** Composes runs from known masks; returns undefined if a letter has no mask. */
function composeKnown(
  runs: readonly PlacedRun[],
  regions: readonly Rect[],
  ground: Ground,
): PaintedRegion[] | undefined {
  const hasAll = runs.every(({ style: { masks }, letters }) =>
    letters.every(({ key }) => (masks.get(key) ?? 'unfit') !== 'unfit'),
  );
  if (!hasAll) return undefined;
  return regions.map((region) => {
    const words = copyGround(ground, region);
    for (const { style, letters } of runs) {
      for (const { key, column } of letters) {
        const mask = style.masks.get(key);
        if (mask !== undefined && mask !== 'unfit')
          blend(words, region, mask, column, style.source);
      }
    }
    const { width: widthPx, height: heightPx } = region;
    return { region, pixels: { data: new Uint8Array(words.buffer), widthPx, heightPx } };
  });
}

function copyGround({ rect, words }: Ground, { x, y, width, height }: Rect): Uint32Array {
  const copied = new Uint32Array(Buffer.allocUnsafeSlow(width * height * 4).buffer);
  let from = (y - rect.y) * rect.width + x - rect.x;
  for (let to = 0; to < copied.length; to += width) {
    copied.set(words.subarray(from, from + width), to);
    from += rect.width;
  }
  return copied;
}

const redAndBlue = 0xff_00_ff;
const green = 0xff_00;

/** Blends a letter as the engine does: letter and ground are rounded down separately. */
function blend(
  words: Uint32Array,
  region: Rect,
  { left, top, width, height, coverage }: LetterMask,
  column: number,
  source: Uint32Array,
): void {
  const x = column + left - region.x;
  const y = top - region.y;
  const fromX = Math.max(0, -x);
  const endX = Math.min(width, region.width - x);
  const endY = Math.min(height, region.height - y);
  for (let row = Math.max(0, -y); row < endY; row += 1) {
    let from = row * width + fromX;
    let to = (y + row) * region.width + x + fromX;
    for (const end = row * width + endX; from < end; from += 1, to += 1) {
      const covered = coverage[from] ?? 0;
      if (covered === 0) continue;
      const under = words[to] ?? 0;
      const kept = 256 - covered;
      const rest =
        ((Math.imul(under & redAndBlue, kept) >>> 8) & redAndBlue) |
        (Math.imul((under >>> 8) & 0xff, kept) & green);
      words[to] = rest + (source[covered] ?? 0);
    }
  }
}

/** Draws letters whose shape alone equals their shape in the run, for their masks. */
function learnAlone(
  style: LetterStyle,
  run: TextRun,
  letters: readonly PlacedLetter[],
  scale: number,
  size: CanvasSize,
): void {
  const face = faceOfSetting(run.font);
  if (face === undefined || letters.length === 0) return;
  const alike = letters.filter(({ letter, key, part }) => {
    const [alone] = plainLetters(face, letter, run.direction) ?? [];
    return alone !== undefined && alone.shape * columnParts + part === key;
  });
  learnLetters(style, run, alike, scale, size);
}

/** Draws letters of runs that have no mask, and compares an image from masks with the engine's `painted` pixels. */
export function proveRuns(
  runs: readonly PlacedRun[],
  painted: readonly PaintedRegion[],
  ground: Ground,
  scale: number,
  size: CanvasSize,
): void {
  if (runs.some(({ style }) => style.proofs === undefined)) return;
  if (runs.every(({ style }) => (style.proofs ?? 0) >= proofsMin)) return;
  if (!runs.every(({ style }) => isFrequent(style))) return;
  const unknown = runs.flatMap(({ style, letters }) =>
    letters.filter(({ key }) => !style.masks.has(key)),
  );
  if (unknown.length > unknownInProofMax) return;
  for (const { run, style, letters } of runs) learnAlone(style, run, letters, scale, size);
  const regions = painted.map(({ region }) => region);
  const composed = composeKnown(runs, regions, ground);
  if (composed === undefined) return;
  const isSame = composed.every(({ pixels }, index) => {
    const { data } = painted[index]?.pixels ?? {};
    return data !== undefined && Buffer.compare(pixels.data, data) === 0;
  });
  for (const { style } of runs) style.proofs = isSame ? (style.proofs ?? 0) + 1 : undefined;
}
