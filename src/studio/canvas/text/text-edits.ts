/** Edits of an open text field: typing, styling a range, and replacing words by variables. */
import { useRef, useState } from 'preact/hooks';
import type { TextLayer, TextSpan } from '#language/schema/text.ts';
import { addVariable } from '../../panels/variables/variables.ts';
import type { Editor } from '../../state/editor.ts';
import { findLayer } from '../../state/layers.ts';
import { notify } from '../../wording.ts';
import {
  difference,
  readTarget,
  textLengthMax,
  textOf,
  typeInto,
  writeTarget,
} from './editable-text.ts';
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
  /** Goes a step back or forward, if there is one. The caret then stands after what it has changed in the text. */
  travel: (direction: 'undo' | 'redo') => void;
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
  const { current: nextLook } = useRef(new NextLook());
  /** Whether the newest edit only removed letters. */
  const isDeleting = useRef(false);
  const { selection, selectNext, ...selecting } = useSelection(() => nextLook.clear());
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
    ...selecting,
    selectNext,
    write: (text, next) => {
      if (next !== undefined) selectNext.current = next;
      const { start, insertedTo } = difference(typed, text);
      // What was typed before a deletion stays when the deletion is undone.
      if (insertedTo === start && !isDeleting.current) editor.endGesture();
      isDeleting.current = insertedTo === start;
      writeTarget(editor, id, target, text, nextLook.take(layerNow(), typed, text));
    },
    travel: (direction) => {
      const caret = travelIn(editor, id, target, direction);
      if (caret !== undefined) selectNext.current = caret;
    },
    styledRange,
    style,
    toggle: (name) => {
      const layer = layerNow();
      if (layer === undefined) return;
      if (!isCaret()) return style(toggles[name](layer, styledRange()));
      nextLook.toggle(name, selection.current[0]);
      selecting.reselect();
    },
    isOn: (name) => {
      const layer = layerNow();
      if (layer === undefined) return false;
      if (isCaret()) return nextLook.isOn(name, layer, selection.current[0]);
      return isStyled(layer, styledRange(), name);
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

type Selection = Pick<TextEdits, 'selected' | 'select' | 'reselect' | 'selectNext'> & {
  selection: { readonly current: TextRange };
};

/** The selection of the field. `onMove` runs when it moves. */
function useSelection(onMove: () => void): Selection {
  const selection = useRef<TextRange>([0, 0]);
  const [, show] = useState<TextRange>(selection.current);
  const selectNext = useRef<TextRange | undefined>(undefined);
  return {
    selection,
    selectNext,
    selected: () => selection.current,
    select: (range) => {
      if (range.join() === selection.current.join()) return;
      selection.current = range;
      onMove();
      show(range);
    },
    reselect: () => {
      selectNext.current = selection.current;
      show([...selection.current]);
    },
  };
}

/** Goes a step back or forward. Returns the caret after what the step has changed in the text, if it has. */
function travelIn(
  editor: Editor,
  id: string,
  target: TextTarget,
  direction: 'undo' | 'redo',
): TextRange | undefined {
  const read = (): string => {
    const layer = textLayer(editor.document.value, id);
    return layer === undefined ? '' : readTarget(editor, layer, target);
  };
  const before = read();
  editor[direction]();
  const after = read();
  if (before === after) return undefined;
  const { insertedTo } = difference(before, after);
  return [insertedTo, insertedTo];
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
