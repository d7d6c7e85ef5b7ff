/** Spaces of a stack that can be dragged on the canvas: its padding on each side, and the gaps between layers. */
import type { StackLayer } from '#language/schema/layers.ts';
import { lengthMaxPx } from '../state/layer-sizes.ts';
import type { Point, Rect } from './geometry.ts';
import type { LayerGeometry } from './layer-geometry.ts';
import { fixedNumber } from './layer-geometry.ts';

/** Space on each side, clockwise from the top, as a list of four paddings. */
export type Insets = readonly [top: number, right: number, bottom: number, left: number];

/** A space that a drag changes: the gap along an axis, or the padding of a side by its index in `Insets`. */
export type SpaceName = 'gap-x' | 'gap-y' | 'padding-0' | 'padding-1' | 'padding-2' | 'padding-3';

/** A box that a stack lays out. */
type Placed = Pick<LayerGeometry, 'box'>;

/** A space in the coordinates of its stack, design pixels. */
export interface StackSpace {
  name: SpaceName;
  area: Rect;
  /** Middle of the handle. `isAcross`: it is dragged horizontally. */
  handle: Point;
  isAcross: boolean;
}

/** Padding of a stack. Undefined if a variable sets it. */
export function insetsOf({ padding = 0 }: StackLayer): Insets | undefined {
  const sides: readonly unknown[] = Array.isArray(padding)
    ? padding
    : [padding, padding, padding, padding];
  const [top, right, bottom, left] = sides.map(fixedNumber);
  if (top === undefined || right === undefined) return undefined;
  return bottom === undefined || left === undefined ? undefined : [top, right, bottom, left];
}

/** The box of the stack without its padding. */
export function innerOf(stack: StackLayer, box: Rect): Rect {
  const [top, right, bottom, left] = insetsOf(stack) ?? [0, 0, 0, 0];
  return {
    x: box.x + left,
    y: box.y + top,
    width: Math.max(0, box.width - left - right),
    height: Math.max(0, box.height - top - bottom),
  };
}

/** Differences below this are rounding, design pixels. */
const sameMaxPx = 0.01;

/** Splits the layers of a stack into lines: one line, unless a row wraps. A line begins below the one before. */
export function linesOf<Child extends Placed>(
  stack: StackLayer,
  children: readonly Child[],
): Child[][] {
  const wraps = stack.direction === 'row' && stack.wrap === true;
  const lines: Child[][] = [];
  for (const child of children) {
    const line = lines.at(-1);
    if (line === undefined || (wraps && child.box.y >= spanOf(line, 'y').to - sameMaxPx))
      lines.push([child]);
    else line.push(child);
  }
  return lines;
}

/** Smallest and largest coordinate of layers on an axis. */
export function spanOf(line: readonly Placed[], axis: 'x' | 'y'): { from: number; to: number } {
  const side = axis === 'x' ? 'width' : 'height';
  return {
    from: Math.min(...line.map(({ box }) => box[axis])),
    to: Math.max(...line.map(({ box }) => box[axis] + box[side])),
  };
}

/** All spaces of a stack whose values are fixed numbers. `children` are its drawn layers in order. */
export function spacesOf(stack: StackLayer, box: Rect, children: readonly Placed[]): StackSpace[] {
  return [...paddings(stack, box), ...gaps(stack, box, children)];
}

/** Position of a padding handle as a fraction of the side, clear of the resize handles. */
const graspPart = 0.3;

function paddings(stack: StackLayer, box: Rect): StackSpace[] {
  if (insetsOf(stack) === undefined) return [];
  const inner = innerOf(stack, box);
  const right = inner.x + inner.width;
  const bottom = inner.y + inner.height;
  const across = box.x + box.width * graspPart;
  const down = box.y + box.height * graspPart;
  const row = (name: SpaceName, y: number, height: number): StackSpace => ({
    name,
    area: { x: box.x, y, width: box.width, height },
    handle: { x: across, y: y + height / 2 },
    isAcross: false,
  });
  const column = (name: SpaceName, x: number, width: number): StackSpace => ({
    name,
    area: { x, y: inner.y, width, height: inner.height },
    handle: { x: x + width / 2, y: down },
    isAcross: true,
  });
  return [
    row('padding-0', box.y, inner.y - box.y),
    column('padding-1', right, box.x + box.width - right),
    row('padding-2', bottom, box.y + box.height - bottom),
    column('padding-3', box.x, inner.x - box.x),
  ];
}

