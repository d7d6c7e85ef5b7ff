/** A colour with its alpha: a swatch that opens the picker, and its digits to type or paste. */
import type { TargetedEvent, VNode } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { Editor } from '../../state/editor.ts';
import { channelsOf, isColor, parseColor, toHex } from './color-math.ts';
import { ColorPicker } from './color-picker.tsx';

export interface ColorFieldProps {
  editor: Editor;
  id: string;
  label: string;
  /** Undefined or no colour: none is shown. */
  value: unknown;
  placeholder?: string;
  isInvalid?: boolean;
  change: (color: string | undefined, gesture?: string) => void;
  /** Whether an empty field takes the colour away. */
  isOptional?: boolean;
}

/** The field. */
export function ColorField(props: ColorFieldProps): VNode {
  const { editor, label, value, placeholder = '', change } = props;
  const [isOpen, setOpen] = useState(false);
  const swatch = useRef<HTMLButtonElement>(null);
  const color = isColor(value) ? value : undefined;
  const standard = isColor(placeholder) ? placeholder : undefined;
  return (
    <span class="p-color">
      <button
        ref={swatch}
        type="button"
        class="p-swatch"
        aria-label={`${label}: choose a colour${color === undefined ? '' : `, now ${color}`}`}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <span style={{ background: color ?? standard ?? 'none' }} />
      </button>
      <DigitsInput {...props} />
      <AlphaInput label={label} color={color} change={change} />
      {isOpen && swatch.current !== null ? (
        <ColorPicker
          editor={editor}
          anchor={swatch.current}
          label={label}
          value={color ?? standard ?? '#000000'}
          change={change}
          close={() => setOpen(false)}
        />
      ) : null}
    </span>
  );
}

/** Digits that begin to be a colour: fewer are still being typed. */
const digitsMin = 4;

/** What is typed and is no colour is written as it is when the field is left: the service says what it expected. */
function DigitsInput(props: ColorFieldProps): VNode {
  const { id, value, placeholder = '', isInvalid = false, change, isOptional = false } = props;
  const [typed, setTyped] = useState<string | undefined>(undefined);
  const onInput = (event: Event): void => {
    const { value: text } = event.currentTarget as HTMLInputElement;
    setTyped(text);
    const parsed = parseColor(text);
    if (parsed !== undefined && text.length >= digitsMin) change(parsed, `${id}:typed`);
  };
  const onChange = (event: TargetedEvent<HTMLInputElement>): void => {
    const text = event.currentTarget.value.trim();
    setTyped(undefined);
    if (text !== '') change(parseColor(text) ?? text, `${id}:typed`);
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
      onFocus={(event) => event.currentTarget.select()}
      onInput={onInput}
      onChange={onChange}
    />
  );
}

interface AlphaInputProps {
  label: string;
  color: string | undefined;
  change: (color: string) => void;
}

function AlphaInput({ label, color, change }: AlphaInputProps): VNode {
  const alpha = color === undefined ? 1 : channelsOf(color)[3];
  const onChange = (event: TargetedEvent<HTMLInputElement>): void => {
    const part = Number.parseFloat(event.currentTarget.value) / 100;
    if (color === undefined || Number.isNaN(part)) return;
    const [red, green, blue] = channelsOf(color);
    change(toHex([red, green, blue], part));
  };
  return (
    <input
      type="text"
      class="p-alpha"
      inputmode="numeric"
      aria-label={`${label}: opacity in percent`}
      disabled={color === undefined}
      value={`${Math.round(alpha * 100)}%`}
      onChange={onChange}
    />
  );
}
