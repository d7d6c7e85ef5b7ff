/** Keys of a row of the inspector: Escape takes back the edit of a number, and Alt+Enter makes the property dynamic. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { isAppleKeyboard, matchesKeys } from '../wording.ts';
import type { Path } from './fields/values.ts';
import type { Field } from './fields/schema-fields.ts';
import type { Template } from '#language/schema/template.ts';
import type { Editor } from '../state/editor.ts';
import { mixed } from './target.ts';
import type { Target } from './target.ts';

/** Keys that make a property dynamic or fixed, in the form that `matchesKeys` reads. */
export const bindKeys = 'Alt+Enter';

interface RowKeys {
  onFocusIn: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
}

/** Returns the listeners of a row whose control has the id `id`. `bind` is absent for a property that takes no binding. */
export function useRowKeys(
  { target, field, path }: { target: Target; field: Field; path: Path },
  id: string,
  bind: (() => void) | undefined,
): RowKeys {
  const before = useRef<unknown>(undefined);
  const hasBound = useRef(false);
  useLayoutEffect(() => {
    if (!hasBound.current) return;
    hasBound.current = false;
    // The control that had the focus is replaced.
    if (document.activeElement === document.body) document.getElementById(id)?.focus();
  });
  const from = useRef(target.editor.whole.peek());
  const take = (): void => {
    before.current = target.read(path);
    from.current = target.editor.whole.value;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const element = event.target as HTMLElement;
    if (event.defaultPrevented || element.closest('[popover]') !== null) return;
    if (bind !== undefined && matchesKeys(event, bindKeys, isAppleKeyboard())) {
      event.preventDefault();
      hasBound.current = true;
      bind();
    }
    if (element.id !== id || element.inputMode !== 'decimal') return;
    if (event.key === 'Enter') {
      target.editor.endGesture();
      take();
    }
    if (event.key !== 'Escape' || target.read(path) === before.current) return;
    event.preventDefault();
    target.editor.cancelGesture();
    const isRestored = goBack(target.editor, from.current) || before.current === mixed;
    if (!isRestored) target.write(field, path, before.current);
  };
  return { onFocusIn: take, onKeyDown };
}

/** Maximum number of steps of one edit: it has one more after each pause. */
const editStepsMax = 20;

/** Undoes the steps since a document. Changes nothing and returns false if it is further back. */
function goBack(editor: Editor, from: Template): boolean {
  let steps = 0;
  while (editor.whole.value !== from && editor.canUndo.value && steps < editStepsMax) {
    editor.undo();
    steps += 1;
  }
  if (editor.whole.value === from) return true;
  for (; steps > 0; steps -= 1) editor.redo();
  return false;
}
