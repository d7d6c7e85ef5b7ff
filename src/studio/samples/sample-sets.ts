/** The sets of sample values of an open editor, with their images and warnings. */
import { computed } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import { behindFrame } from '../panels/behind-frame.ts';
import type { Editor } from '../state/editor.ts';
import { builtInPresets, createSavedPresets } from './presets.ts';
import type { Preset, SavedPresets } from './presets.ts';
import { createPresetImages } from './preset-images.ts';
import type { PresetImages } from './preset-images.ts';
import type { PresetWarning } from './preset-warnings.ts';

/** A rendered set that has warnings. */
export interface WarnedPreset {
  preset: Preset;
  warnings: readonly PresetWarning[];
}

export interface SampleSets extends PresetImages {
  readonly saved: SavedPresets;
  /** The built-in sets of the document, then those that the user saved. */
  readonly presets: ReadonlySignal<readonly Preset[]>;
  /** Those of `presets` whose newest image has warnings: all but `failed` ones are known when `isDrawing` is false. */
  readonly warned: ReadonlySignal<readonly WarnedPreset[]>;
}

/** Renders the sets until they are closed, also where no strip shows them: publishing needs their warnings. */
export function createSampleSets(editor: Editor): SampleSets {
  const saved = createSavedPresets(editor.uid, () => localStorage);
  const { document } = behindFrame(editor);
  const presets = computed(() => [...builtInPresets(document.value), ...saved.list.value]);
  const drawn = createPresetImages(editor, presets);
  const warned = computed(() =>
    presets.value.flatMap((preset) => {
      const { warnings = [] } = drawn.images.value.get(preset.id) ?? {};
      return warnings.length === 0 ? [] : [{ preset, warnings }];
    }),
  );
  return { ...drawn, saved, presets, warned };
}
