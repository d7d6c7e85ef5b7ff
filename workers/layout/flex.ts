/** Computes sizes and positions along one axis of a stack, as in a CSS flexbox. Plain numbers, no layers. */

/** Tolerated rounding error in design pixels. */
export const sizeTolerance = 0.01;

/** One layer along the main axis of its stack, in design pixels. */
export interface FlexItem {
  /** Size before the item grows or shrinks. */
  basis: number;
  /** Whether the item gets a part of the free space. */
  grows: boolean;
  /** Weight of the item when missing space is shared; 0 if the item does not shrink. */
  shrinkWeight: number;
  min: number;
  max: number;
}

/** An item whose size is being found. */
interface OpenItem extends FlexItem {
  size: number;
  isFrozen: boolean;
}

/** Returns `value` within its limits; the lower limit prevails, as in CSS. */
export function clampSize(value: number, min: number, max: number): number {
  return Math.max(min, Math.min(max, value));
}

/**
 * Returns the sizes of the items of one line in `available` design pixels without gaps (CSS Flexible Box 1, 9.7). Items
 * that grow share the free space evenly. Items that shrink give up space in proportion to their weight.
 */
export function flexSizes(items: readonly FlexItem[], available: number): number[] {
  const open: OpenItem[] = items.map((item) => {
    const size = clampSize(item.basis, item.min, item.max);
    return { ...item, size, isFrozen: false };
  });
  const isGrowing = open.reduce((sum, { size }) => sum + size, 0) < available;
  for (const item of open) {
    const isFlexible = isGrowing ? item.grows : item.shrinkWeight > 0;
    item.isFrozen = !isFlexible || (isGrowing ? item.basis > item.size : item.basis < item.size);
  }
  // Each round freezes at least one item.
  while (open.some(({ isFrozen }) => !isFrozen)) freezeRound(open, available, isGrowing);
  return open.map(({ size }) => size);
}

/** Distributes the free space, and freezes the items that violate their limits in the prevailing direction. */
function freezeRound(items: OpenItem[], available: number, isGrowing: boolean): void {
  const flexible = items.filter(({ isFrozen }) => !isFrozen);
  let left = available;
  for (const item of items) left -= item.isFrozen ? item.size : item.basis;
  const weightOf = ({ shrinkWeight }: FlexItem): number => (isGrowing ? 1 : shrinkWeight);
  const weights = flexible.reduce((sum, item) => sum + weightOf(item), 0);
  let violation = 0;
  const unlimited = flexible.map((item) => {
    const size = item.basis + (left * weightOf(item)) / weights;
    item.size = clampSize(size, item.min, item.max);
    violation += item.size - size;
    return size;
  });
  for (const [index, item] of flexible.entries()) {
    const size = unlimited[index] ?? 0;
    item.isFrozen = violation === 0 || (violation > 0 ? item.size > size : item.size < size);
  }
}

/** Returns the item indices of each line of a row that wraps; a line has at least one (CSS Flexible Box 1, 9.3). */
export function flexLines(items: readonly FlexItem[], gap: number, available: number): number[][] {
  const lines: number[][] = [];
  let used = Infinity;
  for (const [index, { basis, min, max }] of items.entries()) {
    const size = clampSize(basis, min, max);
    const line = lines.at(-1);
    if (line !== undefined && used + gap + size <= available + sizeTolerance) {
      line.push(index);
      used += gap + size;
    } else {
      lines.push([index]);
      used = size;
    }
  }
  return lines;
}

/** Distribution of items by `justify`, and position of an item by `align`. */
export type Justify = 'start' | 'center' | 'end' | 'between';

/** Returns the start of each item along the axis. Items that exceed `available` start at 0 for `between`, as in CSS. */
export function flexOffsets(
  sizes: readonly number[],
  gap: number,
  available: number,
  justify: Justify,
): number[] {
  const used = sizes.reduce((sum, size) => sum + size, 0) + gap * Math.max(0, sizes.length - 1);
  const left = available - used;
  const between = justify === 'between' && left > 0 && sizes.length > 1;
  let offset = between ? 0 : left * shareBefore(justify);
  const step = gap + (between ? left / (sizes.length - 1) : 0);
  return sizes.map((size) => {
    const start = offset;
    offset += size + step;
    return start;
  });
}

/** Returns the share of the free space before the items. */
export function shareBefore(position: Justify | 'stretch'): number {
  if (position === 'center') return 0.5;
  return position === 'end' ? 1 : 0;
}
