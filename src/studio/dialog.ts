/** A modal dialog: keeps the focus inside, closes with Escape, and gives the focus back. */
import { html } from 'htm/preact';
import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

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
    return () => {
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
  return html`<dialog
    class=${`dialog ${className}`}
    ref=${element}
    aria-labelledby=${titleId}
    onCancel=${onCancel}
    onPointerDown=${onPointerDown}
  >
    <div class="dialog-body">
      <div class="dialog-head">
        <h2 id=${titleId}>${title}</h2>
        <button type="button" class="icon" aria-label="Close" onClick=${close}>
          <${CrossIcon} />
        </button>
      </div>
      ${children}
    </div>
  </dialog>`;
}

/** A cross, 16 px. */
export function CrossIcon(): VNode {
  return html`<svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
    <path d="M4 4l8 8M12 4l-8 8" fill="none" stroke="currentColor" stroke-width="1.5" />
  </svg>`;
}
