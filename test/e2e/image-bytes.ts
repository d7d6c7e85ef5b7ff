/** Makes images for origins, and reads pixels of the files that the service sends. */
import sharp from 'sharp';
import type { Test } from 'tap';
import type { Handler } from '../fixtures/images-origin.ts';
import type { Answer } from './request.ts';

export interface Pixels {
  width: number;
  height: number;
  /** Four bytes a pixel: red, green, blue, alpha. */
  data: Buffer;
}

/** A PNG of one colour. */
export function plainImage(color: string, width = 16, height = 16): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: color } })
    .png()
    .toBuffer();
}

/** An origin's answer with an image, or with anything else that is called one. */
export function sends(bytes: Uint8Array | string, contentType = 'image/png'): Handler {
  return (_, response) => {
    response.writeHead(200, { 'Content-Type': contentType }).end(bytes);
  };
}

export async function decodeImage(bytes: Uint8Array): Promise<Pixels> {
  const { data, info } = await sharp(bytes)
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data };
}

/** The pixels of an answer that has to be an image. */
export async function image(t: Test, answer: Answer): Promise<Pixels> {
  t.equal(answer.status, 200, answer.status === 200 ? 'an image' : answer.text.slice(0, 300));
  return decodeImage(answer.body);
}

/** Red, green and blue of one pixel. */
export function pixelAt(pixels: Pixels, x: number, y: number): number[] {
  const index = (y * pixels.width + x) * 4;
  return [...pixels.data.subarray(index, index + 3)];
}

/** Checks that two answers show the same, pixel for pixel. */
export async function checkSame(
  t: Test,
  actual: Answer,
  expected: Answer,
  message: string,
): Promise<void> {
  const [a, b] = [await image(t, actual), await image(t, expected)];
  t.ok(a.width === b.width && a.height === b.height && a.data.equals(b.data), message);
}

/** Checks that two answers show something different. */
export async function checkDifferent(
  t: Test,
  actual: Answer,
  other: Answer,
  message: string,
): Promise<void> {
  t.notOk((await image(t, actual)).data.equals((await image(t, other)).data), message);
}
