/** Damage: the first item in which two display lists differ, and the regions of device pixels that can differ. */
import type { DisplayItem, DisplayList, Rect, TextDecoration, TextRun } from '../display-list.ts';
import { contentBounds, itemBounds, reachOf, runBounds, strokeReach } from '../paint/bounds.ts';
import { needsBuffer } from '../paint/compose.ts';
import { antiAliasPx, overlap } from '../paint/geometry.ts';
import { imageSize } from '../display-list.ts';
import { isSameData } from './same-data.ts';

/** Outside `regions`, and below the item at `first`, both lists paint the same. */
export interface Damage {
  first: ItemPath;
  /** Whole device pixels; they do not overlap. Empty if the lists paint the same image. */
  regions: Rect[];
}

/**
 * Returns the damage between two lists of one template. The regions contain the area of each item that differs, before
 * and after, with rotation, stroke, blur and shadows. They are widened to whole blocks of `blockPx` device pixels.
 * Returns undefined if the background differs, because the whole image then differs.
 */
export function findDamage(
  before: DisplayList,
  after: DisplayList,
  scale: number,
  blockPx: number,
): Damage | undefined {
  const regions = findDamagedRegions(before, after, scale, blockPx);
  return regions && { first: firstDifference(before.items, after.items), regions };
}

/** Returns only the regions of the damage. */
export function findDamagedRegions(
  before: DisplayList,
  after: DisplayList,
  scale: number,
  blockPx: number,
): Rect[] | undefined {
  if (!isSameData(before.background, after.background)) return undefined;
  const { widthPx, heightPx } = imageSize(after, scale);
  const rects = diffItems(before.items, after.items);
  return mergeRegions(rects.map((rect) => toRegion(rect, scale, widthPx, heightPx, blockPx)));
}

/** Returns the damaged share of the image's device pixels, 0 to 1. */
export function damageRatio({ regions }: Damage, list: DisplayList, scale: number): number {
  const { widthPx, heightPx } = imageSize(list, scale);
  const pixels = regions.reduce((sum, { width, height }) => sum + width * height, 0);
  return pixels / (widthPx * heightPx);
}

/** Returns rectangles, in design pixels, outside of which both lists of items paint the same. */
function diffItems(before: readonly DisplayItem[], after: readonly DisplayItem[]): Rect[] {
  const old = new Map(before.map((item) => [item.layer, item]));
  const rects: Rect[] = [];
  for (const item of after) {
    const known = old.get(item.layer);
    old.delete(item.layer);
    if (known === undefined) rects.push(itemBounds(item));
    else if (!isSame(known, item)) rects.push(...diffItem(known, item));
  }
  for (const item of old.values()) rects.push(itemBounds(item));
  return rects;
}

/** Cache of the item of a base render that equals an item: the item cache returns the same items in each render. */
const equals = new WeakMap<DisplayItem, DisplayItem>();

function isSame(before: DisplayItem | undefined, after: DisplayItem): boolean {
  if (before === undefined) return false;
  if (before === after || equals.get(after) === before) return true;
  const [a, b] = [before.content, after.content];
  const isEqual =
    a.kind === 'group' && b.kind === 'group'
      ? hasSameFrame(before, after) && hasSameItems(a.items, b.items)
      : isSameData(before, after);
  if (isEqual) equals.set(after, before);
  return isEqual;
}

function hasSameItems(before: readonly DisplayItem[], after: readonly DisplayItem[]): boolean {
  if (before.length !== after.length) return false;
  return after.every((item, index) => isSame(before[index], item));
}

function diffItem(before: DisplayItem, after: DisplayItem): Rect[] {
  const isSamePosition = hasSameFrame(before, after) && hasSameBuffer(before, after);
  const inner = isSamePosition ? diffContent(before, after) : undefined;
  if (inner === undefined) return [itemBounds(before), itemBounds(after)];
  return inner.map((rect) => reachOf(after, rect));
}

/**
 * Whether two items of one frame are painted through buffers of the same position and size, or both without a buffer.
 * In another buffer the engine rounds the edges of curves differently. The engine also computes strong blurs from a
 * smaller image whose pixels depend on the size of the buffer: all pixels of the buffer then change a little.
 */
function hasSameBuffer(before: DisplayItem, after: DisplayItem): boolean {
  if (needsBuffer(before) !== needsBuffer(after)) return false;
  return !needsBuffer(after) || isSameData(itemBounds(before), itemBounds(after));
}

/**
 * Returns the differences between two contents, before rotation and effects; undefined if their parts cannot be
 * compared.
 */
function diffContent(before: DisplayItem, after: DisplayItem): Rect[] | undefined {
  const { content: a } = before;
  const { content: b } = after;
  if (a.kind === 'group' && b.kind === 'group') return diffItems(a.items, b.items);
  if (a.kind !== 'text' || b.kind !== 'text') return [contentBounds(before), contentBounds(after)];
  if (!isSameData(a.box, b.box) || !isSameData(a.stroke, b.stroke)) return undefined;
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
    if (isSameData(a, b)) continue;
    if (a !== undefined) rects.push(toRect(a));
    if (b !== undefined) rects.push(toRect(b));
  }
  return rects;
}

