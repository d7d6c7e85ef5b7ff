/** The messages of the SVG process. */
import type { FrameBounds } from '#wire/program/frames.ts';

/** A request: draw a file at a size derived from the file's size, or a layer's markup at this size in device pixels. */
export type SvgOrder = 'draw' | { widthPx: number; heightPx: number };

/** The answer of the process; the `body` of its frame is the PNG. */
export type SvgAnswer = (
  | { ok: true; widthPx: number; heightPx: number; scale: number }
  | { ok: false; problem: string }
) & {
  /** The process must be replaced: earlier drawings have used so much that the next one could exceed a limit. */
  isSpent: boolean;
};

/** A head is a small JSON value. A body: above the largest source and the largest drawing. */
export const svgFrameBounds: FrameBounds = {
  headBytesMax: 16 * 1024,
  bodyBytesMax: 32 * 1024 * 1024,
};
