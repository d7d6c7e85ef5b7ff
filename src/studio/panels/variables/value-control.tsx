/** The control for one value, by the type of its variable. `ValueItems` is that of a list. */
import type { VNode } from 'preact';
import { laterControl } from '../later-control.tsx';
import { ImageField } from '../fields/image.tsx';
import { Toggle } from '../fields/simple.tsx';
import type { ValueControl } from '../values/control-props.ts';
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

const LaterControl = laterControl((code) => code.LineControl);

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
