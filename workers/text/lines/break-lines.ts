/** Breaks paragraphs into lines no wider than a box, greedily, at the positions that paragraphs.ts found. */
import { graphemeStarts } from '../emoji.ts';
import type { BrokenLine } from './broken-line.ts';
import { lineWidth } from './width.ts';
import type { MeasuredParagraph } from '../measured-paragraph.ts';
import { estimateWidth, hyphenPiece, widthTolerance } from '../measured-paragraph.ts';
import { tabsAtRatio } from '../tabs.ts';
import { appendPiece, slicePieces } from '../paragraphs.ts';

/** One line with its paragraph. */
export interface Line extends BrokenLine {
  paragraph: MeasuredParagraph;
}

/** Lines whose estimated width exceeds the box by at most this share of it are measured. */
const doubtRatio = 0.015;

/**
 * Breaks paragraphs into lines of at most `maxWidth` design pixels at size ratio `ratio`. A segment
 * wider than the box is cut between graphemes; a line is wider than the box only if a single grapheme
 * is. An empty paragraph makes one empty line. Every line is measured as it is painted. Makes at most
 * `linesMax` lines.
 */
export function breakLines(
  paragraphs: readonly MeasuredParagraph[],
  maxWidth: number,
  ratio: number,
  linesMax: number,
): Line[] {
  const lines: Line[] = [];
  for (const paragraph of paragraphs) {
    breakParagraph(paragraph, maxWidth / ratio, ratio, linesMax, lines);
  }
  return lines;
}

function breakParagraph(
  paragraph: MeasuredParagraph,
  maxWidth: number,
  ratio: number,
  linesMax: number,
  lines: Line[],
): void {
  const { known, tabs } = paragraph;
  const { broken } = known;
  if (tabs === undefined && broken?.maxWidth === maxWidth && broken.ratio === ratio) {
    for (const line of broken.lines.slice(0, Math.max(0, linesMax - lines.length)))
      lines.push({ ...line, paragraph });
    return;
  }
  const before = lines.length;
  fillLines(paragraph, maxWidth, ratio, linesMax, lines);
  if (lines.at(-1)?.paragraph === paragraph && lines.at(-1)?.endsParagraph === true)
    known.broken = { maxWidth, ratio, lines: lines.slice(before) };
}

function fillLines(
  paragraph: MeasuredParagraph,
  maxWidth: number,
  ratio: number,
  linesMax: number,
  lines: Line[],
): void {
  const { segments, text } = paragraph;
  const scaledTabs = tabsAtRatio(paragraph, ratio);
  let start = 0;
  let first = 0;
  let endsParagraph = false;
  while (!endsParagraph && lines.length < linesMax) {
    const found = fillLine(scaledTabs, start, first, maxWidth);
    endsParagraph = found.end === text.length;
    lines.push({ ...found, start, width: found.width * ratio, paragraph, endsParagraph });
    start = found.end;
    while (first < segments.length && (segments[first]?.end ?? 0) <= start) first += 1;
  }
}

type FilledLine = Pick<Line, 'pieces' | 'width' | 'end' | 'cutsWord'>;

/** Returns the longest line from `start`, which is in segment `first`. */
function fillLine(
  paragraph: MeasuredParagraph,
  start: number,
  first: number,
  maxWidth: number,
): FilledLine {
  const { segments } = paragraph;
  const maxLineWidth = maxWidth + widthTolerance;
  const doubt = 1 + doubtRatio;
  if (estimateWidth(paragraph, start, first, 0) > maxLineWidth * doubt) {
    return cutSegment(paragraph, start, first, maxWidth);
  }
  let last = first;
  while (last + 1 < segments.length && estimateWidth(paragraph, start, last + 1) <= maxLineWidth)
    last += 1;
  let longest: FilledLine | undefined;
  const count = searchLargest(segments.length - first, last - first + 1, (index) => {
    // A line that is far too wide is not measured.
    if (estimateWidth(paragraph, start, first + index - 1) > maxLineWidth * doubt && index > 1)
      return false;
    const line = toLine(paragraph, start, first + index - 1, maxLineWidth);
    const fits = line.width <= maxLineWidth;
    if (fits && line.end > (longest?.end ?? -1)) longest = line;
    return fits;
  });
  if (count > 0 && longest !== undefined) return longest;
  return cutSegment(paragraph, start, first, maxWidth);
}

