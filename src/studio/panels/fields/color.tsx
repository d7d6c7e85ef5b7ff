/** A color with its alpha: a swatch that opens the picker, and a field to type or paste digits. */
import type { TargetedEvent, VNode } from 'preact';
import { useRef, useState, useMemo } from 'preact/hooks';
import { Swatches } from '../../brand/swatches.tsx';
import type { Follow } from '../../brand/swatches.tsx';
import { brandOf } from '../../state/brand.ts';
import type { Editor } from '../../state/editor.ts';
import { toHex } from '#language/values/read-color.ts';
import { channelsOf, isColor, documentColors, fromHsva, toHsva } from './color-math.ts';
import { DigitsInput, PickerDigits } from './color-digits.tsx';
import type { DigitsProps } from './color-digits.tsx';
import { followPointer } from './number.tsx';
import type { Hsva } from './color-math.ts';
import { icon } from '../../icons.tsx';
import { Popover } from '../../dialog.tsx';

export interface ColorFieldProps extends DigitsProps {
  editor: Editor;
  label: string;
  /** Sets the colour of an entry of the brand kit, which the property then follows. */
  follow?: Follow | undefined;
}

export function ColorField(props: ColorFieldProps): VNode {
  const { editor, label, value, placeholder = '', change, follow } = props;
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
          follow={follow}
          close={() => setOpen(false)}
        />
      ) : null}
    </span>
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

// The color picker: saturation and brightness, hue, alpha, and the colors of the document.

/** Colours of the document that are offered again. */
const recentMax = 18;

/** The browser's API to pick a colour from the screen, which some browsers lack. */
interface EyeDropper {
  open(): Promise<{ sRGBHex: string }>;
}
type EyeDropperClass = new () => EyeDropper;

interface PickerProps {
  editor: Editor;
  anchor: HTMLElement;
  label: string;
  value: string;
  /** Value of a field of digits in the picker. Undefined beside a `ColorField`, which has one. */
  digits?: string;
  change: (color: string, gesture?: string) => void;
  follow?: Follow | undefined;
  close: () => void;
}

/** `change` is called while the pointer moves, with one gesture for each press. */
export function ColorPicker({
  editor,
  anchor,
  label,
  value,
  digits,
  change,
  follow = (_, color) => change(color),
  close,
}: PickerProps): VNode {
  // A grey in the document has no hue, so the picker keeps the last one.
  const [kept, setKept] = useState<Hsva>(() => toHsva(value));
  const current = fromHsva(kept) === value ? kept : toHsva(value);
  const colors = useMemo(() => documentColors(editor.document.peek(), recentMax), [editor]);
  const set = (changed: Partial<Hsva>): void => {
    const next = { ...current, ...changed };
    setKept(next);
    change(fromHsva(next), `color:${label}`);
  };
  const opaque = fromHsva({ ...current, alpha: 1 });
  return (
    <Popover anchor={anchor} label={`${label}: colour`} side="beside" close={close}>
      <div class="p-picker">
        <Square color={current} set={set} />
        <div class="p-picker-tracks">
          <label class="p-track p-hue">
            <span class="quiet">Hue</span>
            <input
              type="range"
              min="0"
              max="359"
              value={Math.round(current.hue)}
              onInput={(event) => set({ hue: numberOf(event) })}
            />
          </label>
          <label class="p-track p-alpha-track" style={{ '--p-color': opaque }}>
            <span class="quiet">Opacity in percent</span>
            <input
              type="range"
              min="0"
              max="100"
              value={Math.round(current.alpha * 100)}
              onInput={(event) => set({ alpha: numberOf(event) / 100 })}
            />
          </label>
        </div>
        {digits === undefined ? null : (
          <PickerDigits id={`color-${label}`} value={digits} change={change} />
        )}
        <Dropper pick={(color: string) => change(color)} />
        <Swatches
          title="Brand"
          colors={brandOf(editor.service).value.colors}
          pick={({ id, value: color }) => follow(id, color)}
        />
        <Swatches
          title="In this template"
          colors={colors.map((color) => ({ id: color, name: color, value: color }))}
          pick={(color) => change(color.value)}
        />
      </div>
    </Popover>
  );
}

function numberOf(event: TargetedEvent<HTMLInputElement>): number {
  return Number(event.currentTarget.value);
}

/** Step of an arrow key in the square, as a part of its side; ten times that with Shift. */
const keyStep = 0.01;

function Square({ color, set }: { color: Hsva; set: (part: Partial<Hsva>) => void }): VNode {
  const { hue, saturation, brightness } = color;
  const follow = followPointer((x, y) =>
    set({ saturation: clampPart(x), brightness: clampPart(1 - y) }),
  );
  const onKeyDown = (event: KeyboardEvent): void => {
    const ways: Record<string, readonly [number, number]> = {
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, 1],
      ArrowDown: [0, -1],
    };
    const way = ways[event.key];
    if (way === undefined) return;
    event.preventDefault();
    const step = keyStep * (event.shiftKey ? 10 : 1);
    const [x, y] = way;
    set({
      saturation: clampPart(saturation + x * step),
      brightness: clampPart(brightness + y * step),
    });
  };
  const shown = `saturation ${percent(saturation)}, brightness ${percent(brightness)}`;
  return (
    <div
      class="p-square"
      data-first
      role="slider"
      tabindex={0}
      aria-label="Saturation and brightness"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(saturation * 100)}
      aria-valuetext={shown}
      style={{ '--p-hue': `hsl(${Math.round(hue)} 100% 50%)` }}
      onKeyDown={onKeyDown}
      {...follow}
    >
      <span
        class="p-square-knob"
        style={{ left: percent(saturation), top: percent(1 - brightness) }}
      />
    </div>
  );
}

function clampPart(value: number): number {
  return Math.min(1, Math.max(0, value));
}

function percent(value: number): string {
  return `${Math.round(value * 100)}%`;
}

function Dropper({ pick }: { pick: (color: string) => void }): VNode | null {
  const { EyeDropper: Class } = globalThis as { EyeDropper?: EyeDropperClass };
  if (Class === undefined) return null;
  const open = async (): Promise<void> => {
    try {
      const { sRGBHex } = await new Class().open();
      pick(sRGBHex);
    } catch {
      // Escape: nothing was picked.
    }
  };
  return (
    <button type="button" class="p-tool p-dropper" onClick={() => void open()}>
      {icon('dropper')} Pick from the screen
    </button>
  );
}
