/** Presses of the pointer in a text field. */
import type { TargetedMouseEvent } from 'preact';

/**
 * Lets a press inside the selection begin a new one, where a browser would drag the selected words. With Shift, a press
 * extends the selection; the second and third press of a click select a word and a line.
 */
export const pressEvents = {
  onMouseDown(event: TargetedMouseEvent<HTMLElement>): void {
    // A press with Ctrl opens the context menu on macOS, which acts on the selection.
    const isHeld = event.shiftKey || event.ctrlKey;
    if (event.button !== 0 || event.detail !== 1 || isHeld) return;
    const { currentTarget: field } = event;
    // The browser sets the caret at the pointer after this.
    if (field instanceof HTMLTextAreaElement) field.selectionEnd = field.selectionStart;
    else getSelection()?.removeAllRanges();
  },
  onDragStart(event: DragEvent): void {
    event.preventDefault();
  },
};
