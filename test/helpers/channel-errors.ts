/** Measures how far a lossy file is from the pixels that it shows. */
import type { Rect } from '../../workers/display-list.ts';

/** The 99th percentile of the channels' errors in a part of the image, of 255. Both images are RGBA. */
export function error99(
  png: Uint8Array,
  file: Uint8Array,
  widthPx: number,
  { x, y, width, height }: Rect,
): number {
  const errors: number[] = [];
  for (let row = y; row < y + height; row += 1) {
    for (let at = (row * widthPx + x) * 4; at < (row * widthPx + x + width) * 4; at += 1) {
      errors.push(Math.abs((png[at] ?? 0) - (file[at] ?? 0)));
    }
  }
  return errors.toSorted((a, b) => a - b)[Math.floor(errors.length * 0.99)] ?? 255;
}
