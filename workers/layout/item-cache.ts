/** Caches the items of layers that recur, for later renders or for the frames of an animation, and sizes of texts. */
import { LRUCache } from 'lru-cache';
import { entryLimit } from '#language/limits/entry-limit.ts';
import type { Layer } from '#language/schema/layers.ts';
import type { RenderWarning } from '#wire/render-job.ts';
import type { TextLayer } from '#language/schema/text.ts';
import type { DisplayItem, Rect } from '../display-list.ts';
import type { TextSize } from './measure-text.ts';
import { compactBytes } from '../heap-bytes.ts';

/** Part of the 256 MiB heap of a thread; a usual layer takes 1 to 5 KB with its item. */
const keptBytesMax = 32 * 1024 * 1024;

/** The inputs of an item besides its layer. */
export interface LayerPosition extends Rect {
  /** Upper bound of the factor on the font size of a text. */
  textScale: number;
  /**
   * Key of the organization's families that are available: an item of an unavailable family has another family's
   * glyphs.
   */
  organizationFonts: string;
  /** A link may choose another language than the document's. */
  lang: string;
}

/** The item of a layer, the warnings of its layout, and whether a part of it could not be drawn. */
export interface PositionedItem {
  item: DisplayItem;
  warnings: readonly RenderWarning[];
  degraded: boolean;
}

interface KeptItem extends PositionedItem {
  position: LayerPosition;
}

/** Items of all layers: the frames of an animation have the same files. */
export type FrameItems = WeakMap<Layer, KeptItem>;

const kept = new LRUCache<Layer, KeptItem>({
  maxSize: keptBytesMax,
  sizeCalculation: (entry, layer) => compactBytes([entry, layer]),
});

/**
 * Layers that were laid out before. A layer with a binding is a new object in each render, so it is never found here.
 */
const seen = new WeakSet<Layer>();

/** Returns the item of this object at this position from an earlier frame or an earlier render, if any. */
export function findItem(
  layer: Layer,
  position: LayerPosition,
  frameItems?: FrameItems,
): PositionedItem | undefined {
  return [frameItems?.get(layer), kept.get(layer)].find(
    (known) => known !== undefined && isSamePosition(known.position, position),
  );
}

function isSamePosition(a: LayerPosition, b: LayerPosition): boolean {
  const hasSameBox = a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;
  const hasSameFonts = a.organizationFonts === b.organizationFonts && a.lang === b.lang;
  return hasSameBox && hasSameFonts && a.textScale === b.textScale;
}

/** Keeps the item if its layer was laid out before. It replaces the item of another position. */
export function keepItem(layer: Layer, position: LayerPosition, positioned: PositionedItem): void {
  if (seen.has(layer)) kept.set(layer, { ...positioned, position });
  else seen.add(layer);
}

/** Sizes of the texts measured last, about 4 KB each: a layer stays the same object while its values do not change. */
const textSizes = new LRUCache<TextLayer, Map<string, TextSize>>(entryLimit(5000));
/** Sizes kept per layer: a layout needs three widths, and several factors if texts shrink together. */
const keptSizesMax = 24;

/** Returns the cached sizes of a text, by their inputs besides the layer. The caller adds sizes to the map. */
export function keptTextSizes(layer: TextLayer): Map<string, TextSize> {
  let sizes = textSizes.get(layer);
  if (sizes === undefined || sizes.size > keptSizesMax) textSizes.set(layer, (sizes = new Map()));
  return sizes;
}
