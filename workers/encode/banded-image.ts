/** What a picture that is encoded in bands offers, whatever its format: its file with parts of it replaced. */
import type { Rect } from '../display-list.ts';
import type { Pixels } from '../pixels.ts';

/** New pixels for a region of whole device pixels. */
export interface PixelPatch {
  region: Rect;
  pixels: Pixels;
}

/** One encoded picture, cut into full-width bands that each stand alone in the file. */
export interface BandedImage {
  /** Regions must begin at multiples of this, and end at one or at the picture's edge. */
  blockPx: number;
  /** Bytes of memory that the picture takes, for the bound of whoever keeps it. */
  sizeBytes: number;
  /** Whether replacing these regions is cheaper than encoding the whole picture. */
  pays(regions: readonly Rect[]): boolean;
  /**
   * The whole file with these regions replaced; they do not overlap. The picture stays as it is. The
   * caller owns the bytes.
   */
  toFile(patches: readonly PixelPatch[]): Uint8Array<ArrayBuffer>;
}

/** One array of all parts, which its caller owns. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined;
}
