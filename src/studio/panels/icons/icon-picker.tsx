/** A dialog that finds an icon, and inserts it as an SVG layer. */
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Dialog } from '../../dialog.tsx';
import { NotLoaded } from '../../lazy-code.tsx';
import type { Editor } from '../../state/editor.ts';
import { addLayer, moveToFree } from '../layers/add-layers.ts';
import { findPosition } from '../../state/layers.ts';
import { findIcons, loadIcons, svgOf } from './icon-library.ts';
import type { LibraryIcon } from './icon-library.ts';
import { selectAdded } from '../../canvas/gestures/select-added.ts';

/** Icons shown at most. A search finds the others. */
const shownMax = 240;

interface IconPickerProps {
  editor: Editor;
  close: () => void;
}

/** Opens with the focus on the search. Arrow keys move between the icons. */
export function IconPicker({ editor, close }: IconPickerProps): VNode {
  const [all, setAll] = useState<readonly LibraryIcon[] | 'failed'>([]);
  const [sought, setSought] = useState('');
  useEffect(() => {
    loadIcons().then(setAll, () => setAll('failed'));
  }, []);
  const insert = (icon: LibraryIcon): void => {
    insertIcon(editor, icon);
    close();
  };
  const found = all === 'failed' ? [] : findIcons(all, sought);
  return (
    <Dialog title="Insert an icon" className="icon-dialog" close={close}>
      <input
        type="search"
        autofocus
        aria-label="Search icons"
        placeholder="Search icons: truck, heart, calendar …"
        value={sought}
        onInput={(event) => setSought(event.currentTarget.value)}
        onKeyDown={({ key, isComposing }) => {
          const [first] = found;
          if (key === 'Enter' && !isComposing && first !== undefined) insert(first);
        }}
      />
      {all === 'failed' ? (
        <NotLoaded />
      ) : (
        <IconGrid icons={found.slice(0, shownMax)} insert={insert} />
      )}
      <p class="soft small" role="status">
        {statusOf(found.length)}
      </p>
    </Dialog>
  );
}

function statusOf(count: number): string {
  if (count > shownMax) return `${shownMax} of ${count} icons. A search finds the others.`;
  return count === 1 ? '1 icon' : `${count} icons`;
}

interface IconGridProps {
  icons: readonly LibraryIcon[];
  insert: (icon: LibraryIcon) => void;
}

/** A grid of buttons, of which only the first is in the tab order. */
function IconGrid({ icons, insert }: IconGridProps): VNode {
  const grid = useRef<HTMLDivElement>(null);
  const walk = (event: KeyboardEvent): void => {
    const buttons = [...(grid.current?.querySelectorAll('button') ?? [])];
    const next = buttons[nextIndex(event.key, buttons)];
    if (next === undefined) return;
    event.preventDefault();
    next.focus();
  };
  return (
    <div class="icon-grid" role="group" aria-label="Icons" ref={grid} onKeyDown={walk}>
      {icons.map((icon, index) => (
        <button
          type="button"
          key={icon.name}
          tabIndex={index === 0 ? 0 : -1}
          aria-label={icon.name.replaceAll('-', ' ')}
          title={icon.name.replaceAll('-', ' ')}
          onClick={() => insert(icon)}
        >
          <svg
            viewBox="0 0 24 24"
            aria-hidden="true"
            // The markup is bundled with the studio: no user input.
            dangerouslySetInnerHTML={{ __html: icon.markup }}
          />
        </button>
      ))}
    </div>
  );
}

/** Returns the index that a key moves to from the focused button; −1 for other keys. */
function nextIndex(key: string, buttons: readonly HTMLButtonElement[]): number {
  const index = buttons.findIndex((button) => button === document.activeElement);
  const top = buttons[0]?.offsetTop;
  const columns = buttons.filter((button) => button.offsetTop === top).length;
  const steps: Record<string, number> = {
    ArrowRight: 1,
    ArrowLeft: -1,
    ArrowDown: columns,
    ArrowUp: -columns,
  };
  const step = steps[key];
  return step === undefined || index === -1 ? -1 : index + step;
}

/** Adds the icon as a layer, in one undo step, and selects the layer. */
function insertIcon(editor: Editor, icon: LibraryIcon): void {
  let id = '';
  editor.change('Add icon', (draft) => {
    id = addLayer(draft, 'svg', editor.selection.value);
    const { layer } = findPosition(draft, id) ?? {};
    if (layer?.type !== 'svg') return;
    layer.svg = svgOf(icon);
    const words = icon.name.replaceAll('-', ' ');
    layer.name = words.charAt(0).toUpperCase() + words.slice(1);
    moveToFree(editor, draft, id);
  });
  selectAdded(editor, [id]);
}
