/** Parses template files with the positions of values, and writes them. */
import { parseTree } from 'jsonc-parser';
import type { Node } from 'jsonc-parser';
import { findJsonMistake } from '#language/check/json-text.ts';
import type { JsonMistake } from '#language/check/json-text.ts';
import { isParent } from '#language/layer-tree.ts';
import { layerSchemas } from '#language/schema/layers.ts';
import type { Layer } from '#language/schema/layers.ts';
import { TemplateShell } from '#language/schema/template.ts';
import type { Template } from '#language/schema/template.ts';

/** A position in a text, from 1; columns are UTF-16 units, as in editors. */
export interface TextPosition {
  line: number;
  column: number;
}

/** A parsed JSON text. */
export interface JsonDocument {
  ok: true;
  value: unknown;
  /** The position of the value at a JSON path such as `layers[2].fill`, or of the deepest known part of the path. */
  locate(path: string): TextPosition;
  /** Names that occur again in an object; the last one counts. */
  repeats: { path: string; position: TextPosition }[];
}

/** The first mistake of a text that is no JSON. */
export interface JsonProblem extends TextPosition {
  ok: false;
  message: string;
}

/** Parses JSON as `JSON.parse` does, with the position of each value. Never throws. */
export function parseJsonDocument(text: string): JsonDocument | JsonProblem {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { ok: false, ...mistakeOf(text, error) };
  }
  let tree: Node | undefined;
  try {
    tree = parseTree(text, [], { disallowComments: true });
  } catch {
    // Thousands of levels exceed the stack of the parser.
    return { ok: false, line: 1, column: 1, message: 'nested too deeply' };
  }
  return {
    ok: true,
    value,
    locate: (path) => positionAt(text, tree === undefined ? 0 : offsetOf(tree, path)),
    repeats: tree === undefined ? [] : repeatedNames(text, tree),
  };
}

function mistakeOf(text: string, error: unknown): JsonMistake {
  const start = { line: 1, column: 1 };
  if (text.trim() === '') return { ...start, message: 'the file is empty, expected a JSON object' };
  if (text.startsWith('\ufeff')) {
    return { ...start, message: 'a byte order mark; save the file as UTF-8 without one' };
  }
  const message = error instanceof Error ? error.message : String(error);
  return findJsonMistake(text) ?? { ...start, message };
}

/** Offset of the value at `path`, or of the deepest known part of the path. */
function offsetOf(tree: Node, path: string): number {
  return follow(tree, path === '(document)' ? '' : path).node.offset;
}

/** Names may contain the signs of a path (`a.b`, `[5]`), so the reading that leads furthest counts. */
function follow(node: Node, path: string): { node: Node; rest: string } {
  let best = { node, rest: path };
  for (const [written, child] of childrenOf(node)) {
    if (!path.startsWith(written)) continue;
    const rest = path.slice(written.length);
    if (rest !== '' && !/^[.[]/.test(rest)) continue;
    const found = follow(child, rest.replace(/^\./, ''));
    if (found.rest.length < best.rest.length) best = found;
  }
  return best;
}

/** The values in an object or list, each with its possible steps in a path. */
function childrenOf({ type, children = [] }: Node): [written: string, child: Node][] {
  if (type === 'array') return children.map((child, index) => [`[${index}]`, child]);
  return children.flatMap(({ children: [name, value] = [] }): [string, Node][] => {
    if (name === undefined || value === undefined) return [];
    const text = String(name.value);
    return [
      [text, value],
      [`[${text}]`, value],
    ];
  });
}

function repeatedNames(text: string, tree: Node): JsonDocument['repeats'] {
  const repeats: JsonDocument['repeats'] = [];
  const visit = (node: Node, path: string): void => {
    const seen = new Set<unknown>();
    for (const [index, child] of (node.children ?? []).entries()) {
      if (node.type === 'array') {
        visit(child, `${path}[${index}]`);
        continue;
      }
      const [name, value] = child.children ?? [];
      if (name === undefined || value === undefined) continue;
      const here = path === '' ? String(name.value) : `${path}.${String(name.value)}`;
      if (seen.has(name.value))
        repeats.push({ path: here, position: positionAt(text, name.offset) });
      seen.add(name.value);
      visit(value, here);
    }
  };
  visit(tree, '');
  return repeats;
}

function positionAt(text: string, offset: number): TextPosition {
  const before = text.slice(0, offset).split(/\r\n|\r|\n/);
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

// Writes the text of a template file.

/** Maximum characters of a line with a whole object or list, including its indentation. */
const lineCharactersMax = 90;

/** A copy with the properties of every object in the order of the schema; others are sorted by name. */
export function inSchemaOrder(document: Template): Template {
  const ordered = orderValue(TemplateShell, document) as Template;
  return { ...ordered, layers: orderLayers(document.layers) };
}

function orderLayers(layers: readonly Layer[]): Layer[] {
  return layers.map((layer) => {
    const ordered = orderValue(layerSchemas[layer.type], layer) as Layer;
    // `layers` keeps its position in the object.
    return isParent(ordered) ? { ...ordered, layers: orderLayers(ordered.layers) } : ordered;
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
  const position = (name: string): number => rank.get(name) ?? rank.size;
  const entries = Object.entries(value).toSorted(
    ([a], [b]) => position(a) - position(b) || (a < b ? -1 : 1),
  );
  return Object.fromEntries(
    entries.map(([name, child]) => [name, orderValue(node.properties?.[name], child)]),
  );
}

/** The first branch of a union with all names and constants of the value; otherwise the node itself. */
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
 * The text of a document: two spaces a level and one property a line. Small objects and lists without nested ones are
 * on one line, but layers never. Equal documents have equal texts, which end in a line feed.
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
