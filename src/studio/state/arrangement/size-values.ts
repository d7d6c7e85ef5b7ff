/** The canvases of the sizes of a template, and values of a layer in several sizes. */
import type { Layer } from '#language/schema/layers.ts';
import type { Template } from '#language/schema/template.ts';
import type { Sides } from '../layer-sizes.ts';
import { isSame, setOverride } from '../sizes.ts';
import type { SizeName } from '../sizes.ts';

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
