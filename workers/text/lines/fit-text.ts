/** Finds the size at which text fits its box. */
import type { Line } from './break-lines.ts';
import type { MeasuredParagraph } from '../measured-paragraph.ts';
import { breakLines, countThatFit, graphemeEnds } from './break-lines.ts';
import { countLines } from '../measured-paragraph.ts';
import type { LineMetrics } from './metrics.ts';
import { letterReach, lineMetrics, plainSample } from './metrics.ts';
import { lineWidth } from './width.ts';
import type { Piece } from '../paragraphs.ts';
import { appendPiece, slicePieces } from '../paragraphs.ts';
import { fontFace } from '../style.ts';
import { tabsAtRatio } from '../tabs.ts';

/** The box of a text layer in design pixels, and its maximum number of lines. */
export interface TextBounds {
  width: number;
  height: number;
  maxLines: number;
}

/** Upper bound of the lines of a layer, and of `maxLines`. */
export const linesMax = 200;

/** Step of a shrinking font size in design pixels; finer steps are not visible. */
const sizeStep = 0.5;
/** Sizes below the estimate that are tried one by one. Then the steps double, so that there are at most 20 tries. */
const singleStepsMax = 8;
/** Rounding error in design pixels by which lines may exceed the height of the box. */
export const heightTolerance = 0.01;

/** Returns the heights of a line at a size ratio, from its tallest pieces or an empty paragraph's style. */
export function metricsOf(
  { pieces, paragraph }: Pick<Line, 'pieces' | 'paragraph'>,
  ratio: number,
): LineMetrics {
  const styles = new Set(pieces.map(({ style }) => style));
  if (styles.size === 0) styles.add(paragraph.style);
  return lineMetrics(styles, paragraph, ratio);
}

/** Returns the space above a line at a size ratio: the paragraph spacing for its first line, else 0. */
export function spaceAbove({ start, paragraph }: Line, ratio: number): number {
  return start === 0 ? paragraph.spaceAbove * ratio : 0;
}

/** Returns the height of lines with the space between their paragraphs. */
export function linesHeight(lines: readonly Line[], ratio: number): number {
  return lines.reduce(
    (sum, line) => sum + spaceAbove(line, ratio) + metricsOf(line, ratio).height,
    0,
  );
}

/** Space above and below the letters of a line in design pixels; negative if letters exceed the line. */
export type LineSlack = Pick<LineMetrics, 'slackAbove' | 'slackBelow'>;

/** The slack of a line for different letters. */
export interface LineSlacks {
  /** Slack of letters like d and p, for any text. */
  plain: LineSlack;
  /** Lower bound of the slack of the ink, without a measurement, which takes 0.1 ms for a new text. */
  least: LineSlack;
  /** Returns the slack of the ink together with letters like d and p. */
  ink: () => LineSlack;
}

/** Returns the slacks of a line at a size ratio. */
export function slacksOf(line: Line, ratio: number): LineSlacks {
  const { pieces, paragraph } = line;
  const paragraphOfPlain = { ...paragraph, sample: plainSample, highSample: plainSample };
  const plain = metricsOf({ pieces, paragraph: paragraphOfPlain }, ratio);
  const metrics = metricsOf(line, ratio);
  const least = {
    slackAbove: Math.min(plain.slackAbove, metrics.slackAbove),
    slackBelow: Math.min(plain.slackBelow, metrics.slackBelow),
  };
  return { plain, least, ink: () => inkSlack(line, ratio, plain, metrics) };
}

/**
 * Returns the slack of the ink, at least that of the samples by which lines are fitted: stacked marks move a line no
 * further than ordinary letters of its script.
 */
function inkSlack(
  { pieces }: Line,
  ratio: number,
  plain: LineSlack,
  { height, baseline, slackAbove, slackBelow }: LineMetrics,
): LineSlack {
  if (slackAbove >= plain.slackAbove && slackBelow >= plain.slackBelow) return plain;
  let above = plain.slackAbove;
  let below = plain.slackBelow;
  for (const { face, style, text } of pieces) {
    const { ascent, descent } = letterReach(face.unspaced, text);
    above = Math.min(above, baseline - ascent * style.size * ratio);
    below = Math.min(below, height - baseline - descent * style.size * ratio);
  }
  return {
    slackAbove: Math.min(plain.slackAbove, Math.max(slackAbove, above)),
    slackBelow: Math.min(plain.slackBelow, Math.max(slackBelow, below)),
  };
}

/**
 * Returns the number of lines to break, to find out whether all fit: one more than the box can contain.
 */
export function linesToBreak(
  paragraphs: readonly MeasuredParagraph[],
  bounds: TextBounds,
  ratio: number,
): number {
  let height = Infinity;
  for (const { metrics, emptyMetrics } of paragraphs) {
    height = Math.min(height, emptyMetrics.height);
    for (const one of metrics) height = Math.min(height, one.height);
  }
  // The slack of the first and last line together is less than two lines.
  const highest = Math.floor(bounds.height / (height * ratio)) + 2;
  return Math.min(bounds.maxLines, linesMax, highest) + 1;
}

/**
 * Returns how many of the lines fit in the box. The space above the letters of the first line and below the
 * letters of the last line does not count: a box as high as the letters fits one line.
 */
