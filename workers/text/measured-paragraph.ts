/** Measures a paragraph once, so that every later question about its lines is arithmetic, but for the final ones. */
import { estimatePositions } from './estimate.ts';
import type { LineMetrics } from './lines/metrics.ts';
import { lineMetrics } from './lines/metrics.ts';
import { lineWidth } from './lines/width.ts';
import type { Paragraph, Piece } from './paragraphs.ts';
import { stretchAt } from './paragraphs.ts';
import { fontFace } from './style.ts';

/** A paragraph with all that the arithmetic of lines needs, design pixels at the layer's own size. */
export interface MeasuredParagraph extends Paragraph {
  /** As in estimate.ts. */
  positions: Float64Array;
  /** Of each segment: the letter space after its last letter, and the width of its hyphen. */
  gaps: Float64Array;
  hyphens: Float64Array;
  /** Of each segment, as if it were a line of its own. */
  metrics: LineMetrics[];
  /** Of a line without letters. */
  emptyMetrics: LineMetrics;
}

/** How far a line may pass the box before it counts as wider, design pixels: a rounding error, never seen. */
export const widthTolerance = 0.01;
/** Measures the paragraphs of one layer. */
export function measureParagraphs(paragraphs: readonly Paragraph[]): MeasuredParagraph[] {
  const positions = estimatePositions(paragraphs);
  return paragraphs.map((paragraph, index) => measureParagraph(paragraph, positions[index]));
}

function measureParagraph(
  paragraph: Paragraph,
  positions: Float64Array = new Float64Array(1),
): MeasuredParagraph {
  const { segments, stretches, style } = paragraph;
  const gaps = new Float64Array(segments.length);
  const hyphens = new Float64Array(segments.length);
  const emptyMetrics = lineMetrics([style], paragraph, 1);
  const metrics: LineMetrics[] = [];
  for (const [index, { start, visibleEnd, end, hyphen }] of segments.entries()) {
    const first = stretchAt(stretches, start);
    const last = stretchAt(stretches, Math.max(start, visibleEnd - 1));
    const stretch = stretches[last];
    if (stretch !== undefined) {
      gaps[index] = Math.max(0, stretch.face.letterSpacingEm * stretch.style.size);
    }
    if (hyphen) hyphens[index] = lineWidth([hyphenPiece(paragraph, visibleEnd)]);
    const uniform = stretch?.style === style && stretches[first]?.style === style;
    const styles = stretches.slice(first, last + 1).map((one) => one.style);
    metrics.push(uniform || end === start ? emptyMetrics : lineMetrics(styles, paragraph, 1));
  }
  return { ...paragraph, positions, gaps, hyphens, metrics, emptyMetrics };
}

/** The hyphen that shows where a line breaks at a soft hyphen, in the look of the letter before it. */
export function hyphenPiece({ stretches, lang, style }: Paragraph, end: number): Piece {
  const stretch = stretches[stretchAt(stretches, end - 1)];
  const own = stretch?.style ?? style;
  return {
    text: '-',
    style: own,
    face: fontFace(own, lang, 'letters'),
    level: stretch?.level ?? 0,
  };
}

/** What a box would have to hold: by arithmetic alone, without looking at letters. */
export interface LineCount {
  lines: number;
  /** Design pixels at ratio 1, without the slack above the first and below the last line. */
  height: number;
  /** A segment is wider than the box, so that a word would have to be cut. */
  cutsWord: boolean;
}

/**
 * Counts the lines that `breakLines` would make. Widths are at ratio 1: to ask about text at half its
 * size, ask for a box of twice the width.
 */
export function countLines(paragraphs: readonly MeasuredParagraph[], maxWidth: number): LineCount {
  const count = { lines: 0, height: 0, cutsWord: false };
  const room = maxWidth + widthTolerance;
  let tallest: LineMetrics | undefined;
  const endLine = (): void => {
    if (tallest === undefined) return;
    if (count.lines === 0) count.height -= tallest.slackAbove;
    count.lines += 1;
    count.height += tallest.height;
  };
  for (const paragraph of paragraphs) {
    const { segments, metrics, emptyMetrics } = paragraph;
    endLine();
    tallest = metrics[0] ?? emptyMetrics;
    let start = 0;
    for (let index = 0; index < segments.length; index += 1) {
      const own = metrics[index] ?? emptyMetrics;
      const segmentStart = segments[index]?.start ?? 0;
      if (estimateWidth(paragraph, start, index) > room) {
        if (segmentStart > start) {
          endLine();
          tallest = own;
        }
        start = segmentStart;
        if (estimateWidth(paragraph, start, index, 0) > room) count.cutsWord = true;
      } else if (own.height > tallest.height) tallest = own;
    }
  }
  endLine();
  count.height -= tallest?.slackBelow ?? 0;
  return count;
}

/** Estimated width of a line from an offset to the end of a segment, as it is painted. */
export function estimateWidth(
  { positions, segments, gaps, hyphens }: MeasuredParagraph,
  start: number,
  index: number,
  hyphen = hyphens[index] ?? 0,
): number {
  const end = segments[index]?.visibleEnd ?? start;
  return (positions[end] ?? 0) - (positions[start] ?? 0) - (gaps[index] ?? 0) + hyphen;
}