/** Returns the line up to the end of a segment. Trims a mark at its end if the line exceeds `maxLineWidth`. */
function toLine(
  paragraph: MeasuredParagraph,
  start: number,
  last: number,
  maxLineWidth: number,
): FilledLine {
  const segment = paragraph.segments[last];
  const { visibleEnd = start, end = start, hyphen = false } = segment ?? {};
  let pieces = slicePieces(paragraph, start, Math.max(start, visibleEnd));
  if (hyphen && end < paragraph.text.length)
    appendPiece(pieces, hyphenPiece(paragraph, visibleEnd));
  let width = lineWidth(pieces, paragraph.tabs);
  if (width > maxLineWidth && paragraph.punctuation !== undefined) {
    pieces = slicePieces(paragraph, start, visibleEnd, true);
    width = lineWidth(pieces, paragraph.tabs);
  }
  return { pieces, width, end, cutsWord: false };
}

/** Cuts a segment that is wider than the box between graphemes; at least one grapheme stays on the line. */
function cutSegment(
  paragraph: MeasuredParagraph,
  start: number,
  index: number,
  maxWidth: number,
): FilledLine {
  const { visibleEnd = start, end = start, hyphen = false } = paragraph.segments[index] ?? {};
  const offsets = graphemeEnds(paragraph, start, visibleEnd);
  const count = Math.max(1, countThatFit(paragraph, start, offsets, maxWidth));
  const cut = offsets[count - 1] ?? visibleEnd;
  const pieces = slicePieces(paragraph, start, cut);
  const whole = cut === visibleEnd;
  const cutsWord = !whole || (hyphen && end < paragraph.text.length);
  const width = lineWidth(pieces, paragraph.tabs);
  return { pieces, width, end: whole ? end : cut, cutsWord };
}

/** Cache of the ascending ends of graphemes of a paragraph, made when a word of it is cut. */
const paragraphGraphemes = new WeakMap<MeasuredParagraph, Uint32Array>();

/** Returns the UTF-16 offsets after `start`, up to `end`, at which graphemes end. */
export function graphemeEnds(
  paragraph: MeasuredParagraph,
  start: number,
  end: number,
): Uint32Array {
  let all = paragraphGraphemes.get(paragraph);
  if (all === undefined) {
    all = Uint32Array.from(graphemeStarts(paragraph.text)).toSorted();
    paragraphGraphemes.set(paragraph, all);
  }
  return all.subarray(firstAbove(all, start), firstAbove(all, end));
}

function firstAbove(ascending: Uint32Array | Float64Array, value: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? 0) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Returns how many of the parts from `start` to each of `ends`, ascending, fit into `maxWidth` design
 * pixels at ratio 1.
 */
export function countThatFit(
  paragraph: MeasuredParagraph,
  start: number,
  ends: Uint32Array,
  maxWidth: number,
): number {
  const { positions, tabs } = paragraph;
  const limit = firstAbove(positions, (positions[start] ?? 0) + maxWidth) - 1;
  return searchLargest(ends.length, firstAbove(ends, limit), (count) => {
    const end = ends[count - 1] ?? start;
    return lineWidth(slicePieces(paragraph, start, end), tabs) <= maxWidth + widthTolerance;
  });
}

/**
 * Returns the largest number up to `most` that fits, or 0. All numbers below a number that fits must fit too.
 * Starts at a guess, which is nearly always right, and otherwise tests few numbers.
 */
function searchLargest(most: number, guess: number, fits: (count: number) => boolean): number {
  let low = 0;
  let high = most;
  // A guess of 0 becomes 1, because a short text is cheap to measure; half of a long word is not.
  let next = Math.max(1, guess);
  for (let step = 1; low < high; step *= 2) {
    if (next <= low || next > high) next = Math.ceil((low + high) / 2);
    if (fits(next)) {
      low = next;
      next += step;
    } else {
      high = next - 1;
      next -= step;
    }
  }
  return low;
}
