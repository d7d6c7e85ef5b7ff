/** Cuts text that does not fit, and ends it with an ellipsis. */
import type { Line } from './break-lines.ts';
import { countThatFit, graphemeEnds } from './break-lines.ts';
import { lineWidth } from './width.ts';
import type { Piece } from '../paragraphs.ts';
import { appendPiece, slicePieces } from '../paragraphs.ts';
import { fontFace } from '../style.ts';

const ellipsis = '\u2026';
/** White space and marks that lead on to what is no longer there. */
const danglingPattern = /[\s\p{Pd},;:\u060C\u061B\u3001\uFF0C\uFF1A\uFF1B\u2068\u2066\u2067]+$/u;

/**
 * Keeps the first `count` lines, one at least, and ends the last of them with an ellipsis in the look of
 * the text before it, dropping graphemes from its logical end until both fit into `maxWidth` design
 * pixels. A box too narrow for the ellipsis gets it all the same.
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
  const { paragraph, start } = last;
  // A single line is filled as by `text-overflow` of CSS, of several the last one ends where it was broken, as by
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
    // The look of the last letter that is left may have a wider ellipsis.
    appendPiece(pieces, ellipsisPiece({ ...last, pieces }));
    if (lineWidth(pieces) <= maxWidth / ratio) break;
  }
  if (fitting === 0) pieces = [mark];
  const width = lineWidth(pieces) * ratio;
  kept[kept.length - 1] = { ...last, pieces, width, endsParagraph: true, cutsWord: false };
  return kept;
}

/** Written behind the text in the paragraph's direction, so that it stands at its end. */
function ellipsisPiece({ pieces, paragraph }: Line): Piece {
  const style = pieces.at(-1)?.style ?? paragraph.style;
  const level = paragraph.direction === 'rtl' ? 1 : 0;
  return { text: ellipsis, style, face: fontFace(style, paragraph.lang, 'letters'), level };
}

function visibleLength(text: string): number {
  return text.replace(danglingPattern, '').length;
}
