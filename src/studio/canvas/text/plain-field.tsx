/** Field beside the image, for a text whose lines a browser would set differently. */
import type { TargetedEvent, VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { controlCaret } from '../../panels/caret/caret-field.ts';
import { chips } from '../../panels/fields/text-field.tsx';
import { textLengthMax } from './editable-text.ts';
import { pasteInText } from './field-clipboard.ts';
import { pressEvents } from './field-press.ts';
import { pressTextKey } from './span-field.tsx';
import type { SpanFieldProps } from './span-field.tsx';

interface PlainFieldProps extends Omit<SpanFieldProps, 'spans' | 'scale' | 'fallbacks'> {
  value: string;
}

export function PlainField(props: PlainFieldProps): VNode {
  const { layer, label, value, completion, selectNext, select, write, caret } = props;
  const { direction = 'auto' } = layer;
  const fieldRef = useRef<HTMLTextAreaElement>(null);
  const chipsRef = useRef<HTMLSpanElement>(null);
  const scrollChips = (): void => chipsRef.current?.scrollTo(0, fieldRef.current?.scrollTop ?? 0);
  useLayoutEffect(scrollChips, [value]);
  useEffect(() => {
    fieldRef.current?.focus();
    fieldRef.current?.select();
  }, []);
  useLayoutEffect(() => {
    if (fieldRef.current !== null) caret.field.current = controlCaret(fieldRef.current);
  }, []);
  useLayoutEffect(() => {
    const { current: range } = selectNext;
    selectNext.current = undefined;
    if (range === undefined) return;
    fieldRef.current?.focus();
    fieldRef.current?.setSelectionRange(...range);
    caret.placed();
  });
  /** Reports the selection. A textarea has no event for each movement of the caret. */
  const report = ({ currentTarget }: TargetedEvent<HTMLTextAreaElement>): void =>
    select([currentTarget.selectionStart, currentTarget.selectionEnd]);
  return (
    <span class="p-completed">
      <span class="p-chips" data-lines="true" dir={direction} ref={chipsRef} aria-hidden="true">
        {chips(value)}
      </span>
      <textarea
        ref={fieldRef}
        dir={direction}
        aria-label={label}
        spellcheck={false}
        maxlength={textLengthMax}
        value={value}
        {...completion.attributes}
        {...pressEvents}
        onScroll={scrollChips}
        onSelect={report}
        onKeyUp={report}
        onClick={report}
        onInput={({ currentTarget: { value: now, selectionStart } }) => {
          completion.look(now, selectionStart);
          write(now);
        }}
        onPaste={(event) => {
          const { selectionStart, selectionEnd } = event.currentTarget;
          pasteInText(event, [selectionStart, selectionEnd], props);
        }}
        onBlur={completion.close}
        onKeyDown={(event) => {
          // The `select` event of the previous key may not have arrived yet.
          report(event);
          if (!completion.pressKey(event)) pressTextKey(event, props);
        }}
      />
    </span>
  );
}
