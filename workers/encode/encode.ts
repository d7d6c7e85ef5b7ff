/** Encodes painted pixels as the file that the link asked for; with assets/decode-image the only importer of sharp. */
import sharp from 'sharp';
import type { Sharp } from 'sharp';
import {
  evenColorPixelsMax,
  fullColorQuality,
  sharpWebpPixelsMax,
  encodeMs,
} from '#language/limits/encode-cost.ts';
import type { RenderFormat } from '#wire/render-job.ts';
import type { Pixels } from '../pixels.ts';
import { createJpegImage } from './jpeg/image.ts';
import type { Chroma } from './jpeg/image.ts';
import { toPaletteRows, toTrueColorRows } from './png/colors.ts';
import { dotsPerInch, isOpaque, toRgb } from '../pixels.ts';
import type { PngRows } from './png/colors.ts';
import { joinPng } from './png/file.ts';
import { bandCount, encodePicture, isPhotographBand } from './png/pixels.ts';
import { leftMs, requireMs } from '../work-limit.ts';

/** libvips PNG: level 6 is 5 % smaller than 4 and takes twice the time on flat graphics. */
const pngCompressionLevel = 6;
/** WebP effort 0 … 6: 2 keeps a banner under 30 ms; 4 saves 3 % and doubles the time. */
const webpEffort = 2;
/** AVIF effort 0 … 9: 0 takes 60 … 90 ms for a banner, the default 4 takes seconds. */
const avifEffort = 0;

/**
 * Encodes to PNG, JPEG, WebP or AVIF. PNG and JPEG say 96 dpi; WebP and AVIF say no density.
 * JPEG has no alpha: transparent pixels are laid on white. `quality` is 1 … 100. The returned bytes
 * fill their own buffer and belong to the caller, who may transfer it.
 */
export async function encode(
  pixels: Pixels,
  format: RenderFormat,
  quality: number,
  chroma: Chroma = '4:2:0',
): Promise<Uint8Array<ArrayBuffer>> {
  const { widthPx: width, heightPx: height } = pixels;
  if (format === 'png') return encodePng(pixels);
  if (format === 'jpeg' && chroma === '4:4:4-even' && width * height <= evenColorPixelsMax) {
    return (await createJpegImage(pixels, quality, chroma)).toFile([]);
  }
  const keepsAlpha = format !== 'jpeg' || isOpaque(pixels.data);
  // Laid on white by the code that plans use: libvips rounds in another way.
  const data = keepsAlpha ? pixels.data : toRgb(pixels.data);
  const image = sharp(data, { raw: { width, height, channels: keepsAlpha ? 4 : 3 } });
  const isSharp = chroma !== '4:2:0' && (format !== 'webp' || width * height <= sharpWebpPixelsMax);
  // Sharp colour makes a photograph up to 11 % larger; one step of quality takes 4 to 7 % off again.
  const isSharpPhotograph = format === 'webp' && isSharp && chroma === '4:4:4-even';
  const isReduced = isSharpPhotograph && quality > 1 && quality < fullColorQuality;
  const fileQuality = isReduced ? quality - 1 : quality;
  const encoded = await withFormat(image, format, fileQuality, isSharp).toBuffer();
  if (format === 'jpeg') return withJfif(encoded);
  // A Buffer may be a window into a pool that other code owns: only an own copy can be transferred.
  return new Uint8Array(encoded);
}

/**
 * Without alpha where no pixel is see-through, and with a palette where all colours fit into one and that is
 * smaller: so that a picture is about as large as over a plan. Photographs are smaller in bands, flat graphics
 * take there three times as long.
 */
async function encodePng(pixels: Pixels): Promise<Uint8Array<ArrayBuffer>> {
  const rows = toTrueColorRows(pixels);
  const indexed = toPaletteRows(pixels);
  if (indexed === undefined && isMostlyPhotograph(rows)) return encodeRowsOnce(rows);
  const { data, widthPx: width, heightPx: height, colorType } = rows;
  const image = sharp(data, { raw: { width, height, channels: colorType === 'rgb' ? 3 : 4 } });
  const plain = await image
    .withDensity(dotsPerInch)
    .png({ compressionLevel: pngCompressionLevel })
    .toBuffer();
  const small = indexed && encodeRowsOnce(indexed);
  return small !== undefined && small.length <= plain.length ? small : new Uint8Array(plain);
}

function withFormat(
  image: Sharp,
  format: Exclude<RenderFormat, 'png'>,
  quality: number,
  hasSharpColor: boolean,
): Sharp {
  switch (format) {
    case 'jpeg':
      // Optimised Huffman tables save 12 % and double the time: renders over a plan get them for nothing.
      return image.removeAlpha().jpeg({
        quality,
        chromaSubsampling: hasSharpColor ? '4:4:4' : '4:2:0',
        optimizeCoding: false,
      });
    case 'webp':
      return image.webp({ quality, effort: webpEffort, smartSubsample: hasSharpColor });
    case 'avif':
      return image.avif({ quality, effort: avifEffort });
    default:
      return format satisfies never;
  }
}

/** Start of image, the first two bytes of every JPEG. */
const startOfImageBytes = 2;

/**
 * Puts a JFIF segment (JFIF 1.02, page 5) first. libvips writes none, and with a density it writes Exif
 * instead, which mail clients do not read.
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

// PNG files in bands of pictures that are encoded once: where that is smaller than what libvips makes, and not much slower.

/** Bands that are looked at to tell what a picture is. */
const samplesMax = 4;

/** The file of a picture in its own form. Decodes to exactly the same pixels. The caller owns the bytes. */
function encodeRowsOnce(rows: PngRows): Uint8Array<ArrayBuffer> {
  return joinPng(rows, encodePicture(rows, rows.colorType, 'quick').bands);
}

/** Whether half of the picture or more is photographic, as some of its bands tell. */
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

// The limit: an encode cannot be interrupted, so one that would exceed the time of its render is refused.

/** Share of `encodeMs` that any content takes, and how much each unit of `roughness` adds: photographs have 0.03, noise 0.33. */
const smoothShare = 0.4;
const roughShare = 2.5;
/** Rows that are looked at. */
const sampledRowsMax = 64;

/** Throws `TooExpensiveError` when the encode would end after the render's time. */
export function requireEncodable(pixels: Pixels, format: RenderFormat, quality: number): void {
  const { widthPx, heightPx } = pixels;
  const mostMs = encodeMs(format, widthPx, heightPx, quality);
  if (mostMs <= leftMs()) return;
  const expectedMs = mostMs * Math.min(1, smoothShare + roughShare * roughness(pixels));
  requireMs(expectedMs, `encode as ${format} at quality ${quality}`);
}

/** Mean difference of neighbours in all channels, 0 to 1, of some rows. */
function roughness({ data, widthPx, heightPx }: Pixels): number {
  const rows = Math.min(sampledRowsMax, heightPx);
  let sum = 0;
  for (let row = 0; row < rows; row += 1) {
    const start = Math.floor(((row + 0.5) * heightPx) / rows) * widthPx * 4;
    for (let at = start + 4; at < start + widthPx * 4; at += 1) {
      sum += Math.abs((data[at] ?? 0) - (data[at - 4] ?? 0));
    }
  }
  return sum / (rows * widthPx * 4 * 255);
}
