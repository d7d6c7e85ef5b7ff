/** The sizes of a template: one design in several formats. It imports no schema: the studio loads it in every browser. */
import { isParent } from './layer-tree.ts';
import type { Layer } from './schema/layers.ts';
import type { Template } from './schema/template.ts';
import type { SizeOverrides } from './size-properties.ts';

/** What a layer has of its own in a size. */
export function overridesOf({ bySize }: Layer, size: string): SizeOverrides {
  return bySize !== undefined && Object.hasOwn(bySize, size) ? (bySize[size] ?? {}) : {};
}

/**
 * The document that a size draws, or without a size the canvas of the document itself: `sizes` and `bySize` are gone, and
 * nothing after this knows of them. The same object for a document without sizes. Undefined for an unknown size.
 */
export function documentInSize(template: Template, name?: string): Template | undefined {
  const size = template.sizes?.find((each) => each.name === name);
  if (name !== undefined && size === undefined) return undefined;
  if (template.sizes === undefined) return template;
  const { sizes: _, ...document } = template;
  const { width, height } = size ?? template;
  return { ...document, width, height, layers: layersInSize(template.layers, name) };
}

/** Layers that nothing changes are passed on as the same objects. */
function layersInSize(layers: readonly Layer[], size: string | undefined): Layer[] {
  return layers.map((layer) => {
    const sized = layer.bySize === undefined ? layer : layerInSize(layer, size);
    return isParent(sized) ? { ...sized, layers: layersInSize(sized.layers, size) } : sized;
  });
}

const limitsOf = { width: ['minWidth', 'maxWidth'], height: ['minHeight', 'maxHeight'] } as const;

/** The limits of a side that hugs or fills do not count where the size gives it a number. */
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
