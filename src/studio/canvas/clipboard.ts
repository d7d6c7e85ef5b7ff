/** Copies, cuts and pastes layers by the browser's own clipboard events, so that nothing asks for a permission. */
import type { Editor } from '../state/editor.ts';
import { copySelected, pasteLayers, removeSelected } from './commands.ts';

/** Listens until the function that it returns is called. */
export function watchClipboard(editor: Editor): () => void {
  const listening = new AbortController();
  const { signal } = listening;
  const copy = (event: ClipboardEvent): boolean => {
    if (isInField(event)) return false;
    const text = copySelected(editor);
    if (text === undefined) return false;
    event.clipboardData?.setData('text/plain', text);
    event.preventDefault();
    return true;
  };
  document.addEventListener('copy', copy, { signal });
  document.addEventListener(
    'cut',
    (event) => {
      if (copy(event)) removeSelected(editor);
    },
    { signal },
  );
  document.addEventListener(
    'paste',
    (event) => {
      if (isInField(event)) return;
      const text = event.clipboardData?.getData('text/plain') ?? '';
      if (pasteLayers(editor, text)) event.preventDefault();
    },
    { signal },
  );
  return () => listening.abort();
}

/** Fields have a clipboard of their own, and so has text that was marked. */
export function isInField({ target }: Event): boolean {
  const isField =
    target instanceof Element && target.closest('input, textarea, [contenteditable], dialog');
  return Boolean(isField) || getSelection()?.isCollapsed === false;
}
