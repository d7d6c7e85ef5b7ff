/** Splits the items of a display list where it begins to differ from another: below is the same, above is painted anew. */
import { isDeepStrictEqual } from 'node:util';
import type { DisplayItem } from '../display-list.ts';
import { needsBuffer } from '../paint/compose.ts';

/** Place of an item: its index in the list, then in the group that stands there, and so on. */
export type ItemPath = readonly number[];

/**
 * Place of the first item that differs; groups that are painted straight onto the canvas are looked
 * into. Behind the last item when none does.
 */
export function firstDifference(
  before: readonly DisplayItem[],
  after: readonly DisplayItem[],
): ItemPath {
  const index = after.findIndex((item, place) => !isDeepStrictEqual(before[place], item));
  const known = before[index];
  const item = after[index];
  if (item === undefined) return [after.length];
  const [a, b] = [known?.content, item.content];
  if (known === undefined || a?.kind !== 'group' || b.kind !== 'group') return [index];
  if (needsBuffer(item) || !hasSameFrame(known, item)) return [index];
  return [index, ...firstDifference(a.items, b.items)];
}

/** Whether all but the content of two items is the same. */
export function hasSameFrame(before: DisplayItem, after: DisplayItem): boolean {
  return isDeepStrictEqual({ ...before, content: undefined }, { ...after, content: undefined });
}

/** Whether `path` lies before `other` in paint order, or is the same. */
export function isUpTo(path: ItemPath, other: ItemPath): boolean {
  for (const [level, index] of path.entries()) {
    const its = other[level];
    if (its === undefined) return false;
    if (index !== its) return index < its;
  }
  return true;
}

/**
 * The items painted before a place and those from it on. A group that the place lies in stands on both
 * sides, with its clip and with its own part of its content; its border is painted last, above.
 */
export function splitItems(
  items: readonly DisplayItem[],
  [index = 0, ...rest]: ItemPath,
): { below: DisplayItem[]; above: DisplayItem[] } {
  const group = items[index];
  if (rest.length === 0 || group?.content.kind !== 'group') {
    return { below: items.slice(0, index), above: items.slice(index) };
  }
  const { below, above } = splitItems(group.content.items, rest);
  return {
    below: [
      ...items.slice(0, index),
      { ...group, border: undefined, content: { kind: 'group', items: below } },
    ],
    above: [{ ...group, content: { kind: 'group', items: above } }, ...items.slice(index + 1)],
  };
}
