/** Edits of an open text field: typing, styling a range, and replacing words by variables. */
import { useRef, useState } from 'preact/hooks';
import { addVariable } from '../../panels/variables/variables.ts';
import type { Editor } from '../../state/editor.ts';
import { findLayer } from '../../state/layers.ts';
import { notify } from '../../wording.ts';
import { textLengthMax, textOf, typeInto, writeTarget } from './editable-text.ts';
import type { TextTarget } from './editable-text.ts';
import type { PasteTarget } from './field-clipboard.ts';
import { insertSpans, styleRange } from './span-style.ts';
import type { SpanLook, TextRange } from './span-style.ts';

export interface TextEdits {
  /** Current selection, in UTF-16 indexes of the typed text. */
  selected: () => TextRange;
  /** Stores the selection for the next change and for the style bar. */
  select: (range: TextRange) => void;
  /** Focuses the field again, with its selection. */
  reselect: () => void;
  /** Range to select when the field shows the written text. */
  selectNext: { current: TextRange | undefined };
  write: (text: string, next?: TextRange) => void;
  /** With `entry`, the range follows that entry of the brand kit. */
  style: (range: TextRange, look: SpanLook, gesture?: string, entry?: string) => void;
  /** Replaces the words of a range by a variable; without a name, by a new one that is named after them. */
  bind: (range: TextRange, name: string | undefined) => void;
  paste: PasteTarget['paste'];
}

/** Edits of a text field while it is open. */
export function useTextEdits(
  editor: Editor,
  id: string,
  target: TextTarget,
  typed: string,
): TextEdits {
  const selection = useRef<TextRange>([0, 0]);
  const [, show] = useState<TextRange>(selection.current);
  const selectNext = useRef<TextRange | undefined>(undefined);
  const write: TextEdits['write'] = (text, next) => {
    if (next !== undefined) selectNext.current = next;
    writeTarget(editor, id, target, text);
  };
  return {
    selected: () => selection.current,
    select: (range) => {
      if (range.join() === selection.current.join()) return;
      selection.current = range;
      show(range);
    },
    reselect: () => {
      selectNext.current = selection.current;
      show([...selection.current]);
    },
    selectNext,
    write,
    style: (range, look, gesture, entry) => {
      // During a gesture, its picker keeps the focus.
      if (gesture === undefined) selectNext.current = selection.current;
      let isDone = true;
      editor.change(
        'Style the text',
        (draft) => {
          const layer = findLayer(draft, id);
          if (layer?.type === 'text') isDone = styleRange(layer, range, look, entry);
        },
        gesture,
      );
      if (!isDone)
        notify('A text has at most 50 parts with a look of their own.', { kind: 'error' });
    },
    bind: ([from, to], chosen) => {
      const words = typed.slice(from, to);
      editor.change('Insert a variable', (draft) => {
        const layer = findLayer(draft, id);
        if (layer?.type !== 'text') return;
        const name = chosen ?? addVariable(draft, words, 'text', words);
        const binding = `{{${name}}}`;
        typeInto(layer, typed.slice(0, from) + binding + typed.slice(to));
        selectNext.current = [from + binding.length, from + binding.length];
      });
    },
    paste: (range, parts) => {
      const layer = findLayer(editor.document.value, id);
      if (target.kind !== 'text' || layer?.type !== 'text') return false;
      const pasted = structuredClone(layer);
      const isDone = insertSpans(pasted, range, parts);
      if (!isDone || textOf(pasted).length > textLengthMax) return false;
      const caret = range[0] + textOf({ spans: [...parts] }).length;
      selectNext.current = [caret, caret];
      editor.change('Paste text', (draft) => {
        const draftLayer = findLayer(draft, id);
        if (draftLayer?.type === 'text') insertSpans(draftLayer, range, parts);
      });
      return true;
    },
  };
}
