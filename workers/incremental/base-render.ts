/** A picture of a template kept ready, painted and encoded in bands: a render of other values paints and encodes only what differs. */
import type { RenderFormat } from '#wire/render-job.ts';
import type { Drawable } from '../assets/drawable.ts';
import { toDrawable } from '../assets/drawable.ts';
import { chromaOf } from '../chroma.ts';
import type { DisplayItem, DisplayList, Rect } from '../display-list.ts';
import type { BandedImage } from '../encode/banded-image.ts';
import type { Chroma } from '../encode/jpeg/image.ts';
import { createJpegImage } from '../encode/jpeg/image.ts';
import { createPngImage } from '../encode/png/image.ts';
import { compactBytes } from '../heap-bytes.ts';
import type { Drawables } from '../load-drawables.ts';
import type { Pixels } from '../pixels.ts';
import { freeBytes } from '../pixels.ts';
import { paint, paintRegions } from '../paint/paint.ts';
import type { Damage } from './damage.ts';
import { findDamage } from './damage.ts';
import type { ItemPath } from './split-items.ts';
import { isUpTo, splitItems } from './split-items.ts';
import { itemBounds } from '../paint/bounds.ts';
import { needsBuffer } from '../paint/compose.ts';
import { growRect, overlap } from '../paint/outline.ts';

/** Formats that can be spliced from bands. */
export type BandedFormat = Extract<RenderFormat, 'jpeg' | 'png'>;

/** What is kept of one picture of a template version at one scale, format and quality. */
export interface Plan {
  list: DisplayList;
  scale: number;
  quality: number;
  /** Colour resolution of a JPEG, undefined for PNG: a list that needs another one is drawn whole. */
  chroma: Chroma | undefined;
  image: BandedImage;
  /** The picture of the items before a place that renders so far did not change; made when first wanted. */
  base?: Base;
  /** Bytes of memory that the plan takes beside its list, its base included. */
  sizeBytes: number;
  /** Bytes of the thread's heap that its list takes: a small picture may have thousands of letters. */
  listBytes: number;
}

/** A painted picture of the items before `end`, as large as the whole. */
interface Base {
  end: ItemPath;
  drawable: Drawable;
}

/** What the objects around the smallest picture take: its file's head and tables, its base's canvas (measured at 16 × 16). */
const objectsBytes = 40 * 1024;

/** Whether renders of this format can be spliced from bands. */
export function isBanded(format: RenderFormat): format is BandedFormat {
  return format === 'jpeg' || format === 'png';
}

/** Encodes a painted picture in bands and keeps it for the renders to come. Pixels and list belong to the plan from now on. */
export async function createPlan(
  list: DisplayList,
  scale: number,
  pixels: Pixels,
  format: BandedFormat,
  quality: number,
): Promise<Plan> {
  const chroma = format === 'jpeg' ? chromaOf(list, format, quality) : undefined;
  const baseBytes = pixels.data.length;
  const listBytes = compactBytes(list);
  const image =
    chroma === undefined ? createPngImage(pixels) : await createJpegImage(pixels, quality, chroma);
  const sizeBytes = image.sizeBytes + baseBytes + objectsBytes;
  return { list, scale, quality, chroma, image, sizeBytes, listBytes };
}

/**
 * The damage that `list`, a list of the plan's template with other values, does to the plan's picture.
 * Undefined when so much differs that a whole render is cheaper, or when the list needs another colour resolution.
 */
export function findPlanDamage(
  { list: before, scale, quality, chroma, image }: Plan,
  list: DisplayList,
): Damage | undefined {
  if (chroma !== undefined && chromaOf(list, 'jpeg', quality) !== chroma) return undefined;
  const damage = findDamage(before, list, scale, image.blockPx);
  return damage !== undefined && image.pays(damage.regions) ? damage : undefined;
}

/** The items of `list` whose pictures are needed to mend this damage, those of a base that is still to be made included. */
export function damagedItems(
  { base, scale }: Plan,
  { first, regions }: Damage,
  list: DisplayList,
): readonly DisplayItem[] {
  if (regions.length === 0) return [];
  if (base === undefined || !isUpTo(base.end, first)) return list.items;
  return pruneItems(splitItems(list.items, base.end).above, regions, scale);
}

/** A file that was spliced from a plan. */
export interface SplicedFile {
  bytes: Uint8Array<ArrayBuffer>;
  /** Milliseconds spent on painting; the rest went into encoding. */
  paintMs: number;
}

/**
 * The file of `list`: only the damage is painted, over the plan's base, and only the bands it crosses
 * are encoded. `drawables` holds the pictures of the damaged items. The caller owns the bytes.
 */
export function renderOverPlan(
  plan: Plan,
  damage: Damage,
  list: DisplayList,
  drawables: Drawables,
): SplicedFile {
  const { regions } = damage;
  if (regions.length === 0) return { bytes: plan.image.toFile([]), paintMs: 0 };
  const started = performance.now();
  const { end, drawable } = ensureBase(plan, damage, list, drawables);
  const items = pruneItems(splitItems(list.items, end).above, regions, plan.scale);
  const patches = paintRegions({ ...list, items }, drawables, plan.scale, regions, drawable);
  const paintMs = performance.now() - started;
  return { bytes: plan.image.toFile(patches), paintMs };
}

/** The picture of what is the same in the plan and the list, below the first item that differs. */
function ensureBase(plan: Plan, { first }: Damage, list: DisplayList, drawables: Drawables): Base {
  if (plan.base !== undefined && isUpTo(plan.base.end, first)) return plan.base;
  const items = splitItems(list.items, first).below;
  // May throw: the base that is there is disposed afterwards.
  const { data, widthPx, heightPx } = paint({ ...list, items }, drawables, plan.scale);
  plan.base?.drawable.canvas.dispose();
  plan.base = { end: first, drawable: toDrawable(data, widthPx, heightPx) };
  freeBytes(data);
  return plan.base;
}

// Leaves out what does not show in the parts of a picture that are wanted.

/** Device pixels that anti-aliasing can reach over an item's bounds. */
const antiAliasPx = 2;

/**
 * The items that paint into one of these regions of device pixels. An upright group that is painted
 * straight onto the canvas keeps only such children; any other is kept whole.
 */
function pruneItems(
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
      return { ...item, content: { kind: 'group', items: children } };
    });
}

function touches(item: DisplayItem, regions: readonly Rect[], scale: number): boolean {
  const { x, y, width, height } = itemBounds(item);
  const bounds = { x: x * scale, y: y * scale, width: width * scale, height: height * scale };
  const reach = growRect(bounds, antiAliasPx);
  return regions.some((region) => overlap(region, reach));
}
