/** Admits bytes as a source image: a supported format, a sound header, sizes within the limits. */
import { createHash } from 'node:crypto';
import { decodeMs, decodeMsMax } from '#language/limits/image-costs.ts';
import type { SourceImage } from '#wire/render-job.ts';
import { fileHasForeignObject } from '#language/check/svg-markup.ts';
import type { ImageRequester } from './turns.ts';
import { ImageError } from './image-error.ts';
import type { ImageLoaderSettings } from './config.ts';
import { shareAdvice } from './fetch/share-links.ts';
import { isAvifSequence } from './sniff/avif.ts';
import { describeContent, readImageHeader, sniffFormat } from './sniff/sniff-image.ts';
import type { ImageHeader } from './sniff/sniff-image.ts';
import { guessSvg } from './sniff/svg.ts';
import type { SvgRasteriser } from './svg/pool.ts';

/** Frames of an animation. libvips reads the heads of 4,000 WebP frames in 50 ms, of 120,000 in 29 s (measured). */
const framesMax = 4000;

/**
 * Blocks that the scans of a JPEG may pass over. Each takes 9 ns (measured, libjpeg-turbo): at most 1 s for a file.
 * A progressive file of 50 MP has 10 million blocks in ten scans.
 */
const scanBlocksMax = 100_000_000;

/** Advice for an expensive file: AVIF, TIFF and BMP take ten times the memory or time of JPEG and PNG. */
const smallerAdvice = 'use a smaller image, or a JPEG or PNG';

/**
 * The error for bytes that are no supported image. `service` is the share service that sent the bytes: a page
 * instead of an image means that the file is not shared with everyone.
 */
export function notAnImage(bytes: Uint8Array, service?: string): ImageError {
  const content = describeContent(bytes);
  if (content === 'empty') return new ImageError('not_image', 'is empty');
  if (['HEIC', 'JPEG XL', 'JPEG 2000', 'BigTIFF'].includes(content))
    return new ImageError(
      'not_image',
      `is ${content}, which is not supported: use PNG, JPEG, WebP, GIF, AVIF or SVG`,
    );
  if (content !== 'HTML') return new ImageError('not_image', `is ${content}, not an image`);
  const advice = service === undefined ? 'use the address of the image file itself' : shareAdvice;
  return new ImageError('not_image', `is HTML, not an image: ${advice}`);
}

/** Whether bytes are an image of a supported format, by their first bytes alone. */
export function isImage(bytes: Uint8Array): boolean {
  return sniffFormat(bytes) !== undefined || guessSvg(bytes) === 'yes';
}

/**
 * Returns a file within the limits as a source image. An SVG becomes a drawing, with a digest that differs from the
 * file's. The bytes of any other format are kept, not copied. Calls `isWanted` before it draws an SVG.
 * Rejects with an `ImageError`: `not_image`, `decode`, `too_large`, `overloaded`, `network`.
 */
export async function admitImage(
  bytes: Uint8Array<SharedArrayBuffer>,
  settings: ImageLoaderSettings,
  rasteriser: SvgRasteriser,
  requester: ImageRequester,
  isWanted: () => boolean,
): Promise<SourceImage> {
  if (sniffFormat(bytes) !== undefined || guessSvg(bytes) !== 'yes')
    return toSourceImage(bytes, settings);
  if (bytes.byteLength > settings.svgBytesMax) {
    const limit = Number((settings.svgBytesMax / 1024 / 1024).toPrecision(3));
    throw new ImageError('too_large', `is an SVG of more than ${limit} MiB, the limit`);
  }
  const key = createHash('sha256').update(bytes).digest('hex');
  const { png, scale } = await rasteriser.draw({ file: bytes, key }, requester, isWanted);
  const shared = new Uint8Array(new SharedArrayBuffer(png.byteLength));
  shared.set(png);
  const image = toSourceImage(shared, settings);
  const { widthPx, heightPx } = image;
  const digest = createHash('sha256').update(`svg ${widthPx}x${heightPx} ${key}`);
  const lacks = fileHasForeignObject(bytes) ? ({ hasForeignObject: true } as const) : {};
  return { ...image, digest: digest.digest('hex'), pixelRatio: scale, ...lacks };
}

/**
 * Returns a raster file within the limits as a source image. `bytes` is kept, not copied.
 * Throws an `ImageError`: `not_image` (also for an SVG, which `admitImage` accepts), `decode`, `too_large`.
 */
