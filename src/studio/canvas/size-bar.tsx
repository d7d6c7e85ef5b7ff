/** Bar above the canvas: chooses the edited size, and adds, changes and deletes sizes. */
import type { TargetedEvent, VNode } from 'preact';
import { useState } from 'preact/hooks';
import { templateLimits } from '#language/limits/template-limits.ts';
import { laterDialog } from '../later-part.tsx';
import type { Editor } from '../state/editor.ts';
import { deleteSize } from '../state/sizes.ts';

/** List of sizes with its buttons. */
export function SizeBar({ editor }: { editor: Editor }): VNode {
  const [dialog, setDialog] = useState<'add' | 'change' | undefined>(undefined);
  const { sizes = [] } = editor.whole.value;
  const chosen = sizes.find(({ name }) => name === editor.size.value);
  const remove = (name: string): void => {
    editor.changeWhole(`Delete size ${name}`, (draft) => deleteSize(draft, name));
  };
  return (
    <div class="size-bar" role="group" aria-label="Size">
      <SizeSelect editor={editor} />
      {chosen === undefined ? null : (
        <>
          <button type="button" class="quiet-button" onClick={() => setDialog('change')}>
            Change …
          </button>
          <button type="button" class="quiet-button" onClick={() => remove(chosen.name)}>
            Delete
          </button>
        </>
      )}
      <button
        type="button"
        class="quiet-button"
        disabled={sizes.length >= templateLimits.sizesMax}
        onClick={() => setDialog('add')}
      >
        Add size …
      </button>
      {chosen === undefined ? null : (
        <span class="size-note">Boxes, crops and font sizes change here alone.</span>
      )}
      {dialog === undefined ? null : (
        <SizeDialog
          editor={editor}
          size={dialog === 'change' ? chosen : undefined}
          close={() => setDialog(undefined)}
        />
      )}
    </div>
  );
}

/** Chooses the size that is shown. The empty value is the canvas of the document. */
export function SizeSelect({ editor }: { editor: Editor }): VNode {
  const { width, height, sizes = [] } = editor.whole.value;
  const shown = editor.size.value ?? '';
  const choose = (event: TargetedEvent<HTMLSelectElement>): void => {
    const name = event.currentTarget.value;
    editor.endGesture();
    editor.size.value = name === '' ? undefined : name;
  };
  return (
    <select aria-label="Size that is shown" value={shown} onChange={choose}>
      <option value="" selected={shown === ''}>
        Base · {width} × {height}
      </option>
      {sizes.map((size) => (
        <option key={size.name} value={size.name} selected={size.name === shown}>
          {size.name} · {size.width} × {size.height}
        </option>
      ))}
    </select>
  );
}

const SizeDialog = laterDialog('Sizes', (code) => code.SizeDialog);
