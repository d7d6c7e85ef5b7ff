/** Reads what the template format can say: from the schema, from the tables of its page, and from documents. */
import { bindingSource } from '#language/bind/bindings.ts';
import { layerEffects, layerFrame } from '#language/schema/layer-base.ts';
import { layerSchemas } from '#language/schema/layers.ts';
import { TemplateShell } from '#language/schema/template.ts';

/** One property of the format, as its schema has it. */
export interface FormatProperty {
  /** A layer type, `layer` for what every layer has, `document` for what stands beside the layers. */
  owner: string;
  /** With dots: `shadow.blur`. Items of an array have no index: `stops.offset`. */
  path: string;
  /** Whether its object is complete without it. */
  optional: boolean;
  /** Whether it takes a number, itself or in an array. */
  numeric: boolean;
  /** Numbers that bound its value, its length or its count, as JavaScript writes them. */
  bounds: string[];
  /** Words that it chooses from. */
  choices: string[];
}

type Node = Record<string, unknown>;

const boundWords = [
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'maxProperties',
];

/** Every property of the format, each once per owner. */
export function formatProperties(): FormatProperty[] {
  const found = new Map<string, FormatProperty>();
  visitObject(TemplateShell as unknown as Node, 'document', '', found);
  const { bySize } = layerSchemas.rect.properties as Node;
  const common = {
    type: { enum: Object.keys(layerSchemas) },
    ...layerFrame,
    ...layerEffects,
    bySize,
  };
  visitObject({ properties: common, required: requiredIn(layerSchemas.rect) }, 'layer', '', found);
  for (const [type, schema] of Object.entries(layerSchemas)) {
    const { properties } = schema as unknown as { properties: Node };
    const special = Object.entries(properties).filter(([name]) => !isCommon(name));
    const object = { properties: Object.fromEntries(special), required: requiredIn(schema) };
    visitObject(object, type, '', found);
  }
  return [...found.values()];
}

/** Whether a property is one of every layer. */
function isCommon(name: string): boolean {
  return name === 'type' || name === 'bySize' || name in layerFrame || name in layerEffects;
}

function requiredIn(schema: unknown): string[] {
  return ((schema as Node)['required'] ?? []) as string[];
}

function visitObject(
  node: Node,
  owner: string,
  prefix: string,
  found: Map<string, FormatProperty>,
): void {
  const required = requiredIn(node);
  for (const [name, child] of Object.entries((node['properties'] ?? {}) as Record<string, Node>)) {
    // The schemas of groups and documents only name it here: each layer is checked by its own. What differs in a size is
    // a property of its layer.
    if (prefix === 'layers.' || prefix === 'bySize.') continue;
    // Conditions contain conditions, and a span has those of a layer.
    const path = (prefix + name).replace(/visibleWhen\.(?:(?:all|any|not)\.)+/, 'visibleWhen.');
    const property = found.get(`${owner}/${path}`) ?? {
      owner,
      path,
      optional: !required.includes(name),
      numeric: false,
      bounds: [],
      choices: [],
    };
    found.set(`${owner}/${path}`, property);
    visitValue(child, property, found);
  }
}

/** Adds what a value may be to its property; objects inside it add properties of their own. */
function visitValue(
  node: Node,
  property: FormatProperty,
  found: Map<string, FormatProperty>,
): void {
  if (node['pattern'] === bindingSource) return;
  const isNumber = node['type'] === 'number' || node['type'] === 'integer';
  property.numeric ||= isNumber && !('const' in node);
  for (const word of boundWords) if (word in node) property.bounds.push(String(node[word]));
  const words = [...((node['enum'] ?? []) as unknown[]), node['const']];
  property.choices.push(...words.filter((word) => typeof word === 'string'));
  if ('properties' in node) visitObject(node, property.owner, `${property.path}.`, found);
  const records = Object.values(node['patternProperties'] ?? {});
  const inside = [node['anyOf'], node['items'], node['prefixItems'], records];
  for (const child of inside.flat()) {
    if (typeof child === 'object' && child !== null) visitValue(child as Node, property, found);
  }
}

/** One row of a table of properties; the cells are Markdown. */
export interface PageRow {
  /** Heading of the chapter that the table stands in. */
  section: string;
  /** Names of the first cell, with dots. */
  names: string[];
  type: string;
  default: string;
  meaning: string;
}

/** Rows of every table of a Markdown page whose second column says `Type`. */
export function pageRows(page: string): PageRow[] {
  const rows: PageRow[] = [];
  let section = '';
  let isTable = false;
  for (const line of page.split('\n')) {
    section = /^## (.+)$/.exec(line)?.[1] ?? section;
    const cells = line.startsWith('|')
      ? line
          .slice(1, -1)
          .split('|')
          .map((cell) => cell.trim())
      : [];
    if (cells.length !== 4) isTable = false;
    else if (cells[1] === 'Type') isTable = true;
    else if (isTable && !cells.every((cell) => /^-+$/.test(cell))) {
      const [first = '', type = '', standard = '', meaning = ''] = cells;
      const names = codeSpans(first);
      rows.push({ section, names, type, default: standard, meaning });
    }
  }
  return rows;
}

/** Texts of the code spans in a piece of Markdown. */
export function codeSpans(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
}

/** Numbers in a cell, as JavaScript writes them: `−16,384` is `-16384`. */
export function numbersIn(cell: string): Set<string> {
  const plain = cell.replaceAll('−', '-').replaceAll(/(?<=\d),(?=\d{3})/g, '');
  return new Set(plain.match(/-?\d+(\.\d+)?/g));
}

/**
 * What a template document uses: `rect/fill`, `layer/opacity`, and `text/align=right` where the value is a
 * word. What every layer has counts for `layer`, whatever its type.
 */
export function usedProperties(document: unknown): Set<string> {
  const used = new Set<string>();
  const visit = (value: unknown, owner: string, path: string): void => {
    if (typeof value === 'string') used.add(`${owner}/${path}=${value}`);
    if (Array.isArray(value)) for (const item of value) visit(item, owner, path);
    else if (typeof value === 'object' && value !== null) {
      for (const [name, child] of Object.entries(value)) {
        if (name === 'layers') continue;
        const inside = path === '' ? name : `${path}.${name}`;
        const at = owner !== 'document' && path === '' && isCommon(name) ? 'layer' : owner;
        used.add(`${at}/${inside}`);
        visit(child, at, inside);
      }
    }
  };
  const visitLayers = (node: Node): void => {
    for (const layer of (node['layers'] ?? []) as Node[]) {
      used.add(`${String(layer['type'])}/layers`);
      visit(layer, String(layer['type']), '');
      visitLayers(layer);
    }
  };
  used.add('document/layers');
  visit(document, 'document', '');
  visitLayers(document as Node);
  return used;
}
