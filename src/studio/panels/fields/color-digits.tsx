/** Text field of a colour, to type or paste its digits. */
import type { TargetedEvent, VNode } from 'preact';
import { useState } from 'preact/hooks';
import { readColor } from '#language/values/read-color.ts';
import { isColor } from './color-math.ts';

export interface DigitsProps {
  id: string;
  /** A swatch shows the placeholder, or nothing, for a value that is no colour. */
  value: unknown;
  placeholder?: string;
  isInvalid?: boolean;
  /** The id of the message about the value. */
  describedBy?: string | undefined;
  change: (color: string | undefined, gesture?: string) => void;
  /** Whether an empty field removes the colour. */
  isOptional?: boolean;
}

/** Characters from which typed text is applied at once; shorter text may be incomplete. */
const digitsMin = 4;

/** Leaving the field writes text that is no colour unchanged: the service then reports what it expects. */
export function DigitsInput(props: DigitsProps): VNode {
  const { id, value, placeholder = '', isInvalid = false, change, isOptional = false } = props;
  const { describedBy } = props;
  const [typed, setTyped] = useState<string | undefined>(undefined);
  const onInput = (event: Event): void => {
    const { value: text } = event.currentTarget as HTMLInputElement;
    setTyped(text);
    const parsed = readColor(text);
    if (parsed !== undefined && text.length >= digitsMin) change(parsed, `${id}:typed`);
  };
  const onChange = (event: TargetedEvent<HTMLInputElement>): void => {
    const text = event.currentTarget.value.trim();
    setTyped(undefined);
    if (text !== '') change(readColor(text) ?? text, `${id}:typed`);
    else if (isOptional) change(undefined);
  };
  return (
    <input
      id={id}
      type="text"
      class="p-hex"
      autocomplete="off"
      spellcheck={false}
      value={typed ?? (typeof value === 'string' ? value : '')}
      placeholder={placeholder === '' ? 'none' : placeholder}
      aria-invalid={isInvalid}
      aria-describedby={describedBy}
      onFocus={(event) => event.currentTarget.select()}
      onInput={onInput}
      onChange={onChange}
    />
  );
}

interface PickerDigitsProps {
  id: string;
  value: string;
  change: (color: string, gesture?: string) => void;
}

/** The field in a picker. Text that is no colour changes nothing. */
export function PickerDigits({ id, value, change }: PickerDigitsProps): VNode {
  return (
    <label class="p-digits">
      Hex
      <DigitsInput
        id={id}
        value={value}
        placeholder="#rrggbb"
        change={(color = '', gesture) => {
          if (isColor(color)) change(color, gesture);
        }}
      />
    </label>
  );
}
