/** The layer schemas as a designer writes them: any property may be `{{name}}` instead of its value. */
import { Type } from 'typebox';
import type { TSchema } from 'typebox';
import { bindingSource } from '../bind/bindings.ts';
import { layerSchemas } from './layers.ts';
import { partNotes } from './notes.ts';

/** Properties that cannot be bound: they identify the layer, or are read before values are known. */
const fixedProperties = new Set([
  'type',
  'id',
  'name',
  'brand',
  'locked',
  'mask',
  'visibleWhen',
  'layers',
  'repeat',
]);

const Binding = Type.String({ pattern: bindingSource, description: '{{variable}}' });

/** Layer schemas in which every property takes a binding, by layer type. */
export const bindableLayerSchemas: Record<string, TSchema> = Object.fromEntries(
  Object.entries(layerSchemas).map(([type, schema]) => [type, bindChildren({ ...schema })]),
);

type SchemaNode = Record<string, unknown>;

/** The schema of a property that takes a binding, as a whole and in its nested properties. */
export function bindableSchema(schema: TSchema): TSchema {
  return orBinding({ ...schema });
}

/** Wraps each property of an object, each item of an array and each branch of a union. */
function bindChildren(node: SchemaNode): SchemaNode {
  const copy: SchemaNode = { ...node };
  if (isNode(node['properties'])) {
    copy['properties'] = mapValues(node['properties'], (child, name) =>
      fixedProperties.has(name) ? child : orBinding(child),
    );
  }
  if (isNode(node['patternProperties'])) {
    copy['patternProperties'] = mapValues(node['patternProperties'], orBinding);
  }
  if (isNode(node['items'])) copy['items'] = orBinding(node['items']);
  if (Array.isArray(node['prefixItems'])) copy['prefixItems'] = node['prefixItems'].map(orBinding);
  if (Array.isArray(node['anyOf'])) copy['anyOf'] = node['anyOf'].map(bindChildren);
  return copy;
}

function orBinding(node: SchemaNode): SchemaNode {
  const inner = bindChildren(node);
  // A string without a pattern or a list of words accepts `{{name}}` already.
  if (node['type'] === 'string' && !('pattern' in node) && !('enum' in node)) {
    return { isBindable: true, ...inner };
  }
  const { notes, keywords } = partNotes(inner);
  const branches: unknown[] = Array.isArray(inner['anyOf']) ? inner['anyOf'] : [keywords];
  // Objects and arrays are bound property by property. A literal distinguishes branches.
  if ('const' in node || !branches.some(isScalar)) return inner;
  const { description, default: standard } = node;
  return {
    anyOf: [...branches.map(withoutDefault), Binding],
    ...(description === undefined ? {} : { description }),
    ...(standard === undefined ? {} : { default: standard }),
    ...notes,
  };
}

/** Removes the default from a branch: the union has it. */
function withoutDefault(branch: unknown): unknown {
  if (!isNode(branch)) return branch;
  const { default: _, ...rest } = branch;
  return rest;
}

function mapValues(
  object: SchemaNode,
  map: (child: SchemaNode, name: string) => SchemaNode,
): SchemaNode {
  return Object.fromEntries(
    Object.entries(object).map(([name, child]) => [name, isNode(child) ? map(child, name) : child]),
  );
}

function isScalar(node: unknown): boolean {
  return isNode(node) && node['type'] !== 'object' && node['type'] !== 'array';
}

function isNode(value: unknown): value is SchemaNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
