/** Modal dialogs, notices and popovers. Dialogs keep the focus inside, close with Escape, and restore the focus. */
import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useId, useRef, useLayoutEffect } from 'preact/hooks';
import { CrossIcon } from './icons.tsx';
import { computed, signal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import { canvasElement, focusCanvas } from './panels/parts.ts';
import { dismissNotice, notices } from './wording.ts';

export interface DialogProps {
  title: string;
  /** Called when Escape, the cross or a press outside dismisses the dialog. */
  close: () => void;
  /** Added to the class of the element. */
  className?: string;
  children?: ComponentChildren;
}

/** Shows its children over the page. */
export function Dialog({ title, close, className = '', children }: DialogProps): VNode {
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const { current } = element;
    const before = document.activeElement;
    // A press gives the keys back to the canvas, a key gives them back to the button.
    const isPressed = before?.matches('.top-bar button:not(:focus-visible)') === true;
    const next = isPressed ? (canvasElement() ?? before) : before;
    current?.showModal();
    const leave = enterDialog(titleId);
    return () => {
      leave();
      const isOpen = current?.open === true;
      if (isOpen) current.close();
      restoreFocus(isOpen ? next : null);
    };
  }, []);
  const onCancel = (event: Event): void => {
    // A chooser of files that is cancelled inside the dialog fires the same event, which bubbles.
    if (event.target !== element.current) return;
    event.preventDefault();
    close();
  };
  const onPointerDown = (event: PointerEvent): void => {
    if (event.target === element.current) close();
  };
  return (
    <dialog
      class={`dialog ${className}`}
      ref={element}
      aria-labelledby={titleId}
      onCancel={onCancel}
      onPointerDown={onPointerDown}
    >
      <div class="dialog-body">
        <div class="dialog-head">
          <h2 id={titleId}>{title}</h2>
          <button type="button" class="icon" aria-label="Close" onClick={close}>
            <CrossIcon />
          </button>
        </div>
        {children}
      </div>
      {topDialog.value === titleId ? <NoticeList /> : null}
    </dialog>
  );
}

/** Focuses an element. Keys act on the canvas in place of an element that is gone. */
function restoreFocus(element: Element | null): void {
  // Nothing had the focus, also where keys must not act on layers.
  if (element === document.body) return;
  if (element instanceof HTMLElement && element.isConnected) element.focus();
  if (document.activeElement === document.body) focusCanvas();
}

// The stack of open dialogs: only the top one can be used, and it shows the notices.

const open = signal<readonly string[]>([]);

/** Id of the top dialog. Undefined if no dialog is open. */
export const topDialog: ReadonlySignal<string | undefined> = computed(() => open.value.at(-1));

/** Adds a dialog to the stack. The returned function removes it. */
function enterDialog(id: string): () => void {
  open.value = [...open.value, id];
  return () => {
    open.value = open.value.filter((other) => other !== id);
  };
}

/** The list of notices, the newest at the bottom. */
export function NoticeList(): VNode {
  return (
    <div class="notices" role="status" aria-live="polite">
      {notices.value.map(({ id, kind, message, action }) => (
        <div class={`notice ${kind}`} key={id}>
          <p>{message}</p>
          {action === undefined ? null : (
            <button
              type="button"
              onClick={() => {
                dismissNotice(id);
                action.run();
              }}
            >
              {action.label}
            </button>
          )}
          <button type="button" class="icon" aria-label="Dismiss" onClick={() => dismissNotice(id)}>
            <CrossIcon />
          </button>
        </div>
      ))}
    </div>
  );
}

// Popovers: small windows beside the control that opened them, closed by Escape and by a press elsewhere.

/** Gap of a popover to its anchor and to the edges of the viewport, px. */
const gapPx = 8;

/**
 * Popover of the control `anchor`, which gets the focus back after Escape. `label` is its accessible name. It opens
 * below or above the anchor, or beside the panel of the anchor, and always inside the viewport.
 */
export function Popover({
  anchor,
  label,
  side = 'below',
  close,
  children,
}: {
  anchor: HTMLElement;
  label: string;
  side?: 'beside' | 'below';
  close: () => void;
  children?: ComponentChildren;
}): VNode {
  const reference = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const box = reference.current;
    if (box === null) return undefined;
    box.showPopover();
    position(box, anchor, side);
    const watcher = new ResizeObserver(() => position(box, anchor, side));
    watcher.observe(box);
    (box.querySelector<HTMLElement>('[data-first]') ?? box).focus({ preventScroll: true });
    return () => watcher.disconnect();
  }, [anchor, side]);
  useEffect(() => {
    const press = (event: PointerEvent): void => {
      const inside = event.composedPath();
      const box = reference.current;
      if (box === null || inside.includes(box) || inside.includes(anchor)) return;
      // A popover that was opened from this one is not inside of its element.
      if ((event.target as Element | null)?.closest('.p-popover') !== null) return;
      close();
    };
    document.addEventListener('pointerdown', press, true);
    return () => document.removeEventListener('pointerdown', press, true);
  }, [anchor, close]);
  const closeByKey = (event: KeyboardEvent): void => {
    // Keeps arrow keys and letters for a field from the canvas.
    if (!event.ctrlKey && !event.metaKey) event.stopPropagation();
    if (event.key !== 'Escape') return;
    event.preventDefault();
    close();
    anchor.focus();
  };
  return (
    <div
      ref={reference}
      class="p-popover"
      popover="manual"
      role="dialog"
      aria-label={label}
      tabindex={-1}
      onKeyDown={closeByKey}
    >
      {children}
    </div>
  );
}

function position(box: HTMLElement, anchor: HTMLElement, side: 'beside' | 'below'): void {
  const from = anchor.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = box;
  const isBelow = from.bottom + gapPx + height < innerHeight;
  let { left } = from;
  let top = isBelow ? from.bottom + gapPx / 2 : from.top - height - gapPx / 2;
  const panel = anchor.closest('.panel')?.getBoundingClientRect();
  if (side === 'beside' && panel !== undefined) {
    left = panel.left - width - gapPx;
    if (left <= gapPx) left = panel.right + gapPx;
    top = from.top - gapPx;
  }
  box.style.left = `${Math.max(gapPx, Math.min(left, innerWidth - width - gapPx))}px`;
  box.style.top = `${Math.max(gapPx, Math.min(top, innerHeight - height - gapPx))}px`;
}
