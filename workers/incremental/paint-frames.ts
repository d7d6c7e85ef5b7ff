/** Paints the frames of an animation: the first as a whole, each later one where its display list differs from the one before. */
import { templateLimits } from '#language/limits/template-limits.ts';
import { toDrawable } from '../assets/drawable-cache.ts';
import type { Drawable } from '../assets/drawable-cache.ts';
import type { Drawables } from '../decode-sources.ts';
import { imageSize } from '../display-list.ts';
import type { DisplayList, Rect } from '../display-list.ts';
import type { Frame } from '../encode/animation/frames.ts';
import { paintCost } from '../paint/cost/paint-cost.ts';
import { paint, paintRegions } from '../paint/paint.ts';
import { freeBytes, toWords } from '../pixels.ts';
import type { Pixels } from '../pixels.ts';
import { checkWork, requireMs, TooExpensiveError } from '../work-limit.ts';
import { pruneItems } from './base-render.ts';
import { findDamagedRegions, firstDifference, isUpTo, splitItems } from './damage.ts';
import type { ItemPath } from './damage.ts';
import { isSameData } from './same-data.ts';

/** A display list and how long its image shows. */
export interface FrameList {
  list: DisplayList;
  delayMs: number;
}

/** Painted items of a list below `path`, which frames share. */
interface Underlay {
  list: DisplayList;
  path: ItemPath;
  drawable: Drawable;
}

/** What frames are painted over. */
interface Scenery {
  drawables: Drawables;
  scale: number;
  /** Below the first item that differs in any frame; absent where backgrounds differ: frames are painted from scratch. */
  common: Underlay | undefined;
  /** Below the first item that differs between most neighbours: the cards around a number that counts. */
  near: Underlay | undefined;
}

/**
 * Paints all frames; equal frames in a row become one. Throws `TooExpensiveError` before it paints anything if that takes
 * too long by its estimate, or if the frames have too many pixels.
 */
export function paintFrames(
  frames: readonly [FrameList, ...FrameList[]],
  drawables: Drawables,
  scale: number,
): Frame[] {
  const [{ list: first, delayMs }] = frames;
  const { widthPx, heightPx } = imageSize(first, scale);
  const whole = { x: 0, y: 0, width: widthPx, height: heightPx };
  const lists = frames.map(({ list }) => list);
  const damages = lists.map((list, index) => {
    const before = lists[index - 1];
    return (before && findDamagedRegions(before, list, scale, 1)) ?? [whole];
  });
  const path = commonPath(lists);
  const starts = path === undefined ? [] : nearStarts(lists, path);
  requirePaintable(lists, damages, path, starts, scale);
  const scenery: Scenery = { drawables, scale, common: undefined, near: undefined };
  try {
    scenery.common = path && paintUnderlay(first, path, scenery);
    const image = paintWhole(first, scenery);
    const painted: Frame[] = [{ region: whole, pixels: copyRegion(image, whole), delayMs }];
    for (const [index, frame] of frames.entries()) {
      if (index === 0) continue;
      checkWork();
      startNear(scenery, frame.list, starts[index]);
      const patches = paintPatches(frame.list, damages[index] ?? [], scenery);
      const changed = applyPatches(image, patches);
      const last = painted.at(-1);
      if (changed === undefined && last !== undefined) last.delayMs += frame.delayMs;
      if (changed === undefined) continue;
      const pixels = copyRegion(image, changed);
      painted.push({ region: changed, pixels, delayMs: frame.delayMs });
    }
    return painted;
  } finally {
    scenery.common?.drawable.canvas.dispose();
    scenery.near?.drawable.canvas.dispose();
  }
}

/** The first item that differs in any frame; undefined if the backgrounds differ. */
function commonPath([first, ...others]: readonly DisplayList[]): ItemPath | undefined {
  let path: ItemPath = [first?.items.length ?? 0];
  for (const { items, background } of others) {
    if (!isSameData(background, first?.background)) return undefined;
    const next = firstDifference(first?.items ?? [], items);
    if (isUpTo(next, path)) path = next;
  }
  return path;
}

/** Nanoseconds that the slowest encoder takes a pixel of a frame. */
const encodePixelNs = 60;

function requirePaintable(
  lists: readonly DisplayList[],
  damages: readonly (readonly Rect[])[],
  common: ItemPath | undefined,
  starts: readonly (ItemPath | 'none' | undefined)[],
  scale: number,
): void {
  let us = 0;
  let pixels = 0;
  let path = common;
  for (const [index, list] of lists.entries()) {
    const start = starts[index];
    if (start !== undefined) path = start === 'none' ? common : start;
    // A near underlay is painted as the image once was.
    if (index === 0 || (start !== undefined && start !== 'none')) us += paintCost(list, scale).us;
    const regions = damages[index] ?? [];
    if (index === 0 || regions.length === 0) continue;
    const items = path === undefined ? list.items : splitItems(list.items, path).above;
    us += paintCost({ ...list, items: pruneItems(items, regions, scale) }, scale).us;
    for (const { width, height } of regions) pixels += width * height;
  }
  if (pixels > templateLimits.animationPixelsMax) {
    const [megapixels, most] = [pixels, templateLimits.animationPixelsMax].map((count) =>
      Math.ceil(count / 1e6),
    );
    throw new TooExpensiveError(
      `changes ${megapixels} megapixels in its ${lists.length} frames, at most ${most}: animate smaller parts, or fewer frames`,
    );
  }
  const ms = us / 1000 + (pixels * encodePixelNs) / 1e6;
  requireMs(ms, `paint its ${lists.length} frames (_frames chooses fewer)`);
}

