/** Controls for colours, numbers and dates. `value-control.tsx` loads them when they are first needed. */
import type { TargetedKeyboardEvent, VNode } from 'preact';
import { ColorField } from '../fields/color.tsx';
import { isColor } from '../fields/color-math.ts';
import type { ValueControl } from './control-props.ts';
import { DateControl } from './date-control.tsx';
import { writtenNumber } from '#language/values/decimal-signs.ts';
import { readValue, unreadWords } from './read-value.ts';
import { problemMarks, problemNote, reading, useTypedText } from './typed-text.tsx';
import { behindFrame } from '../behind-frame.ts';

/** The control for a colour, a number or a date. */
export function LineControl(control: ValueControl): VNode {
  const { type } = control.variable;
  if (type === 'color') return <ColorControl {...control} />;
  return type === 'date' ? <DateControl {...control} /> : <NumberControl {...control} />;
}

/** A colour. With `limit`, a text that is none stays in its field. */
function ColorControl({ limit, change, ...field }: ValueControl): VNode {
  const { id, value, isInvalid } = field;
  const { text, problem, take } = useTypedText(
    String(value),
    (typed) =>
      reading(
        typed,
        limit === undefined || isColor(typed) ? undefined : unreadWords('color', typed),
      ),
    change,
  );
  return (
    <>
      <ColorField
        {...field}
        value={text}
        isInvalid={isInvalid === true || problem !== undefined}
        describedBy={problemMarks(id, problem, isInvalid)['aria-describedby']}
        change={(color = '') => take(color)}
      />
      {problemNote(id, problem)}
    </>
  );
}

/**
 * A number. It is a field for text, because number fields of browsers drop a comma that they do not expect: `9,90`
 * became 990. The arrow keys step by 1, with Shift by 10.
 */
function NumberControl(control: ValueControl): VNode {
  const { editor, id, variable, value, placeholder, change, isInvalid, limit } = control;
  const { lang } = behindFrame(editor).document.value;
  const typed = useTypedText(
    writtenNumber(String(value), lang),
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
    typed.take(writtenNumber(next.toFixed(decimals), lang));
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
        data-refused={typed.problem !== undefined}
        value={typed.text}
        onInput={(event) => typed.take(event.currentTarget.value)}
        onBlur={typed.leave}
        onKeyDown={onKeyDown}
      />
      {problemNote(id, problem)}
    </>
  );
}
