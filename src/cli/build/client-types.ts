/**
 * Generates the types of the client from the API's description: the endpoints of the organization API and their bodies.
 */
import type { JsonSchema } from '#language/schema/document.ts';
import { endpoints } from '../../app.ts';
import type { Declaration } from '../../api/declaration.ts';
import { openApiDocument } from '../../api/openapi/document.ts';

const heading = `/** The endpoints of the organization API and their bodies. \`npm run docs\` writes this file from the declarations in src/api. */
import type { RenderedImage, TemplateDocument, UploadBytes } from ${literal('./call.ts')};
`;

/** Properties of a type: name, with \`?\` if it is optional, and type. */
type Properties = ReadonlyArray<readonly [name: string, type: string]>;

/** The text of `src/client/endpoints.ts`. */
export function clientTypes(): string {
  const { paths, components } = openApiDocument(endpoints, '') as {
    paths: Record<string, Record<string, Operation>>;
    components: { schemas: Record<string, JsonSchema> };
  };
  const bodies = new Map<string, string>();
  /** Adds the type of a component after the types that it uses. Returns its name. */
  const nameOf = (component: string): string => {
    const name = component.replace(/Response$/, '');
    if (component === 'TemplateDocument' || bodies.has(name)) return name;
    const schema = components.schemas[component] ?? {};
    const text = typeOf(schema, nameOf);
    bodies.set(name, `export type ${name} = ${text};\n`);
    return name;
  };
  const rows = endpoints
    .filter(({ errorShape, scope }) => errorShape === 'organization' || scope !== undefined)
    .map((declaration: Declaration) => {
      const { path, method } = declaration;
      const operation = paths[path]?.[method] ?? {};
      const name = `'${method.toUpperCase()} ${path}'`;
      const properties: Properties = [
        ...inputOf(declaration, operation, nameOf),
        ['answer', answerOf(operation, nameOf)],
      ];
      return [name, objectType(properties, lineCharactersMax - name.length)] as const;
    });
  return [
    heading,
    ...bodies.values(),
    `/** Each endpoint by its method and path: what a call sends beside the path, and its answer. */`,
    `export interface Endpoints ${objectType(rows)}\n`,
  ]
    .join('\n')
    .trimEnd()
    .concat('\n');
}

interface Operation {
  requestBody?: { required: boolean; content: Record<string, { schema: JsonSchema }> };
  responses?: Record<string, { content?: Record<string, { schema: JsonSchema }> }>;
}

type NameOf = (component: string) => string;

const json = 'application/json';

function inputOf(
  { query = {}, headers = {} }: Declaration,
  { requestBody }: Operation,
  nameOf: NameOf,
): Properties {
  const pairs = Object.entries(query).map(([name, { schema, required }]) => {
    return [required === true ? name : `${name}?`, typeOf(schema as JsonSchema, nameOf)] as const;
  });
  const isQueryOptional = Object.values(query).every(({ required }) => required !== true);
  const { required = false, content = {} } = requestBody ?? {};
  const mediaTypes = Object.keys(content);
  const optional = required && mediaTypes.every((type) => (type === json) === json in content);
  const mark = optional ? '' : '?';
  return [
    ...(pairs.length === 0
      ? []
      : [[isQueryOptional ? 'query?' : 'query', objectType(pairs)] as const]),
    ...(json in content
      ? [[`body${mark}`, typeOf(content[json]?.schema ?? {}, nameOf)] as const]
      : []),
    ...(mediaTypes.some((type) => type !== json) ? [[`bytes${mark}`, 'UploadBytes'] as const] : []),
    ...('If-Match' in headers ? [['cid?', 'string'] as const] : []),
    ...('Accept' in headers ? [['accept?', 'string'] as const] : []),
  ];
}

function answerOf({ responses = {} }: Operation, nameOf: NameOf): string {
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  const { content } = success ?? {};
  if (content === undefined) return 'undefined';
  const types = Object.entries(content).map(([type, { schema }]) =>
    type === json ? typeOf(schema, nameOf) : 'RenderedImage',
  );
  return [...new Set(types)].join(' | ');
}

/** The TypeScript type of a JSON Schema, without bounds. */
function typeOf(schema: JsonSchema, nameOf: NameOf): string {
  const { $ref, type, items, properties, additionalProperties } = schema;
  if (typeof $ref === 'string') return nameOf($ref.slice($ref.lastIndexOf('/') + 1));
  const choices = 'const' in schema ? [schema['const']] : schema['enum'];
  if (Array.isArray(choices)) return choices.map(literal).join(' | ');
  const either = schema['anyOf'] as JsonSchema[] | undefined;
  if (either !== undefined) return either.map((each) => typeOf(each, nameOf)).join(' | ');
  if (type === 'array') {
    const item = typeOf(items as JsonSchema, nameOf);
    return item.includes(' | ') ? `Array<${item}>` : `${item}[]`;
  }
  if (type !== 'object') return type === 'integer' ? 'number' : String(type);
  const parts = Object.entries((properties ?? {}) as Record<string, JsonSchema>);
  if (parts.length === 0) {
    const value = typeof additionalProperties === 'object' ? additionalProperties : undefined;
    return `Record<string, ${value === undefined || value === null ? 'unknown' : typeOf(value as JsonSchema, nameOf)}>`;
  }
  const required = new Set(schema['required'] as string[] | undefined);
  return objectType(
    parts.map(([name, part]) => [required.has(name) ? name : `${name}?`, typeOf(part, nameOf)]),
  );
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : String(value);
}

/** Maximum characters of a line without indentation and punctuation, by the width of the formatter. */
const lineCharactersMax = 95;

/** An object type, on one line if it has at most `charactersMax` characters. */
function objectType(properties: Properties, charactersMax = 68): string {
  const inline = `{ ${properties.map(([name, type]) => `${name}: ${type}`).join('; ')} }`;
  if (inline.length <= charactersMax && !inline.includes('\n')) return inline;
  const lines = properties.map(([name, type]) => `  ${name}: ${type.replaceAll('\n', '\n  ')};`);
  return `{\n${lines.join('\n')}\n}`;
}
