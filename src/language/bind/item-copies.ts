/** Copies of the layers of stacks that repeat, one for each item: a layer remembers what it was bound to last. */
import { LRUCache } from 'lru-cache';
import { isParent } from '../layer-tree.ts';
import type { Layer, StackLayer } from '../schema/layers.ts';
import { itemLayerId } from '../uid.ts';

/** What the copies of all stacks take in a thread, beside what they were bound to. */
const keptBytesMax = 32 * 1024 * 1024;
/** What is known of a copy takes more than the copy. */
const copyBytes = 1000;
/** A parsed layer takes about five times its text. It lives as long as its copies are kept. */
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
 * The layers of a stack for each of its first `count` items: the same objects in each render, as long as they are kept.
 * They share all but their ids with the layers of the document.
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

/** The layer, and all within it, with ids of their own. No layer is ever changed, so that they share the rest. */
function copyOf(layer: Layer, number: number): Layer {
  const copy = { ...layer, id: itemLayerId(layer.id, number) };
  if (copy.mask !== undefined) copy.mask = itemLayerId(copy.mask, number);
  if (isParent(copy)) copy.layers = copy.layers.map((child) => copyOf(child, number));
  return copy;
}

/** The bytes of one item's copies. Markup in the colours of its layer is a text of its own in each. */
function bytesOf(layers: readonly Layer[]): number {
  let bytes = layers.length * copyBytes;
  for (const layer of layers) {
    if (layer.type === 'svg') bytes += layer.svg.length;
    else if (isParent(layer)) bytes += bytesOf(layer.layers);
  }
  return bytes;
}
