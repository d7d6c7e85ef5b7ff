/** A loopback web server with many distinct photographs of the sizes that shops and newsletters link to. */
import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import type { Handler, Origin } from '../fixtures/images-origin.ts';
import { startOrigin } from '../fixtures/images-origin.ts';

/** Sides in pixels: 1 to 4 megapixels. */
const photoSizes = [
  [1200, 900],
  [1000, 1500],
  [1600, 1200],
  [1920, 1080],
  [2000, 1500],
  [1600, 2400],
  [2400, 1600],
] as const;

/** One random pixel of the photograph becomes this many, smoothed: as much detail as a camera's image at quality 85. */
const grainPx = 8;
const jpegQuality = 85;

/** Serves `/photo/<number>.jpg` for the numbers below `count`, and `extra` paths. */
export async function startPhotoOrigin(
  count: number,
  extra: Readonly<Record<string, Handler>>,
): Promise<Origin> {
  const files = await Promise.all(photoSizes.map(([width, height]) => photo(width, height)));
  const handlers: Record<string, Handler> = { ...extra };
  for (let number = 0; number < count; number += 1) {
    const file = distinct(files[number % files.length] ?? Buffer.alloc(0), number);
    handlers[photoPath(number)] = (_, response) => {
      response.writeHead(200, { 'Content-Type': 'image/jpeg', 'Content-Length': file.length });
      response.end(file);
    };
  }
  return startOrigin(handlers);
}

export function photoPath(number: number): string {
  return `/photo/${number}.jpg`;
}

function photo(width: number, height: number): Promise<Buffer> {
  const grain = { width: Math.ceil(width / grainPx), height: Math.ceil(height / grainPx) };
  const pixels = randomBytes(grain.width * grain.height * 3);
  return sharp(pixels, { raw: { ...grain, channels: 3 } })
    .resize(width, height, { fit: 'fill' })
    .jpeg({ quality: jpegQuality })
    .toBuffer();
}

/** The same pixels in another file: the number stands in a comment segment after the first marker. */
function distinct(file: Buffer, number: number): Buffer {
  const comment = Buffer.from(String(number).padStart(6, '0'));
  const head = Buffer.from([0xff, 0xd8, 0xff, 0xfe, 0, comment.length + 2]);
  return Buffer.concat([head, comment, file.subarray(2)]);
}
