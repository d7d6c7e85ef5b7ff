/** Binds a template's values: concrete, visible layers out, for the worker's scene and for its image sources. */
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Validator } from 'typebox/compile';
import { bindText, wholeBinding } from './bindings.ts';
import { layerSchemas } from './layer-schemas.ts';
import type { Condition } from './layer-base.ts';
import type { Layer } from './layer-schemas.ts';
import type { Template } from './template-schema.ts';

/** Concrete layers in paint order, and the ids of those whose values gave no valid layer. */
export interface ResolvedLayers {
  layers: Layer[];
  /** Layers that a bound value made invalid (a width of -5): drawn with the defaults instead. */
  invalid: string[];
}

const validators = new Map<string, Validator>(
  Object.entries(layerSchemas).map(([type, schema]) => [type, Compile(schema as TSchema)]),
);

/**
 * Puts values into every `{{name}}`, as text inside texts and as numbers, colours or switches where
 * a property is one binding, and drops what is not visible. A value is never interpreted again.
 * Pure: the template is not changed, and a layer that binds nothing is passed on as the same object.
 */
export function resolveLayers(
  template: Template,
  values: ReadonlyMap<string, string>,
): ResolvedLayers {
  const context: BindContext = {
    values,
    defaults: new Map(template.variables.map(({ name, value }) => [name, value])),
    numbers: namesOf(template, 'number'),
    switches: namesOf(template, 'boolean'),
    invalid: [],
  };
  return { layers: resolveList(template.layers, context), invalid: context.invalid };
}

interface BindContext {
  values: ReadonlyMap<string, string>;
  defaults: ReadonlyMap<string, string>;
  numbers: ReadonlySet<string>;
  switches: ReadonlySet<string>;
  invalid: string[];
}

function namesOf(template: Template, type: string): Set<string> {
  return new Set(template.variables.filter((v) => v.type === type).map(({ name }) => name));
}

function resolveList(layers: readonly Layer[], context: BindContext): Layer[] {
  const resolved: Layer[] = [];
  for (const layer of layers) {
    if (!holds(layer.visibleWhen, context)) continue;
    const bound = resolveLayer(layer, context);
    if (bound.visible !== false) resolved.push(bound);
  }
  return resolved;
}

function resolveLayer(layer: Layer, context: BindContext): Layer {
  const own = layer.type === 'group' ? { ...layer, layers: [] } : layer;
  let bound = bindDeep(own, context, context.values) as Layer;
  if (bound !== own && validators.get(layer.type)?.Check(bound) !== true) {
    context.invalid.push(layer.id);
    bound = bindDeep(own, context, context.defaults) as Layer;
  }
  if (layer.type !== 'group') return bound;
  return { ...bound, type: 'group', layers: resolveList(layer.layers, context) };
}

/** Binds every string inside a JSON value; returns the same object when nothing in it is bound. */
function bindDeep(
  value: unknown,
  context: BindContext,
  values: ReadonlyMap<string, string>,
): unknown {
  if (typeof value === 'string') return bindString(value, context, values);
  if (Array.isArray(value)) {
    const items = value.map((item) => bindDeep(item, context, values));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const bound = entries.map(([name, item]) => [name, bindDeep(item, context, values)] as const);
  if (bound.every(([, item], index) => item === entries[index]?.[1])) return value;
  return Object.fromEntries(bound);
}

function bindString(
  text: string,
  context: BindContext,
  values: ReadonlyMap<string, string>,
): unknown {
  const name = wholeBinding(text);
  if (name !== undefined) {
    const value = values.get(name) ?? '';
    if (context.numbers.has(name)) return Number(value);
    if (context.switches.has(name)) return value === 'true';
  }
  return bindText(text, values);
}

function holds(conditions: Condition | Condition[] | undefined, context: BindContext): boolean {
  if (conditions === undefined) return true;
  return [conditions].flat().every((condition) => holdsOne(condition, context));
}

function holdsOne(condition: Condition, { values }: BindContext): boolean {
  const value = values.get(condition.variable) ?? '';
  const { set, equals, notEquals, greaterThan, lessThan } = condition;
  if (set !== undefined && (value !== '') !== set) return false;
  if (equals !== undefined && value !== equals) return false;
  if (notEquals !== undefined && value === notEquals) return false;
  const number = value.trim() === '' ? Number.NaN : Number(value);
  if (greaterThan !== undefined && !(number > greaterThan)) return false;
  return lessThan === undefined || number < lessThan;
}
