/** Finds where each frame of an animation differs from the one before it, and over what it is painted. */
import { leastFramesMs } from '#language/limits/image-costs.ts';
import { templateLimits } from '#language/limits/template-limits.ts';
import type { RenderJob } from '#wire/render-job.ts';
import type { DisplayItem, DisplayList, Rect } from '../display-list.ts';
import { imageSize } from '../display-list.ts';
import { requireAffordable } from '../paint/cost/limit.ts';
import { paintCost } from '../paint/cost/paint-cost.ts';
import { requireMs, TooExpensiveError } from '../work-limit.ts';
import { pruneItems } from './base-render.ts';
import { findDamagedRegions, firstDifference, isUpTo, splitItems } from './damage.ts';
import type { ItemPath } from './damage.ts';
import { isSameData } from './same-data.ts';

/** What a frame paints. */
export interface FrameChange {
  list: DisplayList;
  /** Whole device pixels in which it can differ from the frame before; empty if it does not. */
  regions: Rect[];
  /** The items above its underlay that touch the regions; all of them if it has none. */
  items: DisplayItem[];
  /** Where the near underlay ends that begins with this frame; `none`: the last one is over. */
  near: ItemPath | 'none' | undefined;
}

export interface FrameChanges {
  /** The end of the common underlay; undefined where backgrounds differ, and frames are painted from scratch. */
  common: ItemPath | undefined;
  /** All frames but the first, which is painted as a whole. */
  changes: FrameChange[];
}

export function findFrameChanges(lists: readonly DisplayList[], scale: number): FrameChanges {
  const common = commonPath(lists);
  let underlay = common;
  const starts = common === undefined ? [] : nearStarts(lists, common);
  const changes = lists.slice(1).map((list, index): FrameChange => {
    const near = starts[index + 1];
    if (near !== undefined) underlay = near === 'none' ? common : near;
    const regions = changedRegions(lists[index] ?? list, list, scale);
    const isIdle = regions.length === 0;
    const above = underlay === undefined || isIdle ? [] : splitItems(list.items, underlay).above;
    const items = underlay === undefined ? [...list.items] : pruneItems(above, regions, scale);
    return { list, regions, items, near };
  });
  return { common, changes };
}

function changedRegions(before: DisplayList, after: DisplayList, scale: number): Rect[] {
  const { widthPx: width, heightPx: height } = imageSize(after, scale);
  return findDamagedRegions(before, after, scale, 1) ?? [{ x: 0, y: 0, width, height }];
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

/** Frames in a row that must differ in the same items before these have an underlay of their own. */
const nearFramesMin = 3;

/**
 * By frame: the path of a near underlay that begins with it, if this frame and the next ones differ in later items alone;
 * `none` where the last one ends. Absent where nothing changes.
 */
function nearStarts(lists: readonly DisplayList[], common: ItemPath): FrameChange['near'][] {
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

/** Frames that are too expensive together. */
export class TooManyFramesError extends TooExpensiveError {
  /** About how many are not, if each costs as much as the others. */
  readonly fitting: number;

  constructor(message: string, fitting: number) {
    super(message);
    this.fitting = Math.floor(fitting);
  }
}

/** Bytes of a pixel that each image of an animation takes which it holds beside what a still has. */
const pixelBytes = 4;

/**
 * Returns the bytes that the frames hold beside a still. Throws `TooExpensiveError` for frames that take too long by
 * their estimate, or longer than `msMax`, that have too many pixels, or of which one would be refused as a still.
 */
export function requirePaintable(
  lists: readonly [DisplayList, ...DisplayList[]],
  { common, changes }: FrameChanges,
  { scale, format, quality }: Pick<RenderJob, 'scale' | 'format' | 'quality'>,
  msMax = Infinity,
): number {
  const frames = lists.length;
  const changedPixels = countPixels(changes);
  const [first] = lists;
  const { widthPx, heightPx } = imageSize(first, scale);
  const whole = widthPx * heightPx;
  // The image and its first frame; a near underlay beside the common one, which a still has as the pixels that it reads.
  const images = changes.some(({ near }) => near !== undefined && near !== 'none') ? 3 : 2;
  let heldBytes = images * whole * pixelBytes;
  let { us } = requireAffordable(first, scale, heldBytes);
  const firstMs = us / 1000 + leastFramesMs(format, whole, quality);
  for (const { list, regions, items, near } of changes) {
    requireAffordable(list, scale, heldBytes);
    // The common underlay has the background, and what a near one begins with.
    const over = common === undefined ? list : { ...list, background: undefined };
    if (common !== undefined && near !== undefined && near !== 'none') {
      const { below } = splitItems(list.items, near);
      us += paintCost({ ...over, items: splitItems(below, common).above }, scale).us;
    }
    if (regions.length === 0) continue;
    us += paintCost({ ...over, items }, scale).us;
    heldBytes += pixelsAround(regions) * pixelBytes;
  }
  const ms = us / 1000 + leastFramesMs(format, whole + changedPixels, quality);
  const work = `paint its ${frames} frames and encode them as ${format}`;
  if (ms > msMax) {
    throw new TooManyFramesError(
      `takes about ${Math.ceil(ms)} ms of processor time to ${work}, at most ${msMax}`,
      1 + changes.length * ((msMax - firstMs) / (ms - firstMs)),
    );
  }
  requireMs(ms, work);
  return heldBytes;
}

/** The pixels that frames paint again. */
function countPixels(changes: readonly FrameChange[]): number {
  const { animationPixelsMax } = templateLimits;
  let pixels = 0;
  for (const { regions } of changes) {
    for (const { width, height } of regions) pixels += width * height;
  }
  if (pixels <= animationPixelsMax) return pixels;
  const [megapixels, most] = [pixels, animationPixelsMax].map((count) => Math.ceil(count / 1e6));
  throw new TooManyFramesError(
    `changes ${megapixels} megapixels in its ${changes.length + 1} frames, at most ${most}: animate smaller parts, or fewer frames`,
    1 + changes.length * (animationPixelsMax / pixels),
  );
}

/** Pixels of the smallest rectangle around regions: a frame of a file has one. */
function pixelsAround(regions: readonly Rect[]): number {
  const left = Math.min(...regions.map(({ x }) => x));
  const top = Math.min(...regions.map(({ y }) => y));
  const right = Math.max(...regions.map(({ x, width }) => x + width));
  const bottom = Math.max(...regions.map(({ y, height }) => y + height));
  return (right - left) * (bottom - top);
}