export function countLinesThatFit(
  lines: readonly Line[],
  bounds: TextBounds,
  ratio: number,
): number {
  const most = Math.min(bounds.maxLines, linesMax);
  if (bounds.height === Infinity) return Math.min(lines.length, most);
  let height = 0;
  for (const [index, line] of lines.entries()) {
    if (index >= most) return index;
    const metrics = metricsOf(line, ratio);
    if (index === 0) height -= metrics.slackAbove;
    height += spaceAbove(line, ratio) + metrics.height;
    if (height - metrics.slackBelow > bounds.height + heightTolerance) return index;
  }
  return lines.length;
}

/**
 * Returns the largest ratio of the layer's font size at which no word is cut and all lines fit: between `minSize /
 * fontSize` and 1, in steps of half a pixel. Returns the smallest ratio if none fits. A larger box never gives a
 * smaller ratio if all text has one size. At most 12 probes by arithmetic for a 2,000 px font. Then lines are broken as
 * they will be painted, rarely more than once.
 */
export function fitRatio(
  paragraphs: readonly MeasuredParagraph[],
  bounds: TextBounds,
  fontSize: number,
  minSize: number,
): number {
  const steps = Math.max(0, Math.ceil((fontSize - minSize) / sizeStep));
  const ratioOf = (step: number): number =>
    Math.max(minSize, fontSize - step * sizeStep) / fontSize;
  let low = 0;
  let high = steps;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (mayFit(paragraphs, bounds, ratioOf(middle))) high = middle;
    else low = middle + 1;
  }
  for (let probe = 0; low < steps && !fitsExactly(paragraphs, bounds, ratioOf(low)); probe += 1) {
    // The arithmetic is usually right to a step or two. If it is wrong by many steps, larger steps bound the tries.
    low = Math.min(steps, low + (probe < singleStepsMax ? 1 : 2 ** (probe - singleStepsMax)));
  }
  return ratioOf(low);
}

function mayFit(
  paragraphs: readonly MeasuredParagraph[],
  bounds: TextBounds,
  ratio: number,
): boolean {
  const tabbed = paragraphs.map((paragraph) => tabsAtRatio(paragraph, ratio));
  const { lines, height, cutsWord } = countLines(tabbed, bounds.width / ratio);
  if (cutsWord || lines > Math.min(bounds.maxLines, linesMax)) return false;
  return height * ratio <= bounds.height + heightTolerance;
}

function fitsExactly(
  paragraphs: readonly MeasuredParagraph[],
  bounds: TextBounds,
  ratio: number,
): boolean {
  const lines = breakLines(
    paragraphs,
    bounds.width,
    ratio,
    linesToBreak(paragraphs, bounds, ratio),
  );
  if (lines.some(({ cutsWord }) => cutsWord)) return false;
  const last = lines.at(-1);
  const isAll = last?.paragraph === paragraphs.at(-1) && last?.endsParagraph === true;
  return isAll && countLinesThatFit(lines, bounds, ratio) === lines.length;
}

// Cuts text that does not fit, and ends it with an ellipsis.

const ellipsis = '\u2026';
/** White space and punctuation that should not precede an ellipsis. */
const danglingPattern = /[\s\p{Pd},;:\u060C\u061B\u3001\uFF0C\uFF1A\uFF1B\u2068\u2066\u2067]+$/u;

/**
 * Keeps the first `count` lines, at least one, and ends the last with an ellipsis in the style of the text before it.
 * Removes graphemes from the logical end of this line until text and ellipsis fit into `maxWidth` design pixels. A box
 * that is too narrow for the ellipsis gets only the ellipsis.
 */
export function truncateLines(
  lines: readonly Line[],
  count: number,
  maxWidth: number,
  ratio: number,
): Line[] {
  const kept = lines.slice(0, Math.max(1, count));
  const last = kept.at(-1);
  if (last === undefined) return kept;
  const { start } = last;
  const paragraph = tabsAtRatio(last.paragraph, ratio);
  // A single line is filled, as by `text-overflow` of CSS. The last of several lines ends where it was broken, as by
  // `line-clamp`.
  const whole = kept.length === 1 ? paragraph.text.length : last.end;
  const shown = last.pieces.length === 0 ? start : whole;
  const ends = graphemeEnds(paragraph, start, shown);
  const mark = ellipsisPiece(last);
  let fitting = countThatFit(paragraph, start, ends, maxWidth / ratio - lineWidth([mark]));
  let pieces: Piece[] = [];
  for (; fitting > 0; fitting -= 1) {
    const end = start + visibleLength(paragraph.text.slice(start, ends[fitting - 1]));
    pieces = slicePieces(paragraph, start, end);
    // The style of the last remaining letter may have a wider ellipsis.
    appendPiece(pieces, ellipsisPiece({ ...last, pieces }));
    if (lineWidth(pieces, paragraph.tabs) <= maxWidth / ratio) break;
  }
  if (fitting === 0) pieces = [mark];
  const width = lineWidth(pieces, paragraph.tabs) * ratio;
  kept[kept.length - 1] = { ...last, pieces, width, endsParagraph: true, cutsWord: false };
  return kept;
}

/** Returns an ellipsis in the paragraph's direction, so that it is at the end of the line. */
function ellipsisPiece({ pieces, paragraph }: Line): Piece {
  const style = pieces.at(-1)?.style ?? paragraph.style;
  const level = paragraph.direction === 'rtl' ? 1 : 0;
  return { text: ellipsis, style, face: fontFace(style, paragraph.lang, 'letters'), level };
}

function visibleLength(text: string): number {
  return text.replace(danglingPattern, '').length;
}
