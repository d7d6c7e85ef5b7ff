/** Images for tests of encoders, and patches that are cut out of one and put into another. */
import sharp from 'sharp';
import type { Rect } from '../../workers/display-list.ts';
import type { PixelPatch } from '../../workers/encode/banded-image.ts';
import type { Pixels } from '../../workers/pixels.ts';
import { repository } from './render.ts';

/** A photograph of a coast, from a column on. */
export async function photograph(widthPx: number, heightPx: number, left = 0): Promise<Pixels> {
  const data = await sharp(`${repository}/data/templates/pictures/coast.jpg`)
    .extract({ left, top: 0, width: 1200, height: 800 })
    .resize(widthPx, heightPx, { fit: 'fill' })
    .ensureAlpha()
    .raw()
    .toBuffer();
  return { data: new Uint8Array(data), widthPx, heightPx };
}

/** Opaque noise. */
export function noise(widthPx: number, heightPx: number): Pixels {
  let state = 1;
  const data = Uint8Array.from({ length: widthPx * heightPx * 4 }, (_, at) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return at % 4 === 3 ? 255 : state >>> 24;
  });
  return { data, widthPx, heightPx };
}

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

/** A copy of an image with patches in it. */
export function withPatches(image: Pixels, patches: readonly PixelPatch[]): Pixels {
  const data = Uint8Array.from(image.data);
  for (const { region, pixels } of patches) {
    const { x, y, width, height } = region;
    for (let row = 0; row < height; row += 1) {
      const line = pixels.data.subarray(row * width * 4, (row + 1) * width * 4);
      data.set(line, ((y + row) * image.widthPx + x) * 4);
    }
  }
  return { ...image, data };
}
