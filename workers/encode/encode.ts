/**
 * Encodes painted pixels as a file of the requested format. Only this folder and assets/decode-image.ts import sharp.
 */
import sharp from 'sharp';
import type { Sharp } from 'sharp';
import {
  bandedJpegPixelsMax,
  fullColorQuality,
  sharpWebpPixelsMax,
} from '#language/limits/image-costs.ts';
import type { AnimatedFormat } from '#language/formats.ts';
import type { RenderFormat } from '#wire/render-job.ts';
import type { Pixels } from '../pixels.ts';
import { encodeApng } from './animation/apng.ts';
import type { Animation } from './animation/frames.ts';
import { encodeGif } from './animation/gif/file.ts';
import { encodeAnimatedWebp } from './animation/webp.ts';
import { createJpegImage } from './jpeg/image.ts';
import type { Chroma } from './jpeg/head.ts';
import { toPaletteRows, toTrueColorRows } from './png/colors.ts';
import { dotsPerInch, freeBytes, isOpaque, toRgb } from '../pixels.ts';
import type { PngRows } from './png/colors.ts';
import { joinPng } from './png/file.ts';
import { bandCount, encodeBands, isPhotographBand } from './png/pixels.ts';
import type { Choice } from './png/pixels.ts';

/** zlib level of libvips PNG files: 6 is 5 % smaller than 4 and takes twice the time on flat graphics. */
const pngCompressionLevel = 6;
/** WebP effort 0 … 6: 2 takes less than 30 ms for a banner; 4 saves 3 % and doubles the time. */
const webpEffort = 2;
const hurriedWebpEffort = 0;
/** AVIF effort 0 … 9: 0 takes 60 … 90 ms for a banner, the default 4 takes seconds. */
const avifEffort = 0;

/**
 * Encodes to PNG, JPEG, WebP, AVIF or GIF. PNG and JPEG files state 96 dpi; the others state no density. JPEG has
 * no alpha: transparent pixels are blended with white. `quality` is 1 … 100; a hurried WebP is larger. The returned
 * bytes fill their whole buffer. The caller owns the buffer and may transfer it.
 */
export async function encode(
  pixels: Pixels,
  format: RenderFormat,
  quality: number,
  chroma: Chroma = '4:2:0',
  isHurried = false,
): Promise<Uint8Array<ArrayBuffer>> {
  const { widthPx: width, heightPx: height } = pixels;
  if (format === 'png') return encodePng(pixels);
  if (format === 'gif') return encodeGif(stillOf(pixels));
  if (format === 'jpeg' && width * height <= bandedJpegPixelsMax) {
    return (await createJpegImage(pixels, quality, chroma)).toFile([]);
  }
  const keepsAlpha = format !== 'jpeg' || isOpaque(pixels.data);
  // Base renders use the same code to blend with white; libvips rounds differently.
  const data = keepsAlpha ? pixels.data : toRgb(pixels.data);
  const image = sharp(data, { raw: { width, height, channels: keepsAlpha ? 4 : 3 } });
  const isSharp = chroma !== '4:2:0' && (format !== 'webp' || width * height <= sharpWebpPixelsMax);
  // Full colour resolution makes a photograph up to 11 % larger; one step of quality saves 4 to 7 % again.
  const isSharpPhotograph = format === 'webp' && isSharp && chroma === '4:4:4-even';
  const isReduced = isSharpPhotograph && quality > 1 && quality < fullColorQuality;
  const fileQuality = isReduced ? quality - 1 : quality;
  const encoded = await withFormat(image, format, fileQuality, isSharp, isHurried).toBuffer();
  if (!keepsAlpha) freeBytes(data);
  if (format === 'jpeg') return withJfif(encoded);
  // A Buffer may be a view of Node's shared pool: only a copy can be transferred.
  return new Uint8Array(encoded);
}

/** Returns an animation of one frame with a copy of the pixels. */
function stillOf({ data, widthPx, heightPx }: Pixels): Animation {
  const region = { x: 0, y: 0, width: widthPx, height: heightPx };
  const pixels = { data: data.slice(), widthPx, heightPx };
  return { widthPx, heightPx, frames: [{ region, pixels, delayMs: 0 }], plays: 1 };
}

/**
 * Encodes an animation; its pixels cannot be used afterwards. The caller owns the bytes. Throws `TooExpensiveError`
 * before a frame that would end after the deadline.
 */
