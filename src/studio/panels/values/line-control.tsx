/** Controls for numbers and dates. `value-control.tsx` loads them when they are first needed. */
import type { TargetedKeyboardEvent, VNode } from 'preact';
import type { ValueControl } from './control-props.ts';
import { DateControl } from './date-control.tsx';
import { readValue, unreadWords } from './read-value.ts';
import { problemMarks, problemNote, reading, useTypedText } from './typed-text.tsx';

/** The control for a number or a date. */
export function LineControl(control: ValueControl): VNode {
  return control.variable.type === 'date' ? (
    <DateControl {...control} />
  ) : (
    <NumberControl {...control} />
  );
}

/**
 * A number. It is a field for text, because number fields of browsers drop a comma that they do not expect: `9,90`
 * became 990. The arrow keys step by 1, with Shift by 10.
 */
function NumberControl(control: ValueControl): VNode {
  const { editor, id, variable, value, placeholder, change, isInvalid, limit } = control;
  const { lang } = editor.document.value;
  const typed = useTypedText(
    String(value),
    (text) => {
      const number = readValue('number', text, lang);
      return number === undefined
        ? { problem: unreadWords('number', text) }
        : reading(number, limit?.(number));
    },
    change,
  );
  // A number of several digits passes through problems while it is typed.
  const problem = typed.isTyping ? undefined : typed.problem;
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLInputElement>): void => {
    const { key, shiftKey } = event;
    if (key === 'Enter') typed.leave();
    if (key !== 'ArrowUp' && key !== 'ArrowDown') return;
    event.preventDefault();
    const { min = -Infinity, max = Infinity } = 'min' in variable ? variable : {};
    const from = readValue('number', typed.text, lang) ?? '';
    const decimals = from.split('.')[1]?.length ?? 0;
    const step = (key === 'ArrowUp' ? 1 : -1) * (shiftKey ? 10 : 1);
    const next = Math.min(max, Math.max(min, Number(from) + step));
    typed.take(next.toFixed(decimals));
  };
  return (
    <>
      <input
        id={id}
        type="text"
        inputmode="decimal"
        autocomplete="off"
        placeholder={placeholder}
        {...problemMarks(id, problem, isInvalid)}
        value={typed.text}
        onInput={(event) => typed.take(event.currentTarget.value)}
        onBlur={typed.leave}
        onKeyDown={onKeyDown}
      />
      {problemNote(id, problem)}
    </>
  );
}
