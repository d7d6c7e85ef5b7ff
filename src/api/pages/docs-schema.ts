/** Shows JSON Schemas as HTML: each property with its type, bounds and meaning. */
import { escapeHtml } from './reply.ts';

type Node = Readonly<Record<string, unknown>>;

/** Levels of properties that are written out; deeper ones are in the document itself. */
const depthMax = 4;

/** A list of an object's properties, or the type of anything else. */
export function schemaHtml(schema: unknown, depth = 0): string {
  const node = asNode(schema);
  const reference = referenceName(node);
  if (reference !== undefined) return `<p class="type">${referenceHtml(reference)}</p>`;
  const inner = node['type'] === 'array' ? asNode(node['items']) : node;
  const properties = Object.entries(asNode(inner['properties']));
  if (properties.length === 0 || depth >= depthMax) return `<p class="type">${typeHtml(node)}</p>`;
  const required = new Set(Array.isArray(inner['required']) ? inner['required'] : []);
  const rows = properties.map(([name, child]) =>
    propertyHtml(name, asNode(child), required.has(name), depth),
  );
  const list = node['type'] === 'array' ? '<p class="type">a list of</p>' : '';
  return `${list}<ul class="properties">${rows.join('')}</ul>`;
}

function propertyHtml(name: string, node: Node, isRequired: boolean, depth: number): string {
  const need = isRequired ? '' : ' <span class="optional">optional</span>';
  const nested = nestedNode(node);
  const inside = nested === undefined || depth + 1 >= depthMax ? '' : schemaHtml(nested, depth + 1);
  return `<li><code class="name">${escapeHtml(name)}</code> <span class="type">${typeHtml(node)}</span>${need}${describe(node)}${inside}</li>`;
}

/** An object or a list of objects that has properties of its own to show. */
function nestedNode(node: Node): Node | undefined {
  const inner = node['type'] === 'array' ? asNode(node['items']) : node;
  return inner['properties'] === undefined ? undefined : inner;
}

function describe(node: Node): string {
  const { description, default: standard } = node;
  const parts = [
    ...(typeof description === 'string' ? [inlineHtml(description)] : []),
    ...(standard === undefined
      ? []
      : [`default <code>${escapeHtml(JSON.stringify(standard))}</code>`]),
  ];
  return parts.length === 0 ? '' : `<p>${parts.join('; ')}</p>`;
}

/** What kind of value a schema takes, in a few words. */
export function typeHtml(schema: unknown): string {
  const node = asNode(schema);
  const reference = referenceName(node);
  if (reference !== undefined) return referenceHtml(reference);
  const { type, format, minimum, maximum } = node;
  const choices = node['enum'];
  if (Array.isArray(choices)) return choices.map((each) => code(each)).join(' | ');
  if (node['const'] !== undefined) return code(node['const']);
  const either = node['anyOf'] ?? node['oneOf'];
  if (Array.isArray(either)) return [...new Set(either.map(typeHtml))].join(' or ');
  if (type === 'array') return `list of ${typeHtml(node['items'])}`;
  const word = Array.isArray(type) ? type.join(' or ') : typeof type === 'string' ? type : 'any';
  const bounds = [minimum, maximum].map((bound) => (typeof bound === 'number' ? bound : ''));
  const range = bounds.join('') === '' ? '' : ` ${bounds.join('…')}`;
  return escapeHtml(`${word}${typeof format === 'string' ? ` (${format})` : ''}${range}`);
}

/** Text with `code` in back quotes. */
export function inlineHtml(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}

function referenceHtml(name: string): string {
  // Parts of the template language have their own page.
  const isPart = name.startsWith('Template.');
  return isPart
    ? escapeHtml(name)
    : `<a href="#schema-${escapeHtml(name)}">${escapeHtml(name)}</a>`;
}

function referenceName({ $ref }: Node): string | undefined {
  return typeof $ref === 'string' ? $ref.slice($ref.lastIndexOf('/') + 1) : undefined;
}

function code(value: unknown): string {
  return `<code>${escapeHtml(String(value))}</code>`;
}

function asNode(value: unknown): Node {
  return (typeof value === 'object' && value !== null ? value : {}) as Node;
}
