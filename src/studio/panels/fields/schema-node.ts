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

/** A list of schemas; none for anything else. */
export function nodesOf(value: unknown): SchemaNode[] {
  return Array.isArray(value) ? value.map(asNode) : [];
}

/** A schema; one that says nothing for anything else. */
export function asNode(value: unknown): SchemaNode {
  return (typeof value === 'object' && value !== null ? value : {}) as SchemaNode;
}
