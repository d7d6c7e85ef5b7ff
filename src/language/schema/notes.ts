/**
 * Annotations of the template language's schemas: facts that JSON Schema has no keyword for. Code reads these and never
 * a description, which is for people. The published schema leaves them out: strict validators refuse unknown keywords.
 */
import type { TProperties } from 'typebox';
import { bindingSource } from '../bind/bindings.ts';
import { eitherOf } from '../formats.ts';

/** What a schema's node may say beside the keywords of JSON Schema. */
export interface SchemaNotes {
  /** Unit of a number: design pixels, degrees, a factor or seconds. */
  unit?: 'px' | '°' | '×' | 's';
  /** What a value is, where its type does not say it; an editor has a control for each. */
  role?:
    | 'color'
    | 'conditions'
    | 'font'
    | 'image'
    | 'mask'
    | 'layer'
    | 'template'
    | 'amount'
    | 'repeat'
    | 'variant';
  /** A variable may stand for the whole text; false for markup, which takes values in its parts only. */
  isBindable?: boolean;
  /** What the absence of the property means, for people, where no default value says it. */
  absent?: string;
  /** What a value must be, as a noun phrase, where the keywords do not say it: `a BCP 47 tag`. */
  expected?: string;
  /** What a list or a record contains, in the plural: `colour stops`. */
  content?: string;
  /** Section of an editor that shows the property of a layer or document. It shows them in the schema's order. */
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

/** Parts a node into its notes and the keywords of JSON Schema. */
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

// What a schema expects in words, for errors and for editors. All words are derived from keywords and notes.

/** The meaning of a property, the values that it takes, and what its absence means; undefined if nothing says any of them. */
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

/** What a value must be and what it means, to follow `expected`; undefined if nothing says any of them. */
export function expectationOf(value: unknown): string | undefined {
  const node = asNode(value);
  const { description } = node;
  const kind = limitsOf(node) ?? kindOf(node);
  if (kind === undefined) return description;
  return description === undefined ? kind : `${kind}: ${description}`;
}

/** What a record may contain, to follow `takes`; undefined for other schemas. */
export function contentOf(value: unknown): string | undefined {
  const { maxProperties, content = 'properties', description } = asNode(value);
  if (maxProperties === undefined) return undefined;
  const most = `at most ${maxProperties} ${content}`;
  return description === undefined ? most : `${most}: ${description}`;
}

/** A schema's node with the keywords that words are made of. */
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

/** What a value must be, where the node says more than the type: its choices, its bounds, or its form. */
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

/** A union of one kind and a binding is that kind; others list their kinds. */
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

/** Units as they follow a number; a factor needs none. */
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
