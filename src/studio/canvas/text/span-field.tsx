/** A field whose text has several looks: page content that can be edited, whose spans are kept as the document's are. */
import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { TextLayer, TextSpan } from '#language/schema/text.ts';
import type { Editor } from '../../state/editor.ts';
import { textOf } from './editable-text.ts';
import { loadFace } from './font-faces.ts';
import { selectedText, setCaret, showSpans } from './span-elements.ts';
import { blockStyle, letterStyle, lookOf } from './style.ts';

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
