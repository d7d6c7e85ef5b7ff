/** Estimates the CPU time and the memory of decoding an image file, and the CPU time of encoding one. Neither can be interrupted. */
import type { SourceImage, RenderFormat } from '#wire/render-job.ts';
import { outputFormats } from '../formats.ts';

interface DecodePrice {
  /** Processor time of each pixel of the file, whatever it holds, conversion from an ICC profile included. */
  pixelNs: number;
  /** The same of each byte of the file: its entropy coding, and what noise costs more than a plain color. */
  byteNs: number;
  /** The same of each pixel after shrink on load, for formats whose colors are converted only then; absent: 0. */
  shrunkPixelNs?: number;
  /** Memory for each pixel of the file beside the image that results, for the worst file of the kind. */
  pixelBytes: number;
}

/**
 * Measured on files of 10 megapixels of one color and of noise, at all qualities, with and without a profile, decoded
 * to 0.1 % and to 100 % of their pixels in a fresh process with the environment of a render process. AVIF keeps a
 * record for every 4 × 4 pixels: 16 to 20 bytes a pixel at 8 bits, 25 to 27 at 10 and 12, and up to 2 for each byte of
 * the file. Other measurements in bytes a pixel: PNG 0.9 to 1.5, of 16 bits 3.9, interlaced 5 and 10; JPEG 0.6,
 * progressive 3 (4:2:0), 6 (4:4:4) and 8 (CMYK); WebP 4.5; GIF 5.8; BMP 20; TIFF of one large tile 2.4 times its samples.
 */
const prices = {
  png: { pixelNs: 15, byteNs: 4, pixelBytes: 2 },
  deepPng: { pixelNs: 26, byteNs: 4, pixelBytes: 4.5 },
  interlacedPng: { pixelNs: 28, byteNs: 4.5, pixelBytes: 5.5 },
  deepInterlacedPng: { pixelNs: 50, byteNs: 4.5, pixelBytes: 10.5 },
  jpeg: { pixelNs: 6, byteNs: 13, shrunkPixelNs: 8, pixelBytes: 1 },
  progressiveJpeg: { pixelNs: 16, byteNs: 15, shrunkPixelNs: 8, pixelBytes: 8.5 },
  cmykJpeg: { pixelNs: 8, byteNs: 13, shrunkPixelNs: 36, pixelBytes: 1 },
  progressiveCmykJpeg: { pixelNs: 30, byteNs: 24, shrunkPixelNs: 55, pixelBytes: 8.5 },
  webp: { pixelNs: 18, byteNs: 72, pixelBytes: 4.5 },
  losslessWebp: { pixelNs: 28, byteNs: 6, pixelBytes: 4.5 },
  avif: { pixelNs: 90, byteNs: 110, pixelBytes: 28 },
  gif: { pixelNs: 15, byteNs: 5, pixelBytes: 6 },
  tiff: { pixelNs: 45, byteNs: 30, pixelBytes: 20 },
  bmp: { pixelNs: 38, byteNs: 1, pixelBytes: 20 },
  ico: { pixelNs: 38, byteNs: 5, pixelBytes: 20 },
} satisfies Record<string, DecodePrice>;

/** Processor time of turning one pixel of the result by 90°, as EXIF may ask for: columns are read, not rows. */
const turnedPixelNs = 50;

/** Shrink on load halves width and height while the result is smaller, so up to 4 pixels become one. */
const shrunkPixelsMax = 4;

/** Processor milliseconds that decoding one image may take: the rest of a render's time is for drawing it. */
export const decodeMsMax = 1600;

/** What is known of a file whose decoding is priced. */
type PricedFile = Pick<SourceImage, 'format' | 'widthPx' | 'heightPx' | 'orientation' | 'bytes'>;

/**
 * Processor milliseconds that decoding takes at most, about. `wantedPixels` are those of the result.
 * `bench/stages/decode-cost.ts` compares it with real decodes.
 */
