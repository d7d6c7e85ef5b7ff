/** Modal dialogs, notices and popovers. Dialogs keep the focus inside, close with Escape, and restore the focus. */
import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useId, useRef, useLayoutEffect } from 'preact/hooks';
import { CrossIcon } from './icons.tsx';
import { computed, signal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import { dismissNotice, notices } from './wording.ts';

export interface DialogProps {
  title: string;
  /** Called when it is dismissed, by Escape, the cross or a press outside. */
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
    current?.showModal();
    const leave = enterDialog(titleId);
    return () => {
      leave();
      if (current?.open !== true) return;
      current.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  const onCancel = (event: Event): void => {
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

// The stack of open dialogs: only the top one can be used, and it shows the notices.

const open = signal<readonly string[]>([]);

/** The dialog that can be used now; undefined when it is the page. */
export const topDialog: ReadonlySignal<string | undefined> = computed(() => open.value.at(-1));

/** Puts a dialog over the others; returns what takes it away. */
function enterDialog(id: string): () => void {
  open.value = [...open.value, id];
  return () => {
    open.value = open.value.filter((other) => other !== id);
  };
}

/** The messages, the newest at the bottom. */
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

/** Pixels between the window, what opened it and the edges of the screen. */
const gapPx = 8;

/**
 * `anchor` is what opened it and gets the focus back; `label` names it for who cannot see it. It stands below
 * the anchor, or beside the panel that the anchor is in, if any, and always inside the screen.
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
      // A window that was opened from inside this one lies outside of it.
      if ((event.target as Element | null)?.closest('.p-popover') !== null) return;
      close();
    };
    document.addEventListener('pointerdown', press, true);
    return () => document.removeEventListener('pointerdown', press, true);
  }, [anchor, close]);
  const closeByKey = (event: KeyboardEvent): void => {
    // The canvas must not take the arrow keys and letters that are meant for a field.
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
