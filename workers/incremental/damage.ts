/** What other values change in a picture: the first item that differs and the device pixels that can. */
import { isDeepStrictEqual } from 'node:util';
import type { DisplayItem, DisplayList, Rect, TextDecoration, TextRun } from '../display-list.ts';
import { contentBounds, itemBounds, reachOf, runBounds, strokeReach } from '../paint/bounds.ts';
import { needsBuffer } from '../paint/compose.ts';
import { pictureSize } from '../paint/picture-size.ts';
import { mergeRegions, toRegion } from './regions.ts';
import type { ItemPath } from './split-items.ts';
import { firstDifference, hasSameFrame } from './split-items.ts';

/** Outside `regions` and before the item at `first` both lists paint the same. */
export interface Damage {
  first: ItemPath;
  /** Whole device pixels; they do not overlap. None when the lists paint the same picture. */
  regions: Rect[];
}

/**
 * The damage that `after` does to the picture of `before`; both are lists of one template. The regions
 * reach over everything that an item with its rotation, stroke, blur and shadows can touch, in the old
 * place and in the new, and are widened to whole blocks of `blockPx` device pixels. Undefined when the
 * background differs, and so everything.
 */
export function findDamage(
  before: DisplayList,
  after: DisplayList,
  scale: number,
  blockPx: number,
): Damage | undefined {
  if (!isDeepStrictEqual(before.background, after.background)) return undefined;
  const { widthPx, heightPx } = pictureSize(after, scale);
  const rects = diffItems(before.items, after.items);
  const regions = rects.map((rect) => toRegion(rect, scale, widthPx, heightPx, blockPx));
  return { first: firstDifference(before.items, after.items), regions: mergeRegions(regions) };
}

/** The share of the picture's device pixels that the damage takes, 0 to 1. */
export function damageRatio({ regions }: Damage, list: DisplayList, scale: number): number {
  const { widthPx, heightPx } = pictureSize(list, scale);
  const pixels = regions.reduce((sum, { width, height }) => sum + width * height, 0);
  return pixels / (widthPx * heightPx);
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
  const isSamePlace = hasSameFrame(before, after) && hasSameBuffer(before, after);
  const inner = isSamePlace ? diffContent(before, after) : undefined;
  if (inner === undefined) return [itemBounds(before), itemBounds(after)];
  return inner.map((rect) => reachOf(after, rect));
}

/**
 * Whether two items of one frame are painted through buffers of one place and size, or both straight. In another buffer
 * the engine rounds the edges of curves otherwise, and it makes strong blurs of a smaller picture whose pixels follow the
 * buffer's size: all that is in it changes a little.
 */
function hasSameBuffer(before: DisplayItem, after: DisplayItem): boolean {
  if (needsBuffer(before) !== needsBuffer(after)) return false;
  return !needsBuffer(after) || isDeepStrictEqual(itemBounds(before), itemBounds(after));
}

/** What differs inside two contents before rotation and effects; undefined when they cannot be compared piece by piece. */
function diffContent(before: DisplayItem, after: DisplayItem): Rect[] | undefined {
  const { content: a } = before;
  const { content: b } = after;
  if (a.kind === 'group' && b.kind === 'group') return diffItems(a.items, b.items);
  if (a.kind !== 'text' || b.kind !== 'text') return [contentBounds(before), contentBounds(after)];
  if (!isDeepStrictEqual(a.box, b.box) || !isDeepStrictEqual(a.stroke, b.stroke)) return undefined;
  if (a.clips !== b.clips) return undefined;
  const stroke = strokeReach(b.stroke);
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
