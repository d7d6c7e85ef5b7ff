/** The field over a text on the canvas: page content whose elements are kept as the document's spans are. */
import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { bindingPattern } from '#language/bind/bindings.ts';
import type { TextLayer, TextSpan } from '#language/schema/text.ts';
import type { CompletionList } from '../../panels/variables/completion-list.tsx';
import type { Editor } from '../../state/editor.ts';
import { textOf, loadFace, blockStyle, letterStyle, lookOf } from './editable-text.ts';
import type { TextRange, toggles } from './span-style.ts';

/** Characters of a text (the format's `text`). */
export const textLengthMax = 8000;

export interface SpanFieldProps {
  editor: Editor;
  layer: TextLayer;
  /** What the field says now. */
  spans: readonly TextSpan[];
  /** Screen pixels a design pixel of what is drawn after a shrink. */
  scale: number;
  label: string;
  completion: CompletionList;
  /** What to select once the field shows the next spans. */
  selectNext: { current: TextRange | undefined };
  write: (typed: string) => void;
  finish: () => void;
  /** Reports what is selected, UTF-16 indexes. */
  select: (range: TextRange) => void;
  /** Ctrl+B, I and U. */
  toggle: (name: keyof typeof toggles) => void;
}

/** The field; all of it is selected when it comes. */
export function SpanField(props: SpanFieldProps): VNode {
  const { layer, spans, scale, label, write, completion, selectNext, select } = props;
  const fieldRef = useRef<HTMLDivElement>(null);
  const composing = useSpans(props, fieldRef);
  useEffect(() => {
    const report = (): void => {
      const { current: field } = fieldRef;
      // A bar or a picker with the focus acts on what was selected before.
      if (field !== null && document.activeElement === field) select(selectedText(field));
    };
    document.addEventListener('selectionchange', report);
    return () => document.removeEventListener('selectionchange', report);
  }, []);
  /** What a browser would make elements of, put in as text. */
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
        style={{ ...blockStyle(layer), ...emptyStyle(layer, spans, scale) }}
        onInput={take}
        onBeforeInput={(event) => {
          if (/^insert(LineBreak|Paragraph)$/.test(event.inputType)) insert(event, '\n');
          // Over several elements a browser would copy their styles, which the policy of the page forbids.
          const isOver = event.inputType === 'insertText' && getSelection()?.isCollapsed === false;
          if (isOver) insert(event, event.data ?? '');
        }}
        onPaste={(event) => {
          const text = event.clipboardData?.getData('text/plain') ?? '';
          insert(event, text.replaceAll('\r\n', '\n'));
        }}
        {...composing}
        onBlur={({ currentTarget }) => {
          completion.close();
          select(selectedText(currentTarget));
        }}
        onKeyDown={(event) => {
          // The event of the key before may still be on its way.
          select(selectedText(event.currentTarget));
          if (!completion.pressKey(event)) pressTextKey(event, props);
        }}
      />
    </div>
  );
}

/** Keeps the field's elements those of the spans, but for what an input method is writing. */
function useSpans(
  { editor, layer, spans, scale, selectNext }: SpanFieldProps,
  fieldRef: { readonly current: HTMLDivElement | null },
): { onCompositionStart: () => void; onCompositionEnd: () => void } {
  const isComposing = useRef(false);
  const showNow = (): void => {
    const { current: field } = fieldRef;
    if (field !== null && !isComposing.current) showSpans(field, layer, spans, scale);
  };
  const showNewest = useRef(showNow);
  useLayoutEffect(() => {
    showNewest.current = showNow;
    showNow();
    const { current: range } = selectNext;
    selectNext.current = undefined;
    // Before the next key: a caret that waits for a frame lets fast typing land in front of a new line.
    if (range !== undefined && fieldRef.current !== null) {
      fieldRef.current.focus();
      setSelection(fieldRef.current, range);
    }
  });
  useEffect(() => {
    const { current: field } = fieldRef;
    field?.focus();
    if (field !== null) getSelection()?.selectAllChildren(field);
    return () => void CSS.highlights.delete(bindingHighlight);
  }, []);
  useEffect(() => {
    for (const span of spans) void loadFace(editor.service, lookOf(layer, span));
  }, [layer, spans.length]);
  return {
    onCompositionStart: () => {
      isComposing.current = true;
    },
    onCompositionEnd: () => {
      isComposing.current = false;
      // Its last letters are on their way through the document.
      requestAnimationFrame(() => showNewest.current());
    },
  };
}

/** Keys with Ctrl or Command that change the look. */
const toggleKeys: Readonly<Record<string, keyof typeof toggles>> = {
  b: 'bold',
  i: 'italic',
  u: 'underline',
};

/** Keys that end the edit, change the look, or undo. */
export function pressTextKey(
  event: KeyboardEvent,
  { editor, finish, toggle }: Pick<SpanFieldProps, 'editor' | 'finish' | 'toggle'>,
): void {
  const isCommand = event.ctrlKey || event.metaKey;
  const key = event.key.toLowerCase();
  const look = isCommand && !event.shiftKey && !event.altKey ? toggleKeys[key] : undefined;
  if (event.key === 'Escape') {
    const { currentTarget: field } = event;
    finish();
    // The keys go on working on the layer.
    if (field instanceof Element) field.closest<HTMLElement>('.canvas-window')?.focus();
  } else if (look !== undefined) {
    event.preventDefault();
    event.stopPropagation();
    toggle(look);
  } else if (key === 'z' && isCommand) {
    // The browser knows of no step after its elements were replaced.
    event.preventDefault();
    event.stopPropagation();
    if (event.shiftKey) editor.redo();
    else editor.undo();
  }
}

/** Only spans give lines their height; where there is no letter, the block does. */
function emptyStyle(
  layer: TextLayer,
  spans: readonly TextSpan[],
  scale: number,
): Record<string, string> {
  const isEmpty = textOf({ spans: [...spans] }) === '';
  return isEmpty ? letterStyle(layer, spans[0] ?? {}, scale) : { fontSize: '0', lineHeight: '0' };
}

// The elements of the field: creation, repair after an edit, and the selection in the text.

/**
 * Makes the field's elements those of the spans. A line break follows where a caret could not stand without one:
 * in an empty text and after a `\n`. Elsewhere it would keep the browser from balancing the lines.
 */
function showSpans(
  field: HTMLElement,
  layer: TextLayer,
  spans: readonly TextSpan[],
  scale: number,
): void {
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
    const { caretColor = '', ...style } = letterStyle(layer, look, scale);
    Object.assign(element.style, style, { caretColor });
  }
  markBindings(field);
}

/** The name of the highlight in the styles. */
const bindingHighlight = 'binding';

/** Shows bindings as chips: a highlight changes no line, where an element round them could. */
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

/** Where the selection begins and ends in the field's text. */
function selectedText(field: HTMLElement): [from: number, to: number] {
  const selection = getSelection();
  if (selection === null || selection.rangeCount === 0) return [0, 0];
  const range = selection.getRangeAt(0);
  const before = document.createRange();
  before.selectNodeContents(field);
  before.setEnd(range.startContainer, range.startOffset);
  const from = before.toString().length;
  return [from, from + range.toString().length];
}

/** Selects characters of the field's text; an empty range puts the caret before one. */
function setSelection(field: HTMLElement, [from, to]: TextRange): void {
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
