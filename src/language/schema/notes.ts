/**
 * Annotations of the template language's schemas: facts that JSON Schema has no keyword for. Code reads these and never
 * a description, which is for people. The published schema leaves them out: strict validators refuse unknown keywords.
 */

/** What a schema's node may say beside the keywords of JSON Schema. */
export interface SchemaNotes {
  /** Unit of a number: design pixels, degrees, a factor or seconds. */
  unit?: 'px' | '°' | '×' | 's';
  /** What a value is, where its type does not say it; an editor has a control for each. */
  role?: 'color' | 'conditions' | 'font' | 'image' | 'mask';
  /** A variable may stand for the whole text; false for markup, which takes values in its parts only. */
  isBindable?: boolean;
  /** What the absence of the property means, for people, where no default value says it. */
  absent?: string;
}

const noteNames: ReadonlySet<string> = new Set([
  'unit',
  'role',
  'isBindable',
  'absent',
] satisfies (keyof SchemaNotes)[]);

/** A schema's node, read as plain JSON. */
type SchemaNode = Readonly<Record<string, unknown>>;

/** Parts a node into its notes and the keywords of JSON Schema. */
export function partNotes(node: SchemaNode): { notes: SchemaNotes; keywords: SchemaNode } {
  const entries = Object.entries(node);
  return {
    notes: Object.fromEntries(entries.filter(([name]) => noteNames.has(name))),
    keywords: Object.fromEntries(entries.filter(([name]) => !noteNames.has(name))),
  };
}

/** Keywords by what they hold: schemas by names, or one schema or a list. Data such as `default` is neither. */
const namedSchemas = new Set(['properties', 'patternProperties', '$defs']);
const innerSchemas = new Set(['items', 'prefixItems', 'anyOf', 'additionalProperties']);

/** A schema without any notes, inside as well. */
export function withoutNotes(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutNotes);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { keywords } = partNotes(schema as SchemaNode);
  return mapEntries(keywords, (value, keyword) => {
    if (namedSchemas.has(keyword)) return mapEntries(value as SchemaNode, withoutNotes);
    return innerSchemas.has(keyword) ? withoutNotes(value) : value;
  });
}

function mapEntries(
  object: SchemaNode,
  map: (value: unknown, name: string) => unknown,
): SchemaNode {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [name, map(value, name)]),
  );
}
