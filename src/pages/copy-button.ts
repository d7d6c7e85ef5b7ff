/** Buttons that copy the text of an element: `<button data-copy="id of the element">`. */

/** Milliseconds that a button says that it has copied. */
const copiedMs = 1600;

/** Makes every copy button of the page work, those added later too. */
export function enableCopyButtons(): void {
  document.addEventListener('click', (event) => {
    const button = (event.target as Element).closest<HTMLButtonElement>('button[data-copy]');
    if (button !== null) void copy(button);
  });
}

async function copy(button: HTMLButtonElement): Promise<void> {
  const source = document.getElementById(button.dataset['copy'] ?? '');
  if (source === null || button.dataset['label'] !== undefined) return;
  const isCopied = await writeText(source);
  button.dataset['label'] = button.innerHTML;
  button.textContent = isCopied ? 'Copied' : 'Press Ctrl+C';
  setTimeout(() => {
    button.innerHTML = button.dataset['label'] ?? '';
    delete button.dataset['label'];
  }, copiedMs);
}

/** Pages served without TLS from another host have no clipboard: the text is then selected, for the keyboard. */
async function writeText(source: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(source.textContent);
    return true;
  } catch {
    getSelection()?.selectAllChildren(source);
    return false;
  }
}
