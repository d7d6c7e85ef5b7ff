/** Presets: sets of sample values, suggested by the studio or saved by the user. */
import { isParent } from '#language/layer-tree.ts';
import type { Layer } from '#language/schema/layers.ts';
import type { ScalarVariable, Template, Variable } from '#language/schema/template.ts';
import type { Values } from '../state/frames.ts';
import { boundNames, linkText } from '../panels/variables/variables.ts';
import { largestNumber, likelyText, smallestNumber } from './likely-values.ts';
import type { TextKind } from './likely-values.ts';
import { signal } from '@preact/signals';
import type { Signal } from '@preact/signals';

/** A named set of sample values. */
export interface Preset {
  id: string;
  /** The name that is shown, such as `Longest likely`. */
  name: string;
  /** The values that differ from the defaults. */
  values: Values;
  /** Whether the user saved the preset, and can delete it. */
  isSaved: boolean;
}

/** The `data:` URL of a damaged image, which shows the effect of a broken image without a request. */
const brokenImage = 'data:image/png;base64,AAAA';

type Value = string | number | boolean;
type Fill = (variable: Variable) => Value | undefined;

/** The built-in presets. `fill` returns the value of a variable; undefined keeps the default. */
const fills: ReadonlyArray<readonly [id: string, name: string, fill: Fill]> = [
  ['longest', 'Longest likely', byType({ text: texts('longest'), number: largestNumber })],
  ['shortest', 'Shortest', byType({ text: shortest, number: smallestNumber })],
  ['word', 'One long word', byType({ text: texts('word') })],
  ['emoji', 'Emoji', byType({ text: texts('emoji') })],
  ['rtl', 'Right to left', byType({ text: texts('rtl') })],
  ['cjk', 'Japanese', byType({ text: texts('cjk') })],
  ['largest', 'Largest numbers', byType({ number: largestNumber })],
  ['smallest', 'Smallest numbers', byType({ number: smallestNumber })],
  ['light', 'Light colours', byType({ color: () => '#ffffff' })],
  ['dark', 'Dark colours', byType({ color: () => '#111111' })],
  ['inverted', 'Inverted', byType({ boolean: ({ value }) => value !== 'true' })],
  ['broken', 'Broken image', byType({ image: () => brokenImage })],
  ['one-item', 'One item', items(1)],
  ['six-items', 'Six items', items(6)],
];

/**
 * Returns the presets that change a document, its defaults first. A text variable that no text layer shows keeps its
 * default, such as the value of a barcode or a part of an address.
 */
export function builtInPresets(document: Template): Preset[] {
  const shown = shownTexts(document.layers);
  const variables = document.variables.filter(
    ({ name, type }) => type !== 'text' || shown.has(name),
  );
  const defaults: Preset = { id: 'defaults', name: 'Defaults', values: {}, isSaved: false };
  const seen = new Set([valuesKey(defaults.values)]);
  const presets = [defaults];
  for (const [id, name, fill] of fills) {
    const values: Record<string, string | number | boolean> = {};
    for (const variable of variables) {
      const value = fill(variable);
      if (value !== undefined && String(value) !== linkText(variable)) {
        values[variable.name] = value;
      }
    }
    const key = valuesKey(values);
    if (seen.has(key)) continue;
    seen.add(key);
    presets.push({ id, name, values, isSaved: false });
  }
  return presets;
}

/**
 * Whether a preset breaks images to show their defaults, so that failed images are no warning: readers of links see
 * these defaults.
 */
export function breaksImages(
  { id, isSaved }: Preset,
  { variables, onError, onImageError }: Template,
): boolean {
  if (id !== 'broken' || isSaved) return false;
  const images = variables.filter(({ type }) => type === 'image');
  const isSeen = onImageError === 'default' || onError !== 'json';
  return isSeen && images.every((variable) => linkText(variable) !== '');
}

/** A named sample value of one variable. */
export interface ValuePreset {
  id: string;
  name: string;
  value: string | number | boolean;
}

/** Returns sample values of one variable, and the empty value: each once, without the default. */
export function valuePresets(variable: Variable): ValuePreset[] {
  const filled = fills.map(([id, name, fill]) => ({ id, name, value: fill(variable) }));
  const seen = new Set(['', linkText(variable)]);
  const presets = filled.flatMap(({ id, name, value }) => {
    if (value === undefined || seen.has(String(value))) return [];
    seen.add(String(value));
    return [{ id, name, value }];
  });
  const empty = { id: 'empty', name: 'Empty', value: '' };
  return linkText(variable) === '' ? presets : [...presets, empty];
}

/** Returns a key that is equal for values with the same image. */
export function valuesKey(values: Values): string {
  const pairs = Object.entries(values).map(([name, value]) => [name, String(value)]);
  return JSON.stringify(pairs.toSorted(([a = ''], [b = '']) => (a < b ? -1 : Number(a > b))));
}

