/** The memory that a job takes, told from what is known of its images. */
import { decodeBytesOf as decodeBytesOfImage } from '#language/limits/decode-cost.ts';
import type { RenderJob } from '#wire/render-job.ts';

/** Bytes that decoding a job may take. It decodes its pictures one after the other, so the largest counts. */
export function decodeBytesOf({ images }: Pick<RenderJob, 'images'>): number {
  return Math.max(0, ...images.map(([, image]) => decodeBytesOfImage(image)));
}

/** Bytes of the image files that a job holds. */
export function imageBytesOf({ images }: Pick<RenderJob, 'images'>): number {
  return images.reduce((bytes, [, image]) => bytes + image.bytes.byteLength, 0);
}
