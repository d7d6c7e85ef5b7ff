/** Cuts patches out of images and puts them into others, for tests of encoders. */
import type { Rect } from '../../workers/display-list.ts';
import type { PixelPatch } from '../../workers/encode/banded-image.ts';
import type { Pixels } from '../../workers/pixels.ts';

/** A copy of a region of an image. */
export function copyPatch({ data, widthPx }: Pixels, region: Rect): PixelPatch {
  const { x, y, width, height } = region;
  const copy = new Uint8Array(width * height * 4);
  for (let row = 0; row < height; row += 1) {
    const start = ((y + row) * widthPx + x) * 4;
    copy.set(data.subarray(start, start + width * 4), row * width * 4);
  }
  return { region, pixels: { data: copy, widthPx: width, heightPx: height } };
}

/** Writes a patch into an image. */
export function putPatch({ data, widthPx }: Pixels, { region, pixels }: PixelPatch): void {
  const { x, y, width, height } = region;
  for (let row = 0; row < height; row += 1) {
    const line = pixels.data.subarray(row * width * 4, (row + 1) * width * 4);
    data.set(line, ((y + row) * widthPx + x) * 4);
  }
}
