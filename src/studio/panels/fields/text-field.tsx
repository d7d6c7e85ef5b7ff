/** A text field that completes variables and formats in bindings, and shows bindings as chips. */
import type { Ref, RefObject, TargetedEvent, VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { bindingPattern } from '#language/bind/bindings.ts';
import type { Variable } from '#language/schema/template.ts';
import type { Editor } from '../../state/editor.ts';
import { useCompletion } from '../variables/completion-list.tsx';
import { ChipFormats } from '../variables/chip-formats.tsx';
import { bindingAt } from '../variables/variables.ts';
import { controlCaret } from '../caret/caret-field.ts';
import { useTextCaret } from '../caret/use-text-caret.ts';
import type { ShownCaret } from '../caret/use-text-caret.ts';
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
  const text = typeof value === 'string' ? value : '';
  const write = (next: string): void => change(next, `${id}:${visit.current}`);
  const beginVisit = (): void => {
    visit.current += 1;
  };
  const caret = useTextCaret(beginVisit);
  const { writeAt, selectAt } = useWriteAt(fieldRef, write, caret, !isCode);
  const completion = useCompletion({
    id,
    variables,
    take: (completed) => writeAt(completed.text, completed.selection),
  });
  const chip = useChip(text, caret);
  const { chipsRef, scrollChips } = useScrolledChips(fieldRef, text);
  const shared = {
    id,
    class: isCode ? 'p-code' : undefined,
    value: text,
    placeholder,
    dir: isCode ? ('ltr' as const) : ('auto' as const),
    spellcheck: !isCode,
    'aria-invalid': isInvalid,
    ...completion.attributes,
    onFocus: beginVisit,
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
          write={(next, after) => {
            writeAt(next, [after, after]);
            chip.select([after - 1, after - 1]);
          }}
          edit={(letters) => {
            selectAt(letters);
            chip.select(letters);
          }}
        />
      )}
    </span>
  );
}

/** Scrolls the chips with the letters of the field. */
function useScrolledChips(
  fieldRef: { readonly current: Field | null },
  text: string,
): { chipsRef: RefObject<HTMLSpanElement | null>; scrollChips: () => void } {
  const chipsRef = useRef<HTMLSpanElement>(null);
  const scrollChips = (): void => {
    const { scrollTop = 0, scrollLeft = 0 } = fieldRef.current ?? {};
    chipsRef.current?.scrollTo(scrollLeft, scrollTop);
  };
  // Only after a change of the text, because it reads the layout of the page.
  useLayoutEffect(scrollChips, [text]);
  return { chipsRef, scrollChips };
}

type Range = readonly [from: number, to: number];

/** Changes of a field by code, with its selection. */
interface FieldWriting {
  /** Writes a text, focuses the field, and selects once the field shows the text. */
  writeAt: (text: string, selection: Range) => void;
  /** Focuses the field and selects. */
  selectAt: (selection: Range) => void;
}

function useWriteAt(
  fieldRef: { readonly current: Field | null },
  write: (text: string) => void,
  caret: ShownCaret,
  hasChips: boolean,
): FieldWriting {
  const selectNext = useRef<Range | undefined>(undefined);
  const select = (selection: Range): void => {
    fieldRef.current?.setSelectionRange(...selection);
    caret.placed();
  };
  useLayoutEffect(() => {
    if (fieldRef.current !== null) caret.field.current = controlCaret(fieldRef.current, hasChips);
  }, []);
  useLayoutEffect(() => {
    if (selectNext.current !== undefined) select(selectNext.current);
    selectNext.current = undefined;
  });
  return {
    writeAt: (text, selection) => {
      selectNext.current = selection;
      write(text);
      fieldRef.current?.focus();
    },
    selectAt: (selection) => {
      fieldRef.current?.focus();
      select(selection);
    },
  };
}

/** The selection in the chip of a variable, until the focus leaves the field and its formats. */
interface SelectedChip {
  selected: Range | undefined;
  select: (range: Range) => void;
  /** Called after each key and click, because a caret that moves has no event. */
  look: (event: TargetedEvent<Field>) => void;
  leave: (event: TargetedEvent<HTMLElement, FocusEvent>) => void;
}

function useChip(text: string, caret: ShownCaret): SelectedChip {
  const [selected, select] = useState<SelectedChip['selected']>(undefined);
  return {
    selected,
    select,
    look: ({ currentTarget: { selectionStart, selectionEnd } }) => {
      const range = caret.touched([selectionStart ?? 0, selectionEnd ?? 0]);
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
