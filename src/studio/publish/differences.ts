/** Differences of two versions: of their documents, property by property, and of their images, pixel by pixel. */
import type { Layer } from '#language/schema/layers.ts';
import type { Template, Variable } from '#language/schema/template.ts';
import { knownWord, labelOf, pathWords } from '../panels/fields/labels.ts';
import { nameOf, flattenLayers } from '../state/layers.ts';

/** One property that differs. Values are JSON; undefined for an absent property. */
export interface PropertyChange {
  /** Such as `shadow.blur` or `spans[1].text`. */
  path: string;
  before: unknown;
  after: unknown;
}

/** A change of a layer, a variable or the document's settings. */
export interface DocumentChange {
  subject: 'document' | 'variable' | 'layer';
  kind: 'added' | 'removed' | 'changed';
  /** The id of a layer, or the name of a variable. */
  id: string;
  /** The name that is shown. */
  name: string;
  /** Another position in the paint order, or another group. */
  isMoved: boolean;
  /** Changed properties; empty for added and removed subjects. */
  properties: PropertyChange[];
}

/** Returns all changes: the settings first, then variables, then layers from the top one down. */
export function diffDocuments(before: Template, after: Template): DocumentChange[] {
  return [
    ...diffSettings(before, after),
    ...diffVariables(before.variables, after.variables),
    ...diffLayers(before, after),
  ];
}

/** Returns the number of changes between the published version and the draft in words. */
export function unpublishedWords(changes: number): string {
  return `${changes} unpublished ${changes === 1 ? 'change' : 'changes'}`;
}

function diffSettings(before: Template, after: Template): DocumentChange[] {
  const properties = diffProperties(settingsOf(before), settingsOf(after));
  if (properties.length === 0) return [];
  const facts = { subject: 'document', kind: 'changed', isMoved: false } as const;
  return [{ ...facts, id: 'document', name: 'Template', properties }];
}

/** Leaves out `$schema` and the access to links, which change nothing in a version. */
function settingsOf({ clock, ...template }: Template): object {
  const {
    variables: _variables,
    layers: _layers,
    $schema: _schema,
    linkAuth: _linkAuth,
    linkOptions: _linkOptions,
    ...settings
  } = template;
  const { atZero: _atZero, ...counted } = clock ?? {};
  return clock === undefined ? settings : { ...settings, clock: counted };
}

function diffVariables(before: readonly Variable[], after: readonly Variable[]): DocumentChange[] {
  return diffLists(
    'variable',
    before.map(describeVariable),
    after.map(describeVariable),
    new Set(),
  );
}

/** A layer or a variable, for a comparison by id. */
interface Described {
  id: string;
  name: string;
  value: object;
}

function describeVariable(variable: Variable): Described {
  return { id: variable.name, name: variable.name, value: variable };
}

/** Leaves out the layers of a group, which are compared themselves. */
function describeLayer({ layer }: { layer: Layer }): Described {
  const { layers: _layers, ...properties } = layer as Layer & { layers?: unknown };
  return { id: layer.id, name: nameOf(layer), value: properties };
}

function diffLayers(before: Template, after: Template): DocumentChange[] {
  const [old, young] = [flattenLayers(before), flattenLayers(after)];
  const groups = new Map(old.map(({ layer, group }) => [layer.id, group?.id]));
  const known = young.map(({ layer }) => layer.id).filter((id) => groups.has(id));
  const staying = longestKept(
    old.map(({ layer }) => layer.id),
    known,
  );
  const moved = new Set(known.filter((id) => !staying.has(id)));
  for (const { layer, group } of young) {
    if (groups.has(layer.id) && groups.get(layer.id) !== group?.id) moved.add(layer.id);
  }
  return diffLists(
    'layer',
    old.toReversed().map(describeLayer),
    young.toReversed().map(describeLayer),
    moved,
  );
}

function diffLists(
  subject: DocumentChange['subject'],
  before: readonly Described[],
  after: readonly Described[],
  moved: ReadonlySet<string>,
): DocumentChange[] {
  const old = new Map(before.map((each) => [each.id, each]));
  const ids = new Set(after.map(({ id }) => id));
  const changes = after.flatMap(({ id, name, value }): DocumentChange[] => {
    const known = old.get(id);
    const facts = { subject, id, name, isMoved: moved.has(id) };
    if (known === undefined) return [{ ...facts, kind: 'added', properties: [] }];
    const properties = diffProperties(known.value, value);
    if (properties.length === 0 && !facts.isMoved) return [];
    return [{ ...facts, kind: 'changed', properties }];
  });
  const removed = before
    .filter(({ id }) => !ids.has(id))
    .map(({ id, name }): DocumentChange => {
      return { subject, kind: 'removed', id, name, isMoved: false, properties: [] };
    });
  return [...changes, ...removed];
}

/** Returns the differences between two JSON values, regardless of the order of keys. */
export function diffProperties(before: unknown, after: unknown, path = ''): PropertyChange[] {
  if ((isObject(before) && isObject(after)) || bySizePath.test(path)) {
    const [old, young] = [before, after].map((value) => (isObject(value) ? value : {}));
    const keys = new Set([...Object.keys(old ?? {}), ...Object.keys(young ?? {})]);
    return [...keys].flatMap((key) =>
      diffProperties(old?.[key], young?.[key], path === '' ? key : `${path}.${key}`),
    );
  }
  const isSameLength =
    Array.isArray(before) && Array.isArray(after) && before.length === after.length;
  // The links to the brand kit are one property, which names what follows it.
  if (isSameLength && path !== 'brand') {
    return before.flatMap((item, index) => diffProperties(item, after[index], `${path}[${index}]`));
  }
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ path, before, after }];
}

