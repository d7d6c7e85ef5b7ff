/** The interface of an image that is encoded in bands, the same for every format. Regions of it can be replaced. */
import type { Rect } from '../display-list.ts';
import type { Pixels } from '../pixels.ts';

/** New pixels for a region of whole device pixels. */
export interface PixelPatch {
  region: Rect;
  pixels: Pixels;
}

/** One encoded image, cut into full-width bands. Each band is independent of the others in the file. */
export interface BandedImage {
  /** Regions begin and end at multiples of this, or end at the edge of the image. */
  blockPx: number;
  /** All that it knows of the image, as plain data: other threads make the same image of it. */
  data: object;
  /** Memory of the image in bytes, for the bound of its cache. */
  sizeBytes: number;
  /** Whether replacing these regions is cheaper than encoding the whole image. */
  pays(regions: readonly Rect[]): boolean;
  /**
   * Returns the whole file with these regions replaced. Regions must not overlap. The image does not change. The caller
   * owns the bytes.
   */
  toFile(patches: readonly PixelPatch[]): Uint8Array<ArrayBuffer>;
}

/** Concatenates the parts into one array. The caller owns it. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  // Unlike `new Uint8Array`, this does not fill the memory with zeros, which takes as long as the copies.
  const joined = new Uint8Array(Buffer.allocUnsafeSlow(length).buffer);
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined;
}
