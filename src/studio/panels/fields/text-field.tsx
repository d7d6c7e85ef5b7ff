/** A text, which offers variables and formats where a binding is typed and shows its bindings as chips. */
import type { TargetedEvent, VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { bindingPattern } from '#language/bind/bindings.ts';
import type { Variable } from '#language/schema/template.ts';
import { useCompletion } from '../variables/completion-list.tsx';
import type { ControlProps } from './number.tsx';
import type { FieldKind } from './schema-fields.ts';

type Field = HTMLInputElement | HTMLTextAreaElement;

interface TextFieldProps extends ControlProps<Extract<FieldKind, { type: 'text' }>> {
  /** What it may bind; none for a text that takes no binding. */
  variables: readonly Variable[];
  isCode?: boolean;
}

/** Lines that a text's field shows. */
const rowsMax = 8;

/** The field; a long text has several lines. */
export function TextField(props: TextFieldProps): VNode {
  const { id, kind, value, placeholder, isInvalid, change, variables, isCode = false } = props;
  const visit = useRef(0);
  const fieldRef = useRef<Field>(null);
  const chipsRef = useRef<HTMLSpanElement>(null);
  /** What to select once the field shows what was completed. */
  const selectNext = useRef<[from: number, to: number] | undefined>(undefined);
  const text = typeof value === 'string' ? value : '';
  const write = (next: string): void => change(next, `${id}:${visit.current}`);
  const completion = useCompletion({
    id,
    variables,
    take: (completed) => {
      selectNext.current = completed.selection;
      write(completed.text);
    },
  });
  const scrollChips = (): void => {
    const { scrollTop = 0, scrollLeft = 0 } = fieldRef.current ?? {};
    chipsRef.current?.scrollTo(scrollLeft, scrollTop);
  };
  useLayoutEffect(() => {
    if (selectNext.current !== undefined)
      fieldRef.current?.setSelectionRange(...selectNext.current);
    selectNext.current = undefined;
  });
  // Not after each change of the document: it reads the layout of the page.
  useLayoutEffect(scrollChips, [text]);
  const shared = {
    id,
    class: isCode ? 'p-code' : undefined,
    value: text,
    placeholder,
    spellcheck: !isCode,
    'aria-invalid': isInvalid,
    ...completion.attributes,
    onFocus: () => {
      visit.current += 1;
    },
    onBlur: completion.close,
    onInput: ({ currentTarget: { value: now, selectionStart } }: TargetedEvent<Field>) => {
      completion.look(now, selectionStart ?? now.length);
      write(now);
    },
    onKeyDown: completion.pressKey,
    onScroll: scrollChips,
  };
  const lines = text.split('\n').length + Math.floor(text.length / 34);
  const rows = Math.min(rowsMax, Math.max(2, lines));
  return (
    <span class="p-completed" data-chips={!isCode && text.includes('{{')}>
      {!isCode && text.includes('{{') && (
        <span class="p-chips" ref={chipsRef} aria-hidden="true" data-lines={kind.isLong}>
          {chips(text)}
        </span>
      )}
      {kind.isLong ? (
        <textarea ref={fieldRef as { current: HTMLTextAreaElement }} rows={rows} {...shared} />
      ) : (
        <input
          ref={fieldRef as { current: HTMLInputElement }}
          type="text"
          autocomplete="off"
          {...shared}
        />
      )}
      {completion.list}
    </span>
  );
}

/** The text with its bindings marked; it lies behind the letters of the field, in the same lines. */
function chips(text: string): (VNode | string)[] {
  const parts: (VNode | string)[] = [];
  let from = 0;
  for (const { 0: binding, index } of text.matchAll(bindingPattern)) {
    parts.push(text.slice(from, index), <mark key={index}>{binding}</mark>);
    from = index + binding.length;
  }
  // A last line break counts only before something.
  return [...parts, `${text.slice(from)}\u200b`];
}
