/** Keeps the items of layers that bind nothing: a template's own objects, laid out alike in every render. */
import { LRUCache } from 'lru-cache';
import type { Layer } from '#language/schema/layers.ts';
import type { RenderWarning } from '#wire/render-job.ts';
import type { DisplayItem } from '../display-list.ts';
import { compactBytes } from '../heap-bytes.ts';

/** Of the 256 MiB of heap that a thread has; a usual layer takes 1 to 5 KB with its item. */
const keptBytesMax = 32 * 1024 * 1024;

/** What an item depends on beside its layer. */
export interface LayerPlace {
  originX: number;
  originY: number;
  /** The own font families that are at hand: the item of a family that could not be read is in a stand-in's letters. */
  ownFonts: string;
}

/** A layer's item and what its layout warned of. */
export interface PlacedItem {
  item: DisplayItem;
  warnings: readonly RenderWarning[];
}

interface KeptItem extends PlacedItem {
  place: LayerPlace;
}

const kept = new LRUCache<Layer, KeptItem>({
  maxSize: keptBytesMax,
  sizeCalculation: (entry, layer) => compactBytes([entry, layer]),
});

/** Layers that were laid out before. One that binds a value is another object in each render, and never comes again. */
const seen = new WeakSet<Layer>();

/** The item of this very object at this place, when it is kept. */
export function findItem(
  layer: Layer,
  { originX, originY, ownFonts }: LayerPlace,
): PlacedItem | undefined {
  const known = kept.get(layer);
  if (known?.place.originX !== originX || known.place.originY !== originY) return undefined;
  return known.place.ownFonts === ownFonts ? known : undefined;
}

/** Keeps the item, in place of one at another place, when its layer is laid out for the second time. */
export function keepItem(layer: Layer, place: LayerPlace, { item, warnings }: PlacedItem): void {
  if (seen.has(layer)) kept.set(layer, { item, warnings, place });
  else seen.add(layer);
}