/** Paints the items below a path, over the common underlay if there is one. */
function paintUnderlay(list: DisplayList, path: ItemPath, scenery: Scenery): Underlay {
  const { below: items } = splitItems(list.items, path);
  const { data, widthPx, heightPx } = paintWhole({ ...list, items }, scenery);
  const drawable = toDrawable(data, widthPx, heightPx);
  freeBytes(data);
  return { list, path, drawable };
}

/** Frames in a row that must differ in the same items before these have an underlay of their own. */
const nearFramesMin = 3;

/**
 * By frame: the path of a near underlay that begins with it, if this frame and the next ones differ in later items alone;
 * `none` where the last one ends. Absent where nothing changes.
 */
function nearStarts(
  lists: readonly DisplayList[],
  common: ItemPath,
): (ItemPath | 'none' | undefined)[] {
  let near: { list: DisplayList; path: ItemPath } | undefined;
  return lists.map((list, index) => {
    if (index === 0) return undefined;
    if (near !== undefined && isUpTo(near.path, firstDifference(near.list.items, list.items))) {
      return undefined;
    }
    const neighbours = lists.slice(index, index + nearFramesMin);
    const path = commonPath(neighbours);
    const isNear =
      neighbours.length === nearFramesMin && path !== undefined && !isUpTo(path, common);
    near = isNear ? { list, path } : undefined;
    return near?.path ?? 'none';
  });
}

function startNear(
  scenery: Scenery,
  list: DisplayList,
  start: ItemPath | 'none' | undefined,
): void {
  if (start === undefined) return;
  scenery.near?.drawable.canvas.dispose();
  scenery.near = start === 'none' ? undefined : paintUnderlay(list, start, scenery);
}

type Patches = ReturnType<typeof paintRegions>;

/** Paints regions of a frame over the highest underlay. */
function paintPatches(list: DisplayList, regions: readonly Rect[], scenery: Scenery): Patches {
  const { common, near, drawables, scale } = scenery;
  const underlay = near ?? common;
  if (regions.length === 0) return [];
  if (underlay === undefined) {
    const pixels = paint(list, drawables, scale);
    const region = { x: 0, y: 0, width: pixels.widthPx, height: pixels.heightPx };
    return [{ region, pixels }];
  }
  const items = pruneItems(splitItems(list.items, underlay.path).above, regions, scale);
  return paintRegions({ ...list, items }, drawables, scale, regions, underlay.drawable);
}

function paintWhole(list: DisplayList, scenery: Scenery): Pixels {
  const { widthPx, heightPx } = imageSize(list, scenery.scale);
  const whole = { x: 0, y: 0, width: widthPx, height: heightPx };
  const [patch] = paintPatches(list, [whole], { ...scenery, near: undefined });
  if (patch === undefined) throw new RangeError('nothing was painted');
  return patch.pixels;
}

/**
 * Copies patches into the image. Returns the smallest rectangle around the pixels that this changes, from even positions
 * on, as WebP needs it; undefined if none changes.
 */
function applyPatches(image: Pixels, patches: Patches): Rect | undefined {
  let left = Infinity;
  let top = Infinity;
  let right = -1;
  let bottom = -1;
  const words = toWords(image.data);
  for (const { region, pixels } of patches) {
    const patch = toWords(pixels.data);
    for (let row = 0, at = 0; row < region.height; row += 1) {
      let position = (region.y + row) * image.widthPx + region.x;
      for (let column = 0; column < region.width; column += 1, at += 1, position += 1) {
        const word = patch[at] ?? 0;
        if (words[position] === word) continue;
        words[position] = word;
        left = Math.min(left, region.x + column);
        right = Math.max(right, region.x + column);
        top = Math.min(top, region.y + row);
        bottom = Math.max(bottom, region.y + row);
      }
    }
  }
  if (right < 0) return undefined;
  left -= left % 2;
  top -= top % 2;
  return { x: left, y: top, width: right + 1 - left, height: bottom + 1 - top };
}

/** The pixels of a part of an image. The caller owns them. */
function copyRegion({ data, widthPx }: Pixels, { x, y, width, height }: Rect): Pixels {
  const bytes = new Uint8Array(width * height * 4);
  for (let row = 0; row < height; row += 1) {
    const from = ((y + row) * widthPx + x) * 4;
    bytes.set(data.subarray(from, from + width * 4), row * width * 4);
  }
  return { data: bytes, widthPx: width, heightPx: height };
}
