/** Selections beside chips: the caret passes a finished binding of a text as one sign. Indices are UTF-16. */
import { bindingPattern } from '#language/bind/bindings.ts';

/** The ends of a selection; equal for a caret. */
export interface Ends {
  anchor: number;
  focus: number;
}

/** The range of a binding with its braces. */
export interface Chip {
  from: number;
  to: number;
}

/** What moved the caret: a key along the line, to another line or to an end of the line, or the pointer. */
export type Movement = 'along' | 'lines' | 'end' | 'pointer';

/** Returns the chips of a text in parts, such as spans. A chip lies in one part. */
export function chipsOf(parts: readonly string[]): Chip[] {
  const chips: Chip[] = [];
  let start = 0;
  for (const part of parts) {
    for (const { 0: binding, index } of part.matchAll(bindingPattern)) {
      const from = start + index;
      chips.push({ from, to: from + binding.length });
    }
    start += part.length;
  }
  return chips;
}

/** Returns the chip that has letters of its own on both sides of a selection. */
export function chipAround(chips: readonly Chip[], { anchor, focus }: Ends): Chip | undefined {
  const [start, end] = [Math.min(anchor, focus), Math.max(anchor, focus)];
  return chips.find(({ from, to }) => from < start && end < to);
}

/** Returns the chip that begins at the caret, or ends there for a movement or a deletion back. */
export function chipBeside(
  chips: readonly Chip[],
  caret: number,
  isForward: boolean,
): Chip | undefined {
  return chips.find(({ from, to }) => (isForward ? from : to) === caret);
}

/** Moves the ends of a selection out of chips. `before` is the focus before the movement. */
export function outsideChips(
  chips: readonly Chip[],
  { anchor, focus }: Ends,
  before: number,
  movement: Movement,
): Ends {
  if (anchor === focus || movement !== 'pointer') {
    const at = focusOutside(chips, focus, before, movement);
    return { anchor: anchor === focus ? at : endOutside(chips, anchor, anchor > focus), focus: at };
  }
  return wholeChips(chips, { anchor, focus });
}

/** Extends a selection over the chips that it contains in part. */
export function wholeChips(chips: readonly Chip[], { anchor, focus }: Ends): Ends {
  return {
    anchor: endOutside(chips, anchor, anchor > focus),
    focus: endOutside(chips, focus, focus > anchor),
  };
}

function endOutside(chips: readonly Chip[], at: number, isLast: boolean): number {
  const chip = chipAround(chips, { anchor: at, focus: at });
  if (chip === undefined) return at;
  return isLast ? chip.to : chip.from;
}

function focusOutside(
  chips: readonly Chip[],
  at: number,
  before: number,
  movement: Movement,
): number {
  const chip = chipAround(chips, { anchor: at, focus: at });
  if (chip === undefined) return at;
  const { from, to } = chip;
  const [near, far] = at - from < to - at ? [from, to] : [to, from];
  // Of a chip that breaks over lines, the caret reaches the next line only at the other edge.
  if (movement === 'lines') return near === before ? far : near;
  const isFromInside = from < before && before < to;
  if (movement === 'pointer' || isFromInside) return near;
  const isForward = before <= from;
  // The end of a line in a chip: the caret stays on the line.
  return isForward === (movement === 'end') ? from : to;
}
