/** Leaves out what does not show in the parts of a picture that are wanted. */
import type { DisplayItem, Rect } from '../display-list.ts';
import { itemBounds } from './bounds.ts';
import { needsBuffer } from './compose.ts';
import { growRect, overlap } from './outline.ts';

/** Device pixels that anti-aliasing can reach over an item's bounds. */
const antiAliasPx = 2;

/**
 * The items that paint into one of these regions of device pixels. An upright group that is painted
 * straight onto the canvas keeps only such children; any other is kept whole.
 */
export function pruneItems(
  items: readonly DisplayItem[],
  regions: readonly Rect[],
  scale: number,
): DisplayItem[] {
  return items
    .filter((item) => touches(item, regions, scale))
    .map((item) => {
      const { content, rotation } = item;
      if (content.kind !== 'group' || rotation !== 0 || needsBuffer(item)) return item;
      const children = pruneItems(content.items, regions, scale);
      return { ...item, content: { kind: 'group', items: children } };
    });
}

function touches(item: DisplayItem, regions: readonly Rect[], scale: number): boolean {
  const { x, y, width, height } = itemBounds(item);
  const bounds = { x: x * scale, y: y * scale, width: width * scale, height: height * scale };
  const reach = growRect(bounds, antiAliasPx);
  return regions.some((region) => overlap(region, reach));
}
