/** Prices the decoding of an image file before it is decoded, which cannot be interrupted. */
import type { SourceImage } from '#shared/render-job.ts';

interface DecodePrice {
  /** Of each pixel of the file, whatever it holds; scaling to the size of the file and the copy to a canvas are in it. */
  pixelNs: number;
  /** Of each byte of the file: its entropy coding, and what noise costs more than a plain color. */
  byteNs: number;
}

/**
 * Measured on images of 10 megapixels of one color and of noise, at full size and smaller, on one thread of libvips.
 * Progressive and interlaced files hold all coefficients or rows before the first pixel is known.
 */
const prices = {
  png: { pixelNs: 6, byteNs: 4 },
  interlacedPng: { pixelNs: 16, byteNs: 4.5 },
  jpeg: { pixelNs: 6, byteNs: 13 },
  progressiveJpeg: { pixelNs: 16, byteNs: 15 },
  webp: { pixelNs: 16, byteNs: 72 },
  losslessWebp: { pixelNs: 20, byteNs: 6 },
  avif: { pixelNs: 35, byteNs: 125 },
  gif: { pixelNs: 15, byteNs: 5 },
  tiff: { pixelNs: 10, byteNs: 15 },
  bmp: { pixelNs: 15, byteNs: 1 },
  ico: { pixelNs: 15, byteNs: 5 },
} satisfies Record<string, DecodePrice>;

/** Milliseconds of processor time that decoding takes at most, about. */
export function decodeMs(source: SourceImage): number {
  const { pixelNs, byteNs } = prices[kindOf(source)];
  return (source.widthPx * source.heightPx * pixelNs + source.bytes.byteLength * byteNs) / 1e6;
}

function kindOf({ format, bytes }: SourceImage): keyof typeof prices {
  if (format === 'png') return bytes[interlaceAt] === 1 ? 'interlacedPng' : 'png';
  if (format === 'jpeg') return isProgressive(bytes) ? 'progressiveJpeg' : 'jpeg';
  if (format === 'webp') return isLossless(bytes) ? 'losslessWebp' : 'webp';
  return format;
}

/** Interlace method in the IHDR of a PNG (PNG 11.2.1). */
const interlaceAt = 28;

/** Whether the frame header of a JPEG is SOF2 or SOF10 (ITU-T T.81, B.2.2). */
function isProgressive(bytes: Uint8Array): boolean {
  let at = 2;
  while (bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const isTable = marker === 0xc4 || marker === 0xc8 || marker === 0xcc;
    if (marker >= 0xc0 && marker <= 0xcf && !isTable) return marker === 0xc2 || marker === 0xca;
    if (marker === 0xda) return false;
    at += 2 + (((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0));
  }
  return false;
}

/** Whether the first image of a WebP is VP8L, beside an optional VP8X and other chunks (RFC 9649). */
function isLossless(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 12; at + 8 <= bytes.byteLength;) {
    const name = String.fromCharCode(...bytes.subarray(at, at + 4));
    if (name === 'VP8L') return true;
    if (name === 'VP8 ') return false;
    const size = view.getUint32(at + 4, true);
    at += 8 + size + (size % 2);
  }
  return false;
}
