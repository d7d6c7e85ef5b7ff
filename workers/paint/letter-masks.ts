/**
 * Caches the coverage of single letters, which the paint engine draws once. The engine draws letters of moderate size
 * at whole rows and quarters of columns, so that few masks suffice for all texts of a style.
 */
import { LRUCache } from 'lru-cache';
import type { CanvasRenderingContext2D } from 'skia-canvas';
import { Canvas } from 'skia-canvas';
import { toRgba } from '#wire/color.ts';
import type { TextRun } from '../display-list.ts';
import { runBounds } from './bounds.ts';
import { splitByFamily } from '../text/font-runs.ts';
import { faceOfSetting } from '../text/style.ts';
import { applyFont } from './paint-text.ts';

/** Positions within a pixel column at which the engine draws letters. */
export const columnParts = 4;
/** Maximum font size in device pixels. The engine draws larger letters as curves, at any position. */
export const letterPxMax = 120;

/** Coverage of a letter. `left` is relative to the column of its pen, `top` to the first row of the image. */
export interface LetterMask {
  left: number;
  top: number;
  width: number;
  height: number;
  /** 0 to 255, rows from the top. */
  coverage: Uint8Array;
}

/** The masks of one font, size, colour and row by `PlacedLetter.key`. Only the engine draws an `unfit` letter. */
export interface LetterStyle {
  key: string;
  /** `#rrggbb` or another opaque colour of the template language. */
  color: string;
  /** The amount that the colour adds to a pixel, by coverage. */
  source: Uint32Array;
  masks: Map<number, LetterMask | 'unfit'>;
  /** Number of runs with the style, and of runs of all styles before its first run. */
  runs: number;
  runsBefore: number;
  /** Number of images from masks that were equal to the engine's; undefined after one that was not. */
  proofs: number | undefined;
}

/** A letter of a run, at its position in device pixels. */
export interface PlacedLetter {
  key: number;
  /** The number of the letter's font within its face. */
  family: number;
  letter: string;
  /** The column of the letter's pen, and the quarters of a column from there to the pen. */
  column: number;
  part: number;
  widthPx: number;
}

export interface CanvasSize {
  widthPx: number;
  heightPx: number;
}

const masksBytesMax = 8 * 1024 * 1024;
/** Bytes of a style or a mask besides its coverage. */
const objectBytes = 350;
const sourceBytes = 1024;
const styles = new LRUCache<string, LetterStyle>({
  maxSize: masksBytesMax,
  sizeCalculation: ({ masks }) => {
    let bytes = objectBytes + sourceBytes;
    for (const mask of masks.values()) {
      bytes += objectBytes + (mask === 'unfit' ? 0 : mask.coverage.length);
    }
    return bytes;
  },
});

/** Runs of all styles so far. */
let runsOfAll = 0;
/** A style needs this many runs, and one in this many runs of all styles. The size of a shrunk name may not recur. */
const runsMin = 3;
const runsBetweenMax = 100;

/** Whether a style is frequent enough to draw masks of its letters. */
export function isFrequent({ runs, runsBefore }: LetterStyle): boolean {
  return runs >= runsMin && runsOfAll - runsBefore <= runs * runsBetweenMax;
}

/** Returns the style of a further run on a canvas of this size. `families` names the fonts of its letters. */
export function styleOf(
  { font, y }: TextRun,
  families: string,
  color: string,
  scale: number,
  size: CanvasSize,
): LetterStyle {
  const { css, features, letterSpacing } = font;
  const canvas = `${size.widthPx}x${size.heightPx}`;
  const key = `${css}|${families}|${features}|${letterSpacing}|${color}|${y}|${scale}|${canvas}`;
  const known = styles.get(key);
  runsOfAll += 1;
  if (known !== undefined) {
    known.runs += 1;
    return known;
  }
  const source = toSource(color);
  const style: LetterStyle = {
    key,
    color,
    source,
    masks: new Map(),
    runs: 1,
    runsBefore: runsOfAll,
    proofs: 0,
  };
  styles.set(key, style);
  return style;
}

const opaque = 0xff_00_00_00;

/** Returns by coverage the amount that the engine adds to a pixel: each channel times (coverage + 1) / 256. */
function toSource(color: string): Uint32Array {
  const [red, green, blue] = toRgba(color);
  return Uint32Array.from({ length: 256 }, (_, coverage) => {
    const part = (channel: number): number => (channel * (coverage + 1)) >> 8;
    return part(red) | (part(green) << 8) | (part(blue) << 16) | opaque;
  });
}

/** Maximum reach of ink left of the pen and right of the width of a letter, in font sizes. */
const asideEm = 0.3;
/** Wider than the part of a cell after its letter. */
const spacesBehindLetter = ' '.repeat(8);

/**
 * Returns the text that is drawn after a letter, because the letter's row depends on all fonts of its run: spaces,
 * which may be of another font, and after them a letter of each font if there are several.
 */
function otherFonts({ font, text }: TextRun): string {
  const face = faceOfSetting(font);
  const shown = new Map<string, string>();
  for (const run of face === undefined ? [] : splitByFamily(face.unspaced, text)) {
    const letter = run.text.trim().charAt(0);
    if (letter !== '') shown.set(run.family, letter);
  }
  if (shown.size > 1) return spacesBehindLetter + [...shown.values()].join('');
  return text.includes(' ') ? ' ' : '';
}

