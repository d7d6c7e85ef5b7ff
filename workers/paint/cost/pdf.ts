/** Estimates the time to write the pixels of a PDF, which cannot be interrupted. */
import type { Drawable } from '../../assets/drawable-cache.ts';
import type { DisplayItem, DisplayList } from '../../display-list.ts';
import { imageSize } from '../../display-list.ts';
import { itemBounds } from '../bounds.ts';
import { needsBuffer } from '../compose.ts';

/** CPU time of a megapixel of noise with alpha, which the engine deflates; measured in 4.0.0-rc1: 74, opaque 40. */
const megapixelMs = 100;

/** Returns an upper bound of the CPU time to write images and effects, in ms. An outer effect includes nested ones. */
export function pdfMs(
  list: DisplayList,
  drawables: ReadonlyMap<unknown, Drawable>,
  scale: number,
): number {
  const { widthPx, heightPx } = imageSize(list, scale);
  let pixels = 0;
  for (const { widthPx: width, heightPx: height } of drawables.values()) pixels += width * height;
  for (const item of outerBuffers(list.items)) {
    const { width, height } = itemBounds(item);
    pixels += Math.min(width * height * scale * scale, widthPx * heightPx);
  }
  return (pixels / 1e6) * megapixelMs;
}

function* outerBuffers(items: readonly DisplayItem[]): Generator<DisplayItem> {
  for (const item of items) {
    if (needsBuffer(item)) yield item;
    else if (item.content.kind === 'group') yield* outerBuffers(item.content.items);
  }
}
