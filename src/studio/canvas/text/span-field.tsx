/** A field whose text has several looks: page content that can be edited, whose spans are kept as the document's are. */
import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { TextLayer, TextSpan } from '#language/schema/text.ts';
import type { Editor } from '../../state/editor.ts';
import { textOf, loadFace, blockStyle, letterStyle, lookOf } from './editable-text.ts';

/** Characters of a text (the format's `text`). */
const textLengthMax = 8000;

export interface SpanFieldProps {
  editor: Editor;
  layer: TextLayer;
  /** What the field says now. */
  spans: readonly TextSpan[];
  /** Screen pixels a design pixel of what is drawn after a shrink. */
  scale: number;
  label: string;
  write: (typed: string) => void;
  finish: () => void;
}

/** The field; all of it is selected when it comes. */
export function SpanField(props: SpanFieldProps): VNode {
  const { layer, spans, scale, label, write, finish } = props;
  const fieldRef = useRef<HTMLDivElement>(null);
  /** UTF-16 index at which the caret stands once the field shows the inserted text. */
  const caretAfterInsert = useRef<number | undefined>(undefined);
  const composing = useSpans(props, fieldRef, caretAfterInsert);
  /** What a browser would make elements of, put in as text. */
  const insert = (event: Event, text: string): void => {
    event.preventDefault();
    const { current: field } = fieldRef;
    if (field === null) return;
    const [from, to] = selectedText(field);
    const before = field.textContent;
    caretAfterInsert.current = Math.min(from + text.length, textLengthMax);
    write((before.slice(0, from) + text + before.slice(to)).slice(0, textLengthMax));
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
        style={{ ...blockStyle(layer), ...emptyStyle(layer, spans, scale) }}
        onInput={() => write(fieldRef.current?.textContent.slice(0, textLengthMax) ?? '')}
        onBeforeInput={(event) => {
          if (/^insert(LineBreak|Paragraph)$/.test(event.inputType)) insert(event, '\n');
        }}
        onPaste={(event) => {
          const text = event.clipboardData?.getData('text/plain') ?? '';
          insert(event, text.replaceAll('\r\n', '\n'));
        }}
        {...composing}
        onBlur={finish}
        onKeyDown={(event) => pressKey(event, props)}
      />
    </div>
  );
}

/** Keeps the field's elements those of the spans, but for what an input method is writing. */
function useSpans(
  { editor, layer, spans, scale }: SpanFieldProps,
  fieldRef: { readonly current: HTMLDivElement | null },
  caretAfterInsert: { current: number | undefined },
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
    const { current: caret } = caretAfterInsert;
    caretAfterInsert.current = undefined;
    // Before the next key: a caret that waits for a frame lets fast typing land in front of a new line.
    if (caret !== undefined && fieldRef.current !== null) setCaret(fieldRef.current, caret);
  });
  useEffect(() => {
    const { current: field } = fieldRef;
    field?.focus();
    if (field !== null) getSelection()?.selectAllChildren(field);
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

function pressKey(event: KeyboardEvent, { editor, finish }: SpanFieldProps): void {
  if (event.key === 'Escape') {
    const { currentTarget: field } = event;
    finish();
    // The keys go on working on the layer.
    if (field instanceof Element) field.closest<HTMLElement>('.canvas-window')?.focus();
  } else if (event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey)) {
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

// The elements of the field: creation, repair after an edit, and the position of the caret in the text.

/** Makes the field's elements those of the spans, and a last line break without which one could not stand after a `\n`. */
function showSpans(
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

/** Puts the caret before a character of the field's text. */
function setCaret(field: HTMLElement, at: number): void {
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
