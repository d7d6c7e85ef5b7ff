/** Walks the tree of a template's layers. Imports no schema, because the studio loads this module in every browser. */
import type { Layer, ParentLayer, StackLayer } from './schema/layers.ts';

/** Whether a layer has children. */
export function isParent(layer: Layer): layer is ParentLayer {
  return layer.type === 'group' || layer.type === 'stack';
}

/** A layer without its children, which callers visit separately. */
export function withoutChildren(layer: Layer): Layer {
  return isParent(layer) ? { ...layer, layers: [] } : layer;
}

/** A layer with its JSON path, the type of its parent, and the nearest stack around it that repeats its layers. */
export type WalkedLayer = readonly [
  path: string,
  layer: Layer,
  parent: ParentLayer['type'] | undefined,
  repeating: StackLayer | undefined,
];

/** Every layer of a template, including those in groups and stacks, in document order. */
export function* walkLayers(
  layers: readonly Layer[],
  path = 'layers',
  parent?: ParentLayer,
  repeating?: StackLayer,
): Generator<WalkedLayer> {
  for (const [index, layer] of layers.entries()) {
    const here = `${path}[${index}]`;
    yield [here, layer, parent?.type, repeating];
    if (!isParent(layer)) continue;
    const repeats = layer.type === 'stack' && layer.repeat !== undefined;
    yield* walkLayers(layer.layers, `${here}.layers`, layer, repeats ? layer : repeating);
  }
}
