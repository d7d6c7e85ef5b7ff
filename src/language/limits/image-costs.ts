/** Estimates CPU time and memory of decoding an image file, and CPU time of encoding. Neither can be interrupted. */
import type { SourceImage, RenderFormat } from '#wire/render-job.ts';
import { outputFormats } from '../formats.ts';

interface DecodePrice {
  /** CPU time of each pixel of the file, for any content, including conversion from an ICC profile. */
  pixelNs: number;
  /** CPU time of each byte of the file: entropy coding, and the extra cost of noise. */
  byteNs: number;
  /** CPU time of each pixel after shrink on load, for formats whose colors are converted after it. Absent: 0. */
  shrunkPixelNs?: number;
  /** Memory for each pixel of the file, besides the decoded image, for the worst file of the kind. */
  pixelBytes: number;
}

/**
 * Measured on files of 10 megapixels of one color and of noise, at all qualities, with and without a profile. They were
 * decoded to 0.1 % and to 100 % of their pixels in a fresh process with the environment of a render host. AVIF keeps
 * a record for every 4 × 4 pixels: 16 to 20 bytes a pixel at 8 bits, 25 to 27 at 10 and 12, and up to 2 for each byte
 * of the file. Other measurements in bytes a pixel: PNG 0.9 to 1.5, of 16 bits 3.9, interlaced 5 and 10; JPEG 0.6,
 * progressive 3 (4:2:0), 6 (4:4:4) and 8 (CMYK); WebP 4.5; GIF 5.8; BMP 20; TIFF of one large tile 2.4 times its
 * samples.
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

/** CPU time of turning one pixel of the result by 90° for EXIF orientation: columns are read, not rows. */
const turnedPixelNs = 50;

/** Shrink on load leaves up to 4 pixels for each pixel of the result: it halves width and height. */
const shrunkPixelsMax = 4;

/** Maximum CPU time of decoding one image, in ms. The rest of a render's time is for drawing. */
export const decodeMsMax = 1600;

/** The properties of a file that the estimate reads. */
type PricedFile = Pick<SourceImage, 'format' | 'widthPx' | 'heightPx' | 'orientation' | 'bytes'>;

/**
 * Approximate upper bound of the CPU time of decoding, in ms. `wantedPixels`: pixels of the result.
 * `bench/stages/decode-cost.ts` compares the estimate with real decodes.
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

/** Memory of decoding besides the decoded image, in bytes, by the file's header or for the worst file of the kind. */
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

/** Offsets of bit depth and interlace method in a PNG file (IHDR, PNG 11.2.1). */
const bitDepthAt = 24;
const interlaceAt = 28;

/** Whether a marker begins a frame header of a JPEG (ITU-T T.81, table B.1): the others in the range do not. */
export function isFrameMarker(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

/** The frame header of a JPEG (ITU-T T.81, B.2.2): whether it is SOF2 or SOF10, and its components. */
function readFrame(bytes: Uint8Array): { isProgressive: boolean; components: number } {
  let at = 2;
  while (bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (isFrameMarker(marker)) {
      return { isProgressive: marker === 0xc2 || marker === 0xca, components: bytes[at + 9] ?? 0 };
    }
    if (marker === 0xda) break;
    at += 2 + (((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0));
  }
  return { isProgressive: false, components: 0 };
}

/** Whether the first image of a WebP is lossless (VP8L), after an optional VP8X and other chunks (RFC 9649). */
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

// Encoding: links and documents that would take too long are refused.

/**
 * Maximum CPU time of one encode by `encodeMs`. The rest of the 2 s of a render is for its layout, decoding and
 * painting. A 1200 × 630 banner at scale 3 stays below it as PNG, JPEG and WebP.
 */
export const encodeMsMax = 1700;

/**
 * Maximum device pixels of a WebP with sharp colour. Larger images would take too long, because sharp colour needs a
 * search. Halved colour at scale 2 or 3 is as sharp as full colour at scale 1.
 */
export const sharpWebpPixelsMax = 2_000_000;
/** Extra cost of sharp colour in a WebP, in ms per megapixel. */
const sharpWebpMs = 135;

/**
 * Maximum device pixels of a JPEG in full colour resolution with even steps. Coding noise takes 12 bytes of memory a
 * pixel. Larger images have the standard's steps.
 */
export const bandedJpegPixelsMax = 8 * 1024 * 1024;
/** JPEG quality from which every image has full colour resolution and the standard's fine steps. */
export const fullColorQuality = 90;
/** Extra cost of even steps in a JPEG, in ms per megapixel: they differ from libjpeg's. */
const evenColorMs = 45;

/** Fixed cost of every encode, in ms. */
const encodeBaseMs = 5;

/**
 * Upper bound of the CPU time of an encode on one core, in ms, for the most expensive content. This is noise in all
 * four channels; for PNG, random black and white. `quality` is 1 … 100. Photographs take a third of it. Measured by
 * `bench/stages/encode-cost.ts`.
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

/** As `encodeMs`, for a frame of an animation, which never has full colour resolution. */
export function frameEncodeMs(format: RenderFormat, pixels: number, quality: number): number {
  return outputFormats[format].megapixelMs(quality) * (pixels / 1e6);
}

/** Share of the upper bound that an image of one colour takes: 8 ns a pixel as PNG, 32 ns as GIF. */
const plainShare = 0.08;

/** Lower bound of the CPU time of encoding frames, in ms. `pixels` is the total of all frames. */
export function leastFramesMs(format: RenderFormat, pixels: number, quality: number): number {
  return plainShare * frameEncodeMs(format, pixels, quality);
}

/** Extra cost of the most expensive colour resolution, in ms per megapixel. */
function colorMegapixelMs(format: RenderFormat, pixels: number, quality: number): number {
  if (format === 'webp' && pixels <= sharpWebpPixelsMax) return sharpWebpMs;
  const isEven = format === 'jpeg' && quality < fullColorQuality && pixels <= bandedJpegPixelsMax;
  return isEven ? evenColorMs : 0;
}
