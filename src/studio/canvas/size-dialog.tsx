/** Dialog that adds a size or changes its name and canvas. */
import type { VNode } from 'preact';
import { useId, useState } from 'preact/hooks';
import { templateLimits } from '#language/limits/template-limits.ts';
import type { TemplateSize } from '#language/schema/sizes.ts';
import { sizeNamePattern } from '#language/size-properties.ts';
import { Dialog } from '../dialog.tsx';
import { arrangeInSize } from '../state/arrangement/arrange-size.ts';
import { followSize } from '../state/canvas-size.ts';
import type { Editor } from '../state/editor.ts';
import { addSize, changeSize } from '../state/sizes.ts';

/** Common sizes. The dialog proposes the first whose name the template does not have. */
const usualSizes: readonly TemplateSize[] = [
  { name: 'story', width: 1080, height: 1920 },
  { name: 'square', width: 1080, height: 1080 },
  { name: 'banner', width: 970, height: 250 },
  { name: 'wide', width: 1200, height: 628 },
];

interface SizeDialogProps {
  editor: Editor;
  /** The size to change. Undefined for a new size. */
  size: TemplateSize | undefined;
  close: () => void;
}

export function SizeDialog({ editor, size, close }: SizeDialogProps): VNode {
  const { sizes = [] } = editor.whole.value;
  const names = sizes.map(({ name }) => name).filter((name) => name !== size?.name);
  const first = size ?? usualSizes.find(({ name }) => !names.includes(name));
  const [{ name, width, height }, setValues] = useState(first ?? { name: '', width: 1, height: 1 });
  const [isArranged, setArranged] = useState(true);
  const isTaken = names.includes(name);
  const save = (event: Event): void => {
    event.preventDefault();
    if (isTaken) return;
    const made = { name, width, height };
    if (size === undefined) {
      editor.changeWhole(`Add size ${name}`, (draft) => {
        addSize(draft, made);
        if (isArranged) arrangeInSize(draft, made);
      });
    } else {
      editor.changeWhole(`Change size ${size.name}`, (draft) => {
        followSize(draft, size, made);
        changeSize(draft, size.name, made);
      });
    }
    editor.size.value = name;
    close();
  };
  const side = (label: string, key: 'width' | 'height', value: number): VNode => (
    <SideInput
      label={label}
      value={value}
      set={(next) => setValues({ name, width, height, [key]: next })}
    />
  );
  const noteId = useId();
  return (
    <Dialog title={size === undefined ? 'Add a size' : 'Change the size'} close={close}>
      <form class="size-form" onSubmit={save}>
        <label>
          Name
          <input
            type="text"
            required
            pattern={sizeNamePattern}
            maxLength={32}
            aria-describedby={noteId}
            value={name}
            onInput={({ currentTarget }) => setValues({ name: currentTarget.value, width, height })}
          />
        </label>
        {side('Width', 'width', width)}
        {side('Height', 'height', height)}
        <p id={noteId} role={isTaken ? 'alert' : undefined}>
          {isTaken
            ? `The template has a size “${name}”: choose another name.`
            : `Links choose it with _size=${name}: small letters, digits and -.`}
        </p>
        {size === undefined && <ArrangeChoice isOn={isArranged} set={setArranged} />}
        <div class="dialog-actions">
          <button type="button" onClick={close}>
            Cancel
          </button>
          <button type="submit" class="primary" disabled={isTaken}>
            {size === undefined ? 'Add' : 'Change'}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

interface SideInputProps {
  label: string;
  value: number;
  set: (value: number) => void;
}

function SideInput({ label, value, set }: SideInputProps): VNode {
  return (
    <label>
      {label}
      <input
        type="number"
        required
        min={1}
        max={templateLimits.sidePxMax}
        value={value}
        onInput={({ currentTarget }) => set(currentTarget.valueAsNumber)}
      />
    </label>
  );
}

function ArrangeChoice({ isOn, set }: { isOn: boolean; set: (isOn: boolean) => void }): VNode {
  return (
    <label class="size-arrange">
      <input
        type="checkbox"
        checked={isOn}
        onChange={({ currentTarget }) => set(currentTarget.checked)}
      />
      Arrange the layers for it
    </label>
  );
}
