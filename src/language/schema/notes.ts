/**
 * Annotations of the template language's schemas, for facts that JSON Schema has no keyword for. Code reads these and
 * never a description, which is for people. The published schema leaves them out: strict validators refuse unknown
 * keywords.
 */
import type { TProperties } from 'typebox';
import { bindingSource } from '../bind/bindings.ts';
import { eitherOf } from '../formats.ts';

/** Annotations of a schema's node, besides the keywords of JSON Schema. */
export interface SchemaNotes {
  /** Unit of a number: design pixels, degrees, a factor or seconds. */
  unit?: 'px' | '°' | '×' | 's';
  /** The meaning of a value beyond its type. An editor has a control for each. */
  role?:
    | 'color'
    | 'conditions'
    | 'font'
    | 'image'
    | 'mask'
    | 'layer'
    | 'access'
    | 'amount'
    | 'repeat'
    | 'variant';
  /** Whether a binding may be the whole text. False for markup, which takes bindings only in its parts. */
  isBindable?: boolean;
  /** The effect of an absent property, for people, if there is no default value. */
  absent?: string;
  /** The expected value as a noun phrase, beyond the keywords: `a BCP 47 tag`. */
  expected?: string;
  /** The entries of a list or record, in the plural: `colour stops`. */
  content?: string;
  /** The editor's section for a property. A section shows properties in the schema's order. */
  section?: EditorSection;
}

/** Sections of an editor; those from `canvas` on are the document's. */
export type EditorSection =
  | 'position'
  | 'stack'
  | 'text'
  | 'type'
  | 'image'
  | 'code'
  | 'drawing'
  | 'markup'
  | 'shape'
  | 'fill'
  | 'stroke'
  | 'effects'
  | 'clip'
  | 'visibility'
  | 'lettering'
  | 'canvas'
  | 'clock'
  | 'animation'
  | 'output'
  | 'links'
  | 'language';

const noteNames: ReadonlySet<string> = new Set([
  'unit',
  'role',
  'isBindable',
  'absent',
  'expected',
  'content',
  'section',
] satisfies (keyof SchemaNotes)[]);

/** A schema's node, read as plain JSON. */
type SchemaNode = Readonly<Record<string, unknown>>;

/** Splits a node into its notes and the keywords of JSON Schema. */
export function partNotes(node: SchemaNode): { notes: SchemaNotes; keywords: SchemaNode } {
  const entries = Object.entries(node);
  return {
    notes: Object.fromEntries(entries.filter(([name]) => noteNames.has(name))),
    keywords: Object.fromEntries(entries.filter(([name]) => !noteNames.has(name))),
  };
}

/** The properties with a section. Copies, because properties of several layer types share their schemas. */
export function inSection<Properties extends TProperties>(
  section: EditorSection,
  properties: Properties,
): Properties {
  const note = { value: section, enumerable: true };
  // TypeBox's marks, such as that of an optional property, are not enumerable.
  const copies = Object.entries(properties).map(([name, schema]) => [
    name,
    Object.defineProperties({}, { ...Object.getOwnPropertyDescriptors(schema), section: note }),
  ]);
  return Object.fromEntries(copies) as Properties;
}

/** Keywords that hold schemas by name, and those that hold one schema or a list. Others hold data. */
const namedSchemas = new Set(['properties', 'patternProperties', '$defs']);
const innerSchemas = new Set(['items', 'prefixItems', 'anyOf', 'additionalProperties']);

/** A schema without notes, including nested schemas. */
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

// Describes the values of a schema in words, for errors and editors. All words come from keywords and notes.

/** The meaning of a property, its allowed values, and the effect of its absence; undefined for none of them. */
export function describeSchema(value: unknown): string | undefined {
  const node = asNode(value);
  const { description, absent } = node;
  const words = [
    description,
    limitsOf(node),
    absent === undefined ? undefined : `absent: ${absent}`,
  ];
  const known = words.filter((word) => word !== undefined);
  return known.length === 0 ? undefined : known.join('; ');
}