export function encodeAnimation(
  animation: Animation,
  format: AnimatedFormat,
  quality: number,
): Promise<Uint8Array<ArrayBuffer>> | Uint8Array<ArrayBuffer> {
  switch (format) {
    case 'gif':
      return encodeGif(animation);
    case 'png':
      return encodeApng(animation);
    case 'webp':
      return encodeAnimatedWebp(animation, quality);
    default:
      return format satisfies never;
  }
}

/**
 * Encodes a PNG: RGB if all pixels are opaque, and with a palette if all colours fit into one and the file gets
 * smaller. The file is then about as large as one of a base render. Photographs are smaller in bands; flat graphics
 * take three times as long in bands.
 */
async function encodePng(pixels: Pixels): Promise<Uint8Array<ArrayBuffer>> {
  const rows = toTrueColorRows(pixels);
  const indexed = toPaletteRows(pixels);
  const encoded = await encodeEither(rows, indexed);
  // The caller's pixels stay.
  for (const copy of [rows, indexed])
    if (copy !== undefined && copy.data !== pixels.data) freeBytes(copy.data);
  return encoded;
}

async function encodeEither(
  rows: PngRows,
  indexed: PngRows | undefined,
): Promise<Uint8Array<ArrayBuffer>> {
  if (indexed === undefined && isMostlyPhotograph(rows)) return encodeRowsOnce(rows, 'photograph');
  const { data, widthPx: width, heightPx: height, colorType } = rows;
  const image = sharp(data, { raw: { width, height, channels: colorType === 'rgb' ? 3 : 4 } });
  const plain = await image
    .withDensity(dotsPerInch)
    .png({ compressionLevel: pngCompressionLevel })
    .toBuffer();
  const small = indexed && encodeRowsOnce(indexed, 'quick');
  return small !== undefined && small.length <= plain.length ? small : new Uint8Array(plain);
}

function withFormat(
  image: Sharp,
  format: Exclude<RenderFormat, 'png' | 'gif'>,
  quality: number,
  hasSharpColor: boolean,
  isHurried: boolean,
): Sharp {
  switch (format) {
    case 'jpeg':
      // Optimised Huffman tables save 12 % and double the time. Incremental renders have them at no cost.
      return image.removeAlpha().jpeg({
        quality,
        chromaSubsampling: hasSharpColor ? '4:4:4' : '4:2:0',
        optimizeCoding: false,
      });
    case 'webp':
      return image.webp({
        quality,
        effort: isHurried ? hurriedWebpEffort : webpEffort,
        smartSubsample: hasSharpColor,
      });
    case 'avif':
      return image.avif({ quality, effort: avifEffort });
    default:
      return format satisfies never;
  }
}

/** Start of image, the first two bytes of every JPEG. */
const startOfImageBytes = 2;

/**
 * Inserts a JFIF segment (JFIF 1.02, page 5) at the start. libvips writes none; with a density it writes Exif, which
 * email clients ignore.
 */
function withJfif(jpeg: Uint8Array): Uint8Array<ArrayBuffer> {
  const segment = new Uint8Array(18);
  const view = new DataView(segment.buffer);
  view.setUint16(0, 0xff_e0);
  view.setUint16(2, segment.length - 2);
  segment.set(new TextEncoder().encode('JFIF'), 4);
  view.setUint16(9, 0x01_01);
  // Unit 1 is dots an inch.
  view.setUint8(11, 1);
  view.setUint16(12, dotsPerInch);
  view.setUint16(14, dotsPerInch);
  const file = new Uint8Array(jpeg.length + segment.length);
  file.set(jpeg.subarray(0, startOfImageBytes));
  file.set(segment, startOfImageBytes);
  file.set(jpeg.subarray(startOfImageBytes), startOfImageBytes + segment.length);
  return file;
}

// PNG files in bands for images that are encoded once, used where they are smaller than those of libvips and not much
// slower.

/** Bands sampled to classify an image. */
const samplesMax = 4;

/**
 * Returns the file of an image with the colour type of its rows. It decodes to exactly the same pixels. The caller owns
 * the bytes.
 */
function encodeRowsOnce(rows: PngRows, choice: Choice): Uint8Array<ArrayBuffer> {
  return joinPng(rows, encodeBands(rows, rows.colorType, choice).bands);
}

/** Whether at least half of the sampled bands are photographic. */
function isMostlyPhotograph(rows: PngRows): boolean {
  const count = bandCount(rows);
  const samples = Math.min(samplesMax, count);
  let photographs = 0;
  for (let sample = 0; sample < samples; sample += 1) {
    const index = Math.floor(((sample + 0.5) * count) / samples);
    if (isPhotographBand(rows, index)) photographs += 1;
  }
  return photographs * 2 >= samples;
}
