/** Lines of a paragraph, as they are broken for a width and a size ratio. */
import type { Piece } from '../paragraphs.ts';

/** One line: its pieces in logical order without the white space at its end, and its exact width. */
export interface BrokenLine {
  pieces: Piece[];
  /** UTF-16 offsets in the paragraph; the white space at the end is the line's, too. */
  start: number;
  end: number;
  /** Design pixels, at the ratio it was broken for. */
  width: number;
  /** The paragraph ends here: such a line is not justified. */
  endsParagraph: boolean;
  /** Its last word goes on in the next line, without a hyphen. */
  cutsWord: boolean;
}

/**
 * All lines of a paragraph without tab stops at a width, design pixels at ratio 1. Kept, because a text is fitted, measured
 * and laid out at one width.
 */
export interface BrokenParagraph {
  maxWidth: number;
  ratio: number;
  lines: readonly BrokenLine[];
}
