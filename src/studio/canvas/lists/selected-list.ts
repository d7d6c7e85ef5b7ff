/** The selected list on the canvas: its geometry, and the maximum number of items after a drag of its end. */
import { itemsMax, repeatedList } from '#language/bind/list-items.ts';
import { templateLimits } from '#language/limits/template-limits.ts';
import type { StackLayer } from '#language/schema/layers.ts';
import type { ListVariable, Template } from '#language/schema/template.ts';
import { isRightToLeft } from '#language/writing-direction.ts';
import { findLayer } from '../../state/layers.ts';
import type { CanvasState } from '../canvas-state.ts';
import { fixedNumber, flowIn } from '../layer-geometry.ts';
import type { LayerGeometry } from '../layer-geometry.ts';
import { spacesOf, spanOf } from '../stack-spaces.ts';
import type { StackSpace } from '../stack-spaces.ts';

/** A stack that repeats a list, with its geometry on the canvas. */
export interface SelectedList {
  position: LayerGeometry;
  stack: StackLayer;
  variable: ListVariable;
  /** Maximum number of items, and number of items drawn now. */
  most: number;
  drawn: number;
  /** Design pixels from an item to the next, on the axis on which the list grows. */
  pitch: number;
  /** `isAcross`: the list grows to the side. `isMirrored`: a row then runs from right to left. */
  isAcross: boolean;
  isMirrored: boolean;
  /** The first gap, which a handle changes. */
  gap: StackSpace | undefined;
}

/** The list that is the only selected layer. Undefined if it is locked, or if another layer is selected. */
export function selectedList({
  editor,
  selected,
  positions,
}: CanvasState): SelectedList | undefined {
  const [position, ...others] = selected.value;
  if (position === undefined || others.length > 0 || editor.locked.value.has(position.id)) {
    return undefined;
  }
  const { layer: stack } = position;
  if (stack.type !== 'stack' || stack.repeat === undefined) return undefined;
  const { variables, lang } = editor.document.value;
  const variable = repeatedList(stack.repeat, variables);
  if (variable === undefined) return undefined;
  const flow = flowIn(positions.value, position);
  const items = positions.value.filter(
    ({ id, groups, isDrawn }) =>
      isDrawn && groups.at(-1) === position.id && id !== stack.repeat?.more,
  );
  const drawn = Math.max(0, ...items.map(({ copies }) => copies.at(-1)?.number ?? 1));
  const isAcross = stack.direction === 'row' && stack.wrap !== true;
  const span = spanOf(
    items.flatMap(({ box, copies }) => [{ box }, ...copies]),
    isAcross ? 'x' : 'y',
  );
  const gap = fixedNumber(stack.gap) ?? 0;
  return {
    position,
    stack,
    variable,
    most: itemsMax(stack.repeat),
    drawn,
    pitch: drawn === 0 ? 0 : (span.to - span.from + gap) / drawn,
    isAcross,
    isMirrored: isRightToLeft(lang ?? ''),
    gap: spacesOf(stack, position.box, flow).find(({ name }) => name.startsWith('gap')),
  };
}

/** Text of the end handle. */
export function itemsText({ most, variable }: SelectedList): string {
  const count = variable.value.length;
  return `at most ${most} ${most === 1 ? 'item' : 'items'}, the sample has ${count}`;
}

/** Sets the maximum number of items that a stack draws. */
export function setMost({ editor }: CanvasState, id: string, most: number): void {
  const change = (draft: Template): void => {
    const stack = findLayer(draft, id);
    if (stack?.type === 'stack' && stack.repeat !== undefined) stack.repeat.max = most;
  };
  editor.change('Change the most items', change, `items:${id}`);
}

/**
 * Maximum number of items after a drag of the end by `along` design pixels. The drag counts from the last drawn item. A
 * drag outward never lowers the number.
 */
export function mostAfter(
  { most, drawn, pitch }: Pick<SelectedList, 'most' | 'drawn' | 'pitch'>,
  along: number,
): number {
  const items = pitch <= 0 ? 0 : Math.round(along / pitch);
  if (items === 0) return most;
  const wanted = Math.min(most, drawn) + items;
  const next = items > 0 ? Math.max(most, wanted) : wanted;
  return Math.min(templateLimits.listItemsMax, Math.max(1, next));
}
