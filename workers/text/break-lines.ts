/** Breaks paragraphs into lines no wider than a box, greedily, at the places that paragraphs.ts found. */
import { splitGraphemes } from './emoji.ts';
import { measureEm } from './measure.ts';
import type { Paragraph, Piece, Segment } from './paragraphs.ts';
import { joinPieces } from './paragraphs.ts';

/** A segment with its widths in design pixels at the layer's own size (ratio 1). */
export interface MeasuredSegment extends Segment {
  width: number;
  spaceWidth: number;
  hyphenWidth: number;
}

export interface MeasuredParagraph extends Omit<Paragraph, 'segments'> {
  segments: MeasuredSegment[];
}

/** One line: its pieces in logical order without the white space at its end, and its exact width. */
export interface Line {
  pieces: Piece[];
  /** Design pixels, at the ratio it was broken for. */
  width: number;
  paragraph: MeasuredParagraph;
  /** The paragraph ends here: such a line is not justified. */
  endsParagraph: boolean;
}

/** How far a line may pass the box before it counts as wider, design pixels: a rounding error, never seen. */
const widthTolerance = 0.01;

/** Measures each segment once; every later question about widths is arithmetic. */
export function measureParagraphs(paragraphs: readonly Paragraph[]): MeasuredParagraph[] {
  return paragraphs.map((paragraph) => ({
    ...paragraph,
    segments: paragraph.segments.map(measureSegment),
  }));
}

function measureSegment(segment: Segment): MeasuredSegment {
  const last = segment.pieces.at(-1);
  return {
    ...segment,
    width: sumWidths(segment.pieces),
    spaceWidth: sumWidths(segment.space),
    hyphenWidth: segment.hyphen && last !== undefined ? pieceWidth({ ...last, text: '-' }) : 0,
  };
}

function pieceWidth(piece: Piece): number {
  return measureEm(piece.face, piece.text) * piece.style.size;
}

function sumWidths(pieces: readonly Piece[]): number {
  let width = 0;
  for (const piece of pieces) width += pieceWidth(piece);
  return width;
}

/** Width of pieces as they are painted, design pixels at ratio 1: no letter space after the last letter. */
export function paintedWidth(pieces: readonly Piece[]): number {
  const last = pieces.at(-1);
  if (last === undefined) return 0;
  return sumWidths(pieces) - Math.max(0, last.face.letterSpacingEm * last.style.size);
}

/**
 * Counts the lines that `breakLines` would make, by arithmetic alone, and says whether a segment
 * is wider than the box, so that a word would have to be cut. Widths are at ratio 1: to ask about
 * text at half its size, ask for a box of twice the width.
 */
export function countLines(
  paragraphs: readonly MeasuredParagraph[],
  maxWidth: number,
): { lines: number; cutsWord: boolean } {
  let lines = 0;
  let cutsWord = false;
  for (const { segments } of paragraphs) {
    lines += 1;
    let used = 0;
    let empty = true;
    for (const segment of segments) {
      if (segment.width > maxWidth + widthTolerance) cutsWord = true;
      if (!empty && used + segment.width + segment.hyphenWidth > maxWidth + widthTolerance) {
        lines += 1;
        used = 0;
      }
      used += segment.width + segment.spaceWidth;
      empty = false;
    }
  }
  return { lines, cutsWord };
}

/**
 * Breaks paragraphs into lines of at most `maxWidth` design pixels at size ratio `ratio`. A segment
 * wider than the box is cut between graphemes; a line is wider than the box only when one single
 * grapheme is. An empty paragraph makes one empty line.
 */
export function breakLines(
  paragraphs: readonly MeasuredParagraph[],
  maxWidth: number,
  ratio: number,
): Line[] {
  const width = maxWidth / ratio;
  return paragraphs.flatMap((paragraph) => breakParagraph(paragraph, width, ratio));
}

function breakParagraph(paragraph: MeasuredParagraph, maxWidth: number, ratio: number): Line[] {
  const queue = paragraph.segments.flatMap((segment) => cutToWidth(segment, maxWidth));
  const lines: Line[] = [];
  let start = 0;
  while (start < queue.length) {
    let end = greedyEnd(queue, start, maxWidth);
    let pieces = linePieces(queue, start, end);
    // Kerning over a space can make the whole line a little wider than the sum of its segments.
    while (end > start + 1 && paintedWidth(pieces) > maxWidth + widthTolerance) {
      end -= 1;
      pieces = linePieces(queue, start, end);
    }
    const endsParagraph = end === queue.length;
    lines.push({ pieces, width: paintedWidth(pieces) * ratio, paragraph, endsParagraph });
    start = end;
  }
  if (lines.length === 0) lines.push({ pieces: [], width: 0, paragraph, endsParagraph: true });
  return lines;
}

function greedyEnd(queue: readonly MeasuredSegment[], start: number, maxWidth: number): number {
  let used = 0;
  for (let index = start; index < queue.length; index += 1) {
    const segment = queue[index];
    if (segment === undefined) break;
    const needed = used + segment.width + segment.hyphenWidth;
    if (index > start && needed > maxWidth + widthTolerance) return index;
    used += segment.width + segment.spaceWidth;
  }
  return queue.length;
}

function linePieces(queue: readonly MeasuredSegment[], start: number, end: number): Piece[] {
  const pieces: Piece[] = [];
  for (let index = start; index < end; index += 1) {
    const segment = queue[index];
    if (segment === undefined) break;
    pieces.push(...segment.pieces);
    if (index < end - 1) {
      pieces.push(...segment.space);
      continue;
    }
    const last = segment.pieces.at(-1);
    if (segment.hyphen && end < queue.length && last !== undefined) {
      pieces.push({ ...last, text: '-' });
    }
  }
  return joinPieces(pieces);
}

/** Cuts a segment that is wider than the box into parts that are not, between graphemes. */
function cutToWidth(segment: MeasuredSegment, maxWidth: number): MeasuredSegment[] {
  if (segment.width <= maxWidth + widthTolerance) return [segment];
  const parts: MeasuredSegment[] = [];
  let pieces: Piece[] = [];
  let used = 0;
  const flush = (): void => {
    if (pieces.length > 0) parts.push(measureSegment({ pieces, space: [], hyphen: false }));
    pieces = [];
    used = 0;
  };
  for (const piece of segment.pieces) {
    let graphemes = splitGraphemes(piece.text);
    while (graphemes.length > 0) {
      let count = countThatFit(piece, graphemes, maxWidth - used);
      if (count === 0 && pieces.length > 0) {
        flush();
        continue;
      }
      count = Math.max(1, count);
      const part = { ...piece, text: graphemes.slice(0, count).join('') };
      pieces.push(part);
      used += pieceWidth(part);
      graphemes = graphemes.slice(count);
      if (graphemes.length > 0) flush();
    }
  }
  flush();
  const last = parts.at(-1);
  if (last !== undefined) {
    Object.assign(last, {
      space: segment.space,
      spaceWidth: segment.spaceWidth,
      hyphen: segment.hyphen,
      hyphenWidth: segment.hyphenWidth,
    });
  }
  return parts;
}

/** How many graphemes from the start fit into `room`, by bisection: width grows with the count. */
export function countThatFit(piece: Piece, graphemes: readonly string[], room: number): number {
  let fits = 0;
  let tooMany = graphemes.length + 1;
  while (tooMany - fits > 1) {
    const middle = Math.floor((fits + tooMany) / 2);
    const part = { ...piece, text: graphemes.slice(0, middle).join('') };
    if (paintedWidth([part]) <= room + widthTolerance) fits = middle;
    else tooMany = middle;
  }
  return fits;
}
