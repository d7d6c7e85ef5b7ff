/** A bar of buttons with one tab stop. Arrow keys move between its buttons. */
import type { ComponentChildren, TargetedKeyboardEvent, VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

interface BarProps {
  label: string;
  /** Added to the class of the element. */
  className: string;
  children?: ComponentChildren;
}

/** The tab stop is the button that had the focus last, else the pressed button, else the first. */
export function Bar({ label, className, children }: BarProps): VNode {
  const bar = useRef<HTMLDivElement>(null);
  const last = useRef<HTMLButtonElement | undefined>(undefined);
  useLayoutEffect(() => {
    if (bar.current !== null) setStop(bar.current, last.current);
  });
  return (
    <div
      ref={bar}
      class={`canvas-bar ${className}`}
      role="toolbar"
      aria-label={label}
      onKeyDown={moveByKey}
      onFocusIn={({ target, currentTarget }) => {
        if (!(target instanceof HTMLButtonElement)) return;
        last.current = target;
        setStop(currentTarget, target);
      }}
    >
      {children}
    </div>
  );
}

function moveByKey(event: TargetedKeyboardEvent<HTMLDivElement>): void {
  const buttons = buttonsOf(event.currentTarget);
  const at = buttons.findIndex((button) => button === event.target);
  const next = nextAt(event.key, at, buttons.length);
  if (at === -1 || next === undefined) return;
  event.preventDefault();
  buttons[next]?.focus();
}

function buttonsOf(bar: HTMLElement): HTMLButtonElement[] {
  return [...bar.querySelectorAll<HTMLButtonElement>('button:not(:disabled)')];
}

function setStop(bar: HTMLElement, last: HTMLButtonElement | undefined): void {
  const buttons = buttonsOf(bar);
  const pressed = buttons.find((button) => button.ariaPressed === 'true');
  const stop = buttons.find((button) => button === last) ?? pressed ?? buttons[0];
  for (const button of buttons) {
    const tabIndex = button === stop ? 0 : -1;
    // Writing an equal value also makes the browser lay out and paint again.
    if (button.tabIndex !== tabIndex) button.tabIndex = tabIndex;
  }
}

function nextAt(key: string, at: number, count: number): number | undefined {
  if (key === 'ArrowRight' || key === 'ArrowDown') return (at + 1) % count;
  if (key === 'ArrowLeft' || key === 'ArrowUp') return (at - 1 + count) % count;
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : undefined;
}
