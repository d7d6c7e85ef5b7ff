/** Estimates the processor time of encoding an image, so that no link and no document asks for one that takes too long. */
import type { RenderFormat } from '#wire/render-job.ts';
import { outputFormats } from '../formats.ts';

/**
 * Most processor time that one encode may take by `encodeMs`. The rest of the 2 s of a render is for its
 * layout, decoding and painting. A 1200 × 630 banner at scale 3 stays below it as PNG, JPEG and WebP.
 */
export const encodeMsMax = 1700;

/**
 * Most device pixels of a WebP with sharp colour: the search for it would take a larger image over its time, and at
 * scale 2 and 3 halved colour is as sharp as full colour at scale 1.
 */
export const sharpWebpPixelsMax = 2_000_000;
/** What sharp colour adds to a WebP, milliseconds a megapixel. */
const sharpWebpMs = 135;

/**
 * Most device pixels of a JPEG in full colour resolution with even steps: of noise it takes 12 bytes of memory a pixel
 * while it is coded. Larger ones have the standard's steps.
 */
export const evenColorPixelsMax = 8 * 1024 * 1024;
/** JPEG quality from which colour keeps its full resolution and the standard's fine steps, whatever is drawn. */
export const fullColorQuality = 90;
/** What even steps add to a JPEG, milliseconds a megapixel: they are not libjpeg's. */
const evenColorMs = 45;

/** What every encode costs before its first pixel, milliseconds. */
const encodeBaseMs = 5;

/**
 * Upper bound of the processor milliseconds that an encode takes on one core, for the content that is slowest to
 * encode: noise in all four channels, for PNG random black and white. `quality` is 1 … 100. Photographs take
 * a third of it. Measured by `bench/stages/encode-cost.ts`.
 */
export function encodeMs(
  format: RenderFormat,
  widthPx: number,
  heightPx: number,
  quality: number,
): number {
  const pixels = widthPx * heightPx;
  const colorMs = colorMegapixelMs(format, pixels, quality);
  return encodeBaseMs + (outputFormats[format].megapixelMs(quality) + colorMs) * (pixels / 1e6);
}

/** What the most expensive colour resolution adds, milliseconds a megapixel. */
function colorMegapixelMs(format: RenderFormat, pixels: number, quality: number): number {
  if (format === 'webp' && pixels <= sharpWebpPixelsMax) return sharpWebpMs;
  const isEven = format === 'jpeg' && quality < fullColorQuality && pixels <= evenColorPixelsMax;
  return isEven ? evenColorMs : 0;
}
