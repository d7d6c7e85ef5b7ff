/** Images that features embed. */
import sharp from 'sharp';

/** Four pixels: red, blue, green and white. */
const pixels = Buffer.from([215, 38, 61, 18, 53, 91, 46, 125, 50, 255, 255, 255]);
const png = await sharp(pixels, { raw: { width: 2, height: 2, channels: 3 } })
  .png()
  .toBuffer();
export const pixelPng = `data:image/png;base64,${png.toString('base64')}`;

/** A JPEG of 40 × 20, left half red and right half blue, that EXIF turns by 90 degrees. */
const left = { create: { width: 20, height: 20, channels: 3 as const, background: '#d7263d' } };
const photo = await sharp({
  create: { width: 40, height: 20, channels: 3, background: '#12355b' },
})
  .composite([{ input: left, left: 0, top: 0 }])
  .withMetadata({ orientation: 6 })
  .jpeg({ quality: 90 })
  .toBuffer();
export const turnedPhoto = `data:image/jpeg;base64,${photo.toString('base64')}`;