/** The expected value and its meaning, as words that follow `expected`; undefined for neither. */
export function expectationOf(value: unknown): string | undefined {
  const node = asNode(value);
  const { description } = node;
  const kind = limitsOf(node) ?? kindOf(node);
  if (kind === undefined) return description;
  return description === undefined ? kind : `${kind}: ${description}`;
}

/** The allowed content of a record, as words that follow `takes`; undefined for other schemas. */
export function contentOf(value: unknown): string | undefined {
  const { maxProperties, content = 'properties', description } = asNode(value);
  if (maxProperties === undefined) return undefined;
  const most = `at most ${maxProperties} ${content}`;
  return description === undefined ? most : `${most}: ${description}`;
}

/** A schema's node with the keywords that descriptions use. */
interface WordedNode extends SchemaNotes {
  type?: string;
  description?: string;
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly unknown[];
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  maxProperties?: number;
}

/** The limits of a value beyond its type: its choices, its bounds, or its form; undefined for none. */
function limitsOf(node: WordedNode): string | undefined {
  const { type, expected, maxProperties } = node;
  if (expected !== undefined) return expected;
  if (node.enum !== undefined) return eitherOf(node.enum.map(String));
  if (node.anyOf !== undefined) return unionLimits(node);
  switch (type) {
    case 'integer':
    case 'number':
      return numberLimits(node);
    case 'string':
      return countLimits('a text of', 'characters', node.minLength, node.maxLength);
    case 'array':
      return countLimits('a list of', node.content ?? 'items', node.minItems, node.maxItems);
    case 'object':
      return countLimits('an object of', node.content ?? 'properties', undefined, maxProperties);
    default:
      return undefined;
  }
}

/** The limits of a union: those of its only kind beside a binding, or a list of kinds. */
function unionLimits(union: WordedNode): string | undefined {
  const branches = (union.anyOf ?? [])
    .map(asNode)
    .filter(({ pattern }) => pattern !== bindingSource);
  const [only] = branches;
  if (branches.length === 1) return limitsOf({ ...only, ...partNotes({ ...union }).notes });
  const kinds = branches.map(expectationOf).filter((kind) => kind !== undefined);
  return kinds.length === 0 ? undefined : kinds.join(', or ');
}

const kinds: Readonly<Record<string, string>> = {
  boolean: 'true or false',
  integer: 'a whole number',
  number: 'a number',
  string: 'a text',
  array: 'a list',
  object: 'an object',
};

function kindOf(node: WordedNode): string | undefined {
  if (node.const !== undefined) return JSON.stringify(node.const);
  const [only, ...others] = (node.anyOf ?? [])
    .map(asNode)
    .filter(({ pattern }) => pattern !== bindingSource);
  if (only !== undefined && others.length === 0) return kindOf(only);
  return kinds[node.type ?? ''];
}

/** Units as words that follow a number; a factor has none. */
const unitWords = {
  px: ' of design pixels',
  '°': ' of degrees',
  s: ' of seconds',
  '×': '',
} as const;

function numberLimits({ type = '', unit = '×', minimum, maximum }: WordedNode): string | undefined {
  if (minimum === undefined && maximum === undefined) return undefined;
  const number = `${kinds[type]}${unitWords[unit]}`;
  if (maximum === undefined) return `${number}, at least ${minimum}`;
  return minimum === undefined
    ? `${number}, at most ${maximum}`
    : `${number} from ${minimum} to ${maximum}`;
}

function countLimits(kind: string, things: string, least = 0, most?: number): string | undefined {
  if (most === undefined) return least === 0 ? undefined : `${kind} at least ${least} ${things}`;
  const count = most.toLocaleString('en');
  if (least === most) return `${kind} ${count} ${things}`;
  return least === 0
    ? `${kind} at most ${count} ${things}`
    : `${kind} ${least} to ${count} ${things}`;
}

function asNode(value: unknown): WordedNode {
  return typeof value === 'object' && value !== null ? value : {};
}
