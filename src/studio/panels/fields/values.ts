/** Values of fields: their paths in the document, numbers and placeholders as shown, and initial values. */
import type { Template } from '#language/schema/template.ts';
import type { ErrorDetail } from '../../../client/platen-client.ts';
import { isWithin } from '../../wording.ts';
import type { Failure } from '../../wording.ts';
import type { Field, NumberKind } from './schema-fields.ts';

/** A value as the field shows it: parts as percent, at most three decimals. */
export function showNumber({ isPart }: NumberKind, value: number): string {
  return String(Math.round(value * (isPart ? 100 : 1) * 1000) / 1000);
}

/** Longest placeholder that fits into a field, in characters. */
const placeholderLengthMax = 12;

/** Returns the placeholder of an empty field: the meaning of an absent value. */
export function placeholderOf({ kind, standard, absent = '' }: Field): string {
  if (typeof standard === 'number' && kind.type === 'number') return showNumber(kind, standard);
  if (standard !== undefined) {
    return typeof standard === 'string' ? standard : JSON.stringify(standard);
  }
  return absent.length > placeholderLengthMax ? 'auto' : absent;
}

/**
 * Parses a typed number: `12,5`, `50 %` of a part, `12px`, or a calculation with two numbers such as `600/2`. Does not
 * check bounds. Returns undefined for other text.
 */
export function parseNumber({ isPart, whole }: NumberKind, text: string): number | undefined {
  const plain = text
    .trim()
    .replaceAll(',', '.')
    .replace(/\s*(px|°|%|×|s)$/, '');
  const match = /^(-?\d*\.?\d+)(?:\s*([-+*/])\s*(-?\d*\.?\d+))?$/.exec(plain);
  if (match === null) return undefined;
  const [, first, operator, second] = match;
  const sum =
    operator === undefined ? Number(first) : reckon(Number(first), operator, Number(second));
  if (!Number.isFinite(sum)) return undefined;
  const value = Math.round((isPart ? sum / 100 : sum) * 100_000) / 100_000;
  return whole ? Math.round(value) : value;
}

function reckon(first: number, operator: string, second: number): number {
  switch (operator) {
    case '+':
      return first + second;
    case '-':
      return first - second;
    case '*':
      return first * second;
    default:
      return first / second;
  }
}

// The initial value of an added part: the minimum that the schema requires, and visible.

/** Initial values by property, where the minimum of the schema would show nothing. */
const begins: Readonly<Record<string, unknown>> = {
  stroke: { color: '#22303c', width: 2 },
  border: { color: '#22303c', width: 2 },
  shadow: { y: 4, blur: 16, color: '#00000040' },
  linePill: { fill: '#ffe08a', paddingX: 10, paddingY: 4, cornerRadius: 6 },
  duotone: { dark: '#12355b', light: '#ffe9d6' },
  spans: { text: 'Text' },
  dash: 8,
  viewBox: [0, 0, 100, 100],
  visibleWhen: [],
};

/** Returns a track that fades in the top layer. */
export function newTrack({ layers }: Pick<Template, 'layers'>): object {
  return { layer: layers.at(-1)?.id ?? '', property: 'opacity', from: 0 };
}

/** Returns the initial value of a property, or of an item of a list with the property's name. */
export function initialValue(field: Field, document?: Pick<Template, 'layers'>): unknown {
  if (field.name === 'tracks' && document !== undefined) return newTrack(document);
  return begins[field.name] === undefined ? leastOf(field) : structuredClone(begins[field.name]);
}

/** Returns the default of a field, or the least value of its kind. */
function leastOf({ kind, standard }: Field): unknown {
  if (standard !== undefined) return standard;
  switch (kind.type) {
    case 'number':
      return Math.max(kind.min ?? 0, Math.min(kind.max ?? 0, 0));
    case 'size':
      return 0;
    case 'boolean':
      return true;
    case 'choice':
      return kind.words[0];
    case 'color':
    case 'fill':
      return '#000000';
    case 'object':
      return Object.fromEntries(
        kind.fields
          .filter(({ isRequired }) => isRequired)
          .map((each) => [each.name, leastOf(each)]),
      );
    case 'tuple':
      return kind.items.map(leastOf);
    case 'list':
      return kind.least === 0 ? [] : [leastOf(kind.item)];
    case 'record':
      return {};
    default:
      return '';
  }
}

// Paths inside a JSON document.

/** Names of properties and indices of items, from the outside in. */
export type Path = readonly (string | number)[];

/** Returns the value at a path; undefined if there is none. */
export function valueAt(root: unknown, path: Path): unknown {
  let value = root;
  for (const step of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<string | number, unknown>)[step];
  }
  return value;
}

/**
 * Writes a value in place; undefined removes the property, or the item of a list. With `makes`, creates the object
 * that contains the value if it is missing, and removes the object when it is empty. Without `makes`, a missing
 * object means no change.
 */
export function setAt(root: object, path: Path, value: unknown, makes = false): void {
  const last = path.at(-1);
  if (last === undefined) return;
  const above = path.slice(0, -1);
  if (makes && valueAt(root, above) === undefined && value !== undefined) setAt(root, above, {});
  const parent = valueAt(root, above);
  if (typeof parent !== 'object' || parent === null) return;
  if (Array.isArray(parent) && typeof last === 'number') {
    if (value === undefined) parent.splice(last, 1);
    else parent[last] = value;
    return;
  }
  const holder = parent as Record<string | number, unknown>;
  if (value === undefined) delete holder[last];
  else holder[last] = value;
  if (makes && Object.keys(holder).length === 0) setAt(root, above, undefined);
}

/** A path as the service's errors write it: `layers[2].shadow[0].color`. */
export function pathText(path: Path): string {
  return path
    .map((step, index) => {
      if (typeof step === 'number') return `[${step}]`;
      return index === 0 ? step : `.${step}`;
    })
    .join('');
}

/** The first problem at a path or inside it; undefined without one. */
export function problemAt(failure: Failure | undefined, path: string): ErrorDetail | undefined {
  return failure?.problems.find((problem) => isWithin(problem.path, path));
}
