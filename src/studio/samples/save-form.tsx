/** Saves the sample values on the canvas as a set with a name. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { TargetedEvent, VNode } from 'preact';
import type { Editor } from '../state/editor.ts';
import { notify } from '../wording.ts';
import { changedValues, presetNameMax, savedPresetsMax } from './presets.ts';
import type { SavedPresets } from './presets.ts';

interface SaveFormProps {
  editor: Editor;
  saved: SavedPresets;
  /** Whether the values on the canvas are those of a preset. */
  isKnown: boolean;
}

/** A button, which becomes a field for the name. */
export function SaveForm({ editor, saved, isKnown }: SaveFormProps): VNode | null {
  const [isNaming, setNaming] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus(), [isNaming]);
  if (isKnown) return null;
  if (!isNaming) {
    return (
      <button type="button" class="samples-save" onClick={() => setNaming(true)}>
        Save these values
      </button>
    );
  }
  const submit = (event: TargetedEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const { name } = event.currentTarget.elements as unknown as {
      name: HTMLInputElement;
    };
    const values = changedValues(editor.values.value, editor.document.value);
    if (saved.save(name.value, values)) setNaming(false);
    else
      notify(`There are ${savedPresetsMax} presets of yours; delete one first.`, { kind: 'error' });
  };
  return (
    <form class="samples-save" onSubmit={submit}>
      <input
        name="name"
        required
        maxlength={presetNameMax}
        aria-label="Name of the preset"
        placeholder="Name"
        ref={field}
        onKeyDown={(event) => event.key === 'Escape' && setNaming(false)}
      />
      <button>Save</button>
    </form>
  );
}
