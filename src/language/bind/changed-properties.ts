/**
 * The properties of a layer that its values change. Only these can become invalid, and only these are checked: the
 * schema of one property compiles in 0.1 to 2 ms (the spans of a text in 16), that of a whole layer in 10 to 50.
 */
import type { TObject, TSchema } from 'typebox';
import { layerTypes } from '../layers.ts';
import type { Layer } from '../schema/layers.ts';
import { createValidator } from '../schema/validator.ts';
import type { Validator } from '../schema/validator.ts';

/** A property that the values of a link change. */
export interface ChangedProperty {
  name: string;
  /** Undefined if an empty value removes the property. */
  value: unknown;
  isRequired: boolean;
  schema: TSchema;
  validator: Validator;
}

/** Most types share their properties with other types. */
const validators = new Map<TSchema, Validator>();

/** Properties that may say a number by themselves: without it, a marker at 0 would say 0. */
const placement = ['x', 'y', 'width', 'height', 'rotation'];

/** Names of the properties without whose value a layer that binds them is not drawn. */
export function neededProperties(type: Layer['type']): readonly string[] {
  const { required } = layerTypes[type].schema as TObject<Record<string, TSchema>>;
  return [...required, ...placement];
}

/** Whether a value of a bound property is left out, because it is empty or cannot be read. `written` has the bindings. */
export function isIncomplete(bound: unknown, written: unknown): boolean {
  if (bound === undefined) return written !== undefined;
  if (typeof bound !== 'object' || bound === null || bound === written) return false;
  return Object.entries(written as object).some(([name, inner]) =>
    isIncomplete(Reflect.get(bound, name), inner),
  );
}

/** Returns the properties of `bound` that are not those of `template`, the same layer with its bindings. */
export function changedProperties(bound: Layer, template: Layer): ChangedProperty[] {
  const { properties, required } = layerTypes[template.type].schema as TObject<
    Record<string, TSchema>
  >;
  const needed: readonly string[] = required;
  const changed: ChangedProperty[] = [];
  for (const [name, written] of Object.entries(template)) {
    const value: unknown = Reflect.get(bound, name);
    const schema = properties[name];
    if (value === written || schema === undefined) continue;
    let validator = validators.get(schema);
    if (validator === undefined) validators.set(schema, (validator = createValidator(schema)));
    changed.push({ name, value, isRequired: needed.includes(name), schema, validator });
  }
  return changed;
}
