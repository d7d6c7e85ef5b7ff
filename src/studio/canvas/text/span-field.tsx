/** Field over a text on the canvas: an editable element whose children mirror the spans of the document. */
import type { TargetedClipboardEvent, VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { bindingPattern } from '#language/bind/bindings.ts';
import type { TextLayer, TextSpan } from '#language/schema/text.ts';
import type { ShownCaret } from '../../panels/caret/use-text-caret.ts';
import type { CompletionList } from '../../panels/variables/completion-list.tsx';
import { blockStyle, letterStyle, loadFaces, lookOf } from './editable-text.ts';
import { textLengthMax, textOf } from './editable-text.ts';
import { copyWords, pasteInText } from './field-clipboard.ts';
import type { PasteTarget } from './field-clipboard.ts';
import { pressEvents } from './field-press.ts';
import { selectedText, setSelection, spanCaret } from './field-selection.ts';
import type { TextRange, ToggledStyle } from './span-style.ts';

export interface SpanFieldProps extends PasteTarget {
  layer: TextLayer;
  /** Spans that the field shows. */
  spans: readonly TextSpan[];
  /** Screen pixels per design pixel, including a shrink. */
  scale: number;
  /** Families that are searched after those of the layer or the span. */
  fallbacks: readonly string[];
  label: string;
  completion: CompletionList;
  caret: ShownCaret;
  /** Range to select when the field shows the next spans. */
  selectNext: { current: TextRange | undefined };
  write: (typed: string) => void;
  travel: (direction: 'undo' | 'redo') => void;
  /** Reports the selection, in UTF-16 indexes. */
  select: (range: TextRange) => void;
  /** Toggles a style: Ctrl+B, I and U. */
  toggle: (name: ToggledStyle) => void;
}

/** The field. Its whole text is selected when it appears. */
export function SpanField(props: SpanFieldProps): VNode {
  const { layer, label, write, completion, selectNext, select } = props;
  const fieldRef = useRef<HTMLDivElement>(null);
  const composing = useSpans(props, fieldRef);
  useEffect(() => {
    const report = (): void => {
      const { current: field } = fieldRef;
      // While a bar or a picker has the focus, the last selection of the field stays valid.
      if (field !== null && document.activeElement === field) select(selectedText(field));
    };
    document.addEventListener('selectionchange', report);
    return () => document.removeEventListener('selectionchange', report);
  }, []);
  /** Inserts as text what a browser would insert as elements. */
  const insert = (event: Event, text: string): void => {
    event.preventDefault();
    const { current: field } = fieldRef;
    if (field === null) return;
    const [from, to] = selectedText(field);
    const before = field.textContent;
    const caret = Math.min(from + text.length, textLengthMax);
    const typed = (before.slice(0, from) + text + before.slice(to)).slice(0, textLengthMax);
    selectNext.current = [caret, caret];
    completion.look(typed, caret);
    write(typed);
  };
  const take = (): void => {
    const { current: field } = fieldRef;
    if (field === null) return;
    const typed = field.textContent.slice(0, textLengthMax);
    completion.look(typed, selectedText(field)[1]);
    write(typed);
  };
  return (
    <div class="span-block" data-at={layer.verticalAlign ?? 'top'}>
      <div
        ref={fieldRef}
        class="span-field"
        role="textbox"
        aria-multiline="true"
        aria-label={label}
        contenteditable="plaintext-only"
        spellcheck={false}
        {...completion.attributes}
        style={{ ...blockStyle(layer), ...emptyStyle(props) }}
        onInput={take}
        onBeforeInput={(event) => {
          if (/^insert(LineBreak|Paragraph)$/.test(event.inputType)) insert(event, '\n');
          // Over several elements a browser would copy inline styles, which the CSP of the page forbids.
          const isOver = event.inputType === 'insertText' && getSelection()?.isCollapsed === false;
          if (isOver) insert(event, event.data ?? '');
        }}
        {...clipboardEvents(props, insert)}
        {...pressEvents}
        {...composing}
        onBlur={({ currentTarget }) => {
          completion.close();
          select(selectedText(currentTarget));
        }}
        onKeyDown={(event) => {
          // The `selectionchange` event of the previous key may not have arrived yet.
          select(selectedText(event.currentTarget));
          if (!completion.pressKey(event)) pressTextKey(event, props);
        }}
      />
    </div>
  );
}

interface ClipboardEvents {
  onPaste: (event: FieldEvent) => void;
  onCopy: (event: FieldEvent) => void;
  onCut: (event: FieldEvent) => void;
}

type FieldEvent = TargetedClipboardEvent<HTMLDivElement>;

function clipboardEvents(
  props: SpanFieldProps,
  insert: (event: Event, text: string) => void,
): ClipboardEvents {
  return {
    onPaste: (event) => {
      const words = pasteInText(event, selectedText(event.currentTarget), props);
      if (words !== undefined) insert(event, words);
    },
    onCopy: copyWords,
    onCut: (event) => {
      if (copyWords(event)) insert(event, '');
    },
  };
}

/** Updates the field's elements from the spans, except while an input method composes text. */
function useSpans(
  props: SpanFieldProps,
  fieldRef: { readonly current: HTMLDivElement | null },
): { onCompositionStart: () => void; onCompositionEnd: () => void } {
  const { editor, layer, spans, fallbacks, selectNext, caret } = props;
  const isComposing = useRef(false);
  const showNow = (): void => {
    const { current: field } = fieldRef;
    if (field !== null && !isComposing.current) showSpans(field, props);
  };
  const showNewest = useRef(showNow);
  useLayoutEffect(() => {
    showNewest.current = showNow;
    showNow();
    const { current: range } = selectNext;
    selectNext.current = undefined;
    // Sets the caret before the next key. After a frame, fast typing would go in front of a new line.
    if (range !== undefined && fieldRef.current !== null) {
      fieldRef.current.focus();
      setSelection(fieldRef.current, range);
      caret.placed();
    }
  });
  useLayoutEffect(() => {
    if (fieldRef.current !== null) caret.field.current = spanCaret(fieldRef.current);
  }, []);
  useEffect(() => {
    const { current: field } = fieldRef;
    field?.focus();
    if (field !== null) getSelection()?.selectAllChildren(field);
    return () => void CSS.highlights.delete(bindingHighlight);
  }, []);
  useEffect(() => {
    for (const span of spans) loadFaces(editor.service, lookOf(layer, span), fallbacks);
  }, [layer, spans.length, fallbacks.join()]);
  return {
    onCompositionStart: () => {
      isComposing.current = true;
    },
    onCompositionEnd: () => {
      isComposing.current = false;
      // The document gets the last composed letters first.
      requestAnimationFrame(() => showNewest.current());
    },
  };
}

/** Keys with Ctrl or Command that change the look. */
const toggleKeys: Readonly<Record<string, ToggledStyle>> = {
  b: 'bold',
  i: 'italic',
  u: 'underline',
};

/** Keys that end the edit, change the look, or undo. */
export function pressTextKey(
  event: KeyboardEvent,
  { travel, finish, toggle }: Pick<SpanFieldProps, 'travel' | 'finish' | 'toggle'>,
): void {
  const isCommand = event.ctrlKey || event.metaKey;
  const key = event.key.toLowerCase();
  const look = isCommand && !event.shiftKey && !event.altKey ? toggleKeys[key] : undefined;
  if (event.key === 'Escape') {
    finish();
  } else if (look !== undefined) {
    event.preventDefault();
    event.stopPropagation();
    toggle(look);
  } else if (key === 'z' && isCommand) {
    // The browser has no undo history after its elements were replaced.
    event.preventDefault();
    event.stopPropagation();
    travel(event.shiftKey ? 'redo' : 'undo');
  }
}

type ShownSpans = Pick<SpanFieldProps, 'layer' | 'spans' | 'scale' | 'fallbacks'>;

/** Style of the block. The spans set the height of lines; in an empty text, the block sets it. */
function emptyStyle({ layer, spans, scale, fallbacks }: ShownSpans): Record<string, string> {
  const isEmpty = textOf({ spans: [...spans] }) === '';
  return isEmpty
    ? letterStyle(layer, spans[0] ?? {}, scale, fallbacks)
    : { fontSize: '0', lineHeight: '0' };
}

// The elements of the field: creation, and repair after an edit.

/**
 * Updates the field's elements from the spans. Adds a `<br>` only where the caret needs one: in an empty text and after
 * a final `\n`. Elsewhere a `<br>` would prevent the browser from balancing the lines.
 */
function showSpans(field: HTMLElement, { layer, spans, scale, fallbacks }: ShownSpans): void {
  const children = [...field.childNodes];
  const hasBreak = /(?:^|\n)$/.test(textOf({ spans: [...spans] }));
  const isSame =
    children.length === spans.length + Number(hasBreak) &&
    (!hasBreak || children.at(-1)?.nodeName === 'BR') &&
    spans.every(({ text }, index) => {
      const child = children[index];
      return child?.nodeName === 'SPAN' && child.textContent === text;
    });
  if (!isSame) {
    const range = document.activeElement === field ? selectedText(field) : undefined;
    const elements = spans.map(({ text }) => {
      const element = document.createElement('span');
      element.textContent = text;
      return element;
    });
    const breaks = hasBreak ? [document.createElement('br')] : [];
    field.replaceChildren(...elements, ...breaks);
    if (range !== undefined) setSelection(field, range);
  }
  for (const [index, { text: _, ...look }] of spans.entries()) {
    const element = field.children[index];
    if (!(element instanceof HTMLElement)) continue;
    const { caretColor = '', ...style } = letterStyle(layer, look, scale, fallbacks);
    Object.assign(element.style, style, { caretColor });
  }
  markBindings(field);
}

/** Name of the highlight in the style sheet. */
const bindingHighlight = 'binding';

/** Shows bindings as chips. Uses a highlight, which does not change line breaks as an element could. */
function markBindings(field: HTMLElement): void {
  const ranges: Range[] = [];
  for (const { firstChild: node } of field.children) {
    for (const { 0: binding, index } of (node?.textContent ?? '').matchAll(bindingPattern)) {
      if (node === null) continue;
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + binding.length);
      ranges.push(range);
    }
  }
  CSS.highlights.set(bindingHighlight, new Highlight(...ranges));
}
