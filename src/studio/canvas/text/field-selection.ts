/** The selection in the field over a text, whose children mirror the spans of the document. */
import type { CaretField } from '../../panels/caret/caret-field.ts';
import type { TextRange } from './span-style.ts';

/** The text and the selection of the field, for its caret. */
export function spanCaret(field: HTMLElement): CaretField {
  return {
    element: field,
    hasChips: true,
    parts: () => Array.from(field.children, ({ textContent }) => textContent),
    read: () => {
      const [from, to] = selectedText(field);
      const isBackward = getSelection()?.direction === 'backward';
      return isBackward ? { anchor: to, focus: from } : { anchor: from, focus: to };
    },
    select: ({ anchor, focus }) => setSelection(field, [anchor, focus]),
  };
}

/** Start and end of the selection in the field's text, in UTF-16 indexes. */
export function selectedText(field: HTMLElement): [from: number, to: number] {
  const selection = getSelection();
  if (selection === null || selection.rangeCount === 0) return [0, 0];
  const range = selection.getRangeAt(0);
  const before = document.createRange();
  before.selectNodeContents(field);
  before.setEnd(range.startContainer, range.startOffset);
  const from = before.toString().length;
  return [from, from + range.toString().length];
}

/** Selects a range of the field's text, from its anchor to its focus. An empty range sets the caret. */
export function setSelection(field: HTMLElement, [from, to]: TextRange): void {
  const [start, end] = [pointOf(field, from), pointOf(field, to)];
  getSelection()?.setBaseAndExtent(...start, ...end);
}

function pointOf(field: HTMLElement, at: number): [node: Node, offset: number] {
  let left = at;
  for (const child of field.children) {
    const [node] = child.childNodes;
    const length = node?.textContent?.length ?? 0;
    if (node !== undefined && left <= length) return [node, left];
    left -= length;
  }
  return [field, Math.max(0, field.childNodes.length - 1)];
}
