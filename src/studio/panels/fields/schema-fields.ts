/** Reads the template language's JSON Schema as fields of a form, so that new properties need no code here. */

import { conditionsKind } from '../conditions/conditions.ts';
import type { ConditionsKind } from '../conditions/conditions.ts';
import { hintOf, labelOf } from './labels.ts';
import { asNode, nodesOf, propertiesOf, resolve } from './schema-node.ts';
import type { SchemaNode } from './schema-node.ts';
import type { EditorSection, SchemaNotes } from '#language/schema/notes.ts';

/** The fields of one kind of gradient, without its kind and stops. */
export interface GradientKind {
  word: string;
  fields: Field[];
}

/** A number with its bounds. `isPart`: shown as percent. */
export interface NumberKind {
  type: 'number';
  min?: number;
  max?: number;
  whole: boolean;
  unit: string;
  isPart: boolean;
}

/** An object of one of several types, each with its own fields. */
export interface VariantKind {
  type: 'variant';
  variants: { word: string; hint: string; fields: Field[] }[];
}

/** The kind of a field, which determines its control. */
export type FieldKind =
  | NumberKind
  /** A number, or a word for how layout finds it. */
  | { type: 'size'; number: NumberKind; words: string[] }
  | { type: 'text'; lengthMax: number | undefined; isLong: boolean }
  | { type: 'boolean' }
  | { type: 'choice'; words: string[] }
  | { type: 'set'; words: string[] }
  | { type: 'color' }
  | { type: 'fill'; gradients: GradientKind[]; hasImage: boolean; hasNone: boolean }
  | { type: 'object'; fields: Field[] }
  | VariantKind
  | { type: 'list'; item: Field; least: number; most: number; isSingle: boolean }
  | { type: 'tuple'; items: Field[]; isSingle: boolean }
  | { type: 'record'; pattern: string; item: Field; most: number }
  | { type: 'font'; most: number }
  | { type: 'image' }
  | { type: 'mask' }
  | { type: 'layer' }
  /** A number, or a colour. */
  | { type: 'amount' }
  | ConditionsKind
  | { type: 'repeat'; fields: Field[] }
  | { type: 'json' };

/** One property of a layer, a document or a part of them. */
export interface Field {
  name: string;
  /** The label that is shown, such as `Font size`. */
  label: string;
  /** The schema's description: meaning, bounds and default. */
  hint: string;
  kind: FieldKind;
  /** Whether the value may be `{{variable}}`, or a text that contains it. */
  isBindable: boolean;
  isRequired: boolean;
  /** The value that absence means; undefined if there is none. */
  standard: unknown;
  /** The meaning of absence in words, if no value expresses it. */
  absent?: string | undefined;
  /** Section of the inspector; undefined inside other properties. */
  section?: EditorSection | undefined;
}

/** Properties without a control: they identify the document or the layer, or another panel edits them. */
const hiddenNames = new Set(
  '$schema format type id locked brand layers variables sizes bySize'.split(' '),
);

/** Returns the layer types of a schema. */
export function layerTypes(schema: SchemaNode): string[] {
  const layer = asNode(asNode(schema['$defs'])['layer']);
  return nodesOf(layer['anyOf']).flatMap((branch) => {
    const word = asNode(propertiesOf(resolve(schema, branch))['type'])['const'];
    return typeof word === 'string' ? [word] : [];
  });
}

/** Returns the fields of a layer type, in the schema's order; empty for an unknown type. */
export function layerFields(schema: SchemaNode, type: string): Field[] {
  const layer = asNode(asNode(schema['$defs'])['layer']);
  const branches = nodesOf(layer['anyOf'])
    .map((branch) => resolve(schema, branch))
    .find((node) => asNode(propertiesOf(node)['type'])['const'] === type);
  return branches === undefined ? [] : shownFields(schema, branches);
}

/** The fields of the document itself. */
export function documentFields(schema: SchemaNode): Field[] {
  return shownFields(schema, schema);
}

function shownFields(schema: SchemaNode, node: SchemaNode): Field[] {
  return objectFields(schema, node).filter(({ name }) => !hiddenNames.has(name));
}

/** Returns the fields that occur in all lists, with the same name and kind. */
export function commonFields(lists: readonly Field[][]): Field[] {
  const [first = [], ...others] = lists;
  return first.filter((field) =>
    others.every((list) =>
      list.some(({ name, kind }) => name === field.name && kind.type === field.kind.type),
    ),
  );
}

function objectFields(schema: SchemaNode, node: SchemaNode): Field[] {
  const required = new Set(Array.isArray(node['required']) ? (node['required'] as string[]) : []);
  const properties = Object.entries(propertiesOf(node));
  return properties
    .filter(([, property]) => (property as SchemaNotes).role !== 'access')
    .map(([name, property]) => fieldOf(schema, name, asNode(property), required.has(name)));
}

function fieldOf(schema: SchemaNode, name: string, node: SchemaNode, isRequired: boolean): Field {
  const whole = resolve(schema, node);
  const all = nodesOf(whole['anyOf']).map((branch) => resolve(schema, branch));
  const branches = (all.length === 0 ? [whole] : all).filter((branch) => !isBinding(branch));
  const hint = typeof whole['description'] === 'string' ? whole['description'] : '';
  return {
    name,
    label: typeof whole['title'] === 'string' ? whole['title'] : labelOf(name),
    hint: hintOf(name, hint),
    kind: roleKind(schema, whole, branches) ?? kindOf(schema, branches, whole),
    isBindable: all.some(isBinding) || whole['isBindable'] === true,
    isRequired,
    standard: whole['default'],
    absent: typeof whole['absent'] === 'string' ? whole['absent'] : undefined,
    section: (whole as SchemaNotes).section,
  };
}

