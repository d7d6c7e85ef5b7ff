/** A text field that completes variables and formats in bindings, and shows bindings as chips. */
import type { Ref, TargetedEvent, VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { bindingPattern } from '#language/bind/bindings.ts';
import type { Variable } from '#language/schema/template.ts';
import type { Editor } from '../../state/editor.ts';
import { useCompletion } from '../variables/completion-list.tsx';
import { ChipFormats } from '../variables/chip-formats.tsx';
import { bindingAt } from '../variables/variables.ts';
import type { ControlProps } from './number.tsx';
import type { FieldKind } from './schema-fields.ts';

type Field = HTMLInputElement | HTMLTextAreaElement;

interface TextFieldProps extends ControlProps<Extract<FieldKind, { type: 'text' }>> {
  /** Variables that the text may bind; empty for a text without bindings. */
  variables: readonly Variable[];
  isCode?: boolean;
  editor: Editor;
}

/** Lines at most that the field of a text shows. */
const rowsMax = 8;

/** Estimates the lines of a text at the width of the panel. */
function rowsOf(text: string): number {
  const lines = text.split('\n').length + Math.floor(text.length / 34);
  return Math.min(rowsMax, Math.max(2, lines));
}

/** The field; a long text has several lines. */
export function TextField(props: TextFieldProps): VNode {
  const { id, kind, value, placeholder, isInvalid, change, isCode = false } = props;
  const { editor, variables } = props;
  const visit = useRef(0);
  const fieldRef = useRef<Field>(null);
  const chipsRef = useRef<HTMLSpanElement>(null);
  const text = typeof value === 'string' ? value : '';
  const write = (next: string): void => change(next, `${id}:${visit.current}`);
  const writeAt = useWriteAt(fieldRef, write);
  const completion = useCompletion({
    id,
    variables,
    take: (completed) => writeAt(completed.text, completed.selection),
  });
  const chip = useChip(text);
  const scrollChips = (): void => {
    const { scrollTop = 0, scrollLeft = 0 } = fieldRef.current ?? {};
    chipsRef.current?.scrollTo(scrollLeft, scrollTop);
  };
  // Only after a change of the text, because it reads the layout of the page.
  useLayoutEffect(scrollChips, [text]);
  const shared = {
    id,
    class: isCode ? 'p-code' : undefined,
    value: text,
    placeholder,
    dir: isCode ? ('ltr' as const) : ('auto' as const),
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
    onKeyUp: chip.look,
    onClick: chip.look,
    onScroll: scrollChips,
  };
  return (
    <span class="p-completed" data-chips={!isCode && text.includes('{{')} onFocusOut={chip.leave}>
      {!isCode && text.includes('{{') && (
        <span class="p-chips" dir="auto" ref={chipsRef} aria-hidden="true" data-lines={kind.isLong}>
          {chips(text)}
        </span>
      )}
      {kind.isLong ? (
        <textarea ref={fieldRef as Ref<HTMLTextAreaElement>} rows={rowsOf(text)} {...shared} />
      ) : (
        <input ref={fieldRef as Ref<HTMLInputElement>} type="text" autocomplete="off" {...shared} />
      )}
      {completion.list}
      {chip.selected !== undefined && completion.list === null && (
        <ChipFormats
          {...{ editor, variables, text }}
          selected={chip.selected}
          write={(next, caret) => writeAt(next, [caret, caret])}
        />
      )}
    </span>
  );
}

/** Returns a function that writes a text, focuses the field, and selects once the field shows the text. */
function useWriteAt(
  fieldRef: { readonly current: Field | null },
  write: (text: string) => void,
): (text: string, selection: [from: number, to: number]) => void {
  const selectNext = useRef<[from: number, to: number] | undefined>(undefined);
  useLayoutEffect(() => {
    if (selectNext.current !== undefined)
      fieldRef.current?.setSelectionRange(...selectNext.current);
    selectNext.current = undefined;
  });
  return (text, selection) => {
    selectNext.current = selection;
    write(text);
    fieldRef.current?.focus();
  };
}

/** The selection in the chip of a variable, until the focus leaves the field and its formats. */
interface SelectedChip {
  selected: readonly [from: number, to: number] | undefined;
  /** Called after each key and click, because a caret that moves has no event. */
  look: (event: TargetedEvent<Field>) => void;
  leave: (event: TargetedEvent<HTMLElement, FocusEvent>) => void;
}

function useChip(text: string): SelectedChip {
  const [selected, select] = useState<SelectedChip['selected']>(undefined);
  return {
    selected,
    look: ({ currentTarget: { selectionStart, selectionEnd } }) => {
      const range = [selectionStart ?? 0, selectionEnd ?? 0] as const;
      select(bindingAt(text, range) === undefined ? undefined : range);
    },
    leave: ({ currentTarget, relatedTarget }) => {
      const isInside = relatedTarget instanceof Node && currentTarget.contains(relatedTarget);
      if (!isInside) select(undefined);
    },
  };
}

/** Returns the text with marked bindings. It is shown behind the letters of the field, with the same line breaks. */
export function chips(text: string): (VNode | string)[] {
  const parts: (VNode | string)[] = [];
  let from = 0;
  for (const { 0: binding, index } of text.matchAll(bindingPattern)) {
    parts.push(text.slice(from, index), <mark key={index}>{binding}</mark>);
    from = index + binding.length;
  }
  // A last line break takes a line only if a character follows.
  return [...parts, `${text.slice(from)}\u200b`];
}
