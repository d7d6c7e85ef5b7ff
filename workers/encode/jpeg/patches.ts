/** Encodes new pixels for regions of a JPEG as MCUs, and finds the columns of a row that they change. */
import type { PixelPatch } from '../banded-image.ts';
import { encodeBlocks } from './blocks.ts';
import { hasEqualTokens } from './entropy.ts';
import type { ScanTokens } from './entropy.ts';
import { mcuGrid } from './file.ts';
import type { JpegFile } from './file.ts';

/** The MCUs of a strip of one patch: `left` and `top` are inclusive, `right` and `end` exclusive. */
export interface McuPatch {
  left: number;
  right: number;
  top: number;
  end: number;
  scan: ScanTokens;
}

/** Encodes patches, the leftmost first. `blockPx` is the side of an MCU. */
export function placePatches(
  patches: readonly PixelPatch[],
  model: JpegFile,
  blockPx: number,
): McuPatch[] {
  return patches
    .flatMap(({ region, pixels }) => {
      const { columns } = mcuGrid({ ...model, width: region.width });
      const left = region.x / blockPx;
      let end = region.y / blockPx;
      return encodeBlocks(pixels, model).map((scan): McuPatch => {
        const top = end;
        end += scan.mcuEnds.length / columns;
        return { left, right: left + columns, top, end, scan };
      });
    })
    .toSorted((a, b) => a.left - b.left);
}

/** Columns of units: the first, and the one after the last. */
export type Columns = readonly [first: number, end: number];

/**
 * Returns the columns of a row from the first MCU that patches change to the last one; undefined if patches change
 * none. `base` are the coefficients of the whole image.
 */
export function changedColumns(
  row: number,
  patches: readonly McuPatch[],
  base: ScanTokens,
  columnCount: number,
): Columns | undefined {
  let first = columnCount;
  let last = -1;
  for (const { left, right, top, end, scan } of patches) {
    if (row < top || row >= end) continue;
    const other = (row - top) * (right - left) - left;
    const isKept = (column: number): boolean =>
      hasEqualTokens(base, row * columnCount + column, scan, other + column);
    let from = left;
    while (from < right && isKept(from)) from += 1;
    let until = right;
    while (until > from && isKept(until - 1)) until -= 1;
    if (from === until) continue;
    first = Math.min(first, from);
    last = Math.max(last, until - 1);
  }
  return last < 0 ? undefined : [first, last + 1];
}
