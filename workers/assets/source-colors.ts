/** Finds sources whose colours libvips converts otherwise than browsers, and converts CMYK without a profile. */
import { isFrameMarker } from '#language/limits/image-costs.ts';
import type { SourceImage } from '#wire/render-job.ts';

const app2 = 0xe2;
const iccSignature = 'ICC_PROFILE\0';
/** Upper bound of the segments read before the header of the frame; a large profile is split into some hundreds. */
const segmentsMax = 1000;

/** Whether a JPEG has four inks and no profile. Accepts any bytes. */
export function isBareCmyk(bytes: Uint8Array): boolean {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let offset = 2;
  for (let segment = 0; segment < segmentsMax && offset + 10 <= file.length; segment++) {
    const marker = file[offset + 1] ?? 0;
    if (isFrameMarker(marker)) return file[offset + 9] === 4;
    const start = offset + 4;
    const signature = file.toString('latin1', start, start + iccSignature.length);
    if (file[offset] !== 0xff || (marker === app2 && signature === iccSignature)) return false;
    // Any number of fill bytes may precede a marker.
    offset += marker === 0xff ? 1 : 2 + file.readUInt16BE(offset + 2);
  }
  return false;
}

/**
 * Replaces the inks of each pixel (0 is none) by red, green, blue and opaque alpha, in place. As in browsers, each ink
 * takes its part of the light.
 */
export function inksToRgba(pixels: Uint8ClampedArray): void {
  for (let at = 0; at < pixels.length; at += 4) {
    const light = 255 - (pixels[at + 3] ?? 0);
    for (let ink = at; ink < at + 3; ink++)
      pixels[ink] = ((255 - (pixels[ink] ?? 0)) * light) / 255;
    pixels[at + 3] = 255;
  }
}

/** Whether a source may have over 8 bits a channel. */
export function mayBeDeep({ format, bytes }: SourceImage): boolean {
  return format === 'tiff' || format === 'avif' || (format === 'png' && bytes[24] === 16);
}
