/** The sets of sample values of an open editor, with their images and warnings. */
import { computed } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import type { Editor } from '../state/editor.ts';
import type { Values } from '../state/frames.ts';
import { builtInPresets, changedValues, createSavedPresets, valuesKey } from './presets.ts';
import type { Preset, SavedPresets } from './presets.ts';
import { createPresetImages } from './preset-images.ts';
import type { PresetImages, PresetWarning } from './preset-images.ts';

/** A rendered set that has warnings. */
export interface WarnedPreset {
  preset: Preset;
  warnings: readonly PresetWarning[];
}

export interface SampleSets extends PresetImages {
  readonly saved: SavedPresets;
  /** The built-in sets of the document, then those that the user saved. */
  readonly presets: ReadonlySignal<readonly Preset[]>;
  /** The set whose values are on the canvas. */
  readonly active: ReadonlySignal<Preset | undefined>;
  /** Those of `presets` whose newest image has warnings: all but `failed` ones are known when `isDrawing` is false. */
  readonly warned: ReadonlySignal<readonly WarnedPreset[]>;
}

/** Renders the sets until they are closed, also where no strip shows them: publishing needs their warnings. */
export function createSampleSets(editor: Editor): SampleSets {
  const saved = createSavedPresets(editor.uid, () => localStorage);
  let newest: readonly Preset[] = [];
  const presets = computed(() => {
    const now = [...builtInPresets(editor.document.value), ...saved.list.value];
    // Most changes of the document leave the sets as they are, and the strip need not render.
    if (JSON.stringify(now) !== JSON.stringify(newest)) newest = now;
    return newest;
  });
  const active = computed(() => {
    const keyOf = (values: Values): string =>
      valuesKey(changedValues(values, editor.document.value));
    const shown = keyOf(editor.values.value);
    return presets.value.find(({ values }) => keyOf(values) === shown);
  });
  const drawn = createPresetImages(editor, presets);
  const warned = computed(() =>
    presets.value.flatMap((preset) => {
      const { warnings = [] } = drawn.images.value.get(preset.id) ?? {};
      return warnings.length === 0 ? [] : [{ preset, warnings }];
    }),
  );
  return { ...drawn, saved, presets, active, warned };
}
