/** The kinds of layers, of which a press adds one. */
import type { VNode } from 'preact';
import { Popover } from '../../dialog.tsx';
import { icon } from '../../icons.tsx';
import type { Editor } from '../../state/editor.ts';
import { addSelected } from './add-layers.ts';
import { kindNames, newLayerKinds } from './new-layers.ts';

interface AddPopoverProps {
  editor: Editor;
  anchor: HTMLElement;
  showIcons: () => void;
  close: () => void;
}

export function AddPopover({ editor, anchor, showIcons, close }: AddPopoverProps): VNode {
  return (
    <Popover anchor={anchor} label="Add a layer" close={close}>
      <div class="p-add-grid">
        {newLayerKinds.map((kind, index) => (
          <button
            type="button"
            key={kind}
            data-first={index === 0 ? '' : undefined}
            onClick={() => {
              addSelected(editor, kind);
              close();
              anchor.focus();
            }}
          >
            {icon(kind)}
            <span>{kindNames[kind]}</span>
          </button>
        ))}
        <button type="button" onClick={showIcons}>
          {icon('icons')}
          <span>Icon …</span>
        </button>
      </div>
    </Popover>
  );
}
