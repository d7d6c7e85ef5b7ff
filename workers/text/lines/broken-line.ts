/** Lines of a paragraph, as they are broken for a width and a size ratio. */
import type { Piece } from '../paragraphs.ts';

/** One line: its pieces in logical order without the white space at its end, and its exact width. */
export interface BrokenLine {
  pieces: Piece[];
  /** UTF-16 offsets in the paragraph; they include the white space at the end of the line. */
  start: number;
  end: number;
  /** Design pixels, at the size ratio of the line. */
  width: number;
  /** Whether the paragraph ends here; such a line is not justified. */
  endsParagraph: boolean;
  /** Whether the last word continues in the next line, without a hyphen. */
  cutsWord: boolean;
}

/**
 * All lines of a paragraph without tab stops at a width, in design pixels at ratio 1. Cached, because a text is fitted,
 * measured and laid out at one width.
 */
export interface BrokenParagraph {
  maxWidth: number;
  ratio: number;
  lines: readonly BrokenLine[];
}
