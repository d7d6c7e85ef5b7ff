/** The menu that adds a layer. */
import type { VNode } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { Editor } from '../../state/editor.ts';
import { icon } from '../../icons.tsx';
import { later, laterDialog } from '../../later-part.tsx';

/** A button that opens the kinds of layers. The added layer becomes the selection. */
export function AddMenu({ editor }: { editor: Editor }): VNode {
  const [shown, setShown] = useState<'kinds' | 'icons'>();
  const opener = useRef<HTMLButtonElement>(null);
  const close = (): void => setShown(undefined);
  const isOpen = shown === 'kinds';
  return (
    <>
      <button
        ref={opener}
        type="button"
        class="p-add"
        aria-expanded={isOpen}
        aria-haspopup="dialog"
        onClick={() => setShown(isOpen ? undefined : 'kinds')}
      >
        {icon('plus')} Add
      </button>
      {isOpen && opener.current !== null ? (
        <AddPopover
          editor={editor}
          anchor={opener.current}
          showIcons={() => setShown('icons')}
          close={close}
        />
      ) : null}
      {shown === 'icons' ? <IconPicker editor={editor} close={close} /> : null}
    </>
  );
}

const AddPopover = later((code) => code.AddPopover);
export const IconPicker = laterDialog('Insert an icon', (code) => code.IconPicker);
