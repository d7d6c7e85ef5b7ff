/** Computes exact widths of the pieces of one line, and their order from left to right. */
import { splitGraphemes } from '../emoji.ts';
import type { Piece } from '../paragraphs.ts';
import type { Tabs } from '../tabs.ts';
import { fieldStart } from '../tabs.ts';
import { textWidthEm } from '../text-width.ts';

/** A piece and the left edge of its advance on the line, in design pixels at size ratio 1. */
export interface SetPiece {
  piece: Piece;
  x: number;
  width: number;
}

/** Returns pieces from left to right: from the highest level down, runs of this level are reversed (UAX #9, L2). */
export function visualOrder<Leveled extends { level: number }>(
  pieces: readonly Leveled[],
): Leveled[] {
  const ordered = [...pieces];
  const highest = Math.max(0, ...pieces.map((piece) => piece.level));
  for (let level = highest; level > 0; level -= 1) {
    for (let start = 0; start < ordered.length; start += 1) {
      let end = start;
      while ((ordered[end]?.level ?? -1) >= level) end += 1;
      if (end > start) {
        ordered.splice(start, end - start, ...ordered.slice(start, end).toReversed());
        start = end;
      }
    }
  }
  return ordered;
}

/**
 * Sets the pieces of a line side by side, in design pixels at size ratio 1. The line's width has no letter space after
 * its last letter. With `byWords`, widths of words and spaces are added up, as in a line whose spaces are widened.
 * Pieces with tabs need the `tabs` of their paragraph.
 */
export function setPieces(
  pieces: readonly Piece[],
  byWords = false,
  tabs?: Tabs,
): { set: SetPiece[]; width: number } {
  if (tabs !== undefined && pieces.some(isTab)) return setFields(pieces, tabs);
  const set: SetPiece[] = [];
  let x = 0;
  let previous: Piece | undefined;
  for (const piece of pieces.length > 1 ? visualOrder(pieces) : pieces) {
    if (previous !== undefined) x += kerningBetween(previous, piece);
    const width = byWords ? wordsWidth(piece) : pieceWidth(piece);
    set.push({ piece, x, width });
    x += width;
    previous = piece;
  }
  const last = set.at(-1);
  if (last === undefined) return { set, width: 0 };
  const spacing = last.piece.face.letterSpacingEm * last.piece.style.size;
  // An invisible piece (a single joiner) has no gap.
  const gap = Math.max(0, Math.min(spacing, last.width));
  last.width -= gap;
  return { set, width: x - gap };
}

function isTab({ face }: Piece): boolean {
  return face.kind === 'tab';
}

/** Sets the text before the first tab and each field after one, in the paragraph's direction. */
function setFields(pieces: readonly Piece[], tabs: Tabs): { set: SetPiece[]; width: number } {
  const parts: { start: number; width: number; set: SetPiece[] }[] = [];
  let pen = 0;
  let tab: Piece | undefined;
  let field: Piece[] = [];
  const endField = (): void => {
    const fieldPieces = setPieces(field);
    const left = pen;
    if (tab !== undefined) {
      for (let count = 1; count < tab.text.length; count += 1) pen = fieldStart(tabs, pen, 0);
      pen = fieldStart(tabs, pen, fieldPieces.width);
      const width = pen - left;
      parts.push({ start: left, width, set: [{ piece: tab, x: 0, width }] });
    }
    parts.push({ start: pen, ...fieldPieces });
    pen += fieldPieces.width;
    field = [];
  };
  for (const piece of pieces) {
    if (isTab(piece)) {
      endField();
      tab = piece;
    } else field.push(piece);
  }
  endField();
  const sets = parts.map(({ start, width, set }) => {
    const x = tabs.isRightToLeft ? pen - start - width : start;
    return set.map((one) => ({ ...one, x: x + one.x }));
  });
  return { set: (tabs.isRightToLeft ? sets.toReversed() : sets).flat(), width: pen };
}

/** Returns the width of the pieces as a line, in design pixels at size ratio 1. */
export function lineWidth(pieces: readonly Piece[], tabs?: Tabs): number {
  return setPieces(pieces, false, tabs).width;
}

/** Returns the advance of a piece with the letter space after it, in design pixels at size ratio 1. */
export function pieceWidth(piece: Piece): number {
  return (textWidthEm(piece.face, piece.text) - trimmedEm(piece)) * piece.style.size;
}

function trimmedEm({ trim }: Piece): number {
  return trim === undefined ? 0 : trim.before + trim.after;
}

function wordsWidth(piece: Piece): number {
  const { face, text, style } = piece;
  // A trimmed mark has no spaces.
  if (piece.trim !== undefined) return pieceWidth(piece);
  return splitWords(text).reduce((sum, part) => sum + textWidthEm(face, part) * style.size, 0);
}

/** Splits a text into words and the single spaces between them, in order. */
export function splitWords(text: string): string[] {
  return text.split(/([ \u00A0])/).filter((part) => part !== '');
}

/** Returns the kerning between a piece and a left neighbour that differs only in colour: both may be one word. */
function kerningBetween(left: Piece, right: Piece): number {
  const { face, level, style } = left;
  if (face !== right.face || level !== right.level || style.size !== right.style.size) return 0;
  if (face.kind !== 'letters') return 0;
  const [before, after] = level % 2 === 1 ? [right, left] : [left, right];
  const first = splitGraphemes(after.text.slice(0, 8))[0] ?? '';
  const last = splitGraphemes(before.text.slice(-8)).at(-1) ?? '';
  if (!/^[\p{L}\p{P}]$/u.test(first) || !/^[\p{L}\p{P}]$/u.test(last)) return 0;
  const apart = textWidthEm(face, last) + textWidthEm(face, first);
  return (textWidthEm(face, last + first) - apart) * style.size;
}