/** The path of the overrides of a layer, in all sizes or in one. */
const bySizePath = /^bySize(\.[^.]+)?$/;

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the longest part of `after` that keeps the order of `before`: other layers moved. 500 layers take 1 ms. */
function longestKept(before: readonly string[], after: readonly string[]): Set<string> {
  const positions = new Map(before.map((id, index) => [id, index]));
  const ranks = after.map((id) => positions.get(id) ?? 0);
  const lengths: number[] = [];
  const previous: number[] = [];
  let last = -1;
  for (const [index, rank] of ranks.entries()) {
    let best = -1;
    for (let earlier = 0; earlier < index; earlier += 1) {
      const isBelow = (ranks[earlier] ?? 0) < rank;
      if (isBelow && (lengths[earlier] ?? 0) > (best < 0 ? 0 : (lengths[best] ?? 0)))
        best = earlier;
    }
    lengths.push(best < 0 ? 1 : (lengths[best] ?? 0) + 1);
    previous.push(best);
    if (last < 0 || (lengths[index] ?? 0) > (lengths[last] ?? 0)) last = index;
  }
  const kept = new Set<string>();
  for (let index = last; index >= 0; index = previous[index] ?? -1) kept.add(after[index] ?? '');
  return kept;
}

/** Characters of a value at most. */
const valueLengthMax = 48;

/**
 * Returns a value in words, cut to `valueLengthMax`, with ↵ for a line break. `name` is the property, whose values may
 * have labels.
 */
export function valueText(value: unknown, name = ''): string {
  if (value === undefined) return 'not set';
  const text = wordsFor(value, name);
  if (text === '') return 'empty';
  const letters = Array.from(text.replaceAll('\n', ' ↵ ').replaceAll(/\s+/g, ' '));
  return letters.length <= valueLengthMax
    ? letters.join('')
    : `${letters.slice(0, valueLengthMax - 1).join('')}…`;
}

/** Describes a value. An object is a list of its properties by label: `colour #ffffff, width 2`. */
function wordsFor(value: unknown, name: string): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (typeof value === 'string') {
    return /^(asset|data):/.test(value) ? 'an image' : knownWord(name, value);
  }
  if (name === 'brand') return brandWords(value);
  if (name === 'sizes' && Array.isArray(value)) return value.map(sizeWords).join(', ');
  if (Array.isArray(value)) return value.map((each) => wordsFor(each, name)).join(', ');
  if (!isObject(value)) return String(value);
  return Object.entries(value)
    .map(([key, each]) => `${labelOf(key).toLowerCase()} ${wordsFor(each, key)}`)
    .join(', ');
}

/** Names the properties that follow the brand kit. */
function brandWords(value: unknown): string {
  const links = Array.isArray(value) ? (value as ReadonlyArray<{ property?: unknown }>) : [];
  return links.map(({ property }) => pathWords(String(property))).join(', ');
}

function sizeWords(value: unknown): string {
  const { name, width, height } = value as Record<string, unknown>;
  return `${String(name)} ${String(width)} × ${String(height)}`;
}

// Changed pixels of two images of the same size.

/** Pixels of a canvas: red, green, blue and alpha, 8 bits each, row by row. */
interface ImagePixels {
  data: Uint8ClampedArray;
  width: number;
  height: number;
}

/** The red of a pixel that differs, and the paleness of the others from 0 to 1. */
const red = [214, 32, 32] as const;
const paleness = 0.82;

/**
 * Writes `after` into `marked` in pale grey, with each pixel that differs from `before` in red. Returns the part of
 * the pixels that differs, 0 to 1. All three have the same size. 2 million pixels take less than 0.1 s.
 */
export function markDifferences(
  before: ImagePixels,
  after: ImagePixels,
  marked: ImagePixels,
): number {
  const { width, height } = after;
  let count = 0;
  for (let start = 0; start < after.data.length; start += 4) {
    if (isEqual(before.data, after.data, start)) {
      writeGrey(after.data, marked.data, start);
      continue;
    }
    count += 1;
    [marked.data[start], marked.data[start + 1], marked.data[start + 2]] = red;
    marked.data[start + 3] = 255;
  }
  return count / (width * height);
}

/** Whether two pixels are equal. Fully transparent pixels are equal whatever their colour. */
function isEqual(a: Uint8ClampedArray, b: Uint8ClampedArray, start: number): boolean {
  if (a[start + 3] === 0 && b[start + 3] === 0) return true;
  return (
    a[start] === b[start] &&
    a[start + 1] === b[start + 1] &&
    a[start + 2] === b[start + 2] &&
    a[start + 3] === b[start + 3]
  );
}

/** Writes the brightness (ITU-R BT.601) on a white background, in pale grey. */
function writeGrey(from: Uint8ClampedArray, to: Uint8ClampedArray, start: number): void {
  const redPart = 0.299 * (from[start] ?? 0);
  const greenPart = 0.587 * (from[start + 1] ?? 0);
  const bluePart = 0.114 * (from[start + 2] ?? 0);
  const alpha = (from[start + 3] ?? 0) / 255;
  const onPaper = 255 + (redPart + greenPart + bluePart - 255) * alpha;
  const pale = onPaper + (255 - onPaper) * paleness;
  to[start] = pale;
  to[start + 1] = pale;
  to[start + 2] = pale;
  to[start + 3] = 255;
}

/** Returns a part from 0 to 1 in percent: `0.4 %`, `under 0.1 %`. */
export function shareText(share: number): string {
  if (share > 0 && share < 0.001) return 'under 0.1 %';
  return `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`;
}
