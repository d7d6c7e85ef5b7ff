/** The whole template language as one JSON Schema, for editors and for programs that generate documents. */
import { bindableLayerSchemas } from './bindable.ts';
import { describeSchema, withoutNotes } from './notes.ts';
import { TemplateShell } from './template.ts';

/** A JSON Schema as plain data. */
export type JsonSchema = Record<string, unknown>;

/** `documentSchema` with the notes of `notes.ts`, for the studio. */
export function annotatedSchema(): JsonSchema {
  return joinSchemas((schema) => schema);
}

/**
 * JSON Schema (draft 2020-12) of a template document. It covers each property; only `checkTemplate` checks relations
 * between properties (unique ids, variables that exist, budgets). Returns a fresh object, which the caller may change.
 */
export function documentSchema(): JsonSchema {
  return joinSchemas((schema) => withoutNotes(schema) as JsonSchema);
}

/** Joins the schemas of the document and its layers. `finish` runs after all descriptions are written. */
function joinSchemas(finish: (schema: JsonSchema) => JsonSchema): JsonSchema {
  // TypeBox marks its schemas with properties that JSON leaves out.
  const shell = toPlain(TemplateShell);
  const layers = toPlain(bindableLayerSchemas);
  const layer = { $ref: '#/$defs/layer' };
  const names = Object.keys(layers);
  (propertiesOf(shell)['layers'] as JsonSchema)['items'] = layer;
  for (const parent of ['group', 'stack']) {
    (propertiesOf(layers[parent] as JsonSchema)['layers'] as JsonSchema)['items'] = layer;
  }
  const $defs: JsonSchema = {
    layer: { anyOf: names.map((name) => ({ $ref: `#/$defs/${name}` })) },
    ...layers,
  };
  explainProperties(shell);
  explainProperties(layers);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'template.schema.json',
    title: 'Platen template',
    description: 'An image with variables; docs/template-format.md explains each property.',
    ...shareRepeats(finish({ ...shell, $defs })),
  };
}

/** Writes each property's description: its meaning, its bounds and its default, because editors show only this text. */
function explainProperties(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, child] of Object.entries(value)) {
    if (key === 'properties' || key === 'patternProperties') {
      Object.values(child as JsonSchema).forEach(explain);
    }
    explainProperties(child);
  }
}

function explain(property: unknown): void {
  const node = property as JsonSchema;
  const description = describeSchema(node);
  if (description === undefined) return;
  const standard = node['default'];
  const note = standard === undefined ? '' : `; default ${JSON.stringify(standard)}`;
  node['description'] = `${description}${note}`;
}

/** Minimum JSON length of a shared schema. Shorter ones stay inline. */
const sharedLengthMin = 60;

/** Moves each repeated schema to `$defs`, under the name of its property. */
function shareRepeats(schema: JsonSchema): JsonSchema {
  const counts = new Map<string, number>();
  visitProperties(schema, (_, text) => counts.set(text, (counts.get(text) ?? 0) + 1));
  const names = new Map<string, string>();
  const taken = new Set(Object.keys(schema['$defs'] as JsonSchema));
  visitProperties(schema, (property, text) => {
    if (names.has(text) || text.length < sharedLengthMin || counts.get(text) === 1) return;
    let name = property;
    for (let count = 2; taken.has(name); count += 1) name = `${property}-${count}`;
    taken.add(name);
    names.set(text, name);
  });
  const share = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(share);
    if (typeof value !== 'object' || value === null) return value;
    const name = names.get(JSON.stringify(value));
    return name === undefined ? shareInside(value) : { $ref: `#/$defs/${name}` };
  };
  const shareInside = (value: object): JsonSchema =>
    Object.fromEntries(Object.entries(value).map(([key, child]) => [key, share(child)]));
  const shared = shareInside(schema);
  for (const [text, name] of names) {
    (shared['$defs'] as JsonSchema)[name] = shareInside(JSON.parse(text) as object);
  }
  return shared;
}

/** Visits each property's schema, in document order, with its JSON text. */
function visitProperties(value: unknown, visit: (property: string, text: string) => void): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, child] of Object.entries(value)) {
    if (key === 'properties') {
      for (const [property, schema] of Object.entries(child as JsonSchema)) {
        visit(property, JSON.stringify(schema));
      }
    }
    visitProperties(child, visit);
  }
}

function toPlain(value: unknown): JsonSchema {
  return JSON.parse(JSON.stringify(value)) as JsonSchema;
}

function propertiesOf(schema: JsonSchema): JsonSchema {
  return schema['properties'] as JsonSchema;
}
