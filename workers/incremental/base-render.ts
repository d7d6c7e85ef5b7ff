/** A base render: one image of a template, encoded in bands. Later renders paint and encode only the differences. */
import { randomUUID } from 'node:crypto';
import { deserialize, serialize } from 'node:v8';
import { outputFormats } from '#language/formats.ts';
import type { IncrementalFormat } from '#language/formats.ts';
import type { RenderFormat } from '#wire/render-job.ts';
import type { Drawable } from '../assets/drawable-cache.ts';
import { findDrawable, keepDrawable, toDrawable } from '../assets/drawable-cache.ts';
import { chromaOf } from '../chroma.ts';
import type { Drawables } from '../decode-sources.ts';
import type { DisplayItem, DisplayList, Rect } from '../display-list.ts';
import { imageSize } from '../display-list.ts';
import type { BandedImage } from '../encode/banded-image.ts';
import type { Chroma } from '../encode/jpeg/head.ts';
import { createJpegImage, jpegImageOf } from '../encode/jpeg/image.ts';
import type { JpegImageData } from '../encode/jpeg/image.ts';
import { createPngImage, pngImageOf } from '../encode/png/image.ts';
import type { PngImageData } from '../encode/png/image.ts';
import { compactBytes } from '../heap-bytes.ts';
import { intersectRects } from '../paint/bounds.ts';
import { contains, growRect, unionOf } from '../paint/geometry.ts';
import { composeRuns, proveRuns, placeRuns } from '../paint/compose-letters.ts';
import type { Ground, PaintedRegion } from '../paint/compose-letters.ts';
import { paint, paintRegions } from '../paint/paint.ts';
import type { Pixels } from '../pixels.ts';
import { freeBytes, isOpaque, toWords } from '../pixels.ts';
import { findPart, keepPart } from '../shared/parts.ts';
import type { Damage } from './damage.ts';
import { findDamage } from './damage.ts';
import type { ItemPath } from './damage.ts';
import { isUpTo, splitItems } from './damage.ts';
import { pruneItems } from './prune-items.ts';

/** One image of a template version at one scale, format and quality. */
export interface BaseRender {
  list: DisplayList;
  scale: number;
  quality: number;
  /** Colour resolution of a JPEG; undefined for PNG. A list with another resolution is rendered from scratch. */
  chroma: Chroma | undefined;
  image: BandedImage;
  /** Under which it is kept; absent for one that serves a single job. */
  key?: string;
  /** Of a base render that is not kept; created when first needed. */
  underlay?: Underlay;
  /** Bytes besides the list and the underlay. */
  sizeBytes: number;
  /** Heap bytes of the list: a small image may have thousands of letters. */
  listBytes: number;
}

/** The painted items below `end`, which no render has changed so far, at the size of the image. */
interface Underlay {
  /** Names its canvas. */
  id: string;
  end: ItemPath;
  widthPx: number;
  heightPx: number;
  /** Its pixels, each as one number: RGBA, not premultiplied. */
  words: Uint32Array;
  /** A part of it that is known to be opaque. */
  opaque?: Rect;
}

/** Bytes of a base render besides its pixels: header and tables of its file (measured at 16 × 16). */
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
  const listBytes = compactBytes(list);
  const image =
    chroma === undefined ? createPngImage(pixels) : await createJpegImage(pixels, quality, chroma);
  if (chroma !== undefined) freeBytes(pixels.data);
  const sizeBytes = image.sizeBytes + objectsBytes;
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
  base: BaseRender,
  { first, regions }: Damage,
  list: DisplayList,
): readonly DisplayItem[] {
  if (regions.length === 0) return [];
  const underlay = findUnderlay(base, first);
  if (underlay === undefined) return list.items;
  return pruneItems(splitItems(list.items, underlay.end).above, regions, base.scale);
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
    drawableOf(underlay),
  );
  if (runs !== undefined && ground !== undefined)
    proveRuns(runs, painted, ground, base.scale, size);
  return painted;
}

