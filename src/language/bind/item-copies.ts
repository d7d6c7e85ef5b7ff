/** Caches copies of the layers of stacks that repeat, one for each item, because bound layers are cached by object. */
import { LRUCache } from 'lru-cache';
import { isParent } from '../layer-tree.ts';
import type { Layer, StackLayer } from '../schema/layers.ts';
import { itemLayerId } from '../uid.ts';

/** Maximum memory of all copies in a thread, without their bound layers. */
const keptBytesMax = 32 * 1024 * 1024;
/** Bytes of a copy with its cache entries, which take more than the copy. */
const copyBytes = 1000;
/** A parsed layer takes about five times the memory of its JSON text. The cache keeps it alive. */
const parsedFactor = 5;

type Copies = Layer[][];

const kept = new LRUCache<StackLayer, Copies>({
  maxSize: keptBytesMax,
  sizeCalculation: (copies, stack) => {
    const originals = JSON.stringify(stack.layers).length * parsedFactor;
    return originals + copies.length * bytesOf(repeatedLayers(stack));
  },
});

/**
 * The layers of a stack for each of its first `count` items; may return more. While the cache keeps them, each render
 * gets the same objects. The copies share all properties except ids with the layers of the document.
 */
export function copiesFor(stack: StackLayer, count: number): Copies {
  const known = kept.get(stack) ?? [];
  if (known.length >= count) return known;
  const layers = repeatedLayers(stack);
  const added = Array.from({ length: count - known.length }, (_, index) =>
    layers.map((layer) => copyOf(layer, known.length + index + 1)),
  );
  const copies = [...known, ...added];
  kept.set(stack, copies);
  return copies;
}

function repeatedLayers({ layers, repeat }: StackLayer): Layer[] {
  return layers.filter(({ id }) => id !== repeat?.more);
}

/**
 * A copy of the layer and its descendants with unique ids. Layers are immutable, so the copies share all other
 * properties.
 */
function copyOf(layer: Layer, number: number): Layer {
  const copy = { ...layer, id: itemLayerId(layer.id, number) };
  if (copy.mask !== undefined) copy.mask = itemLayerId(copy.mask, number);
  if (isParent(copy)) copy.layers = copy.layers.map((child) => copyOf(child, number));
  return copy;
}

/** Estimated bytes of one item's copies. Each copy of an SVG layer may have recoloured markup. */
function bytesOf(layers: readonly Layer[]): number {
  let bytes = layers.length * copyBytes;
  for (const layer of layers) {
    if (layer.type === 'svg') bytes += layer.svg.length;
    else if (isParent(layer)) bytes += bytesOf(layer.layers);
  }
  return bytes;
}
