/** Walks through the layers of a template, with what surrounds each. */
import { isParent } from '../schema/layers.ts';
import type { Layer, ParentLayer, StackLayer } from '../schema/layers.ts';

/** A layer with its JSON path, the type of its parent, and the stack that repeats it. */
export type WalkedLayer = readonly [
  path: string,
  layer: Layer,
  parent: ParentLayer['type'] | undefined,
  repeating: StackLayer | undefined,
];

/** Every layer of a template, those of groups and stacks too, in document order. */
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
