/** Reads parts of the language's JSON Schema as plain data. */

/** A JSON Schema or a part of it, as plain data. */
export type SchemaNode = Readonly<Record<string, unknown>>;

/** Follows `$ref`s into the `$defs` of the schema. */
export function resolve(schema: SchemaNode, node: SchemaNode): SchemaNode {
  const reference = node['$ref'];
  if (typeof reference !== 'string') return node;
  const name = reference.replace('#/$defs/', '');
  return resolve(schema, asNode(asNode(schema['$defs'])[name]));
}

/** The schemas of an object's properties, by name. */
export function propertiesOf(node: SchemaNode): SchemaNode {
  return asNode(node['properties']);
}

/** Returns a value as a list of schemas; empty if it is no array. */
export function nodesOf(value: unknown): SchemaNode[] {
  return Array.isArray(value) ? value.map(asNode) : [];
}

/** Returns a value as a schema; an empty schema if it is no object. */
export function asNode(value: unknown): SchemaNode {
  return (typeof value === 'object' && value !== null ? value : {}) as SchemaNode;
}
