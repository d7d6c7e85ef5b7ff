/** The colour picker: a square of saturation and brightness, hue, alpha, and the colours of the document. */
import type { TargetedEvent, VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { Editor } from '../../state/editor.ts';
import { followPointer } from '../follow-pointer.ts';
import { documentColors, fromHsva, toHsva } from './color-math.ts';
import type { Hsva } from './color-math.ts';
import { icon } from '../icons.tsx';
import { Popover } from '../popover.tsx';

/** Colours of the document that are offered again. */
const recentMax = 18;

/** The browser's own magnifier, where it has one. */
interface EyeDropper {
  open(): Promise<{ sRGBHex: string }>;
}
type EyeDropperClass = new () => EyeDropper;

/** `change` is called while the pointer moves, with one gesture for each press. */
export function ColorPicker({
  editor,
  anchor,
  label,
  value,
  change,
  close,
}: {
  editor: Editor;
  anchor: HTMLElement;
  label: string;
  value: string;
  change: (color: string, gesture?: string) => void;
  close: () => void;
}): VNode {
  // Of a grey the document does not know the hue: the picker remembers where it was.
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
        <Dropper pick={(color: string) => change(color)} />
        {colors.length === 0 ? null : <p class="p-picker-title">In this template</p>}
        <div class="p-recent">
          {colors.map((color) => (
            <button
              type="button"
              class="p-swatch"
              aria-label={`Use ${color}`}
              title={color}
              onClick={() => change(color)}
            >
              <span style={{ background: color }} />
            </button>
          ))}
        </div>
      </div>
    </Popover>
  );
}

function numberOf(event: TargetedEvent<HTMLInputElement>): number {
  return Number(event.currentTarget.value);
}

/** How far an arrow key goes in the square, as a part; with Shift ten times that. */
const keyStep = 0.01;

function Square({ color, set }: { color: Hsva; set: (part: Partial<Hsva>) => void }): VNode {
  const { hue, saturation, brightness } = color;
  const follow = followPointer((x, y) => set({ saturation: part(x), brightness: part(1 - y) }));
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
    set({ saturation: part(saturation + x * step), brightness: part(brightness + y * step) });
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

function part(value: number): number {
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