/** Margin around the regions in device pixels, for later renders. */
const groundReachPx = 64;

/** Returns the pixels of an underlay that is opaque in all regions. */
function groundOf(underlay: Underlay, regions: readonly Rect[]): Ground | undefined {
  const { widthPx, heightPx, words, opaque } = underlay;
  const image = { x: 0, y: 0, width: widthPx, height: heightPx };
  const needed = unionOf(regions);
  if (opaque === undefined || !contains(opaque, needed)) {
    const wanted = unionOf(opaque === undefined ? [needed] : [needed, opaque]);
    const known = [groundReachPx, 0]
      .map((reach) => intersectRects(growRect(wanted, reach), image))
      .find((rect) => isOpaqueIn(underlay, rect));
    if (known === undefined) return undefined;
    underlay.opaque = known;
  }
  return { rect: image, words };
}

function isOpaqueIn({ words, widthPx }: Underlay, { x, y, width, height }: Rect): boolean {
  for (let row = y; row < y + height; row += 1) {
    const line = words.subarray(row * widthPx + x, row * widthPx + x + width);
    if (!isOpaque(new Uint8Array(line.buffer, line.byteOffset, line.byteLength))) return false;
  }
  return true;
}

/** Returns the underlay that is kept, unless a layer of it differs. */
function findUnderlay(base: BaseRender, first: ItemPath): Underlay | undefined {
  const underlay =
    base.key === undefined
      ? base.underlay
      : findPart(underlayKey(base.key), (value) => value as Underlay);
  return underlay !== undefined && isUpTo(underlay.end, first) ? underlay : undefined;
}

/** Returns an underlay with the painted items below the first one that differs. */
function ensureUnderlay(
  base: BaseRender,
  { first }: Damage,
  list: DisplayList,
  drawables: Drawables,
): Underlay {
  const known = findUnderlay(base, first);
  if (known !== undefined) return known;
  const items = splitItems(list.items, first).below;
  const { data, widthPx, heightPx } = paint({ ...list, items }, drawables, base.scale);
  const made = { id: randomUUID(), end: first, widthPx, heightPx, words: toWords(data) };
  if (base.key === undefined) {
    base.underlay = made;
    return made;
  }
  const part = {
    kind: 'base',
    key: underlayKey(base.key),
    bytes: data.length * underlayShare,
  } as const;
  return keepPart<Underlay>(
    part,
    made,
    (underlay) => underlay,
    (value) => value as Underlay,
  );
}

/** Bytes of an underlay for each of its pixels' bytes: half of them have a canvas as well. */
const underlayShare = 1.5;

function underlayKey(key: string): string {
  return `underlay ${key}`;
}

/** Returns the pixels of an underlay in the form that the engine draws. */
function drawableOf({ id, words, widthPx, heightPx }: Underlay): Drawable {
  const key = `underlay ${id}`;
  const known = findDrawable(key);
  if (known !== undefined) return known;
  const bytes = new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
  const drawable = toDrawable(bytes, widthPx, heightPx);
  keepDrawable(key, drawable);
  return drawable;
}

// Base renders as plain data, for other threads.

/** A base render of another thread. */
interface PlainBaseRender extends Omit<BaseRender, 'list' | 'image' | 'underlay'> {
  /** Serialised, so that a thread reads it when it first needs it. */
  list: Uint8Array;
  image: JpegImageData | PngImageData;
}

export function toPlain({
  list,
  image,
  underlay: _underlay,
  ...others
}: BaseRender): PlainBaseRender {
  const data = image.data as PlainBaseRender['image'];
  return { ...others, list: serialize(list), image: data };
}

/** Restores a base render from the result of `toPlain`. */
export function fromPlain(value: unknown): BaseRender {
  const { list, image, ...others } = value as PlainBaseRender;
  const restored = 'scan' in image ? jpegImageOf(image) : pngImageOf(image);
  return { ...others, list: deserialize(list) as DisplayList, image: restored };
}
