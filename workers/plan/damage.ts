/** What other values change in a picture: the first layer that differs and the device pixels that can. */
import { isDeepStrictEqual } from 'node:util';
import type { DisplayItem, DisplayList, Rect, TextDecoration, TextRun } from '../display-list.ts';
import { contentBounds, itemBounds, reachOf, runBounds } from '../paint/bounds.ts';
import { toRegion, toRegions } from './regions.ts';

/** Outside `regions` and below the item `firstItem` both lists paint the same. */
export interface Damage {
  /** Index in the new list of the first top-level item that differs. */
  firstItem: number;
  /** Whole device pixels; they do not overlap. None when the lists paint the same picture. */
  regions: Rect[];
}

/**
 * The damage that `after` does to the picture of `before`; both are lists of one template. The regions
 * reach over everything that an item with its rotation, stroke, blur and shadows can touch, in the old
 * place and in the new. Undefined when the background differs, and so everything.
 */
export function findDamage(
  before: DisplayList,
  after: DisplayList,
  scale: number,
  widthPx: number,
  heightPx: number,
): Damage | undefined {
  if (!isDeepStrictEqual(before.background, after.background)) return undefined;
  const canvas = { x: 0, y: 0, width: widthPx, height: heightPx };
  const rects = diffItems(before.items, after.items).map((rect) => toRegion(rect, scale, canvas));
  let firstItem = 0;
  while (isSame(before.items[firstItem], after.items[firstItem], after.items.length > firstItem)) {
    firstItem += 1;
  }
  return { firstItem, regions: toRegions(rects) };
}

function isSame(a: DisplayItem | undefined, b: DisplayItem | undefined, inside: boolean): boolean {
  return inside && (a === b || isDeepStrictEqual(a, b));
}

/** Rectangles, in design pixels, outside which both lists of items paint the same. */
function diffItems(before: readonly DisplayItem[], after: readonly DisplayItem[]): Rect[] {
  const old = new Map(before.map((item) => [item.layer, item]));
  const rects: Rect[] = [];
  for (const item of after) {
    const known = old.get(item.layer);
    old.delete(item.layer);
    if (known === item) continue;
    if (known === undefined) rects.push(itemBounds(item));
    else if (!isDeepStrictEqual(known, item)) rects.push(...diffItem(known, item));
  }
  for (const item of old.values()) rects.push(itemBounds(item));
  return rects;
}

function diffItem(before: DisplayItem, after: DisplayItem): Rect[] {
  const inner = isSameFrame(before, after) ? diffContent(before, after) : undefined;
  if (inner === undefined) return [itemBounds(before), itemBounds(after)];
  return inner.map((rect) => reachOf(after, rect));
}

/** Whether all but the content is the same, so that only what the content changed is damaged. */
function isSameFrame(before: DisplayItem, after: DisplayItem): boolean {
  return isDeepStrictEqual({ ...before, content: undefined }, { ...after, content: undefined });
}

/** What differs inside two contents before rotation and effects; undefined when they cannot be compared piece by piece. */
function diffContent(before: DisplayItem, after: DisplayItem): Rect[] | undefined {
  const { content: a } = before;
  const { content: b } = after;
  if (a.kind === 'group' && b.kind === 'group') return diffItems(a.items, b.items);
  if (a.kind !== 'text' || b.kind !== 'text') return [contentBounds(before), contentBounds(after)];
  if (!isDeepStrictEqual(a.box, b.box) || !isDeepStrictEqual(a.stroke, b.stroke)) return undefined;
  if (a.clips !== b.clips) return undefined;
  const stroke = b.stroke?.width ?? 0;
  const toRunRect = (run: TextRun): Rect => runBounds(run, stroke);
  return [
    ...diffParts(a.runs, b.runs, toRunRect),
    ...diffParts(a.backgrounds, b.backgrounds, toDecorationRect),
    ...diffParts(a.lines, b.lines, toDecorationRect),
  ];
}

function toDecorationRect({ rect }: TextDecoration): Rect {
  return rect;
}

function diffParts<Part>(
  before: readonly Part[],
  after: readonly Part[],
  toRect: (part: Part) => Rect,
): Rect[] {
  const rects: Rect[] = [];
  for (let index = 0; index < Math.max(before.length, after.length); index += 1) {
    const a = before[index];
    const b = after[index];
    if (isDeepStrictEqual(a, b)) continue;
    if (a !== undefined) rects.push(toRect(a));
    if (b !== undefined) rects.push(toRect(b));
  }
  return rects;
}