/** Whether two sets of values have the same image of a document. */
export function showSame(one: Values, other: Values, document: Template): boolean {
  return valuesKey(changedValues(one, document)) === valuesKey(changedValues(other, document));
}

/** Returns the values that have a variable and differ from its default. */
export function changedValues(values: Values, { variables }: Pick<Template, 'variables'>): Values {
  const defaults = new Map(variables.map((variable) => [variable.name, linkText(variable)]));
  return Object.fromEntries(
    Object.entries(values).filter(
      ([name, value]) => defaults.has(name) && String(value) !== defaults.get(name),
    ),
  );
}

/** Returns a fill for scalar variables of some types; `items` fills lists. */
function byType(
  fill: Partial<Record<ScalarVariable['type'], (variable: ScalarVariable) => Value>>,
): Fill {
  return (variable) => (variable.type === 'list' ? undefined : fill[variable.type]?.(variable));
}

/** Returns a fill for lists: `count` items, which repeat the default's items. */
function items(count: number): Fill {
  return (variable) => {
    if (variable.type !== 'list' || variable.value.length === 0) return undefined;
    const { value } = variable;
    return JSON.stringify(Array.from({ length: count }, (_, index) => value[index % value.length]));
  };
}

function texts(kind: TextKind): (variable: ScalarVariable) => string {
  return (variable) => likelyText(variable, kind);
}

/** Returns an empty text if the variable shows one: by default, an empty value shows the default. */
function shortest(variable: ScalarVariable): string {
  return variable.whenEmpty === 'empty' ? '' : likelyText(variable, 'shortest');
}

/** Returns the names of variables that text layers show. */
function shownTexts(layers: readonly Layer[], names = new Set<string>()): Set<string> {
  for (const layer of layers) {
    if (isParent(layer)) shownTexts(layer.layers, names);
    if (layer.type !== 'text') continue;
    for (const text of [layer.text, ...(layer.spans ?? []).map((span) => span.text)]) {
      for (const name of boundNames(text ?? '')) names.add(name);
    }
  }
  return names;
}

// Presets that the user has saved: this browser stores them per template.

/** Saved presets per template at most: each is an image in the strip. */
export const savedPresetsMax = 12;
/** Longest name, in characters. */
export const presetNameMax = 40;
/** Longest value, in characters, as in a link. */
const valueLengthMax = 90_000;

/** The saved presets of a template. */
export interface SavedPresets {
  readonly list: Signal<readonly Preset[]>;
  /** Saves values under a name, in place of the saved preset of that name. False for too many presets or no name. */
  save(name: string, values: Values): boolean;
  remove(id: string): void;
}

/** Returns the storage of the presets. A function, because a browser that forbids storage throws on access. */
type FindStorage = () => Pick<Storage, 'getItem' | 'setItem'>;

/** Reads the saved presets of a template. Without a storage (private windows), presets last as long as the page. */
export function createSavedPresets(uid: string, findStorage: FindStorage): SavedPresets {
  const key = `platen-presets-${uid}`;
  const list = signal<readonly Preset[]>(readPresets(findStorage, key));
  const store = (presets: readonly Preset[]): void => {
    list.value = presets;
    try {
      const kept = presets.map(({ name, values }) => ({ name, values }));
      findStorage().setItem(key, JSON.stringify(kept));
    } catch {
      // A full or forbidden storage: the presets stay in this page.
    }
  };
  return {
    list,
    save(name, values) {
      const clean = name.trim().slice(0, presetNameMax);
      const others = list.value.filter((preset) => preset.name !== clean);
      if (clean === '' || others.length >= savedPresetsMax) return false;
      store([...others, savedPreset(clean, values)]);
      return true;
    },
    remove(id) {
      store(list.value.filter((preset) => preset.id !== id));
    },
  };
}

function savedPreset(name: string, values: Values): Preset {
  return { id: `own-${name}`, name, values, isSaved: true };
}

function readPresets(findStorage: FindStorage, key: string): Preset[] {
  try {
    return parsePresets(JSON.parse(findStorage().getItem(key) ?? '[]'));
  } catch {
    return [];
  }
}

/** Reads presets from a stored value of any form. Leaves out invalid presets and values. */
export function parsePresets(value: unknown): Preset[] {
  if (!Array.isArray(value)) return [];
  const presets = value.slice(0, savedPresetsMax).flatMap((item: unknown) => {
    const { name, values } = (item ?? {}) as { name?: unknown; values?: unknown };
    if (typeof name !== 'string' || name === '' || name.length > presetNameMax) return [];
    if (typeof values !== 'object' || values === null || Array.isArray(values)) return [];
    const kept = Object.entries(values).filter(([, each]) => isValue(each));
    return [savedPreset(name, Object.fromEntries(kept) as Values)];
  });
  return presets.filter(({ id }, index) => presets.findIndex((each) => each.id === id) === index);
}

function isValue(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= valueLengthMax;
  return typeof value === 'boolean' || Number.isFinite(value);
}
