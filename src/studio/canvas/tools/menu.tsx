/** A menu at a point of the screen, after the ARIA menu pattern. */
import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { isAppleKeyboard, keysText } from '../../wording.ts';
import type { Editor } from '../../state/editor.ts';
import type { Point } from '../geometry.ts';
import { layerMenu, layersAt } from './menu-items.ts';
import type { MenuItem } from './menu-items.ts';

/** Minimum gap between the menu and the edges of the viewport, screen pixels. */
const gapPx = 8;

/** The menu of the selected layers; `at` is the point of the canvas that was pressed. */
export function LayerMenu(props: {
  editor: Editor;
  screen: Point;
  at: Point | undefined;
  close: () => void;
}): VNode {
  const { editor, screen, at, close } = props;
  const [isChoosing, setChoosing] = useState(false);
  const choices = layersAt(editor, at);
  const chooser: MenuItem = {
    label: 'Select layer',
    opens: true,
    isOff: choices.length === 0,
    run: () => setChoosing(true),
  };
  return isChoosing ? (
    <Menu label="Layers at this point" groups={[choices]} at={screen} close={close} />
  ) : (
    <Menu
      label="Selected layers"
      groups={at === undefined ? layerMenu(editor) : [[chooser], ...layerMenu(editor, at)]}
      at={screen}
      close={close}
    />
  );
}

interface MenuProps {
  label: string;
  groups: readonly (readonly MenuItem[])[];
  /** Position in the viewport, screen pixels. */
  at: Point;
  /** Called when the menu closes. After a key or a choice, the focus has been restored before. */
  close: () => void;
}

/** Takes the focus. Arrows, Home, End and letters move in the menu. Escape, Tab and a press elsewhere close it. */
export function Menu({ label, groups, at, close }: MenuProps): VNode {
  const reference = useRef<HTMLDivElement>(null);
  const before = useRef(document.activeElement);
  const end = (): void => {
    if (before.current instanceof HTMLElement) before.current.focus({ preventScroll: true });
    close();
  };
  useLayoutEffect(() => {
    const box = reference.current;
    if (box === null) return;
    box.showPopover();
    const { offsetWidth: width, offsetHeight: height } = box;
    box.style.left = `${Math.max(gapPx, Math.min(at.x, innerWidth - width - gapPx))}px`;
    box.style.top = `${Math.max(gapPx, Math.min(at.y, innerHeight - height - gapPx))}px`;
    itemsOf(box)[0]?.focus({ preventScroll: true });
  }, [at, label]);
  useEffect(() => {
    const press = (event: Event): void => {
      if (reference.current?.contains(event.target as Node) !== true) close();
    };
    document.addEventListener('pointerdown', press, true);
    globalThis.addEventListener('blur', close);
    return () => {
      document.removeEventListener('pointerdown', press, true);
      globalThis.removeEventListener('blur', close);
    };
  }, [close]);
  const onKeyDown = (event: KeyboardEvent): void => {
    event.stopPropagation();
    if (event.key === 'Escape' || event.key === 'Tab') {
      event.preventDefault();
      end();
      return;
    }
    const items = itemsOf(event.currentTarget as HTMLElement);
    const next = itemAfter(event.key, items, document.activeElement);
    if (next === undefined) return;
    event.preventDefault();
    if (event.key === 'ArrowRight') next.click();
    else next.focus();
  };
  return (
    <div
      ref={reference}
      class="p-popover menu"
      popover="manual"
      role="menu"
      aria-label={label}
      tabindex={-1}
      onKeyDown={onKeyDown}
      onContextMenu={(event) => event.preventDefault()}
    >
      {groups.map((group, index) => (
        <>
          {index === 0 ? null : <div role="separator" class="menu-line" />}
          {group.map((item) => (
            <Item key={item.id ?? item.label} item={item} end={end} />
          ))}
        </>
      ))}
    </div>
  );
}

function Item({ item, end }: { item: MenuItem; end: () => void }): VNode {
  const { label, keys, isOff = false, title, opens = false, run } = item;
  const shownKeys = keys === undefined ? '' : keysText(keys);
  return (
    <button
      type="button"
      class="menu-item"
      role="menuitem"
      tabindex={-1}
      aria-disabled={isOff}
      aria-haspopup={opens ? 'menu' : undefined}
      title={title}
      aria-keyshortcuts={keys?.replace('Mod', isAppleKeyboard() ? 'Meta' : 'Control')}
      onClick={() => {
        if (isOff) return;
        // Restores the focus first, because commands act on the focused element.
        if (!opens) end();
        run();
      }}
      onPointerMove={(event) => event.currentTarget.focus({ preventScroll: true })}
    >
      <span>{label}</span>
      <kbd aria-hidden="true">{opens ? '▸' : shownKeys}</kbd>
    </button>
  );
}

function itemsOf(menu: HTMLElement): HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>('[role="menuitem"]')];
}

/** Item to which a key moves the focus. Right is for an item that opens a menu. A letter moves to the next item that begins with it. */
function itemAfter(
  key: string,
  items: readonly HTMLElement[],
  from: Element | null,
): HTMLElement | undefined {
  const at = items.findIndex((item) => item === from);
  if (key === 'ArrowRight') return items[at]?.ariaHasPopup === 'menu' ? items[at] : undefined;
  if (key === 'ArrowDown') return items[(at + 1) % items.length];
  if (key === 'ArrowUp') return items.at(at <= 0 ? -1 : at - 1);
  if (key === 'Home') return items[0];
  if (key === 'End') return items.at(-1);
  if (key.length !== 1 || key === ' ') return undefined;
  const later = [...items.slice(at + 1), ...items.slice(0, at + 1)];
  return later.find(({ textContent }) => textContent.toLowerCase().startsWith(key.toLowerCase()));
}
