/** The elements of a field that holds spans: made, kept as they are wanted, and where the caret is in their text. */
import type { TextLayer, TextSpan } from '#language/schema/text.ts';
import { letterStyle } from './style.ts';

/** Makes the field's elements those of the spans, and a last line break without which one could not stand after a `\n`. */
export function showSpans(
  field: HTMLElement,
  layer: TextLayer,
  spans: readonly TextSpan[],
  scale: number,
): void {
  const children = [...field.childNodes];
  const isSame =
    children.length === spans.length + 1 &&
    children.at(-1)?.nodeName === 'BR' &&
    spans.every(({ text }, index) => {
      const child = children[index];
      return child?.nodeName === 'SPAN' && child.textContent === text;
    });
  if (!isSame) {
    const caret = document.activeElement === field ? selectedText(field)[1] : undefined;
    const elements = spans.map(({ text }) => {
      const element = document.createElement('span');
      element.textContent = text;
      return element;
    });
    field.replaceChildren(...elements, document.createElement('br'));
    if (caret !== undefined) setCaret(field, caret);
  }
  for (const [index, { text: _, ...look }] of spans.entries()) {
    const element = field.children[index];
    if (!(element instanceof HTMLElement)) continue;
    const { caretColor = '', ...style } = letterStyle(layer, look, scale);
    Object.assign(element.style, style, { caretColor });
  }
}

/** Where the selection begins and ends in the field's text. */
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

/** Puts the caret before a character of the field's text. */
export function setCaret(field: HTMLElement, at: number): void {
  let left = at;
  for (const child of field.children) {
    const [node] = child.childNodes;
    const length = node?.textContent?.length ?? 0;
    if (node !== undefined && left <= length) {
      getSelection()?.collapse(node, left);
      return;
    }
    left -= length;
  }
  getSelection()?.collapse(field, Math.max(0, field.childNodes.length - 1));
}