/** A column of the canvas with one letter, whose pen is `penX` right of the left edge. */
interface Cell {
  letter: PlacedLetter;
  left: number;
  width: number;
}

/** Draws letters that have no mask yet, as many as fit side by side on a canvas of the image's size. */
export function learnLetters(
  style: LetterStyle,
  run: TextRun,
  letters: readonly PlacedLetter[],
  scale: number,
  size: CanvasSize,
): void {
  const emPx = run.font.size * scale;
  const penX = Math.ceil(emPx * asideEm) + 1;
  const cells: Cell[] = [];
  let right = 0;
  for (const letter of letters) {
    const width = penX * 2 + Math.ceil(letter.widthPx);
    const isKnown =
      style.masks.has(letter.key) || cells.some((cell) => cell.letter.key === letter.key);
    if (isKnown || right + width > size.widthPx) continue;
    cells.push({ letter, left: right, width });
    right += width;
  }
  const { y, height: inkHeight } = runBounds(run, 0);
  const top = Math.max(0, Math.floor(y * scale) - 2);
  const height = Math.min(size.heightPx, Math.ceil((y + inkHeight) * scale) + 2) - top;
  if (cells.length === 0 || height <= 0) return;
  const context = openCanvas(size);
  context.clearRect(0, top, right, height);
  context.save();
  context.scale(scale, scale);
  context.textAlign = 'left';
  context.textBaseline = 'alphabetic';
  context.fillStyle = style.color;
  applyFont(context, run.font, 'ltr');
  const others = otherFonts(run);
  for (const { letter, left, width } of cells) {
    const x = (left + penX + letter.part / columnParts) / scale;
    context.save();
    if (others.trim() !== '') {
      context.beginPath();
      context.rect(left / scale, top / scale, width / scale, height / scale);
      context.clip();
    }
    context.fillText(letter.letter + others, x, run.y);
    context.restore();
  }
  context.restore();
  const { data } = context.getImageData(0, top, right, height, { colorType: 'Alpha8' });
  for (const cell of cells) {
    const { letter, left, width } = cell;
    const mask = cutMask(data, right, { left, width, height });
    const isCut =
      mask.left === 0 ||
      mask.left + mask.width === width ||
      (mask.top === 0 && top > 0) ||
      (mask.top + mask.height === height && top + height < size.heightPx);
    mask.left -= penX;
    mask.top += top;
    style.masks.set(letter.key, isCut ? 'unfit' : mask);
  }
  styles.set(style.key, style);
}

/** Returns the covered part of a cell, relative to the cell. */
function cutMask(
  alpha: ArrayLike<number>,
  stride: number,
  cell: { left: number; width: number; height: number },
): LetterMask {
  let [left, top, right, bottom] = [cell.width, cell.height, 0, 0];
  for (let y = 0; y < cell.height; y += 1) {
    const from = y * stride + cell.left;
    let x = 0;
    while (x < cell.width && alpha[from + x] === 0) x += 1;
    if (x === cell.width) continue;
    left = Math.min(left, x);
    for (x = cell.width; alpha[from + x - 1] === 0;) x -= 1;
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = y + 1;
  }
  // The empty mask of a space is not at an edge of the cell, so that it does not count as cut.
  if (right === 0) return { left: 1, top: 1, width: 0, height: 0, coverage: new Uint8Array(0) };
  const width = right - left;
  const height = bottom - top;
  const coverage = new Uint8Array(width * height);
  for (let y = 0; y < height; y += 1) {
    const from = (top + y) * stride + cell.left + left;
    for (let x = 0; x < width; x += 1) coverage[y * width + x] = alpha[from + x] ?? 0;
  }
  return { left, top, width, height, coverage };
}

interface LearningCanvas {
  context: CanvasRenderingContext2D;
  uses: number;
}

/** Uses before a canvas is emptied: it keeps all drawings, and emptying takes the engine longer than a few letters. */
const usesMax = 16;
/** Upper bound of the bytes of both canvases: one of the largest base render has as many. */
const canvasBytesMax = 32 * 1024 * 1024;
const canvases = new LRUCache<string, LearningCanvas>({
  max: 2,
  maxSize: canvasBytesMax,
  sizeCalculation: ({ context: { canvas } }) => canvas.width * canvas.height * 4,
  dispose: ({ context }) => context.canvas.dispose(),
});

/** Returns a canvas as large as the image: the engine rounds the row of a letter by its distance from the first row. */
function openCanvas({ widthPx, heightPx }: CanvasSize): CanvasRenderingContext2D {
  const key = `${widthPx}x${heightPx}`;
  let known = canvases.get(key);
  if (known === undefined) {
    const canvas = new Canvas(widthPx, heightPx);
    canvas.gpu = false;
    known = { context: canvas.getContext('2d', { willReadFrequently: true }), uses: 0 };
    canvases.set(key, known);
  }
  known.uses += 1;
  if (known.uses % usesMax === 0) known.context.reset();
  return known.context;
}
