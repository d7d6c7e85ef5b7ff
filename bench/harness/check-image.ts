/** Checks images before their rendering is timed: a fast wrong answer is no result. */
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

/** Throws if two images with different values are equal. */
export async function checkDifferent(name: string, a: Uint8Array, b: Uint8Array): Promise<void> {
  const [first, second] = await Promise.all([a, b].map((bytes) => sharp(bytes).raw().toBuffer()));
  if (first === undefined || second === undefined || first.equals(second)) {
    throw new Error(`${name} drew the same image for different values.`);
  }
}

/**
 * Throws unless a painter draws the required image, a different one for each number, and for number 1 the same as the
 * service. `own` is the service's image of that number, in any format. Returns the painter's image of number 1.
 */
export async function checkPainter(
  painter: Pick<Painter, 'name' | 'draw'>,
  claim: ImageClaim,
  own?: Uint8Array,
): Promise<Uint8Array> {
  const { name } = painter;
  const first = await painter.draw({ number: 1, format: claim.format });
  const second = await painter.draw({ number: 2, format: claim.format });
  await checkImage(name, first, claim);
  await checkImage(name, second, claim);
  await checkDifferent(name, first, second);
  if (own === undefined) return first;
  const difference = await differenceOf(own, first);
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
