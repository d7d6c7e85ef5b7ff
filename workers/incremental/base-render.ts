/** A base render: one image of a template, encoded in bands. Later renders paint and encode only the differences. */
import { outputFormats } from '#language/formats.ts';
import type { IncrementalFormat } from '#language/formats.ts';
import type { RenderFormat } from '#wire/render-job.ts';
import type { Drawable } from '../assets/drawable-cache.ts';
import { toDrawable } from '../assets/drawable-cache.ts';
import { chromaOf } from '../chroma.ts';
import type { Drawables } from '../decode-sources.ts';
import type { DisplayItem, DisplayList, Outline, Rect } from '../display-list.ts';
import { imageSize, walkItems } from '../display-list.ts';
import type { BandedImage } from '../encode/banded-image.ts';
import type { Chroma } from '../encode/jpeg/head.ts';
import { createJpegImage } from '../encode/jpeg/image.ts';
import { createPngImage } from '../encode/png/image.ts';
import { compactBytes } from '../heap-bytes.ts';
import { intersectRects, itemBounds } from '../paint/bounds.ts';
import { needsBuffer } from '../paint/compose.ts';
import { antiAliasPx, contains, growRect, overlap, unionOf } from '../paint/geometry.ts';
import { letterPxMax } from '../paint/letter-masks.ts';
import { composeRuns, proveRuns, placeRuns } from '../paint/compose-letters.ts';
import type { Ground, PaintedRegion } from '../paint/compose-letters.ts';
import { paint, paintRegions } from '../paint/paint.ts';
import type { Pixels } from '../pixels.ts';
import { freeBytes, isOpaque, toWords } from '../pixels.ts';
import type { Damage } from './damage.ts';
import { findDamage } from './damage.ts';
import type { ItemPath } from './damage.ts';
import { isUpTo, splitItems } from './damage.ts';

/** One image of a template version at one scale, format and quality. */
export interface BaseRender {
  list: DisplayList;
  scale: number;
  quality: number;
  /** Colour resolution of a JPEG; undefined for PNG. A list with another resolution is rendered from scratch. */
  chroma: Chroma | undefined;
  image: BandedImage;
  /** Created when first needed. */
  underlay?: Underlay;
  /** Bytes of native memory, with the underlay. */
  sizeBytes: number;
  /** Heap bytes of the list: a small image may have thousands of letters. */
  listBytes: number;
}

/** The painted items below `end`, which no render has changed so far, at the size of the image. */
interface Underlay {
  end: ItemPath;
  drawable: Drawable;
  /** Pixels of a part of the drawable, read when first needed; undefined if the part is too large or not opaque. */
  ground?: Ground | undefined;
}

/**
 * Bytes of a base render besides its pixels: header and tables of its file, canvas of its underlay (measured at
 * 16 × 16).
 */
const objectsBytes = 40 * 1024;

/** Whether files of this format can be spliced from bands. */
export function isBanded(format: RenderFormat): format is IncrementalFormat {
  return outputFormats[format].isIncremental;
}

/** Encodes painted pixels in bands. Takes ownership of `pixels` and `list`. */
export async function createBaseRender(
  list: DisplayList,
  scale: number,
  pixels: Pixels,
  format: IncrementalFormat,
  quality: number,
): Promise<BaseRender> {
  const chroma = format === 'jpeg' ? chromaOf(list, format, quality) : undefined;
  const { data, widthPx, heightPx } = pixels;
  const underlayBytes = data.length + 4 * groundPxMax(widthPx * heightPx);
  const listBytes = compactBytes(list);
  const image =
    chroma === undefined ? createPngImage(pixels) : await createJpegImage(pixels, quality, chroma);
  if (chroma !== undefined) freeBytes(pixels.data);
  const sizeBytes = image.sizeBytes + underlayBytes + objectsBytes;
  return { list, scale, quality, chroma, image, sizeBytes, listBytes };
}

/**
 * Returns the damage of `list`, a list of the same template with other values. Undefined if rendering from
 * scratch is cheaper, or if the list needs another colour resolution.
 */
export function findBaseDamage(
  { list: before, scale, quality, chroma, image }: BaseRender,
  list: DisplayList,
): Damage | undefined {
  if (chroma !== undefined && chromaOf(list, 'jpeg', quality) !== chroma) return undefined;
  const damage = findDamage(before, list, scale, image.blockPx);
  return damage !== undefined && image.pays(damage.regions) ? damage : undefined;
}

/**
 * Returns the items whose sources must be decoded to paint this damage, with those of an underlay that does not exist
 * yet.
 */
export function damagedItems(
  { underlay, scale }: BaseRender,
  { first, regions }: Damage,
  list: DisplayList,
): readonly DisplayItem[] {
  if (regions.length === 0) return [];
  if (underlay === undefined || !isUpTo(underlay.end, first)) return list.items;
  return pruneItems(splitItems(list.items, underlay.end).above, regions, scale);
}

/** Paints the damaged regions over the underlay. `drawables` holds the decoded sources of the damaged items. */
export function paintDamage(
  base: BaseRender,
  damage: Damage,
  list: DisplayList,
  drawables: Drawables,
): PaintedRegion[] {
  const { regions } = damage;
  if (regions.length === 0) return [];
  const underlay = ensureUnderlay(base, damage, list, drawables);
  const items = pruneItems(splitItems(list.items, underlay.end).above, regions, base.scale);
  const size = imageSize(list, base.scale);
  const runs = placeRuns(items, regions, base.scale, size);
  const ground = runs && groundOf(underlay, regions);
  const composed = ground && composeRuns(runs, regions, ground, base.scale, size);
  if (composed !== undefined) return composed;
  const painted = paintRegions(
    { ...list, items },
    drawables,
    base.scale,
    regions,
    underlay.drawable,
  );
  if (runs !== undefined && ground !== undefined)
    proveRuns(runs, painted, ground, base.scale, size);
  return painted;
}

