/** The control for one value, by the type of its variable. `ValueItems` is that of a list. */
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { laterCalls } from '../../canvas/gestures/later-calls.ts';
import { ImageField } from '../fields/image.tsx';
import { Toggle } from '../fields/simple.tsx';
import type { ValueControl } from '../values/control-props.ts';
import type { LineControl } from '../values/line-control.tsx';
import { problemMarks, problemNote, reading, useTypedText } from '../values/typed-text.tsx';

/** Returns the control for a variable. An emptied control changes the value to an empty text. */
export function valueControl(control: ValueControl): VNode {
  const { variable, change, ...field } = control;
  const { id, value } = field;
  switch (variable.type) {
    case 'image':
      return <ImageField {...field} isInvalid={field.isInvalid === true} change={change} />;
    case 'boolean':
      return (
        <Toggle
          id={id}
          isOn={value === true || value === 'true'}
          change={(isOn) => change(String(isOn))}
        />
      );
    case 'color':
    case 'number':
    case 'date':
      return <LaterControl {...control} key={id} />;
    default:
      return <TextControl {...control} key={id} />;
  }
}

let loaded: typeof LineControl | undefined;

/** The control for a colour, a number or a date. Renders null until its code is loaded. */
function LaterControl(control: ValueControl): VNode | null {
  const [, show] = useState(loaded !== undefined);
  useEffect(() => {
    if (loaded !== undefined) return;
    laterCalls.run?.((code) => {
      loaded = code.LineControl;
      show(true);
    });
  }, []);
  const Control = loaded;
  return Control === undefined ? null : <Control {...control} />;
}

/** A text. Only a text within the limit is applied. */
function TextControl(control: ValueControl): VNode {
  const { id, value, placeholder, change, isInvalid, limit } = control;
  const { text, problem, take, leave } = useTypedText(
    String(value),
    (typed) => reading(typed, limit?.(typed)),
    change,
  );
  return (
    <>
      <textarea
        id={id}
        dir="auto"
        rows={Math.min(6, text.split('\n').length)}
        placeholder={placeholder}
        {...problemMarks(id, problem, isInvalid)}
        value={text}
        onInput={(event) => take(event.currentTarget.value)}
        onBlur={leave}
      />
      {problemNote(id, problem)}
    </>
  );
}