function gaps(stack: StackLayer, box: Rect, children: readonly Placed[]): StackSpace[] {
  // With `between`, the free space sets the gaps, not the number.
  if (fixedNumber(stack.gap ?? 0) === undefined || stack.justify === 'between') return [];
  const inner = innerOf(stack, box);
  const lines = linesOf(stack, children);
  if (stack.direction !== 'row') return gapsAlong(children, 'y', inner);
  const within = lines.flatMap((line) => {
    const { from, to } = lines.length > 1 ? spanOf(line, 'y') : spanOfRect(inner);
    return gapsAlong(line, 'x', { ...inner, y: from, height: to - from });
  });
  const between = lines.slice(1).flatMap((line, index) => {
    const before = spanOf(lines[index] ?? line, 'y').to;
    return gapSpace('gap-y', { ...inner, y: before, height: spanOf(line, 'y').from - before });
  });
  return [...within, ...between];
}

function spanOfRect({ y, height }: Rect): { from: number; to: number } {
  return { from: y, to: y + height };
}

/** Gaps between consecutive layers on an axis, in either direction. */
function gapsAlong(line: readonly Placed[], axis: 'x' | 'y', across: Rect): StackSpace[] {
  return line.slice(1).flatMap(({ box: next }, index) => {
    const before = line[index]?.box ?? next;
    const [first, second] = before[axis] <= next[axis] ? [before, next] : [next, before];
    if (axis === 'x') {
      const x = first.x + first.width;
      return gapSpace('gap-x', { ...across, x, width: second.x - x });
    }
    const y = first.y + first.height;
    return gapSpace('gap-y', { ...across, y, height: second.y - y });
  });
}

function gapSpace(name: 'gap-x' | 'gap-y', area: Rect): StackSpace[] {
  if (area.width < 0 || area.height < 0) return [];
  const handle = { x: area.x + area.width / 2, y: area.y + area.height / 2 };
  return [{ name, area, handle, isAcross: name === 'gap-x' }];
}

/** Sides that a drag of a padding changes: one, with alt also the opposite side, with alt and shift all. */
export type Sides = 'one' | 'opposite' | 'all';

/** Changes a space by a drag of `delta` in the stack's space, from its value in `before`. Returns the new value. */
export function dragSpace(
  stack: StackLayer,
  before: StackLayer,
  name: SpaceName,
  delta: Point,
  { sides, isMirrored }: { sides: Sides; isMirrored: boolean },
): number {
  if (name === 'gap-x' || name === 'gap-y') {
    const along = name === 'gap-y' ? delta.y : delta.x * (isMirrored ? -1 : 1);
    const gap = wholeLength((fixedNumber(before.gap) ?? 0) + along);
    if (gap === 0) delete stack.gap;
    else stack.gap = gap;
    return gap;
  }
  const side = Number(name.at(-1));
  const insets = insetsOf(before) ?? [0, 0, 0, 0];
  const inward = [delta.y, -delta.x, -delta.y, delta.x][side] ?? 0;
  const padding = wholeLength((insets[side] ?? 0) + inward);
  const isChanged = (index: number): boolean =>
    sides === 'all' || index === side || (sides === 'opposite' && index === (side + 2) % 4);
  const [top = 0, right = 0, bottom = 0, left = 0] = insets.map((each, index) =>
    isChanged(index) ? padding : each,
  );
  const isEven = [right, bottom, left].every((each) => each === top);
  if (isEven && top === 0) delete stack.padding;
  else stack.padding = isEven ? top : [top, right, bottom, left];
  return padding;
}

function wholeLength(px: number): number {
  return Math.min(lengthMaxPx, Math.max(0, Math.round(px)));
}
