/** Finds the size at which text fits its box, and cuts with an ellipsis what fits at no allowed size. */
import type { Line, MeasuredParagraph } from './break-lines.ts';
import { breakLines, countLines, countThatFit, paintedWidth } from './break-lines.ts';
import { splitGraphemes } from './emoji.ts';
import type { Piece } from './paragraphs.ts';
import { fontFace } from './style.ts';

/** The box of a text layer, design pixels, and how many lines it may hold. */
export interface TextBounds {
  width: number;
  height: number;
  maxLines: number;
}

/** Steps of a shrinking font size, design pixels: finer is not seen. */
const sizeStep = 0.5;
const ellipsis = '\u2026';

/** Height of one line, design pixels: that of its tallest piece, or of an empty paragraph's style. */
export function lineHeight(line: Line, ratio: number): number {
  let height = 0;
  for (const { style } of line.pieces) height = Math.max(height, style.size * style.lineHeight);
  const { style } = line.paragraph;
  return (height === 0 ? style.size * style.lineHeight : height) * ratio;
}

/**
 * How many of the lines the box holds. The space above the first and below the last line that
 * only `lineHeight` adds does not count: a box as tall as its font holds one line.
 */
export function countLinesThatFit(
  lines: readonly Line[],
  bounds: TextBounds,
  ratio: number,
): number {
  let height = 0;
  for (const [index, line] of lines.entries()) {
    if (index >= bounds.maxLines) return index;
    height += lineHeight(line, ratio);
    if (height - outerLeading(line, ratio) > bounds.height + sizeStep) return index;
  }
  return lines.length;
}

function outerLeading(line: Line, ratio: number): number {
  const { style } = line.pieces[0] ?? line.paragraph;
  return Math.max(0, (style.lineHeight - 1) * style.size * ratio);
}

/**
 * The largest ratio of the layer's font size, between `minSize / fontSize` and 1 in steps of half a
 * pixel, at which no word is cut and all lines fit; the smallest ratio when none does. A larger
 * box never gives a smaller ratio. At most 12 + 3 probes for a 2,000 px font.
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
  // Arithmetic ignores kerning over spaces; the exact lines may need a step or two more.
  while (low < steps && !fitsExactly(paragraphs, bounds, ratioOf(low))) low += 1;
  return ratioOf(low);
}

function mayFit(
  paragraphs: readonly MeasuredParagraph[],
  bounds: TextBounds,
  ratio: number,
): boolean {
  const { lines, cutsWord } = countLines(paragraphs, bounds.width / ratio);
  if (cutsWord || lines > bounds.maxLines) return false;
  const style = paragraphs[0]?.style;
  if (style === undefined) return true;
  // A lower bound on the height when sizes are mixed: what passes is looked at again exactly.
  const smallest = Math.min(
    ...paragraphs.flatMap(({ segments, style: own }) => [
      own.size * own.lineHeight,
      ...segments.flatMap(({ pieces }) => pieces.map((p) => p.style.size * p.style.lineHeight)),
    ]),
  );
  const leading = Math.max(0, (style.lineHeight - 1) * style.size);
  return (lines * smallest - leading) * ratio <= bounds.height + sizeStep;
}

function fitsExactly(
  paragraphs: readonly MeasuredParagraph[],
  bounds: TextBounds,
  ratio: number,
): boolean {
  const lines = breakLines(paragraphs, bounds.width, ratio);
  return countLinesThatFit(lines, bounds, ratio) === lines.length;
}

/**
 * Keeps the first `count` lines and ends the last of them with an ellipsis, dropping graphemes from
 * its logical end until both fit into `maxWidth` design pixels.
 */
export function truncateLines(
  lines: readonly Line[],
  count: number,
  maxWidth: number,
  ratio: number,
  lang: string,
): Line[] {
  const kept = lines.slice(0, Math.max(1, count));
  const last = kept.at(-1);
  if (last === undefined) return kept;
  const style = last.pieces.at(-1)?.style ?? last.paragraph.style;
  const level = last.paragraph.direction === 'rtl' ? 1 : 0;
  const mark: Piece = { text: ellipsis, style, face: fontFace(style, lang, false), level };
  const pieces = [...dropEnd(last.pieces, maxWidth / ratio - paintedWidth([mark])), mark];
  kept[kept.length - 1] = {
    ...last,
    pieces,
    width: paintedWidth(pieces) * ratio,
    endsParagraph: true,
  };
  return kept;
}

function dropEnd(pieces: readonly Piece[], room: number): Piece[] {
  const kept = [...pieces];
  while (kept.length > 0) {
    const last = kept.pop();
    if (last === undefined) break;
    const graphemes = splitGraphemes(last.text);
    const count = countThatFit(last, graphemes, room - paintedWidth(kept));
    const text = graphemes.slice(0, count).join('').trimEnd();
    if (text !== '') return [...kept, { ...last, text }];
  }
  return kept;
}
