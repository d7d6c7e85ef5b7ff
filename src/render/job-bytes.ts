/** The memory that a job takes, told from what is known of its images. */
import type { RenderJob, SourceFormat } from '#shared/render-job.ts';

/**
 * Bytes a pixel that decoding an asset may take, by the worst that its format may be: interlaced PNG of 16
 * bits, progressive JPEG, TIFF of floating point; four copies of what passes from one library to the other.
 */
const decodeBytesPerPx: Readonly<Record<SourceFormat, number>> = {
  png: 12,
  jpeg: 6,
  webp: 4,
  gif: 4,
  bmp: 16,
  avif: 8,
  tiff: 16,
  ico: 16,
};

/** Bytes that decoding a job may take. It decodes its pictures one after the other, so the largest counts. */
export function decodeBytesOf({ images }: Pick<RenderJob, 'images'>): number {
  const bytes = images.map(
    ([, { widthPx, heightPx, format, decodeBytes }]) =>
      decodeBytes ?? widthPx * heightPx * decodeBytesPerPx[format],
  );
  return Math.max(0, ...bytes);
}

/** Bytes of the image files that a job holds. */
export function imageBytesOf({ images }: Pick<RenderJob, 'images'>): number {
  return images.reduce((bytes, [, image]) => bytes + image.bytes.byteLength, 0);
}
