/** The menu that adds a layer. */
import type { VNode } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { Editor } from '../../state/editor.ts';
import { icon } from '../../icons.tsx';
import { addSelected, kindNames, newLayerKinds } from './new-layers.ts';
import type { NewLayerKind } from './new-layers.ts';
import { Popover } from '../../dialog.tsx';
import { laterDialog } from '../../later-part.tsx';

/** A button that opens the kinds of layers. The added layer becomes the selection. */
export function AddMenu({ editor }: { editor: Editor }): VNode {
  const [isOpen, setOpen] = useState(false);
  const [isChoosing, setChoosing] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const add = (kind: NewLayerKind): void => {
    addSelected(editor, kind);
    setOpen(false);
    opener.current?.focus();
  };
  return (
    <>
      <button
        ref={opener}
        type="button"
        class="p-add"
        aria-expanded={isOpen}
        aria-haspopup="dialog"
        onClick={() => setOpen(!isOpen)}
      >
        {icon('plus')} Add
      </button>
      {isOpen && opener.current !== null ? (
        <Popover anchor={opener.current} label="Add a layer" close={() => setOpen(false)}>
          <div class="p-add-grid">
            {newLayerKinds.map((kind, index) => (
              <button
                type="button"
                key={kind}
                data-first={index === 0 ? '' : undefined}
                onClick={() => add(kind)}
              >
                {icon(kind)}
                <span>{kindNames[kind]}</span>
              </button>
            ))}
            <button
              type="button"
              onClick={() => {
                setOpen(false);
                setChoosing(true);
              }}
            >
              {icon('icons')}
              <span>Icon …</span>
            </button>
          </div>
        </Popover>
      ) : null}
      {isChoosing ? <IconPicker editor={editor} close={() => setChoosing(false)} /> : null}
    </>
  );
}

const IconPicker = laterDialog('Insert an icon', (code) => code.IconPicker);
