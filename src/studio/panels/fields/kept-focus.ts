/** Keeps the focus in a row whose control is replaced, such as a colour by the variable that was typed. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { RefObject } from 'preact';

const controlSelector = 'input, select, textarea, button';

/**
 * Returns the reference for a row's element. After a render that removes the focused element of the row, the control
 * with `id` gets the focus, or else the first control of the row. Otherwise the next keys would reach no field.
 */
export function useKeptFocus(id: string): RefObject<HTMLDivElement | null> {
  const row = useRef<HTMLDivElement>(null);
  const hadFocus = row.current?.contains(document.activeElement) === true;
  useLayoutEffect(() => {
    if (!hadFocus || document.activeElement !== document.body) return;
    const control = row.current?.querySelector<HTMLElement>(`[id="${id}"]`);
    (control ?? row.current?.querySelector<HTMLElement>(controlSelector))?.focus();
  });
  return row;
}
