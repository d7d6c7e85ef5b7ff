/** Edits of an open text field: typing, styling a range, and replacing words by variables. */
import { useRef, useState } from 'preact/hooks';
import type { TextLayer, TextSpan } from '#language/schema/text.ts';
import { addVariable } from '../../panels/variables/variables.ts';
import type { Editor } from '../../state/editor.ts';
import { findLayer } from '../../state/layers.ts';
import { notify } from '../../wording.ts';
import { textLengthMax, textOf, typeInto, writeTarget } from './editable-text.ts';
import type { TextTarget } from './editable-text.ts';
import type { PasteTarget } from './field-clipboard.ts';
import { NextLook } from './next-look.ts';
import { insertSpans, isStyled, styleRange, toggles } from './span-style.ts';
import type { SpanLook, TextRange, ToggledStyle } from './span-style.ts';

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
  /** Range for a change of the look: the selection, or the whole text if nothing is selected. */
  styledRange: () => TextRange;
  /** Changes the look of `styledRange`. With `entry`, it follows that entry of the brand kit. */
  style: (look: SpanLook, gesture?: string, entry?: string) => void;
  /** Toggles a style of the selection. At a caret, of the letters that are typed next. */
  toggle: (name: ToggledStyle) => void;
  /** Whether the selection, or the next typed letter, has a style. */
  isOn: (name: ToggledStyle) => boolean;
  /** Replaces the words of a range by a variable; without a name, by a new one that is named after them. */
  bind: (range: TextRange, name: string | undefined) => void;
  paste: PasteTarget['paste'];
}

/** Edits of the field of a layer while it is open. `typed` is its text. */
export function useTextEdits(
  editor: Editor,
  id: string,
  target: TextTarget,
  typed: string,
): TextEdits {
  const selection = useRef<TextRange>([0, 0]);
  const [, show] = useState<TextRange>(selection.current);
  const selectNext = useRef<TextRange | undefined>(undefined);
  const { current: nextLook } = useRef(new NextLook());
  const layerNow = (): TextLayer | undefined => textLayer(editor.document.value, id);
  const isCaret = (): boolean =>
    target.kind === 'text' && selection.current[0] === selection.current[1];
  const styledRange = (): TextRange => {
    const layer = layerNow();
    const isWhole = target.kind !== 'text' || isCaret();
    return isWhole && layer !== undefined ? [0, textOf(layer).length] : selection.current;
  };
  const style: TextEdits['style'] = (look, gesture, entry) => {
    // During a gesture, its picker keeps the focus.
    if (gesture === undefined) selectNext.current = selection.current;
    styleText(editor, id, styledRange(), look, gesture, entry);
  };
  return {
    selected: () => selection.current,
    select: (range) => {
      if (range.join() === selection.current.join()) return;
      selection.current = range;
      nextLook.clear();
      show(range);
    },
    reselect: () => {
      selectNext.current = selection.current;
      show([...selection.current]);
    },
    selectNext,
    write: (text, next) => {
      if (next !== undefined) selectNext.current = next;
      writeTarget(editor, id, target, text, nextLook.take(typed, text));
    },
    styledRange,
    style,
    toggle: (name) => {
      const layer = layerNow();
      if (layer === undefined) return;
      if (!isCaret()) return style(toggles[name](layer, styledRange()));
      nextLook.toggle(name, selection.current[0]);
      show([...selection.current]);
    },
    isOn: (name) => {
      const layer = layerNow();
      if (layer === undefined) return false;
      if (!isCaret()) return isStyled(layer, styledRange(), name);
      const [caret] = selection.current;
      // A typed letter has the look of the letter before it.
      const letter = Math.max(0, caret - 1);
      return isStyled(layer, [letter, letter + 1], name) !== nextLook.names.has(name);
    },
    bind: (range, name) => {
      selectNext.current = bindRange(editor, id, typed, range, name);
    },
    paste: (range, parts) => {
      if (target.kind !== 'text' || !pasteSpans(editor, id, range, parts)) return false;
      const caret = range[0] + textOf({ spans: [...parts] }).length;
      selectNext.current = [caret, caret];
      return true;
    },
  };
}

function textLayer(document: Editor['document']['value'], id: string): TextLayer | undefined {
  const layer = findLayer(document, id);
  return layer?.type === 'text' ? layer : undefined;
}

function styleText(
  editor: Editor,
  id: string,
  range: TextRange,
  look: SpanLook,
  gesture?: string,
  entry?: string,
): void {
  let isDone = true;
  editor.change(
    'Style the text',
    (draft) => {
      const layer = textLayer(draft, id);
      if (layer !== undefined) isDone = styleRange(layer, range, look, entry);
    },
    gesture,
  );
  if (!isDone) notify('A text has at most 50 parts with a look of their own.', { kind: 'error' });
}

/** Replaces words by a variable. Returns the caret after it. */
function bindRange(
  editor: Editor,
  id: string,
  typed: string,
  [from, to]: TextRange,
  chosen: string | undefined,
): TextRange | undefined {
  const words = typed.slice(from, to);
  let caret: TextRange | undefined;
  editor.change('Insert a variable', (draft) => {
    const layer = textLayer(draft, id);
    if (layer === undefined) return;
    const name = chosen ?? addVariable(draft, words, 'text', words);
    const binding = `{{${name}}}`;
    typeInto(layer, typed.slice(0, from) + binding + typed.slice(to));
    caret = [from + binding.length, from + binding.length];
  });
  return caret;
}

/** Replaces a range by styled parts. False, without a change, if the text cannot have them. */
function pasteSpans(
  editor: Editor,
  id: string,
  range: TextRange,
  parts: readonly TextSpan[],
): boolean {
  const pasted = structuredClone(textLayer(editor.document.value, id));
  if (pasted === undefined) return false;
  const isDone = insertSpans(pasted, range, parts);
  if (!isDone || textOf(pasted).length > textLengthMax) return false;
  editor.change('Paste text', (draft) => {
    const layer = textLayer(draft, id);
    if (layer !== undefined) insertSpans(layer, range, parts);
  });
  return true;
}
