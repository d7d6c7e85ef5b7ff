/** A modal dialog: keeps the focus inside, closes with Escape, and gives the focus back. */
import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { CrossIcon } from './cross-icon.tsx';
import { NoticeList } from './notice-list.tsx';
import { enterDialog, topDialog } from './state/open-dialogs.ts';

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
