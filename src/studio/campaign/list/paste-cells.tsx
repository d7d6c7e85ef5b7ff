/** Takes cells of a spreadsheet from the clipboard as a list: pasted on the page, or into a text field. */
import { useEffect, useState } from 'preact/hooks';
import type { VNode } from 'preact';

interface PasteCellsProps {
  isOff: boolean;
  take: (file: File) => void;
}

/** Fields that take a paste themselves. */
const textFields = 'textarea, select, input:not([type=file]), [contenteditable]';

export function PasteCells({ isOff, take }: PasteCellsProps): VNode {
  const [text, setText] = useState('');
  useEffect(() => {
    if (isOff) return undefined;
    const onPaste = (event: ClipboardEvent): void => {
      if (event.target instanceof Element && event.target.closest(textFields) !== null) return;
      const pasted = pastedFile(event.clipboardData);
      if (pasted === undefined) return;
      event.preventDefault();
      take(pasted);
    };
    globalThis.addEventListener('paste', onPaste);
    return () => globalThis.removeEventListener('paste', onPaste);
  });
  return (
    <details class="paste-cells">
      <summary>Paste cells of a spreadsheet</summary>
      <p class="soft">
        Copy the cells with the names of the columns, and press Ctrl+V or ⌘V on this page, or in
        this field.
      </p>
      <label class="field">
        Cells
        <textarea
          rows={6}
          value={text}
          disabled={isOff}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <button
        type="button"
        disabled={isOff || text.trim() === ''}
        onClick={() => take(fileOfText(text))}
      >
        Use these cells
      </button>
    </details>
  );
}

/** A copied file, or the copied cells. Excel adds an image of them, so the text comes first. */
function pastedFile(clipboard: DataTransfer | null): File | undefined {
  const text = clipboard?.getData('text/plain') ?? '';
  return text.trim() === '' ? clipboard?.files[0] : fileOfText(text);
}

/** Spreadsheets separate copied cells by tabs. A text without tabs may be a CSV. */
function fileOfText(text: string): File {
  return new File([text], text.includes('\t') ? 'Pasted cells.tsv' : 'Pasted cells.csv');
}
