/** Commands on the selected layers: nudge, align, distribute, group, reorder, duplicate, hide, lock and remove. */
import { isParent } from '#language/layer-tree.ts';
import { isRightToLeft } from '#language/writing-direction.ts';
import type { Template } from '#language/schema/template.ts';
import type { Editor } from '../state/editor.ts';
import {
  duplicateLayers,
  findLayer,
  findPosition,
  moveLayers,
  removeLayers,
  topmostIds,
} from '../state/layers.ts';
import { keepPosition, settle, sizeModes } from '../state/layer-sizes.ts';
import type { SizeMode } from '../state/layer-sizes.ts';
import type { SizeName } from '../state/sizes.ts';
import { arranger } from '../state/arrangement/arranger.ts';
import { groupLayers, stackLayers, ungroup } from '../state/wrap-layers.ts';
import { notify } from '../wording.ts';
import { alignRects, distributeRects, moveTo } from './edit-layers.ts';
import type { Alignment } from './edit-layers.ts';
import { boundsOf } from './geometry.ts';
import type { Point, Rect } from './geometry.ts';
import type { LayerGeometry } from './layer-geometry.ts';
import { measuredBoxes, placeLayers } from './layer-geometry.ts';
import { selectAdded } from './gestures/select-added.ts';

/** Offset of a copy from its original, to the right and down, design pixels. */
export const copyOffsetPx = 10;

/** Geometry of the selected layers. Leaves out locked layers, and layers inside another selected layer. */
export function selectedPositions(editor: Editor): LayerGeometry[] {
  const ids = new Set(selectedIds(editor));
  const positions = placeLayers(editor.document.value, editor.frame.value?.report);
  return positions.filter(({ id }) => ids.has(id));
}

/** Ids of the selected layers that are in no selected group and not locked, in paint order. */
export function selectedIds(editor: Editor): string[] {
  const { document, selection, locked } = editor;
  return topmostIds(document.value, selection.value).filter((id) => !locked.value.has(id));
}

/** `Move layer` or `Move 3 layers`. */
export function labelFor(doing: string, ids: readonly unknown[]): string {
  return ids.length === 1 ? `${doing} layer` : `${doing} ${ids.length} layers`;
}

/**
 * Moves the selection by design pixels, and layers of a stack by one position along the stack. Consecutive presses in
 * one direction are one history step.
 */
export function nudge(editor: Editor, delta: Point): void {
  const positions = selectedPositions(editor);
  if (positions.length === 0) return;
  const direction = `${Math.sign(delta.x)},${Math.sign(delta.y)}`;
  const key = `nudge:${direction}:${positions.map(({ id }) => id).join()}`;
  const recipe = (draft: Template): void => {
    moveTo(draft, positions, delta);
    moveInStacks(draft, positions, delta);
  };
  editor.change(labelFor('Move', positions), recipe, key);
}

function moveInStacks(draft: Template, positions: readonly LayerGeometry[], { x, y }: Point): void {
  const ids = positions.map(({ id }) => id);
  const rightward = isRightToLeft(draft.lang ?? '') ? -1 : 1;
  const wayOf = (id: string): number => {
    const stack = findPosition(draft, id)?.group;
    if (stack?.type !== 'stack') return 0;
    return stack.direction === 'row' ? Math.sign(x) * rightward : Math.sign(y);
  };
  // Starts at the end that moves first, so that selected neighbours keep their order.
  for (const id of ids.filter((each) => wayOf(each) === 1).toReversed()) reorder(draft, id, ids, 1);
  for (const id of ids.filter((each) => wayOf(each) === -1)) reorder(draft, id, ids, -1);
}

/** Makes a size of the selected layers hug their content or fill their stack; false when none of them can. */
export function setSizeMode(
  editor: Editor,
  size: 'width' | 'height',
  mode: Exclude<SizeMode, 'fixed'>,
): boolean {
  const able = selectedPositions(editor).filter(({ id, layer }) => {
    const stack = findPosition(editor.document.value, id)?.group;
    // A bound size keeps its binding.
    return !isBound(layer[size]) && sizeModes(layer, stack).includes(mode);
  });
  editor.change(labelFor(mode === 'hug' ? 'Hug' : 'Fill', able), (draft) => {
    for (const { id, box } of able) {
      const position = findPosition(draft, id);
      if (position === undefined) continue;
      keepPosition(position.layer, box, () => (position.layer[size] = mode));
      settle(position.layer, position.group, undefined);
    }
  });
  return able.length > 0;
}

/** Aligns several layers with each other, and a single one with the canvas. */
export function alignSelected(editor: Editor, alignment: Alignment): void {
  const positions = selectedPositions(editor);
  const rects = positions.map(rectOf);
  const { width, height } = editor.document.value;
  const around = boundsOf(positions.map(({ seen }) => seen));
  const within =
    positions.length === 1 || around === undefined ? { x: 0, y: 0, width, height } : around;
  moveEach(editor, labelFor('Align', positions), positions, alignRects(rects, alignment, within));
}

/** Gives three layers or more equal gaps. */
export function distributeSelected(editor: Editor, axis: 'x' | 'y'): void {
  const positions = selectedPositions(editor);
  const moves = distributeRects(positions.map(rectOf), axis);
  moveEach(editor, labelFor('Distribute', positions), positions, moves);
}

function rectOf({ seen }: LayerGeometry): Rect {
  return boundsOf([seen]) ?? seen;
}

function moveEach(
  editor: Editor,
  label: string,
  positions: readonly LayerGeometry[],
  moves: readonly Point[],
): void {
  if (positions.length === 0) return;
  editor.change(label, (draft) => {
    for (const [index, position] of positions.entries()) {
      moveTo(draft, [position], moves[index] ?? { x: 0, y: 0 });
    }
  });
}

