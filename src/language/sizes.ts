/** Computes the sizes of a template. Imports no schema, because the studio loads this module in every browser. */
import { isParent } from './layer-tree.ts';
import type { Layer } from './schema/layers.ts';
import type { Template } from './schema/template.ts';
import type { SizeOverrides } from './size-properties.ts';

/** The overrides of a layer in a size; empty if there are none. */
export function overridesOf({ bySize }: Layer, size: string): SizeOverrides {
  return bySize !== undefined && Object.hasOwn(bySize, size) ? (bySize[size] ?? {}) : {};
}

/**
 * The document of a size, or of the design's canvas without `name`. The result has no `sizes` and `bySize`, so later
 * steps need not handle sizes. The same object for a document without sizes. Undefined for an unknown size.
 */
export function documentInSize(template: Template, name?: string): Template | undefined {
  const size = template.sizes?.find((each) => each.name === name);
  if (name !== undefined && size === undefined) return undefined;
  if (template.sizes === undefined) return template;
  const { sizes: _, ...document } = template;
  const { width, height } = size ?? template;
  return { ...document, width, height, layers: layersInSize(template.layers, name) };
}

/** The layers in a size. Unchanged layers are returned as the same objects, except groups and stacks. */
function layersInSize(layers: readonly Layer[], size: string | undefined): Layer[] {
  return layers.map((layer) => {
    const sized = layer.bySize === undefined ? layer : layerInSize(layer, size);
    return isParent(sized) ? { ...sized, layers: layersInSize(sized.layers, size) } : sized;
  });
}

const limitsOf = { width: ['minWidth', 'maxWidth'], height: ['minHeight', 'maxHeight'] } as const;

/** A layer in a size. If the size sets a side to a number, the limits of that side are dropped. */
function layerInSize({ bySize, ...layer }: Layer, size: string | undefined): Layer {
  const overrides = size === undefined ? {} : overridesOf({ ...layer, bySize } as Layer, size);
  const merged = { ...layer, ...overrides } as Layer;
  for (const side of ['width', 'height'] as const) {
    const value = overrides[side];
    if (value === undefined || value === 'hug' || value === 'fill') continue;
    for (const limit of limitsOf[side]) {
      if (!Object.hasOwn(overrides, limit)) delete merged[limit];
    }
  }
  return merged;
}
