/** Binds the values of one layer's properties, and mends what a value makes invalid with the defaults. */
import type { TSchema } from 'typebox';
import { bindText, wholeBinding } from './bindings.ts';
import { layerSchemas } from './layer-schemas.ts';
import type { Layer } from './layer-schemas.ts';
import { ColorFill } from './paint-schemas.ts';
import { pathProblem } from './path-data.ts';
import type { Template } from './template-schema.ts';
import { createValidator } from './validator.ts';
import type { Validator } from './validator.ts';

/** The values that a template's properties are bound to. */
export interface Binder {
  values: ReadonlyMap<string, string>;
  defaults: ReadonlyMap<string, string>;
  types: ReadonlyMap<string, string>;
}

/** Values and defaults of a template's variables, ready to bind. */
export function createBinder(template: Template, values: ReadonlyMap<string, string>): Binder {
  const { variables } = template;
  return {
    values,
    defaults: new Map(variables.map(({ name, value }) => [name, value])),
    types: new Map(variables.map(({ name, type }) => [name, type])),
  };
}

/** A layer's schema without bindings, and its check. */
export const layerValidators: ReadonlyMap<string, { schema: TSchema; validator: Validator }> =
  new Map(
    Object.entries<TSchema>(layerSchemas).map(([type, schema]) => [
      type,
      { schema, validator: createValidator(schema) },
    ]),
  );
const backgroundValidator = createValidator(ColorFill);

/** Layers that are known to bind nothing: most of a template, in every render of it. */
const unbound = new WeakSet<Layer>();

/** A concrete layer; `invalid` when a value was out of its property's range and the default stands in. */
export interface BoundLayer {
  /** Undefined when not even the defaults give a valid layer. */
  layer: Layer | undefined;
  invalid: boolean;
}

/**
 * Puts values into a layer; a group's children are left out. A property that a value makes invalid
 * takes its default, the others keep their values. The same object when nothing in it is bound.
 */
export function bindLayer(own: Layer, binder: Binder): BoundLayer {
  if (unbound.has(own)) return { layer: own, invalid: false };
  const bound = bindValues(own, binder, binder.values);
  if (bound === own) {
    unbound.add(own);
    return { layer: own, invalid: false };
  }
  const bad = invalidProperties(bound);
  if (bad.size === 0) return { layer: bound, invalid: false };
  const defaults = bindValues(own, binder, binder.defaults);
  const mended = { ...bound } as unknown as Record<string, unknown>;
  for (const name of bad) {
    if (Object.hasOwn(defaults, name)) mended[name] = Reflect.get(defaults, name);
    else delete mended[name];
  }
  for (const layer of [mended as unknown as Layer, defaults]) {
    if (invalidProperties(layer).size === 0) return { layer, invalid: true };
  }
  return { layer: undefined, invalid: true };
}

/** Puts `values` into a layer and looks at nothing else: the result may be no valid layer. */
export function bindValues(own: Layer, binder: Binder, values: ReadonlyMap<string, string>): Layer {
  return bindDeep(own, binder, values, own.type === 'svg' ? escapeXml : asItIs) as Layer;
}

/** Binds a document's background: a colour, a gradient, or undefined for none. */
export function bindBackground(
  background: Template['background'],
  binder: Binder,
): { background: ColorFill | undefined; invalid: boolean } {
  if (background === undefined || background === 'none')
    return { background: undefined, invalid: false };
  const bind = (values: ReadonlyMap<string, string>): unknown =>
    bindDeep(background, binder, values, asItIs);
  const bound = bind(binder.values);
  // A colour that is empty by choice draws nothing.
  if (bound === undefined) return { background: undefined, invalid: false };
  if (backgroundValidator.Check(bound)) return { background: bound, invalid: false };
  const standIn = bind(binder.defaults);
  const isValid = backgroundValidator.Check(standIn);
  return { background: isValid ? standIn : undefined, invalid: true };
}

/** Names of the properties that keep a concrete layer from being drawn. */
function invalidProperties(layer: Layer): Set<string> {
  const bad = new Set<string>();
  const validator = layerValidators.get(layer.type)?.validator;
  if (validator?.Check(layer) === false) {
    for (const error of validator.Errors(layer)) {
      const [, name] = error.instancePath.split('/');
      if (name !== undefined) bad.add(name);
      if (error.keyword === 'required') {
        for (const missing of error.params.requiredProperties) bad.add(missing);
      }
    }
  }
  for (const [name, data] of layerPaths(layer)) {
    if (typeof data === 'string' && pathProblem(data) !== undefined) bad.add(name);
  }
  return bad;
}

/** SVG path data of a layer by the property that holds it. */
export function layerPaths(layer: Layer): [property: 'path' | 'clip', data: string][] {
  const paths: ['path' | 'clip', string][] = [];
  if ('path' in layer && layer.path !== undefined) paths.push(['path', layer.path]);
  if (layer.clip?.path !== undefined) paths.push(['clip', layer.clip.path]);
  return paths;
}

/** Binds every string inside a JSON value; returns the same object when nothing in it is bound. */
function bindDeep(
  value: unknown,
  binder: Binder,
  values: ReadonlyMap<string, string>,
  toText: (value: string) => string,
): unknown {
  if (typeof value === 'string') return bindString(value, binder, values, toText);
  if (Array.isArray(value)) {
    const items = value.map((item) => bindDeep(item, binder, values, toText));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const bound = entries.map(
    ([name, item]) => [name, bindDeep(item, binder, values, toText)] as const,
  );
  if (bound.every(([, item], index) => item === entries[index]?.[1])) return value;
  return Object.fromEntries(bound.filter(([, item]) => item !== undefined));
}

/** A property that is nothing but a colour, a number or a switch that is empty by choice is left out. */
function bindString(
  text: string,
  { types }: Binder,
  values: ReadonlyMap<string, string>,
  toText: (value: string) => string,
): unknown {
  const name = wholeBinding(text);
  if (name !== undefined) {
    const value = values.get(name) ?? '';
    switch (types.get(name)) {
      case 'number':
        return value === '' ? undefined : Number(value);
      case 'boolean':
        return value === '' ? undefined : value === 'true';
      case 'color':
        return value === '' ? undefined : value;
      default:
        return toText(value);
    }
  }
  return bindText(text, values, toText);
}

const asItIs = (value: string): string => value;

const xmlEscapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A value inside markup stays text: it opens no element and ends no attribute. */
function escapeXml(value: string): string {
  return value.replaceAll(/[&<>"']/g, (character) => xmlEscapes[character] ?? '');
}
