/** Template documents as files for people and for git: properties in the schema's order, one form for one content. */
import { layerSchemas } from '#language/schema/layers.ts';
import type { Layer } from '#language/schema/layers.ts';
import { TemplateShell } from '#language/schema/template.ts';
import type { Template } from '#language/schema/template.ts';

/** Characters of a line in which a small object or list stands whole. */
const lineCharactersMax = 90;

/** A copy with the properties of every object in the order of its schema; what a schema has no list of, by name. */
export function inSchemaOrder(document: Template): Template {
  const ordered = orderValue(TemplateShell, document) as Template;
  return { ...ordered, layers: orderLayers(document.layers) };
}

function orderLayers(layers: readonly Layer[]): Layer[] {
  return layers.map((layer) => {
    const ordered = orderValue(layerSchemas[layer.type], layer) as Layer;
    // The property keeps its place.
    return ordered.type === 'group' ? { ...ordered, layers: orderLayers(ordered.layers) } : ordered;
  });
}

/** A schema's node, read as plain JSON. */
interface SchemaNode {
  properties?: Record<string, SchemaNode>;
  items?: SchemaNode;
  prefixItems?: SchemaNode[];
  anyOf?: SchemaNode[];
  const?: unknown;
}

function orderValue(schema: object | undefined, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const node = branchOf(schema ?? {}, value);
  if (Array.isArray(value)) {
    return value.map((item, index) => orderValue(node.prefixItems?.[index] ?? node.items, item));
  }
  const rank = new Map(Object.keys(node.properties ?? {}).map((name, index) => [name, index]));
  const place = (name: string): number => rank.get(name) ?? rank.size;
  const entries = Object.entries(value).toSorted(
    ([a], [b]) => place(a) - place(b) || (a < b ? -1 : 1),
  );
  return Object.fromEntries(
    entries.map(([name, child]) => [name, orderValue(node.properties?.[name], child)]),
  );
}

/** Of a union the branch that knows all of the value's names and agrees with its fixed ones. */
function branchOf(node: SchemaNode, value: object): SchemaNode {
  const branches = (node.anyOf ?? []).map((branch) => branchOf(branch, value));
  const fits = (branch: SchemaNode): boolean => {
    if (Array.isArray(value)) return branch.items !== undefined || branch.prefixItems !== undefined;
    const { properties } = branch;
    return (
      properties !== undefined &&
      Object.entries(value).every(([name, child]) => {
        const property = properties[name];
        return property !== undefined && (!('const' in property) || property.const === child);
      })
    );
  };
  return branches.find(fits) ?? node;
}

/**
 * The text of a document: two spaces a level, a property a line, and small objects and lists without others in them on one
 * line, layers never. Equal documents have equal texts, which end in a line feed.
 */
export function documentText(document: Template): string {
  return `${writeValue(inSchemaOrder(document), '')}\n`;
}

function writeValue(value: unknown, indent: string): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const isList = Array.isArray(value);
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  const inner = `${indent}  `;
  const parts = Object.entries(value).map(([name, child]) => {
    const text = writeValue(child, inner);
    return isList ? text : `${JSON.stringify(name)}: ${text}`;
  });
  if (parts.length === 0) return `${open}${close}`;
  const padding = isList ? '' : ' ';
  const line = `${open}${padding}${parts.join(', ')}${padding}${close}`;
  const isSmall = Object.values(value).every((child) => typeof child !== 'object');
  const isLayer = 'id' in value && 'type' in value;
  if (isSmall && !isLayer && indent.length + line.length <= lineCharactersMax) return line;
  return `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${indent}${close}`;
}