export function decodeMs(file: PricedFile, wantedPixels: number): number {
  const price: DecodePrice = prices[kindOf(file)];
  const pixels = file.widthPx * file.heightPx;
  const shrunk = Math.min(pixels, shrunkPixelsMax * wantedPixels);
  const turned = file.orientation >= 5 ? wantedPixels : 0;
  const ns =
    pixels * price.pixelNs +
    file.bytes.byteLength * price.byteNs +
    shrunk * (price.shrunkPixelNs ?? 0) +
    turned * turnedPixelNs;
  return ns / 1e6;
}

/** Bytes that decoding takes beside the image that results: as estimated from the header, or for the worst file of the kind. */
export function decodeBytesOf(file: SourceImage): number {
  return file.decodeBytes ?? file.widthPx * file.heightPx * prices[kindOf(file)].pixelBytes;
}

function kindOf({ format, bytes }: PricedFile): keyof typeof prices {
  if (format === 'png') {
    const isInterlaced = bytes[interlaceAt] === 1;
    if (bytes[bitDepthAt] === 16) return isInterlaced ? 'deepInterlacedPng' : 'deepPng';
    return isInterlaced ? 'interlacedPng' : 'png';
  }
  if (format === 'jpeg') {
    const { isProgressive, components } = readFrame(bytes);
    if (components === 4) return isProgressive ? 'progressiveCmykJpeg' : 'cmykJpeg';
    return isProgressive ? 'progressiveJpeg' : 'jpeg';
  }
  if (format === 'webp') return isLossless(bytes) ? 'losslessWebp' : 'webp';
  return format;
}

/** Bit depth and interlace method in the IHDR of a PNG (PNG 11.2.1). */
const bitDepthAt = 24;
const interlaceAt = 28;

/** The frame header of a JPEG (ITU-T T.81, B.2.2): whether it is SOF2 or SOF10, and its components. */
function readFrame(bytes: Uint8Array): { isProgressive: boolean; components: number } {
  let at = 2;
  while (bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const isTable = marker === 0xc4 || marker === 0xc8 || marker === 0xcc;
    if (marker >= 0xc0 && marker <= 0xcf && !isTable) {
      return { isProgressive: marker === 0xc2 || marker === 0xca, components: bytes[at + 9] ?? 0 };
    }
    if (marker === 0xda) break;
    at += 2 + (((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0));
  }
  return { isProgressive: false, components: 0 };
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

// Encoding: no link and no document may ask for an image that takes too long.

/**
 * Most processor time that one encode may take by `encodeMs`. The rest of the 2 s of a render is for its
 * layout, decoding and painting. A 1200 × 630 banner at scale 3 stays below it as PNG, JPEG and WebP.
 */
export const encodeMsMax = 1700;

/**
 * Most device pixels of a WebP with sharp colour. A larger image would exceed its time, because sharp colour needs a
 * search. Halved colour at scale 2 or 3 is as sharp as full colour at scale 1.
 */
export const sharpWebpPixelsMax = 2_000_000;
/** What sharp colour adds to a WebP, milliseconds a megapixel. */
const sharpWebpMs = 135;

/**
 * Most device pixels of a JPEG in full colour resolution with even steps: of noise it takes 12 bytes of memory a pixel
 * while it is coded. Larger ones have the standard's steps.
 */
export const bandedJpegPixelsMax = 8 * 1024 * 1024;
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

/** The same for a frame of an animation, whose colour never has the full resolution. */
export function frameEncodeMs(format: RenderFormat, pixels: number, quality: number): number {
  return outputFormats[format].megapixelMs(quality) * (pixels / 1e6);
}

/** Share of its upper bound that the encode of an image of one colour takes: 8 ns of a pixel as PNG, 32 as GIF. */
const plainShare = 0.08;

/** Lower bound for frames that have so many pixels together. */
export function leastFramesMs(format: RenderFormat, pixels: number, quality: number): number {
  return plainShare * frameEncodeMs(format, pixels, quality);
}

/** What the most expensive colour resolution adds, milliseconds a megapixel. */
function colorMegapixelMs(format: RenderFormat, pixels: number, quality: number): number {
  if (format === 'webp' && pixels <= sharpWebpPixelsMax) return sharpWebpMs;
  const isEven = format === 'jpeg' && quality < fullColorQuality && pixels <= bandedJpegPixelsMax;
  return isEven ? evenColorMs : 0;
}