/** Margin around the regions in device pixels, for later renders. No margin if the ground would be too large. */
const groundReachPx = 64;
/** Returns the maximum size of a ground in pixels: a share of the image, and all of a small image. */
function groundPxMax(pixelCount: number): number {
  return Math.min(pixelCount, Math.max(Math.floor(pixelCount * 0.4), 128 * 1024));
}

/** Returns pixels of the underlay in a part of the image that contains all regions. */
function groundOf(underlay: Underlay, regions: readonly Rect[]): Ground | undefined {
  const known = underlay.ground;
  const needed = unionOf(regions);
  if (known !== undefined && contains(known.rect, needed)) return known;
  const { widthPx, heightPx } = underlay.drawable;
  const image = { x: 0, y: 0, width: widthPx, height: heightPx };
  const wanted = unionOf(known === undefined ? [needed] : [needed, known.rect]);
  const rect = [groundReachPx, 0]
    .map((reach) => intersectRects(growRect(wanted, reach), image))
    .find(({ width, height }) => width * height <= groundPxMax(widthPx * heightPx));
  if (rect === undefined) return undefined;
  const empty = { width: widthPx, height: heightPx, background: undefined, items: [] };
  const [read] = paintRegions(empty, new Map(), 1, [rect], underlay.drawable);
  if (read === undefined || !isOpaque(read.pixels.data)) return undefined;
  underlay.ground = { rect, words: toWords(read.pixels.data) };
  return underlay.ground;
}

/** Returns an underlay with the painted items below the first one that differs. */
function ensureUnderlay(
  base: BaseRender,
  { first }: Damage,
  list: DisplayList,
  drawables: Drawables,
): Underlay {
  if (base.underlay !== undefined && isUpTo(base.underlay.end, first)) return base.underlay;
  const items = splitItems(list.items, first).below;
  // `paint` may throw, so the old underlay is disposed of afterwards.
  const { data, widthPx, heightPx } = paint({ ...list, items }, drawables, base.scale);
  base.underlay?.drawable.canvas.dispose();
  base.underlay = { end: first, drawable: toDrawable(data, widthPx, heightPx) };
  freeBytes(data);
  return base.underlay;
}

/** Frees the native pixels of a base render that no render uses any more. */
export function freeBaseRender({ underlay }: BaseRender): void {
  underlay?.drawable.canvas.dispose();
}

// Pruning: leaves out items outside of the damaged regions.

/**
 * Returns the items that paint into one of these regions of device pixels. An unrotated group without a buffer keeps
 * only such children; any other group is kept whole.
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
      // A clip changes the pixels of blurs and the anti-aliasing of curves, so the frame is left out for letters alone.
      const isPlain = [...walkItems(children)].every((child) => hasLettersAlone(child, scale));
      const isIdle = isPlain && cutsNone(item.frame, regions, scale);
      const frame = isIdle ? undefined : item.frame;
      return { ...item, frame, content: { kind: 'group', items: children } };
    });
}

/** Whether an item paints only letters that the engine draws from masks, or is a group that paints nothing itself. */
function hasLettersAlone(item: DisplayItem, scale: number): boolean {
  const { content, rotation } = item;
  if (needsBuffer(item) || rotation !== 0) return false;
  if (item.border !== undefined || item.clip !== undefined) return false;
  if (content.kind === 'group') return item.frame === undefined;
  if (content.kind !== 'text' || content.stroke !== undefined || content.clips) return false;
  if (content.backgrounds.length + content.lines.length > 0) return false;
  return content.runs.every(
    ({ glyphs, font }) => glyphs === undefined && font.size * scale <= letterPxMax,
  );
}

/**
 * Whether an outline contains all of these regions. A clip by this outline then changes none of their pixels, but takes
 * the engine 0.1 ms for a round rectangle of a banner.
 */
function cutsNone(outline: Outline | undefined, regions: readonly Rect[], scale: number): boolean {
  if (outline?.kind !== 'rect') return false;
  const { radii } = outline;
  const left = outline.rect.x * scale;
  const top = outline.rect.y * scale;
  const right = left + outline.rect.width * scale;
  const bottom = top + outline.rect.height * scale;
  return regions.every((region) => {
    const { x, y, width, height } = growRect(region, antiAliasPx);
    if (x < left || y < top || x + width > right || y + height > bottom) return false;
    // Distances of the region from the two sides at each corner, clockwise from the top left.
    const aside = [x - left, right - x - width, right - x - width, x - left];
    const away = [y - top, y - top, bottom - y - height, bottom - y - height];
    return radii.every((radius, corner) => {
      return Math.max(aside[corner] ?? 0, away[corner] ?? 0) >= radius * scale;
    });
  });
}

function touches(item: DisplayItem, regions: readonly Rect[], scale: number): boolean {
  const { x, y, width, height } = itemBounds(item);
  const bounds = { x: x * scale, y: y * scale, width: width * scale, height: height * scale };
  const reach = growRect(bounds, antiAliasPx);
  return regions.some((region) => overlap(region, reach));
}