export function removeSelected(editor: Editor): void {
  const ids = selectedIds(editor);
  if (ids.length === 0) return;
  editor.change(labelFor('Delete', ids), (draft) => removeLayers(draft, ids));
}

/**
 * Duplicates the selected layers in all sizes and selects the copies. `step` names the history step that contains this
 * one.
 */
export function duplicateSelected(
  editor: Editor,
  offsetPx = copyOffsetPx,
  step?: { label: string; key: string },
): void {
  const ids = topmostIds(editor.document.value, editor.selection.value);
  if (ids.length === 0) return;
  let copies: string[] = [];
  const recipe = (draft: Template): void => {
    copies = duplicateLayers(draft, ids, offsetPx);
  };
  editor.changeWhole(step?.label ?? labelFor('Duplicate', ids), recipe, step?.key);
  selectAdded(editor, copies);
}

/** Puts the selection into a new group or stack, and selects that. */
export function groupSelected(editor: Editor, into: 'group' | 'stack' = 'group'): void {
  const ids = selectedIds(editor);
  if (ids.length === 0) return;
  const boxes = measuredBoxes(editor);
  const { size, whole } = editor;
  const before = whole.value;
  const label = labelFor(into === 'group' ? 'Group' : 'Stack', ids);
  let parent: string | undefined;
  const wrap = (draft: Template): void => {
    parent = (into === 'group' ? groupLayers : stackLayers)(draft, ids, boxes);
  };
  editor.change(label, wrap, 'wrap');
  if (parent === undefined) return;
  const wrapped = { parent, ids, before, size: size.value, boxes };
  let reordered: SizeName[] = [];
  const arrange = (draft: Template): void => {
    reordered = arranger.code?.arrangeWrapped(draft, wrapped) ?? [];
  };
  editor.changeWhole(label, arrange, 'wrap');
  editor.endGesture();
  editor.selection.value = [parent];
  const sizes = reordered.map((name) => name ?? 'Base').join(', ');
  if (sizes !== '') notify(`Also changes the order in ${sizes}.`);
}

/** Dissolves the selected groups and stacks, and selects the layers that were in them. */
export function ungroupSelected(editor: Editor): void {
  const ids = selectedIds(editor).filter((id) => {
    const layer = findLayer(editor.document.value, id);
    return layer !== undefined && isParent(layer);
  });
  if (ids.length === 0) return;
  const boxes = measuredBoxes(editor);
  let freed: string[] = [];
  editor.change(labelFor('Ungroup', ids), (draft) => {
    freed = ids.flatMap((id) => ungroup(draft, id, boxes));
  });
  editor.selection.value = freed;
}

/** Moves each selected layer one step up (1) or down (-1) in the paint order of its group, or to an end. */
export function reorderSelected(editor: Editor, to: 1 | -1 | 'front' | 'back'): void {
  const ids = selectedIds(editor);
  if (ids.length === 0) return;
  const isUp = to === 1 || to === 'front';
  editor.change(labelFor('Reorder', ids), (draft) => {
    // Starts at the end that moves first, so that selected neighbours keep their order.
    for (const id of isUp ? ids.toReversed() : ids) reorder(draft, id, ids, to);
  });
}

function isBound(size: unknown): boolean {
  return typeof size === 'string' && size.startsWith('{{');
}

function reorder(
  draft: Template,
  id: string,
  selected: readonly string[],
  to: 1 | -1 | 'front' | 'back',
): void {
  const position = findPosition(draft, id);
  if (position === undefined) return;
  const siblings = (position.group ?? draft).layers;
  if (typeof to === 'number') {
    const neighbour = siblings[position.index + to];
    if (neighbour === undefined || selected.includes(neighbour.id)) return;
    // `moveLayers` counts positions before the layer is removed.
    moveLayers(draft, [id], position.group?.id, position.index + (to === 1 ? 2 : -1));
    return;
  }
  const others = siblings.filter((layer) => !selected.includes(layer.id));
  const edge = to === 'front' ? others.at(-1) : others[0];
  if (edge === undefined) return;
  const at = siblings.indexOf(edge);
  if (to === 'front' ? position.index > at : position.index < at) return;
  moveLayers(draft, [id], position.group?.id, to === 'front' ? at + 1 : at);
}

/** Locks layers, or unlocks them when all of them are locked. Applies to every size. */
export function toggleLocked(editor: Editor, ids = editor.selection.value): void {
  const isLocked = ids.every((id) => editor.locked.value.has(id));
  editor.changeWhole(labelFor(isLocked ? 'Unlock' : 'Lock', ids), (draft) => {
    for (const id of ids) {
      const layer = findLayer(draft, id);
      if (layer === undefined) continue;
      if (isLocked) delete layer.locked;
      else layer.locked = true;
    }
  });
}

/** Hides the selection, or shows it if all of it is hidden. Does not hide a layer whose visibility is bound. */
export function toggleVisible(editor: Editor): void {
  const { document, selection } = editor;
  const layers = selection.value.flatMap((id) => findLayer(document.value, id) ?? []);
  const isHidden = layers.length > 0 && layers.every(({ visible }) => visible === false);
  editor.change(labelFor(isHidden ? 'Show' : 'Hide', layers), (draft) => {
    for (const { id } of layers) {
      const layer = findLayer(draft, id);
      if (layer === undefined) continue;
      if (isHidden) delete layer.visible;
      else if (typeof (layer.visible ?? true) === 'boolean') layer.visible = false;
    }
  });
}

/** Selects every top-level layer that is not locked. */
export function selectAll(editor: Editor): void {
  const { document, selection, locked } = editor;
  selection.value = document.value.layers.map(({ id }) => id).filter((id) => !locked.value.has(id));
}
