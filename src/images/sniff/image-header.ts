/** What a picture file says about itself before anything decodes it. */
import type { SourceFormat } from '#wire/render-job.ts';

/**
 * The facts of a file's header.
 *
 * `widthPx` and `heightPx` are ≥ 1, as the file stores them, before an EXIF turn; `orientation` is
 * the EXIF value 1 … 8. AVIF turns are part of the format, not of EXIF, and its decoders apply
 * them: its sides are those after the turn, and its orientation is 1.
 */
export interface ImageHeader {
  format: SourceFormat;
  widthPx: number;
  heightPx: number;
  orientation: number;
  /** Pictures in the file (animation frames, pages, icon sizes), counted, not as claimed; ≥ 1. */
  frames: number;
  /** Bits of one channel, 1 … 64. */
  bitDepth: number;
  /** 1 … ; an indexed colour counts as 3, or 4 with transparency. */
  channels: number;
  /** Adam7 PNG, JPEG of several scans, interlaced GIF: decoding holds more than the pixels. */
  interlaced: boolean;
  /** JPEG alone: the blocks of 8 × 8 samples that all its scans pass over, each scan counted as some more. */
  scanBlocks?: number;
  /** The file ends before its own structure does: a decoder would leave a part of the picture blank. */
  truncated: boolean;
}
