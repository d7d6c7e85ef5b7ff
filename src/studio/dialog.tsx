/** Modal dialogs and notices. A dialog keeps the focus inside, closes with Escape, and restores the focus. */
import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { CrossIcon } from './icons.tsx';
import { computed, signal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import { dismissNotice, notices } from './state/notices.ts';

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
      current?.close();
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
