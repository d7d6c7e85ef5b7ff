/** Admits bytes as a source image: a supported format, a sound header, sizes within the limits. */
import { createHash } from 'node:crypto';
import type { SourceImage } from '#shared/render-job.ts';
import { ImageError } from './image-error.ts';
import type { ImageLoaderSettings } from './loader-options.ts';
import { shareAdvice } from './share-links.ts';
import { describeContent, readImageHeader, sniffFormat } from './sniff-image.ts';
import type { ImageHeader } from './sniff-image.ts';

/**
 * The error for bytes that are no supported image. `service` is the share service that they come
 * from: its pages mean that the file is not shared with everyone.
 */
export function notAnImage(bytes: Uint8Array, service?: string): ImageError {
  const content = describeContent(bytes);
  if (content === 'empty') return new ImageError('not_image', 'is empty');
  if (['SVG', 'HEIC', 'JPEG XL', 'JPEG 2000', 'BigTIFF'].includes(content))
    return new ImageError(
      'not_image',
      `is ${content}, which is not supported: use PNG, JPEG, WebP, GIF or AVIF`,
    );
  if (content !== 'HTML') return new ImageError('not_image', `is ${content}, not an image`);
  const advice = service === undefined ? 'use the address of the image file itself' : shareAdvice;
  return new ImageError('not_image', `is HTML, not an image: ${advice}`);
}

/**
 * Makes bytes a source image, when they are one within the limits. `bytes` is kept, not copied.
 * Throws an `ImageError`: `not_image`, `decode`, `too_large`.
 */
export function toSourceImage(
  bytes: Uint8Array<SharedArrayBuffer>,
  settings: ImageLoaderSettings,
): SourceImage {
  const format = sniffFormat(bytes);
  if (format === undefined) throw notAnImage(bytes);
  const header = readImageHeader(bytes);
  if (header === undefined)
    throw new ImageError('decode', `is a damaged or unusual ${format.toUpperCase()} file`);
  if (header.truncated)
    throw new ImageError('decode', `is cut off: the ${format.toUpperCase()} file ends too early`);
  checkImageLimits(header, settings);
  return {
    digest: createHash('sha256').update(bytes).digest('hex'),
    format,
    widthPx: header.widthPx,
    heightPx: header.heightPx,
    orientation: header.orientation,
    bytes,
  };
}

/** The memory that decoding takes, in bytes: whole pixels of four channels or more, and half as much again when interlaced. */
export function estimateDecodeBytes(header: ImageHeader): number {
  const sampleBytes = Math.ceil(header.bitDepth / 8);
  const pixels = header.widthPx * header.heightPx;
  return pixels * Math.max(4, header.channels) * sampleBytes * (header.interlaced ? 1.5 : 1);
}

/** Throws an `ImageError` of reason `too_large` when a picture is larger than the limits. */
export function checkImageLimits(header: ImageHeader, settings: ImageLoaderSettings): void {
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
  const decodeBytes = estimateDecodeBytes(header);
  if (decodeBytes > settings.decodeBytesMax) {
    const needed = megaText(decodeBytes, settings.decodeBytesMax);
    const limit = megaText(settings.decodeBytesMax, 0);
    throw new ImageError('too_large', `needs ${needed} MB to decode, the limit is ${limit} MB`);
  }
}

/** Millions, rounded, but never so that a number over `limit` reads like the limit itself. */
function megaText(value: number, limit: number): string {
  const rounded = Math.round(value / 1e6);
  return rounded * 1e6 > limit ? String(rounded) : (Math.ceil(value / 1e4) / 100).toFixed(2);
}
