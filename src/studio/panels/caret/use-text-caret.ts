/** The caret of a text field as a hook. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { laterCalls } from '../../later-calls.ts';
import type { CaretField, Touch } from './caret-field.ts';
import type { TextCaret } from './text-caret.ts';

type Range = readonly [from: number, to: number];

/** The caret of a text field. */
export interface ShownCaret {
  /** The field sets it before its first effect. */
  field: { current: CaretField | undefined };
  /** Called after code set the selection of the field. */
  placed: () => void;
  /** Shows the formats of a chip beside the caret, until the caret moves or a letter is typed. */
  touch: (touch: Touch) => void;
  /** Returns a range in the chip that a press touched, if the caret is still there; else the selection. */
  touched: (selection: Range) => Range;
}

/** Follows the caret of a field. `endStep` ends a step of the history. Another `key` is another field. */
export function useTextCaret(endStep: () => void, key?: unknown): ShownCaret {
  const field = useRef<CaretField | undefined>(undefined);
  const caret = useRef<TextCaret | undefined>(undefined);
  const [, show] = useState<Touch | undefined>(undefined);
  useEffect(() => {
    const { current: shown } = field;
    if (shown === undefined) return undefined;
    let end: (() => void) | undefined;
    let isClosed = false;
    laterCalls.run?.((code) => {
      if (isClosed) return;
      caret.current = new code.TextCaret(shown, show, endStep);
      end = caret.current.listen();
    });
    return () => {
      isClosed = true;
      end?.();
    };
  }, [key]);
  return {
    field,
    placed: () => caret.current?.placed(),
    touch: (next) => caret.current?.touch(next),
    touched: ([from, to]) => {
      const touch = caret.current?.touched;
      const isThere = from === to && to === touch?.caret;
      return isThere ? [touch.inside, touch.inside] : [from, to];
    },
  };
}
