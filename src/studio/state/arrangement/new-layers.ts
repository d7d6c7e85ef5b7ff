/** Layers that an edit in one size adds to the canvas are arranged in all other sizes. */
import type { Layer } from '#language/schema/layers.ts';
import type { Template } from '#language/schema/template.ts';
import { flattenLayers, idsWithin } from '../layers.ts';
import { isSame, setOverride } from '../sizes.ts';
import type { SizeName } from '../sizes.ts';
import { arranged } from './arrange-size.ts';
import type { Sides } from './arrange-size.ts';

/** Puts the layers of the canvas that are not in `before` into other sizes, as `arrangeInSize` would arrange them. */
export function arrangeNewLayers(document: Template, before: Template, size: SizeName): void {
  if (document.sizes === undefined) return;
  const known = new Set(flattenLayers(before).map(({ layer }) => layer.id));
  const sizes = canvases(document);
  const from = sizes.get(size) ?? document;
  for (const layer of document.layers) {
    const hasKnown = idsWithin(layer).some((id) => known.has(id));
    // A layer that was pasted with its overrides keeps them.
    if (hasKnown || layer.bySize !== undefined) continue;
    for (const position of flattenLayers({ layers: [layer] })) {
      const values = [...sizes].map(([name, to]) => {
        const there = arranged(position, from, to);
        const here = valuesOf(position.layer, Object.keys(there));
        return [name, name === size ? here : there] as const;
      });
      writeInSizes(position.layer, new Map(values));
    }
  }
}

/** Returns the canvas of the document and of its sizes, by name. */
export function canvases(document: Template): ReadonlyMap<SizeName, Sides> {
  const sizes = (document.sizes ?? []).map((size) => [size.name, size] as const);
  return new Map<SizeName, Sides>([[undefined, document], ...sizes]);
}

/** Returns the values of properties; undefined for those that the layer lacks. */
export function valuesOf(layer: Layer, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, Reflect.get(layer, name) as unknown]));
}

/** Sets the values of a layer in several sizes. A property that is absent has the value of `standards`. */
export function writeInSizes(
  layer: Layer,
  values: ReadonlyMap<SizeName, Readonly<Record<string, unknown>>>,
  standards: Readonly<Record<string, unknown>> = {},
): void {
  for (const [name, value] of Object.entries(values.get(undefined) ?? {})) {
    if (isSame(value, standards[name])) Reflect.deleteProperty(layer, name);
    else Reflect.set(layer, name, value);
  }
  for (const [size, overrides] of values) {
    if (size === undefined) continue;
    for (const [name, given] of Object.entries(overrides)) {
      const value = given ?? standards[name];
      const base: unknown = Reflect.get(layer, name) ?? standards[name];
      setOverride(layer, size, name, isSame(value, base) ? undefined : value);
    }
  }
}
