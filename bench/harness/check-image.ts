/** Checks images before their rendering is timed: a fast wrong answer is no result. */
import { hash } from 'node:crypto';
import sharp from 'sharp';
import { formatNumber } from './format-number.ts';
import type { Painter } from './painter.ts';

/** The required properties of an image. */
export interface ImageClaim {
  format: 'jpeg' | 'png';
  width: number;
  height: number;
}

/** Standard deviation of a channel's 8-bit values below which an image counts as blank. */
const deviationMin = 4;

/** Mean difference, of 255, that the thumbnails of two engines' images of one template may have. */
const differenceMax = 3;

/** Images are compared at a twentieth of the banner's size, where the shape of single letters does not matter. */
const thumbnail = { width: 60, height: 32 };

/** Decodes an image and throws if it is blank or not as required. The message starts with `name`. */
export async function checkImage(
  name: string,
  bytes: Uint8Array,
  claim: ImageClaim,
): Promise<void> {
  const image = sharp(bytes);
  const { format, width, height } = await image.metadata();
  if (format !== claim.format || width !== claim.width || height !== claim.height) {
    const expected = `${claim.format} ${claim.width} × ${claim.height}`;
    throw new Error(`${name} drew ${format} ${width} × ${height}; expected ${expected}.`);
  }
  const { channels } = await image.flatten().stats();
  if (Math.max(...channels.map(({ stdev }) => stdev)) < deviationMin) {
    throw new Error(`${name} drew a blank image.`);
  }
}

/** Checks each image, and throws if two of them, which have different texts, are equal. */
export async function checkImages(
  name: string,
  images: readonly Uint8Array[],
  claim: ImageClaim,
): Promise<void> {
  const numbers = new Map<string, number>();
  for (const [number, bytes] of images.entries()) {
    await checkImage(name, bytes, claim);
    const digest = hash('sha256', await sharp(bytes).raw().toBuffer());
    const equal = numbers.get(digest);
    if (equal !== undefined)
      throw new Error(`${name} drew the same image for the texts ${equal} and ${number}.`);
    numbers.set(digest, number);
  }
}

/**
 * Checks the images of the numbers 0 to `count` − 1 of a painter. The first must show the same as `serviceImage`, the service's
 * image of number 0 in any format. Returns the first.
 */
export async function checkPainter(
  painter: Pick<Painter, 'name' | 'draw'>,
  claim: ImageClaim,
  count: number,
  serviceImage?: Uint8Array,
): Promise<Uint8Array> {
  const { name } = painter;
  const images: Uint8Array[] = [];
  for (let number = 0; number < count; number += 1) {
    images.push(await painter.draw({ number, format: claim.format }));
  }
  await checkImages(name, images, claim);
  const [first = new Uint8Array()] = images;
  if (serviceImage === undefined) return first;
  const difference = await differenceOf(serviceImage, first);
  if (difference <= differenceMax) return first;
  throw new Error(
    `${name} drew another image than the service: they differ by ${formatNumber(difference)} of 255.`,
  );
}

/** Mean difference of the channels of two images' thumbnails, 0 … 255. */
export async function differenceOf(a: Uint8Array, b: Uint8Array): Promise<number> {
  const [first, second] = await Promise.all([a, b].map(toThumbnail));
  if (first === undefined || second === undefined) return Number.NaN;
  let sum = 0;
  for (const [index, value] of first.entries()) sum += Math.abs(value - (second[index] ?? 0));
  return sum / first.length;
}

async function toThumbnail(bytes: Uint8Array): Promise<Buffer> {
  const { width, height } = thumbnail;
  // Decoded at full size first: a JPEG that is shrunk during decoding differs from a PNG of the same pixels.
  const { data, info } = await sharp(bytes).flatten().raw().toBuffer({ resolveWithObject: true });
  const raw = { width: info.width, height: info.height, channels: info.channels };
  return sharp(data, { raw }).resize(width, height, { fit: 'fill' }).raw().toBuffer();
}
