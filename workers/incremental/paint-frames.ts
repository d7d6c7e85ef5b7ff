/** Paints the frames of an animation: the first one as a whole, later ones where their display lists differ. */
import { toDrawable } from '../assets/drawable-cache.ts';
import type { Drawable } from '../assets/drawable-cache.ts';
import type { Drawables } from '../decode-sources.ts';
import { imageSize } from '../display-list.ts';
import type { DisplayList, Rect } from '../display-list.ts';
import type { Frame } from '../encode/animation/frames.ts';
import { paint, paintRegions } from '../paint/paint.ts';
import { freeBytes, toWords } from '../pixels.ts';
import type { Pixels } from '../pixels.ts';
import { checkWork } from '../work-limit.ts';
import { splitItems } from './damage.ts';
import type { ItemPath } from './damage.ts';
import type { FrameChange, FrameChanges } from './frame-changes.ts';

/** A display list and the time for which its image shows. */
export interface FrameList {
  list: DisplayList;
  delayMs: number;
}

/** Underlays of the frames, and decoded sources. */
interface Scenery {
  drawables: Drawables;
  scale: number;
  /** Items below the first one that differs in any frame; undefined if backgrounds differ. */
  common: { path: ItemPath; drawable: Drawable } | undefined;
  /** Items below the first one that differs in the next frames, such as the cards around a number that counts. */
  near: Drawable | undefined;
}

/** Paints the changes of all frames; equal frames in sequence become one. */
export function paintFrames(
  frames: readonly [FrameList, ...FrameList[]],
  { common, changes }: FrameChanges,
  drawables: Drawables,
  scale: number,
): Frame[] {
  const [{ list: first, delayMs }] = frames;
  const { widthPx, heightPx } = imageSize(first, scale);
  const whole = { x: 0, y: 0, width: widthPx, height: heightPx };
  const scenery: Scenery = { drawables, scale, common: undefined, near: undefined };
  try {
    if (common !== undefined) {
      scenery.common = { path: common, drawable: paintUnderlay(first, common, scenery) };
    }
    const image = paintWhole(first, scenery);
    const painted: Frame[] = [{ region: whole, pixels: copyRegion(image, whole), delayMs }];
    for (const [index, change] of changes.entries()) {
      checkWork();
      const changed = applyPatches(image, paintChange(change, scenery));
      const frameMs = frames[index + 1]?.delayMs ?? 0;
      const last = painted.at(-1);
      if (changed === undefined && last !== undefined) last.delayMs += frameMs;
      if (changed === undefined) continue;
      painted.push({ region: changed, pixels: copyRegion(image, changed), delayMs: frameMs });
    }
    freeBytes(image.data);
    return painted;
  } finally {
    scenery.common?.drawable.canvas.dispose();
    scenery.near?.canvas.dispose();
  }
}

/** Paints the items below a path, over the common underlay if there is one. */
function paintUnderlay(list: DisplayList, path: ItemPath, scenery: Scenery): Drawable {
  const { below: items } = splitItems(list.items, path);
  const { data, widthPx, heightPx } = paintWhole({ ...list, items }, scenery);
  const drawable = toDrawable(data, widthPx, heightPx);
  freeBytes(data);
  return drawable;
}

/** Paints an image over the common underlay if there is one. */
function paintWhole(list: DisplayList, { common, drawables, scale }: Scenery): Pixels {
  if (common === undefined) return paint(list, drawables, scale);
  const { widthPx: width, heightPx: height } = imageSize(list, scale);
  const { above: items } = splitItems(list.items, common.path);
  const whole = { x: 0, y: 0, width, height };
  const [patch] = paintRegions({ ...list, items }, drawables, scale, [whole], common.drawable);
  if (patch === undefined) throw new RangeError('nothing was painted');
  return patch.pixels;
}

type Patches = ReturnType<typeof paintRegions>;

/** Paints the changed regions of a frame over the highest underlay. */
function paintChange({ list, regions, items, near }: FrameChange, scenery: Scenery): Patches {
  if (near !== undefined) {
    scenery.near?.canvas.dispose();
    scenery.near = near === 'none' ? undefined : paintUnderlay(list, near, scenery);
  }
  const { common, drawables, scale } = scenery;
  if (regions.length === 0) return [];
  if (common === undefined) {
    const pixels = paint(list, drawables, scale);
    const region = { x: 0, y: 0, width: pixels.widthPx, height: pixels.heightPx };
    return [{ region, pixels }];
  }
  const underlay = scenery.near ?? common.drawable;
  return paintRegions({ ...list, items }, drawables, scale, regions, underlay);
}

/**
 * Copies patches into the image. Returns the smallest rectangle around the changed pixels that starts at even
 * positions, as WebP requires; undefined if no pixel changes.
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

/** Copies the pixels of a part of an image. The caller owns them. */
function copyRegion({ data, widthPx }: Pixels, { x, y, width, height }: Rect): Pixels {
  const bytes = new Uint8Array(width * height * 4);
  for (let row = 0; row < height; row += 1) {
    const from = ((y + row) * widthPx + x) * 4;
    bytes.set(data.subarray(from, from + width * 4), row * width * 4);
  }
  return { data: bytes, widthPx: width, heightPx: height };
}
