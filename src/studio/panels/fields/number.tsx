/** A number: typed, stepped by the arrow keys, or set with the pointer by its label or in a square. */
import type { TargetedKeyboardEvent, VNode } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { parseNumber, showNumber } from './values.ts';
import type { NumberKind } from './schema-fields.ts';

/** Properties of every control of one value. `change(undefined)` removes the property. */
export interface ControlProps<Kind> {
  id: string;
  kind: Kind;
  /** Undefined: absent, or different between the layers. */
  value: unknown;
  /** Shown in place of an absent value. */
  placeholder: string;
  isInvalid: boolean;
  isRequired: boolean;
  change: (value: unknown, gesture?: string) => void;
}

/** Step of an arrow key or of a dragged pixel. Shift multiplies it by 10; Alt divides it by 10 unless it is whole. */
function stepOf(kind: NumberKind, event: { shiftKey: boolean; altKey: boolean }): number {
  const { min, max } = kind;
  const isFine = !kind.whole && max !== undefined && min !== undefined && max - min <= 4;
  const step = isFine ? 0.01 : 1;
  if (event.shiftKey) return step * 10;
  return event.altKey && !kind.whole ? step / 10 : step;
}

/** Clamps a value to the bounds, and rounds away the errors of adding decimals. */
function bounded({ min = -Infinity, max = Infinity, whole }: NumberKind, value: number): number {
  const inside = Math.min(max, Math.max(min, value));
  return whole ? Math.round(inside) : Math.round(inside * 1000) / 1000;
}

/** Describes what a field takes in place of the text; undefined for a number within the bounds. */
function numberProblem(kind: NumberKind, text: string): string | undefined {
  const number = parseNumber(kind, text);
  if (number === undefined) return 'Write a number, such as 12.5.';
  const { min = -Infinity, max = Infinity } = kind;
  if (number >= min && number <= max) return undefined;
  return `Write a number from ${showNumber(kind, min)} to ${showNumber(kind, max)}.`;
}

/**
 * The field. Text that is no number within the bounds stays with a message, and changes nothing. Once the user leaves
 * the field or presses Enter, a number outside becomes the nearest bound.
 */
export function NumberField(props: ControlProps<NumberKind>): VNode {
  const { id, kind, value, placeholder, isInvalid, isRequired, change } = props;
  const [typed, setTyped] = useState<string | undefined>(undefined);
  const visit = useRef(0);
  const shown = typeof value === 'number' ? showNumber(kind, value) : '';
  const text = typed ?? shown;
  const problem =
    typed === undefined || typed.trim() === '' ? undefined : numberProblem(kind, typed);
  const onInput = (event: Event): void => {
    const { value: now } = event.currentTarget as HTMLInputElement;
    setTyped(now);
    const parsed = parseNumber(kind, now);
    // A required property keeps its value until another number is typed.
    if (now.trim() === '') {
      if (!isRequired) change(undefined, `${id}:${visit.current}`);
    } else if (parsed !== undefined && numberProblem(kind, now) === undefined) {
      change(parsed, `${id}:${visit.current}`);
    }
  };
  /** Ends the typing. Returns whether the text is a number or empty. */
  const settle = (): boolean => {
    const parsed = problem === undefined ? undefined : parseNumber(kind, typed ?? '');
    if (parsed !== undefined) change(bounded(kind, parsed), `${id}:${visit.current}`);
    return problem === undefined || parsed !== undefined;
  };
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLInputElement>): void => {
    if (event.key === 'Enter') {
      settle();
      setTyped(undefined);
      event.currentTarget.select();
    }
    // The row restores the value.
    if (event.key === 'Escape') setTyped(undefined);
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    event.preventDefault();
    const from = typeof value === 'number' ? value : (parseNumber(kind, placeholder) ?? 0);
    const way = event.key === 'ArrowUp' ? 1 : -1;
    setTyped(undefined);
    change(bounded(kind, from + way * stepOf(kind, event)), `${id}:${visit.current}`);
  };
  return (
    <span class="p-number">
      <input
        id={id}
        type="text"
        inputmode="decimal"
        autocomplete="off"
        value={text}
        placeholder={placeholder}
        aria-invalid={isInvalid || problem !== undefined}
        onFocus={(event) => {
          visit.current += 1;
          event.currentTarget.select();
        }}
        onInput={onInput}
        onKeyDown={onKeyDown}
        onBlur={() => {
          if (settle()) setTyped(undefined);
        }}
      />
      {notes(kind.unit, problem)}
    </span>
  );
}

function notes(unit: string, problem: string | undefined): VNode {
  return (
    <>
      {unit === '' ? null : (
        <span class="p-unit" aria-hidden="true">
          {unit}
        </span>
      )}
      {problem === undefined ? null : (
        <span class="p-problem" role="alert">
          {problem}
        </span>
      )}
    </>
  );
}

/** Pixels of movement below which a press is a click on the label. */
const clickPx = 3;

/** Returns the `pointerdown` handler of a label that changes its number when dragged sideways. */
export function dragLabel(
  kind: NumberKind,
  value: unknown,
  change: (value: unknown, gesture?: string) => void,
): (event: PointerEvent) => void {
  return (press) => {
    if (press.button !== 0 || typeof value !== 'number') return;
    const label = press.currentTarget as HTMLElement;
    const gesture = `drag-label:${press.timeStamp}`;
    let [lastX, now, moved] = [press.clientX, value, 0];
    label.setPointerCapture(press.pointerId);
    const move = (event: PointerEvent): void => {
      const px = event.clientX - lastX;
      lastX = event.clientX;
      moved += Math.abs(px);
      if (moved < clickPx || px === 0) return;
      now = bounded(kind, now + px * stepOf(kind, event));
      change(now, gesture);
    };
    const end = (): void => {
      if (moved >= clickPx) swallowClick(label);
      label.removeEventListener('pointermove', move);
      label.removeEventListener('pointerup', end);
      label.removeEventListener('pointercancel', end);
    };
    label.addEventListener('pointermove', move);
    label.addEventListener('pointerup', end);
    label.addEventListener('pointercancel', end);
  };
}

/** Prevents the click after a drag: it would focus the field, which would then receive the undo key. */
function swallowClick(label: HTMLElement): void {
  label.addEventListener('click', refuse, { once: true });
  setTimeout(() => label.removeEventListener('click', refuse));
}

function refuse(event: Event): void {
  event.preventDefault();
}

// Sets a point in a square. The point follows the pointer while the button is held, also outside the square.

export interface FollowsPointer {
  onPointerDown: (event: PointerEvent) => void;
  onPointerMove: (event: PointerEvent) => void;
}

/** `set` gets the pointer's position as parts of the element's width and height: outside, below 0 or above 1. */
export function followPointer(set: (x: number, y: number) => void): FollowsPointer {
  const follow = (event: PointerEvent): void => {
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    set((event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height);
  };
  return {
    onPointerDown(event) {
      (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
      follow(event);
    },
    onPointerMove(event) {
      if (event.buttons === 1) follow(event);
    },
  };
}