// Regions: few rectangles of whole device pixels that cover all damage.

/** Further regions cost more in set-up than they save in pixels. */
const regionsMax = 4;
/** Device pixels that a further region must save: reading a region takes as long as some thousand pixels. */
const savedPxMin = 8192;

/** Returns the whole blocks of device pixels that painting inside a rectangle of design pixels can touch. */
export function toRegion(
  rect: Rect,
  scale: number,
  widthPx: number,
  heightPx: number,
  blockPx: number,
): Rect {
  const down = (length: number): number => Math.max(0, Math.floor(length / blockPx) * blockPx);
  const up = (length: number): number => Math.ceil(length / blockPx) * blockPx;
  const x = down(rect.x * scale - antiAliasPx);
  const y = down(rect.y * scale - antiAliasPx);
  const right = up((rect.x + rect.width) * scale + antiAliasPx);
  const bottom = up((rect.y + rect.height) * scale + antiAliasPx);
  return {
    x,
    y,
    width: Math.max(0, Math.min(widthPx, right) - x),
    height: Math.max(0, Math.min(heightPx, bottom) - y),
  };
}

/** Merges rectangles into few regions that cover all of them and do not overlap; empty ones are dropped. */
export function mergeRegions(rects: readonly Rect[]): Rect[] {
  const regions = separate(rects.filter(({ width, height }) => width > 0 && height > 0));
  const [first, second, ...rest] = regions.toSorted((a, b) => a.y - b.y);
  if (first === undefined || second === undefined || regions.length <= regionsMax) return regions;
  return mergeRegions([union(first, second), ...rest]);
}

/** Joins regions until none overlap. Ends, because each step leaves fewer regions, or as many with fewer pixels. */
function separate(regions: readonly Rect[]): Rect[] {
  const separated: Rect[] = [];
  const waiting = regions.toReversed();
  for (let region = waiting.pop(); region !== undefined; region = waiting.pop()) {
    const current = region;
    const index = separated.findIndex((other) => overlap(other, current));
    const [other] = index < 0 ? [] : separated.splice(index, 1);
    if (other === undefined) separated.push(current);
    else waiting.push(...join(other, current));
  }
  return separated;
}

/**
 * Joins two regions that overlap into one. If this adds many pixels, returns the wider region and the part of the other
 * one above or below it: lines of text have different widths.
 */
function join(a: Rect, b: Rect): Rect[] {
  const whole = union(a, b);
  const [wide, narrow] = a.width >= b.width ? [a, b] : [b, a];
  const isBeside = narrow.x < wide.x || narrow.x + narrow.width > wide.x + wide.width;
  const above = Math.max(0, wide.y - narrow.y);
  const below = Math.max(0, narrow.y + narrow.height - wide.y - wide.height);
  if (isBeside || (above > 0 && below > 0)) return [whole];
  const height = above + below;
  const saved = area(whole) - area(wide) - narrow.width * height;
  if (saved < savedPxMin) return [whole];
  const y = above > 0 ? narrow.y : wide.y + wide.height;
  return [wide, { ...narrow, y, height }];
}

function area({ width, height }: Rect): number {
  return width * height;
}

function union(a: Rect, b: Rect): Rect {
  const x = Math.min(a.x, b.x);
  const y = Math.min(a.y, b.y);
  return {
    x,
    y,
    width: Math.max(a.x + a.width, b.x + b.width) - x,
    height: Math.max(a.y + a.height, b.y + b.height) - y,
  };
}

// Splits a display list at its first difference from another: the items below are the same, the items above are
// painted again.

/** Position of an item: its index in the list, then in the group at that index, and so on. */
export type ItemPath = readonly number[];

/**
 * Returns the path of the first item that differs, also inside groups without a buffer. If none differs, the path is
 * after the last item.
 */
export function firstDifference(
  before: readonly DisplayItem[],
  after: readonly DisplayItem[],
): ItemPath {
  const index = after.findIndex((item, position) => !isSame(before[position], item));
  const known = before[index];
  const item = after[index];
  if (item === undefined) return [after.length];
  const [a, b] = [known?.content, item.content];
  if (known === undefined || a?.kind !== 'group' || b.kind !== 'group') return [index];
  if (needsBuffer(item) || !hasSameFrame(known, item)) return [index];
  return [index, ...firstDifference(a.items, b.items)];
}

/** Whether two items are equal except for their content. */
function hasSameFrame(before: DisplayItem, after: DisplayItem): boolean {
  const names = Object.keys(before) as (keyof DisplayItem)[];
  return names.every((name) => name === 'content' || isSameData(before[name], after[name]));
}

/** Whether `path` is before `other` in paint order, or equal to it. */
export function isUpTo(path: ItemPath, other: ItemPath): boolean {
  for (const [level, index] of path.entries()) {
    const its = other[level];
    if (its === undefined) return false;
    if (index !== its) return index < its;
  }
  return true;
}

/**
 * Returns the items below a path and the items from the path on. A group that contains the path is on both sides, each
 * with the clip and a part of the content. Its border is painted last, so it is above.
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
