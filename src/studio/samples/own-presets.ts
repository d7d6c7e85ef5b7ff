/** Presets that whoever edits has saved, kept by this browser for each template. */
import { signal } from '@preact/signals';
import type { Signal } from '@preact/signals';
import type { Values } from '../state/frames.ts';
import type { Preset } from './presets.ts';

/** Presets of one template: each is a picture in the strip. */
export const ownPresetsMax = 12;
/** Characters of a name. */
export const presetNameMax = 40;
/** Characters of one value, as of a link's. */
const valueLengthMax = 90_000;

/** The saved presets of a template, and what changes them. */
export interface OwnPresets {
  readonly list: Signal<readonly Preset[]>;
  /** Saves values under a name, in place of an own preset with the same name; false when there are too many. */
  save(name: string, values: Values): boolean;
  remove(id: string): void;
}

/** What keeps the presets; a browser that forbids it throws at the mere mention. */
type FindStorage = () => Pick<Storage, 'getItem' | 'setItem'>;

/** Reads what was saved for a template. Without a storage (private windows) presets last as long as the page. */
export function createOwnPresets(uid: string, findStorage: FindStorage): OwnPresets {
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
      if (clean === '' || others.length >= ownPresetsMax) return false;
      store([...others, ownPreset(clean, values)]);
      return true;
    },
    remove(id) {
      store(list.value.filter((preset) => preset.id !== id));
    },
  };
}

function ownPreset(name: string, values: Values): Preset {
  return { id: `own-${name}`, name, values, isOwn: true };
}

function readPresets(findStorage: FindStorage, key: string): Preset[] {
  try {
    return parsePresets(JSON.parse(findStorage().getItem(key) ?? '[]'));
  } catch {
    return [];
  }
}

/** Whatever stands in a storage: what is no preset is left out. */
export function parsePresets(value: unknown): Preset[] {
  if (!Array.isArray(value)) return [];
  const presets = value.slice(0, ownPresetsMax).flatMap((item: unknown) => {
    const { name, values } = (item ?? {}) as { name?: unknown; values?: unknown };
    if (typeof name !== 'string' || name === '' || name.length > presetNameMax) return [];
    if (typeof values !== 'object' || values === null || Array.isArray(values)) return [];
    const kept = Object.entries(values).filter(([, each]) => isValue(each));
    return [ownPreset(name, Object.fromEntries(kept) as Values)];
  });
  return presets.filter(({ id }, index) => presets.findIndex((each) => each.id === id) === index);
}

function isValue(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= valueLengthMax;
  return typeof value === 'boolean' || Number.isFinite(value);
}
