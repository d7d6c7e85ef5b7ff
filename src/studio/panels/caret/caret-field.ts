/** Text fields with a caret that passes chips as one sign. */
import type { Ends } from './chip-caret.ts';

/** The text and the selection of a field. */
export interface CaretField {
  element: HTMLElement;
  hasChips: boolean;
  /** Parts of the text. A chip lies in one part. */
  parts: () => readonly string[];
  read: () => Ends;
  select: (ends: Ends) => void;
}

/** A caret that a press in a chip moved to an edge of the chip. */
export interface Touch {
  caret: number;
  /** An index in the chip. */
  inside: number;
}

/** The text and the selection of an input or a textarea. */
export function controlCaret(
  control: HTMLInputElement | HTMLTextAreaElement,
  hasChips = true,
): CaretField {
  return {
    element: control,
    hasChips,
    parts: () => [control.value],
    read: () => {
      const [from, to] = [control.selectionStart ?? 0, control.selectionEnd ?? 0];
      const isBackward = control.selectionDirection === 'backward';
      return isBackward ? { anchor: to, focus: from } : { anchor: from, focus: to };
    },
    select: ({ anchor, focus }) => {
      const direction = anchor > focus ? 'backward' : 'forward';
      control.setSelectionRange(Math.min(anchor, focus), Math.max(anchor, focus), direction);
    },
  };
}