export function toSourceImage(
  bytes: Uint8Array<SharedArrayBuffer>,
  settings: ImageLoaderSettings,
): SourceImage {
  const format = sniffFormat(bytes);
  if (format === undefined) throw notAnImage(bytes);
  if (isAvifSequence(bytes))
    throw new ImageError(
      'not_image',
      'is an animated AVIF, which is not supported: use a still AVIF, or an animated GIF or WebP',
    );
  const header = readImageHeader(bytes);
  if (header === undefined)
    throw new ImageError('decode', `is a damaged or unusual ${format.toUpperCase()} file`);
  if (header.truncated)
    throw new ImageError('decode', `is cut off: the ${format.toUpperCase()} file ends too early`);
  checkImageLimits(header, bytes.byteLength, settings);
  const { widthPx, heightPx, orientation } = header;
  const file = { format, widthPx, heightPx, orientation, bytes };
  // The lower bound for any render. Each render adds the time that depends on its size.
  const ms = Math.ceil(decodeMs(file, 1));
  if (ms > decodeMsMax) {
    throw new ImageError(
      'too_large',
      `takes about ${ms} ms of processor time to decode, the limit is ${decodeMsMax} ms: ${smallerAdvice}`,
    );
  }
  return {
    ...file,
    digest: createHash('sha256').update(bytes).digest('hex'),
    decodeBytes: estimateDecodeBytes(header, bytes.byteLength),
  };
}

/**
 * Memory that decoding takes in addition to the decoded image, in bytes. The figures are measured for the worst file of
 * each format: see `#language/limits/image-costs.ts`.
 */
export function estimateDecodeBytes(header: ImageHeader, fileBytes: number): number {
  return header.widthPx * header.heightPx * pixelBytesOf(header) + fileBytes * fileCopiesOf(header);
}

/** Bytes of decoder memory per pixel, for the formats whose files differ little. Other formats depend on the header. */
const pixelBytes = { bmp: 20, ico: 20, gif: 6, webp: 4.5 } as const;

function pixelBytesOf({ format, bitDepth, channels, interlaced }: ImageHeader): number {
  const sampleBytes = Math.ceil(bitDepth / 8);
  if (format === 'avif') return sampleBytes === 1 ? 20 : 27;
  if (format === 'png') return Math.max(4, channels) * sampleBytes * (interlaced ? 1.3 : 0.5);
  // A decoder of several scans holds all coefficients, of two bytes each.
  if (format === 'jpeg') return interlaced ? Math.max(1, 2.1 * channels) : 1;
  // A file may be a single tile or strip: libtiff and libvips each hold a copy.
  if (format === 'tiff') return Math.max(4, 2.5 * channels * sampleBytes);
  return pixelBytes[format];
}

/** Bytes that the decoder keeps for each byte of the file. */
function fileCopiesOf({ format }: ImageHeader): number {
  return format === 'avif' ? 2 : 0;
}

/** Throws an `ImageError` of reason `too_large` when an image is larger than the limits. */
export function checkImageLimits(
  header: ImageHeader,
  fileBytes: number,
  settings: ImageLoaderSettings,
): void {
  const { widthPx, heightPx } = header;
  const side = Math.max(widthPx, heightPx);
  if (side > settings.sourceSidePxMax) {
    throw new ImageError(
      'too_large',
      `is ${widthPx} × ${heightPx} px, the limit is ${settings.sourceSidePxMax} px a side`,
    );
  }
  if (widthPx * heightPx > settings.sourcePixelsMax) {
    const pixels = megaText(widthPx * heightPx, settings.sourcePixelsMax);
    throw new ImageError(
      'too_large',
      `is ${pixels} MP, the limit is ${megaText(settings.sourcePixelsMax, 0)} MP`,
    );
  }
  if (header.frames > framesMax)
    throw new ImageError('too_large', `has more than ${framesMax} frames, the limit`);
  if ((header.scanBlocks ?? 0) > scanBlocksMax)
    throw new ImageError('too_large', 'has too many scans to decode: save it as a baseline JPEG');
  const decodeBytes = estimateDecodeBytes(header, fileBytes);
  if (decodeBytes > settings.decodeBytesMax) {
    const needed = megaText(decodeBytes, settings.decodeBytesMax);
    const limit = megaText(settings.decodeBytesMax, 0);
    throw new ImageError(
      'too_large',
      `needs ${needed} MB to decode, the limit is ${limit} MB: ${smallerAdvice}`,
    );
  }
}

/** `value` in millions, rounded. With two decimals, rounded up, if a value over `limit` would read like the limit. */
function megaText(value: number, limit: number): string {
  const rounded = Math.round(value / 1e6);
  return rounded * 1e6 > limit ? String(rounded) : (Math.ceil(value / 1e4) / 100).toFixed(2);
}
