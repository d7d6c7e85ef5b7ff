/** The control for one value, by the type of its variable. `ValueItems` is that of a list. */
import type { TargetedEvent, VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { ListField, ScalarVariable } from '#language/schema/template.ts';
import type { Editor } from '../../state/editor.ts';
import { ColorField } from '../fields/color.tsx';
import { ImageField } from '../fields/image.tsx';
import { Toggle } from '../fields/simple.tsx';
import { valueAs } from './variables.ts';

export interface ValueControl {
  editor: Editor;
  id: string;
  label: string;
  variable: ScalarVariable | ListField;
  value: unknown;
  placeholder: string;
  change: (value: string) => void;
  isInvalid?: boolean;
  /** Whether a typed text of the right form is complete. */
  isWhole?: (typed: string) => boolean;
}

/** Returns the control for a variable. An emptied control changes the value to an empty text. */
export function valueControl(control: ValueControl): VNode {
  const { variable, change, ...field } = control;
  const { id, value } = field;
  switch (variable.type) {
    case 'color':
      return <ColorField {...field} change={(color: string | undefined) => change(color ?? '')} />;
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
    default:
      return <TypedField {...control} key={id} />;
  }
}

/** A date, or a date with time, as browsers edit it; then the zone, which stays. */
const dateForm = /^(\d{4}-\d\d-\d\d(T\d\d:\d\d(?::\d\d)?)?)(Z|[+-]\d\d:\d\d)?$/;

/** The field of a value that has one line. */
interface Line {
  type: 'number' | 'date' | 'datetime-local';
  /** The text that the field shows. */
  shown: string;
  /** The end of the value, which the field does not show. */
  rest: string;
}

/** Returns the field for a number or a date; undefined for other types, and for dates that browsers do not edit. */
function lineOf(variable: ScalarVariable | ListField, value: string): Line | undefined {
  if (variable.type === 'number') return { type: 'number', shown: value, rest: '' };
  if (variable.type !== 'date') return undefined;
  const form = dateForm.exec(value || variable.value);
  if (form === null) return value === '' ? { type: 'date', shown: '', rest: '' } : undefined;
  const [, whole = '', time, rest = ''] = form;
  return {
    type: time === undefined ? 'date' : 'datetime-local',
    shown: value === '' ? '' : whole,
    rest,
  };
}

/** Edits a value as text. A complete value applies at once, a partial value when the field is left. */
function TypedField(control: ValueControl): VNode {
  const { id, variable, value, placeholder, change, isInvalid, isWhole = () => true } = control;
  const [part, setPart] = useState<string | undefined>(undefined);
  const text = part ?? String(value);
  const line = lineOf(variable, text);
  const take = ({ currentTarget }: TargetedEvent<HTMLInputElement | HTMLTextAreaElement>): void => {
    // A part of a date or a number, which the browser gives as an empty text.
    if (currentTarget.validity.badInput) return;
    const typed = currentTarget.value === '' ? '' : currentTarget.value + (line?.rest ?? '');
    const isFit = line?.type === 'datetime-local' || valueAs(variable.type, typed) === typed;
    const isReady = typed === '' || (isFit && isWhole(typed));
    setPart(isReady ? undefined : typed);
    if (isReady) change(typed);
  };
  const leave = (): void => {
    setPart(undefined);
    if (part !== undefined) change(part);
  };
  const shared = { id, placeholder, 'aria-invalid': isInvalid, onInput: take, onBlur: leave };
  if (line === undefined) {
    const rows = Math.min(6, text.split('\n').length);
    return <textarea {...shared} dir="auto" rows={rows} value={text} />;
  }
  return (
    <input
      {...shared}
      type={line.type}
      step={line.type === 'number' ? 'any' : undefined}
      min={'min' in variable ? variable.min : undefined}
      max={'max' in variable ? variable.max : undefined}
      value={line.shown}
      onKeyDown={(event) => event.key === 'Enter' && leave()}
    />
  );
}
