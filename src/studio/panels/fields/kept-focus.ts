/** Keeps the focus in a row whose control is replaced, such as a colour by the variable that was typed. */
import { wholeBinding } from '../variables/variables.ts';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { RefObject } from 'preact';

const controlSelector = 'input, select, textarea, button';

/** Controls that are typed into. A button that disappears leaves the focus to the page, where Ctrl+Z undoes its press. */
const typedSelector = 'input, textarea';

/**
 * Returns the reference for a row's element. After a render that removes the focused field of the row, the control with
 * `id` gets the focus, or else the first control of the row. Otherwise the next keys would reach no field.
 */
export function useKeptFocus(id: string): RefObject<HTMLDivElement | null> {
  const row = useRef<HTMLDivElement>(null);
  const focused = document.activeElement;
  const hadFocus = focused?.matches(typedSelector) === true && row.current?.contains(focused);
  useLayoutEffect(() => {
    if (hadFocus !== true || document.activeElement !== document.body) return;
    const control = row.current?.querySelector<HTMLElement>(`[id="${id}"]`);
    (control ?? row.current?.querySelector<HTMLElement>(controlSelector))?.focus();
  });
  return row;
}

/** Applies a typed binding before Tab moves the focus, so that Tab starts at the control that replaces the field. */
export function applyBeforeTab({ key, target }: KeyboardEvent): void {
  if (key !== 'Tab' || !(target instanceof HTMLInputElement)) return;
  if (wholeBinding(target.value) !== undefined) {
    target.dispatchEvent(new Event('change', { bubbles: true }));
  }
}
