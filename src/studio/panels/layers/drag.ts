/** Follows the pointer over the rows of the tree while layers are dragged. */

/** A row under the pointer, and the pointer's height on it from 0 to 1. */
export interface Over {
  id: string;
  part: number;
}

/** Pixels that a press may move and still be a click. */
const clickPx = 4;

/** Pixels from the edges of the panel where a drag scrolls it, and how far with each move. */
const edgePx = 24;
const scrollPx = 12;

function scrollAt(tree: HTMLElement, clientY: number): void {
  const panel = tree.closest('.panel')?.parentElement;
  if (panel === null || panel === undefined) return;
  const { top, bottom } = panel.getBoundingClientRect();
  if (clientY < top + edgePx) panel.scrollBy(0, -scrollPx);
  if (clientY > Math.min(bottom, innerHeight) - edgePx) panel.scrollBy(0, scrollPx);
}

/** Follows the pointer from a press on a row to its release; a press that hardly moves is a click. `drop` of nothing ends it. */
export function dragRows(
  press: PointerEvent,
  tree: HTMLElement | null,
  over: (row: Over | undefined) => void,
  drop: (row: Over | undefined) => void,
): void {
  if (tree === null || press.button !== 0) return;
  let isDragging = false;
  const find = (event: PointerEvent): Over | undefined => {
    for (const row of tree.querySelectorAll<HTMLElement>('[data-layer]')) {
      const { top, height } = row.getBoundingClientRect();
      const part = (event.clientY - top) / height;
      if (part >= 0 && part <= 1) return { id: row.dataset['layer'] ?? '', part };
    }
    return undefined;
  };
  const listeners = new AbortController();
  const { signal } = listeners;
  const move = (event: PointerEvent): void => {
    const moved = Math.abs(event.clientY - press.clientY) + Math.abs(event.clientX - press.clientX);
    isDragging ||= moved > clickPx;
    if (!isDragging) return;
    over(find(event));
    scrollAt(tree, event.clientY);
  };
  const end = (event: PointerEvent): void => {
    listeners.abort();
    if (isDragging) drop(event.type === 'pointerup' ? find(event) : undefined);
  };
  globalThis.addEventListener('pointermove', move, { signal });
  globalThis.addEventListener('pointerup', end, { signal });
  globalThis.addEventListener('pointercancel', end, { signal });
}
