/** The records of all layer types. A missing part of a record is a type error. */
import type { TSchema } from 'typebox';
import { barcodeCost, markupCost, qrCost, textCost } from './limits/layer-costs.ts';
import type { DefaultCost, LayerCost } from './limits/layer-costs.ts';
import { layerSchemas } from './schema/layers.ts';
import type { Layer } from './schema/layers.ts';

/** The record of a layer type. Its layout is in `workers/layout/layout.ts`, its icon in the studio. */
interface LayerRecord<Known extends Layer> {
  schema: TSchema;
  /**
   * Upper bound of the CPU time of the layout, where the number of layers does not bound it. `free` for other types.
   */
  layoutCost(
    this: void,
    layer: Known,
    defaults: ReadonlyMap<string, DefaultCost>,
  ): LayerCost | undefined;
}

const free = (): undefined => undefined;

/** The records, in the order of the language's list of types. */
export const layerTypes: {
  readonly [Type in Layer['type']]: LayerRecord<Extract<Layer, { type: Type }>>;
} = {
  text: { schema: layerSchemas.text, layoutCost: textCost },
  image: { schema: layerSchemas.image, layoutCost: free },
  rect: { schema: layerSchemas.rect, layoutCost: free },
  ellipse: { schema: layerSchemas.ellipse, layoutCost: free },
  polygon: { schema: layerSchemas.polygon, layoutCost: free },
  star: { schema: layerSchemas.star, layoutCost: free },
  path: { schema: layerSchemas.path, layoutCost: free },
  line: { schema: layerSchemas.line, layoutCost: free },
  qr: { schema: layerSchemas.qr, layoutCost: qrCost },
  barcode: { schema: layerSchemas.barcode, layoutCost: barcodeCost },
  svg: { schema: layerSchemas.svg, layoutCost: markupCost },
  group: { schema: layerSchemas.group, layoutCost: free },
  stack: { schema: layerSchemas.stack, layoutCost: free },
};

/** The cost of a layer's layout without its children; undefined for a negligible cost. */
export function layoutCostOf(
  layer: Layer,
  defaults: ReadonlyMap<string, DefaultCost>,
): LayerCost | undefined {
  const { layoutCost } = layerTypes[layer.type] as LayerRecord<Layer>;
  return layoutCost(layer, defaults);
}

/** Names of nested properties, from a layer inwards. */
type PropertyPath = readonly string[];

/** Paths of the image properties of each layer type, found by the role in its schema. */
const imagePaths: ReadonlyMap<string, readonly PropertyPath[]> = new Map(
  Object.entries(layerTypes).map(([type, { schema }]) => [type, [...findImages(schema)]]),
);

function* findImages(schema: unknown, path: PropertyPath = []): Generator<PropertyPath> {
  const {
    role,
    properties = {},
    anyOf = [],
  } = schema as {
    role?: unknown;
    properties?: Record<string, unknown>;
    anyOf?: unknown[];
  };
  if (role === 'image') yield path;
  for (const [name, child] of Object.entries(properties)) yield* findImages(child, [...path, name]);
  for (const branch of anyOf) yield* findImages(branch, path);
}

/** Names of the properties that hold the address of an image. */
export const imageNames: ReadonlySet<string> = new Set(
  [...imagePaths.values()].flat().map((path) => path.at(-1) ?? ''),
);

/** The image addresses of a layer, bound or not, with their paths. Children are not included. */
export function imageAddresses(layer: Layer): [path: PropertyPath, address: string][] {
  return (imagePaths.get(layer.type) ?? []).flatMap((path): [PropertyPath, string][] => {
    let value: unknown = layer;
    for (const name of path) {
      value = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
    }
    return typeof value === 'string' ? [[path, value]] : [];
  });
}
