/** Finds the differences between each frame of an animation and the previous one, and the underlay of each frame. */
import { leastFramesMs } from '#language/limits/image-costs.ts';
import { templateLimits } from '#language/limits/template-limits.ts';
import type { RenderJob } from '#wire/render-job.ts';
import type { DisplayItem, DisplayList, Rect } from '../display-list.ts';
import { imageSize } from '../display-list.ts';
import { requireAffordable } from '../paint/cost/limit.ts';
import { paintCost } from '../paint/cost/paint-cost.ts';
import { requireMs, TooExpensiveError } from '../work-limit.ts';
import { pruneItems } from './prune-items.ts';
import { findDamagedRegions, firstDifference, isUpTo, splitItems } from './damage.ts';
import type { ItemPath } from './damage.ts';
import { isSameData } from './same-data.ts';

/** The list, regions and items that a frame paints. */
export interface FrameChange {
  list: DisplayList;
  /** Whole device pixels in which the frame can differ from the previous one; empty if it does not differ. */
  regions: Rect[];
  /** The items above the underlay that touch the regions; all items without an underlay. */
  items: DisplayItem[];
  /** End of the near underlay that starts with this frame; `none` if the near underlay before this frame ends. */
  near: ItemPath | 'none' | undefined;
}

export interface FrameChanges {
  /** The end of the common underlay; undefined if backgrounds differ, and frames are painted from scratch. */
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

/** Returns the path of the first item that differs in any frame; undefined if the backgrounds differ. */
function commonPath([first, ...others]: readonly DisplayList[]): ItemPath | undefined {
  let path: ItemPath = [first?.items.length ?? 0];
  for (const { items, background } of others) {
    if (!isSameData(background, first?.background)) return undefined;
    const next = firstDifference(first?.items ?? [], items);
    if (isUpTo(next, path)) path = next;
  }
  return path;
}

/** Minimum length of a sequence of frames with a near underlay: they must differ only in items above it. */
const nearFramesMin = 3;

/**
 * Returns for each frame the path of a near underlay that starts with it, if this frame and the next ones differ only
 * in later items; `none` if a near underlay ends. Undefined if the underlay does not change.
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

/** All frames together are too expensive. */
export class TooManyFramesError extends TooExpensiveError {
  /** Estimated number of frames that are affordable, if all cost the same. */
  readonly fitting: number;

  constructor(message: string, fitting: number) {
    super(message);
    this.fitting = Math.floor(fitting);
  }
}

/** Bytes per pixel of each image that an animation holds in addition to a still. */
const pixelBytes = 4;

/**
 * Returns the bytes that the frames hold in addition to a still. Throws `TooExpensiveError` if the estimate of the
 * frames exceeds the deadline or `msMax`, if too many pixels change, or if one frame would be rejected as a still.
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
  // The image, its first frame and a near underlay. The common underlay replaces the pixels that a still reads.
  const images = changes.some(({ near }) => near !== undefined && near !== 'none') ? 3 : 2;
  let heldBytes = images * whole * pixelBytes;
  let { us } = requireAffordable(first, scale, heldBytes);
  const firstMs = us / 1000 + leastFramesMs(format, whole, quality);
  for (const { list, regions, items, near } of changes) {
    requireAffordable(list, scale, heldBytes);
    // The common underlay has the background and the lowest items of a near underlay.
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

/** Returns the number of pixels that frames paint again. Throws `TooManyFramesError` above the limit. */
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

/** Returns the pixels of the smallest rectangle around regions: a frame of a file has one rectangle. */
function pixelsAround(regions: readonly Rect[]): number {
  const left = Math.min(...regions.map(({ x }) => x));
  const top = Math.min(...regions.map(({ y }) => y));
  const right = Math.max(...regions.map(({ x, width }) => x + width));
  const bottom = Math.max(...regions.map(({ y, height }) => y + height));
  return (right - left) * (bottom - top);
}