/** Returns the kind for a `role` of the schema, which the shape of the property does not show. */
function roleKind(
  schema: SchemaNode,
  { role }: SchemaNotes,
  branches: readonly SchemaNode[],
): FieldKind | undefined {
  const most = Math.max(1, ...branches.map(({ maxItems }) => Number(maxItems ?? 0)));
  switch (role) {
    case 'color':
    case 'image':
    case 'mask':
    case 'layer':
    case 'amount':
      return { type: role };
    case 'conditions':
      return conditionsKind(schema, branches, most);
    case 'font':
      return { type: role, most };
    case 'variant':
      return { type: role, variants: branches.map((branch) => variantOf(schema, branch)) };
    case 'repeat':
      return { type: role, fields: objectFields(schema, branches[0] ?? {}) };
    default:
      return undefined;
  }
}

function kindOf(
  schema: SchemaNode,
  branches: readonly SchemaNode[],
  notes: SchemaNotes,
): FieldKind {
  const gradients = branches.filter((branch) => 'gradient' in propertiesOf(branch));
  if (gradients.length > 0) return fillKind(schema, branches, gradients);
  const [only] = branches;
  if (only === undefined) return { type: 'json' };
  if (branches.length === 1) return plainKind(schema, only, notes);
  const list = branches.find(({ type }) => type === 'array');
  if (branches.length === 2 && list !== undefined) {
    const kind = plainKind(schema, list, notes);
    if (kind.type === 'list' || kind.type === 'tuple') return { ...kind, isSingle: true };
  }
  const number = branches.find(({ type }) => type === 'number');
  const words = branches.map((branch) => branch['enum']).find(Array.isArray);
  if (branches.length === 2 && number !== undefined && words !== undefined) {
    return { type: 'size', number: numberKind(number, notes), words: words.map(String) };
  }
  return { type: 'json' };
}

function variantOf(schema: SchemaNode, branch: SchemaNode): VariantKind['variants'][number] {
  const type = resolve(schema, asNode(propertiesOf(branch)['type']));
  const hint = typeof type['description'] === 'string' ? type['description'] : '';
  const fields = objectFields(schema, branch).filter(({ name }) => name !== 'type');
  return { word: String(type['const']), hint, fields };
}

function fillKind(
  schema: SchemaNode,
  branches: readonly SchemaNode[],
  gradients: readonly SchemaNode[],
): FieldKind {
  return {
    type: 'fill',
    gradients: gradients.map((branch) => ({
      word: String(resolve(schema, asNode(propertiesOf(branch)['gradient']))['const']),
      fields: objectFields(schema, branch).filter(
        ({ name }) => name !== 'gradient' && name !== 'stops',
      ),
    })),
    hasImage: branches.some((branch) => 'image' in propertiesOf(branch)),
    hasNone: branches.some((branch) => branch['const'] === 'none'),
  };
}

function plainKind(schema: SchemaNode, node: SchemaNode, notes: SchemaNotes): FieldKind {
  if (Array.isArray(node['enum'])) return { type: 'choice', words: node['enum'].map(String) };
  switch (node['type']) {
    case 'boolean':
      return { type: 'boolean' };
    case 'integer':
    case 'number':
      return numberKind(node, notes);
    case 'string':
      return textKind(node);
    case 'array':
      return listKind(schema, node);
    case 'object':
      return recordKind(schema, node) ?? { type: 'object', fields: objectFields(schema, node) };
    default:
      return { type: 'json' };
  }
}

function numberKind(node: SchemaNode, { unit }: SchemaNotes): NumberKind {
  const { minimum, maximum } = node;
  const isPart = typeof minimum === 'number' && minimum >= 0 && maximum === 1;
  return {
    type: 'number',
    ...(typeof minimum === 'number' ? { min: minimum } : {}),
    ...(typeof maximum === 'number' ? { max: maximum } : {}),
    whole: node['type'] === 'integer',
    unit: isPart ? '%' : (unit ?? ''),
    isPart,
  };
}

/** Longest text for a field of one line, in characters. */
const shortTextMax = 200;

function textKind({ maxLength }: SchemaNode): FieldKind {
  const lengthMax = typeof maxLength === 'number' ? maxLength : undefined;
  return { type: 'text', lengthMax, isLong: lengthMax !== undefined && lengthMax > shortTextMax };
}

function listKind(schema: SchemaNode, node: SchemaNode): FieldKind {
  if (Array.isArray(node['prefixItems'])) {
    const items = nodesOf(node['prefixItems']).map((item, index) =>
      fieldOf(schema, String(index), item, true),
    );
    return { type: 'tuple', items, isSingle: false };
  }
  const { enum: words } = asNode(node['items']);
  if (Array.isArray(words) && node['maxItems'] === words.length) {
    return { type: 'set', words: words.map(String) };
  }
  return {
    type: 'list',
    item: fieldOf(schema, '', asNode(node['items']), true),
    least: Number(node['minItems'] ?? 0),
    most: Number(node['maxItems'] ?? 100),
    isSingle: false,
  };
}

function recordKind(schema: SchemaNode, node: SchemaNode): FieldKind | undefined {
  const [entry] = Object.entries(asNode(node['patternProperties']));
  if (entry === undefined) return undefined;
  const [pattern, item] = entry;
  const most = Number(node['maxProperties'] ?? 100);
  return { type: 'record', pattern, item: fieldOf(schema, '', asNode(item), true), most };
}

/** Whether a branch of the schema is the pattern of `{{variable}}`. */
function isBinding({ pattern }: SchemaNode): boolean {
  return typeof pattern === 'string' && pattern.startsWith('^\\{\\{');
}
