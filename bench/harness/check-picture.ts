/** Looks at pictures before their making is timed: a fast wrong answer is no result. */
import sharp from 'sharp';

/** What a picture has to be. */
export interface PictureClaim {
  format: 'jpeg' | 'png';
  width: number;
  height: number;
}

/** Standard deviation of a channel's 8-bit values below which nothing can have been drawn. */
const deviationMin = 4;

/** Pictures are compared at a twentieth of the banner's size, where the shape of single letters no longer matters. */
const thumbnail = { width: 60, height: 32 };

/** Decodes a picture and throws when it is not what it should be, or blank. `name` begins the message. */
export async function checkPicture(
  name: string,
  bytes: Uint8Array,
  claim: PictureClaim,
): Promise<void> {
  const image = sharp(bytes);
  const { format, width, height } = await image.metadata();
  if (format !== claim.format || width !== claim.width || height !== claim.height) {
    const expected = `${claim.format} ${claim.width} × ${claim.height}`;
    throw new Error(`${name} drew ${format} ${width} × ${height}; expected ${expected}.`);
  }
  const { channels } = await image.flatten().stats();
  if (Math.max(...channels.map(({ stdev }) => stdev)) < deviationMin) {
    throw new Error(`${name} drew a blank picture.`);
  }
}

/** Throws when two pictures that carry different values show the same. */
export async function checkDifferent(name: string, a: Uint8Array, b: Uint8Array): Promise<void> {
  const [first, second] = await Promise.all([a, b].map((bytes) => sharp(bytes).raw().toBuffer()));
  if (first === undefined || second === undefined || first.equals(second)) {
    throw new Error(`${name} drew the same picture for different values.`);
  }
}

/** The mean difference of two pictures' channels, 0 … 255, seen from far away. */
export async function differenceOf(a: Uint8Array, b: Uint8Array): Promise<number> {
  const [first, second] = await Promise.all([a, b].map(toThumbnail));
  if (first === undefined || second === undefined) return Number.NaN;
  let sum = 0;
  for (const [index, value] of first.entries()) sum += Math.abs(value - (second[index] ?? 0));
  return sum / first.length;
}

async function toThumbnail(bytes: Uint8Array): Promise<Buffer> {
  const { width, height } = thumbnail;
  // First all pixels: a JPEG that is shrunk while it is decoded differs from a PNG of the same pixels.
  const { data, info } = await sharp(bytes).flatten().raw().toBuffer({ resolveWithObject: true });
  const raw = { width: info.width, height: info.height, channels: info.channels };
  return sharp(data, { raw }).resize(width, height, { fit: 'fill' }).raw().toBuffer();
}
